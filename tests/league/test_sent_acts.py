"""What a league gets of each act gives it the same game, however the players took back and corrected."""

import gzip
from pathlib import Path

import pytest
from hosted import Hosted, hosted, seen

from companion.features.league.sent_acts import FoldedGame, common, encoded
from companion.storage.database import read
from companion.storage.rows import acts_of
from companion.table.state.history import Act, add_act
from companion.table.state.inputs import ChooseSelection, CorrectRoll, NewGame, SeatBots, Undo
from farkle.game.events import DiceRolled, TurnBanked
from farkle.league import canonical
from farkleague.messages import SentAct, decode

JOURNALS = Path(__file__).parents[1] / "companion/journals"


class Heard:
    """A game in a league, made of what is sent alone."""

    def __init__(self) -> None:
        self.acts: list[tuple[int, tuple]] = []

    def hear(self, sent: dict) -> dict:
        act = SentAct.model_validate_json(canonical(sent))
        made = [(number, tuple(decode(*event) for event in events)) for number, events in act.made]
        self.acts = [each for each in self.acts if each[0] <= act.keeps] + made
        return sent


def counting(history) -> list[tuple[int, tuple]]:
    """Return the acts of a history that count in the game, as a league gets them."""
    acts = [each.act for each in history if each.act.game_events]
    return [(act.number, tuple(decode(*encoded(event)) for event in act.game_events)) for act in acts]


@pytest.fixture
def table(tmp_path) -> Hosted:
    with hosted(tmp_path) as made:
        yield made


def acts_at(table: Hosted) -> tuple[Act, ...]:
    return table.host.state.play.acts


def sent_of(acts: tuple[Act, ...], before: int = 0) -> list[dict]:
    """Return the acts of a game as they are sent, without the first ones."""
    game = FoldedGame(1)
    for act in acts[:before]:
        game.add(act, sent=False)
    return [game.send(act, f"{act.number}-{'0' * 64}", 1.8e9) for act in acts[before:]]


def kinds(sent: dict) -> list[tuple[int, list[str]]]:
    return [(number, [kind for kind, _ in events]) for number, events in sent["made"]]


def test_an_act_that_changes_nothing_in_the_game_keeps_the_last_one_and_makes_none(table: Hosted) -> None:
    table.game().throws("123346").take(ChooseSelection((1,)))
    throw, choice = sent_of(acts_at(table))[-2:]
    assert [name for name, _ in throw["made"][0][1]] == ["DiceRolled"]
    assert (choice["act"], choice["keeps"], choice["made"]) == (throw["act"] + 1, throw["act"], [])


def test_an_undo_keeps_the_act_before_and_makes_none(table: Hosted) -> None:
    table.game().throws("123346").taps("bank").take(Undo())
    start, throw, bank, undo = sent_of(acts_at(table))
    assert (start["keeps"], throw["keeps"], bank["keeps"]) == (0, start["act"], throw["act"])
    assert (undo["keeps"], undo["made"]) == (throw["act"], [])


def test_a_correction_makes_the_throw_and_what_came_after_it_again(table: Hosted) -> None:
    table.game().throws("123346").take(CorrectRoll((1, 1, 3, 3, 4, 6)))
    start, throw, correction = sent_of(acts_at(table))
    assert correction["keeps"] == start["act"]
    assert kinds(correction)[0] == (throw["act"], ["DiceRolled"])
    assert correction["made"][0][1][0][1]["faces"] == [1, 1, 3, 3, 4, 6]


def test_a_game_whose_beginning_was_not_sent_is_sent_whole_with_its_next_act(table: Hosted) -> None:
    table.game().throws("123346").taps("bank").throws("344663")
    acts = acts_at(table)
    first, later = sent_of(acts, before=2)
    assert (first["keeps"], [number for number, _ in first["made"]]) == (0, [act.number for act in acts[:3]])
    assert (later["keeps"], len(later["made"])) == (acts[2].number, 1)


def test_bots_are_named_by_seat_and_teams_have_no_names(table: Hosted) -> None:
    table.take(NewGame("farkle-cribbage", ("Ann", "Ben", "Cy", "Di"), teams=("Reds", "Blues")))
    table.take(SeatBots())
    *_, last = sent = sent_of(acts_at(table))
    assert set(last["bots"]) == {"0", "1", "2", "3"}
    started = sent[0]["made"][0][1][0]
    assert (started[0], started[1]["teams"]) == ("GameStarted", ["Team 1", "Team 2"])


def test_acts_are_the_same_by_number_and_events_of_the_game() -> None:
    throw, other = Act(2, (DiceRolled(0, (1,)),)), Act(2, (DiceRolled(0, (2,)),))
    again, bank = Act(2, (DiceRolled(0, (1,)),)), Act(3, (TurnBanked(0, 1, 1),))
    assert common([throw, bank], [again, bank]) == 2
    assert common([throw, bank], [other, bank]) == 0
    assert common([throw, bank], [again]) == common([throw], [again, bank]) == 1


@pytest.mark.parametrize("name", ["scenes", pytest.param("by-chance", marks=pytest.mark.exhaustive)])
def test_what_is_sent_of_any_game_gives_the_acts_that_count_after_each_act(name: str, tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_bytes(gzip.decompress((JOURNALS / f"{name}.db.gz").read_bytes()))
    games: dict[int, list] = {}
    for row in read(tmp_path / "journal.db").rows:
        games.setdefault(row.game, []).append(row)
    for number, rows in games.items():
        acts, history, heard, game = acts_of(rows), [], Heard(), FoldedGame(number)
        for index, act in enumerate(acts):
            add_act(history, act)
            if number % 2 and index < 5:  # a game whose beginning was not sent
                game.add(act, sent=False)
                continue
            heard.hear(game.send(act, f"{act.number}-{'0' * 64}", 1.8e9))
            assert heard.acts == counting(history), (number, act.number)


def test_a_throw_that_was_seen_tells_the_league_nothing_of_its_picture(table: Hosted) -> None:
    table.take(NewGame("farkle-cribbage", ("Ann", "Ben")))
    table.take(seen("123346"))
    assert b"synthetic" not in canonical(sent_of(acts_at(table)))
