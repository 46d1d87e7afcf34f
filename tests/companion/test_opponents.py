"""The bots' thread: it plays whole games, at a simulated tray alone and at a real one with people who throw."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hosted import PATIENCE_S, Hosted, hosted, seen
from tables import Table

from companion.games.stores import HostGames
from companion.games.throw_images import ThrowImages
from companion.odds.kept_tables import table_of
from companion.odds.live_odds import LiveOdds
from companion.opponents import decisions, human_play
from companion.opponents.opponents import Opponents
from companion.table.state.events import BotSeated
from companion.table.state.inputs import Button, ChooseSelection, NewGame, Press
from companion.table.view import View
from companion.times import Times
from farkle.odds.game.answers import GameOdds
from farkle.rules.catalogue import find_rule_set
from farkle.rules.ruleset import RuleSet


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path, running=True, times=Times(farkle_shown_s=0.0)) as made:
        yield made


@dataclass
class FairHands:
    """Hands that throw the dice that the table expects, with random faces, as the eye would see them."""

    table: Hosted
    chance: random.Random
    refuse: list[Exception] = field(default_factory=list)
    unsure: int = 0  # the number of throws that are read in doubt

    def throw(self, faces: tuple[int, ...] | None) -> None:
        if self.refuse:
            raise self.refuse.pop()
        view = self.table.view
        thrown = "".join(str(self.chance.randint(1, 6)) for _ in range(view.dice_to_throw))
        shelf = "".join(map(str, (*view.locked, *(view.chosen.dice if view.chosen else ()))))
        self.unsure -= 1
        self.table.host.submit(seen(thrown, shelf=shelf if len(thrown) < 6 else "", sure=self.unsure < 0))


@contextmanager
def bots(table: Hosted, folder: Path, throw: object = None, *, alone: bool = False) -> Iterator[Opponents]:
    games = HostGames(table.host, ThrowImages(folder))
    rest = table.host, throw, random.Random(3), LiveOdds(folder), games
    made = Opponents(*rest, pause_s=0.0, alone=alone)  # type: ignore[arg-type]
    made.start()
    try:
        yield made
    finally:
        made.close()


def decided(view: View) -> bool:
    return view.bot is not None and view.bot.then == "throw"


def wait(table: Hosted, until: object) -> View:
    assert table.host.feed.wait(lambda update: until(update.view), PATIENCE_S)  # type: ignore[operator]
    return table.view


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("farkle-cribbage", {"target": 61}),  # whose odds are packaged
        ("farkle-cribbage", {"rounds": 3, "farkle_penalty": 5}),
        ("farkle-cribbage", {"endgame": "defend", "target": 40, "six_ones_win": True}),
        ("farkle-cribbage-advanced", {"endgame": "one_more_turn", "last_turns": "one_throw", "target": 40}),
        ("free-the-dice", {"target": 2000, "piggyback": True}),
    ],
)
def test_bots_alone_play_a_game_to_its_end_with_simulated_dice(
    table: Hosted, tmp_path: Path, rules: str, settings: dict[str, object]
) -> None:
    table.take(NewGame(rules, ("bot:bold", "bot:cautious", "bot:best"), settings))
    with bots(table, tmp_path, FairHands(table, random.Random(5)).throw):
        assert wait(table, lambda view: view.phase == "over").winners
    seats = [event for act in table.host.state.acts for event in act.events if isinstance(event, BotSeated)]
    assert [seat.kind for seat in seats] == ["bold", "cautious", "best"]


def test_the_exact_bot_takes_dice_over_where_that_wins_oftener(tmp_path: Path) -> None:
    settings = {"piggyback": True, "target": 12}
    for thrown, best, answer in (("334462", "fresh", "fresh_dice"), ("111346", "piggyback", "take_over")):
        table = Table()
        table.take(NewGame("farkle-cribbage", ("Ann", "bot:best"), settings, track=61))
        table.throws(thrown).taps("bank")
        game = table.state.current.game
        odds = GameOdds(table_of(game.rules, tmp_path)).choices(game)
        assert odds.best == best
        assert decisions.answer(table.state, lambda _, odds=odds: odds) == answer


def test_at_a_real_tray_a_bot_decides_and_people_throw(table: Hosted, tmp_path: Path) -> None:
    table.take(NewGame("farkle-cribbage", ("bot:cautious", "Ann")))
    with bots(table, tmp_path):
        table.throws("111222")
        wait(table, decided)
        assert (
            table.view.message.text == "Set the three ones and the three twos aside, then throw six dice for Bones."
            or (table.view.message.text.endswith("again for Bones."))
        )
        table.take(seen("334461"))
        wait(table, lambda view: view.to_move == "Ann")
    assert table.view.players[0].score > 0


def test_a_bot_sees_no_dice_that_the_journal_refuses(table: Hosted, tmp_path: Path) -> None:
    table.take(NewGame("farkle-cribbage", ("bot:cautious", "Ann")))
    with bots(table, tmp_path):
        table.connected.refuse_writes()
        with pytest.raises(Exception, match="not"):
            table.throws("111222")
        assert table.host.state.game.turn.roll == ()
        table.connected.refuse_writes(refuse=False)
        table.throws("222333")
        wait(table, lambda view: view.bot is not None and view.bot.then != "")
    chosen = [act.events for act in table.host.state.acts if "BotDecided" in repr(act.events)]
    assert all(set(events[0].dice) <= {2, 3} for events in chosen if hasattr(events[0], "dice"))


def test_a_bot_waits_after_an_undo_and_goes_on_after_keep(table: Hosted, tmp_path: Path) -> None:
    table.take(NewGame("farkle-cribbage", ("bot:cautious", "Ann")))
    with bots(table, tmp_path):
        table.throws("345611")
        wait(table, decided)
        table.holds("roll")
        assert table.view.bot.waits
        table.take(Press(Button.KEEP))
        wait(table, decided)


def test_a_cautious_bot_banks_where_a_bold_one_throws_on() -> None:
    rolls = ["".join(map(str, roll)) for roll in combinations_with_replacement(range(1, 7), 6)][::7]

    def banks(kind: str) -> int:
        thrown = [Table().start(f"bot:{kind}", "Ann").throws(roll).state for roll in rolls]
        choosing = [state for state in thrown if state.current.bot_decides and state.bot is not None]
        return sum(decisions.decide(state, random.Random(1)).bank for state in choosing)

    assert banks("cautious") > banks("bold") > 0


def test_a_throw_is_worth_what_the_odds_command_says() -> None:
    rules = find_rule_set("farkle-cribbage")
    assert decisions.throw_worth(rules, 1, 8) == pytest.approx(5.73, abs=0.005)  # docs/odds.md, by hand
    assert decisions.throw_worth(rules, 6, 0) == pytest.approx(9.11, abs=0.005)


def test_a_bot_banks_as_soon_as_it_wins_and_never_loses_by_a_bank() -> None:
    table = Table().start("bot:bold", "Ann", settings={"target": 12, "endgame": "immediate"})
    move = decisions.decide(table.throws("111222").state, random.Random(1))
    assert move.bank == (move.points >= 12)
    last = Table().start("Ann", "bot:cautious", settings={"target": 20})
    last.throws("666555").taps("bank")
    assert last.view.final_round
    move = decisions.decide(last.throws("123346").state, random.Random(1))
    assert not move.bank  # behind in the last round, a bank would lose


def thrown_on(rules: RuleSet, chance: random.Random, *, lean: float, spread: float) -> human_play.BankDecision:
    """Return a decision of a simulated player, at points and dice by chance."""
    points, dice = chance.randint(1, 30), chance.randint(1, 6)
    mean = decisions.long_run(rules).mean
    lead = (points - lean * decisions.throw_worth(rules, dice, points)) / mean
    return human_play.BankDecision(rules, points, dice, chance.random() < decisions.banking_chance(lead, spread))


@pytest.mark.parametrize(("lean", "spread"), [(0.8, 0.3), (1.25, 0.15)])
def test_the_fit_recovers_a_simulated_player(lean: float, spread: float) -> None:
    rules, chance = find_rule_set("farkle-cribbage"), random.Random(11)
    made = [thrown_on(rules, chance, lean=lean, spread=spread) for _ in range(3000)]
    kind = human_play.fitted(made)
    found = dict(kind.parameters)
    assert found["lean"] == pytest.approx(lean, abs=0.08)
    assert found["spread"] == pytest.approx(spread, rel=0.2)
    one_rule = human_play.fitted([thrown_on(rules, chance, lean=lean, spread=1e-6) for _ in range(400)])
    assert dict(one_rule.parameters)["lean"] == pytest.approx(lean, abs=0.1)


def test_the_human_bot_is_offered_after_some_turns_of_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert human_play.FEWEST_TURNS == 200
    monkeypatch.setattr(human_play, "FEWEST_TURNS", 12)
    with hosted(tmp_path, running=True, times=Times(farkle_shown_s=0.0)) as table:
        store = HostGames(table.host, ThrowImages(tmp_path))
        table.game()
        for turn in range(12):
            assert human_play.human_kind(store) is None, turn
            table.throws("233446").take(ChooseSelection((2,)))
            table.throws("11346", shelf="2").taps("bank")
        kind = human_play.human_kind(store)
        assert kind.name == "human"
        with bots(table, tmp_path):
            wait(table, lambda view: "human" in view.lobby.bots)
        table.take(NewGame("farkle-cribbage", ("bot:human", "Ann")))
        assert table.host.state.current.bots == (BotSeated(0, "human", kind.parameters),)
