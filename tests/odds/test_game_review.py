"""The review of a game: what chances, prices and luck are, and in which games they are right."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from companion.odds.kept_tables import table_of
from companion.odds.sentences import commented, price
from companion.words import english
from farkle import Game
from farkle.game.state import GameState, Phase
from farkle.odds.game.answers import GameOdds, WinOdds
from farkle.odds.game.duel import OddsError
from farkle.replay import replay
from farkle.review.game_review import GameReview, review_of

CLOSE = 1e-9
ADVANCED = "farkle-cribbage-advanced"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the games of these tests are solved once."""
    return tmp_path_factory.mktemp("odds")


def reviewed(game: Game, folder: Path) -> GameReview:
    return review_of(game.events, lambda rules: GameOdds(table_of(rules, folder)))


def written(text: str, folder: Path) -> GameReview:
    return review_of(replay(text).events, lambda rules: GameOdds(table_of(rules, folder)))


def play(game: Game, chance: Random, bank: float = 0.4) -> Game:
    """Play a game to its end at random."""
    while not game.over:
        if game.state.phase is Phase.CHOOSING:
            selection = chance.choice(game.selections)
            game.keep(*selection.dice, points=chance.choice(selection.totals))
        elif "swap" in game.options and chance.random() < 0.5:
            game.choose("swap")
        elif game.can_bank and chance.random() < bank:
            game.bank()
        else:
            game.roll(*(chance.randint(1, 6) for _ in range(game.dice_left)))
    return game


def check_sums(found: GameReview) -> None:
    """Check that each act changes the chance by its luck less its price."""
    for act in found.acts:
        assert act.after == pytest.approx(act.before + act.luck - act.price, abs=CLOSE)


GAMES = {
    "basic": ("farkle-cribbage", {"target": 9}, None),
    "penalty and swap": (ADVANCED, {"target": 4, "farkle3_penalty": 3}, None),
    "opening": ("classic", {"target": 600, "opening_min": 300}, None),
    "one more turn": ("classic", {"target": 600}, None),
}


@pytest.mark.parametrize(
    "name", ["basic", *(pytest.param(name, marks=pytest.mark.exhaustive) for name in GAMES if name != "basic")]
)
def test_what_an_act_changes_is_its_luck_less_its_price(name: str, folder: Path) -> None:
    rules, settings, teams = GAMES[name]
    for seed in range(2):
        game = play(Game(rules, ["Ann", "Ben"], settings=settings, teams=teams), Random(seed))
        found = reviewed(game, folder)
        assert found.untold == ""
        check_sums(found)
        assert all(act.price >= 0 and sum(act.chances) == pytest.approx(1) for act in found.acts)
        ann, ben = found.players
        gained = found.acts[-1].chances[0] - found.start[0]
        told = ann.luck - ann.given_away - (ben.luck - ben.given_away)
        assert told == pytest.approx(gained, abs=CLOSE)


def test_the_luck_of_all_rolls_of_a_throw_is_nothing_together(folder: Path) -> None:
    lucks = []
    for faces in product(range(1, 7), repeat=2):
        game = Game("farkle-cribbage", ["Ann", "Ben"], settings={"target": 9})
        game.roll(1, 1, 2, 5, 2, 6)
        game.keep(1, 1, 2, 2)
        game.roll(*faces)
        lucks.append(reviewed(game, folder).acts[-1].luck)
    assert len(lucks) == 36
    assert max(lucks) > 0.01
    assert sum(lucks) == pytest.approx(0, abs=CLOSE)


BEHIND = "rules: farkle-cribbage\nplayers: Ben, Ann\nscores: Ben 119, Ann 120\nstart: Ben\n"


def test_the_price_of_a_bank_is_what_throwing_was_worth_more(folder: Path) -> None:
    found = written(f"{BEHIND}Ben: 112346 > 112, bank\n", folder)
    bank = found.acts[-1]
    assert (bank.did, bank.best, found.exact) == ("bank", "throw", True)
    assert bank.before == pytest.approx(0.1772, abs=5e-5)  # docs/odds.md
    assert bank.after == pytest.approx(0.0714, abs=5e-5)
    assert bank.price == pytest.approx(0.1772 - 0.0714, abs=1e-4)
    assert bank.luck == 0


LEFT_OVER = "rules: farkle-cribbage\nset: piggyback=true, target=5, n_dice=5\nplayers: Ann, Ben\nAnn: 23446 > 2, bank\n"


@pytest.mark.parametrize("choice", ["piggyback, 1146", "fresh, 11466", "11466"])
def test_taking_dice_over_or_not_is_a_decision(choice: str, folder: Path) -> None:
    found = written(f"{LEFT_OVER}Ben: {choice} > 11, bank\n", folder)
    assert found.exact
    check_sums(found)
    act = found.acts[3]
    taken = choice.startswith("piggyback")
    assert act.did == (choice.partition(",")[0] if "," in choice else "throw")
    assert act.decision
    assert act.best in ("fresh", "piggyback")
    assert (act.price > 0) == (taken != (act.best == "piggyback"))


def test_a_throw_that_should_have_been_a_bank_has_a_price_and_its_luck(folder: Path) -> None:
    game = Game("farkle-cribbage", ["Ann", "Ben"], settings={"target": 9})
    for faces in ((1, 1, 1, 5, 5, 6), (4, 6, 6)):
        game.roll(*faces)
        if game.selections:
            game.keep(1, 1, 1)
    throw = reviewed(game, folder).acts[-1]
    assert (throw.did, throw.best, throw.player) == ("throw", "bank", "Ann")
    assert throw.price > 0.001
    assert throw.luck < 0


def test_the_dice_that_were_best_to_keep_are_named(folder: Path) -> None:
    keep = written(f"{BEHIND}Ben: 112346 > 1", folder).acts[-1]
    assert (keep.did, keep.dice, keep.best) == ("keep", (1,), "keep")
    assert keep.best_dice != (1,)
    assert keep.price > 0


LOWER = "rules: classic\nset: target=600\nplayers: Ann, Ben\nscores: Ann 200, Ben 500\nstart: Ann\nAnn: 112346 > 11, "


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("555", "Ann kept 5 5 5; keeping 5 5 5 for 150 was worth"),
        ("55", "Ann kept 5 5; keeping 5 5 5 for 150 was worth"),
        ("555=150", ""),
    ],
)
def test_a_lower_total_that_was_better_is_named(kept: str, said: str, folder: Path) -> None:
    keep = written(f"{LOWER}4555 > {kept}\n", folder).acts[-1]
    assert keep.decision
    assert english().text(price(keep)).startswith(said)
    assert (keep.price > 0) == bool(said)


def test_partners_share_a_chance_which_is_an_estimate(folder: Path) -> None:
    teams = {"A": ("Ann", "Cy"), "B": ("Ben", "Di")}
    settings = {"target": 5}
    game = play(Game("farkle-cribbage", ["Ann", "Ben", "Cy", "Di"], settings=settings, teams=teams), Random(3))
    found = reviewed(game, folder)
    assert (found.exact, found.untold, found.sides) == (False, "", ("A", "B"))
    assert [each.name for each in found.players] == ["Ann", "Ben", "Cy", "Di"]
    assert all(sum(act.chances) == pytest.approx(1) and act.price >= 0 for act in found.acts)
    assert found.acts[-1].chances[0] in (0.0, 0.5, 1.0)


def test_an_adjusted_score_changes_the_chance_and_is_nobodys_luck(folder: Path) -> None:
    game = Game("farkle-cribbage", ["Ann", "Ben"], settings={"target": 9})
    game.adjust("Ben", 6)
    found = reviewed(game, folder)
    act = found.acts[0]
    assert (act.did, act.player, act.points) == ("adjust", "Ben", 6)
    assert act.after > act.before + 0.1
    assert [(each.luck, each.given_away, each.decisions) for each in found.players] == [(0, 0, 0)] * 2


def test_a_skipped_turn_passes_the_chances_on_and_is_no_decision(folder: Path) -> None:
    game = Game("farkle-cribbage", ["Ann", "Ben"], settings={"target": 9})
    game.skip("Ann")
    found = reviewed(game, folder).acts[0]
    assert (found.did, found.player, found.price, found.luck, found.decision) == ("skip", "Ann", 0, 0, False)
    assert found.after < found.before


def test_a_game_has_no_chances_until_a_second_side_joins(folder: Path) -> None:
    game = Game("farkle-cribbage", ["Ann"], settings={"target": 9})
    game.roll(1, 3, 3, 4, 6, 6)
    game.keep(1)
    game.bank()
    game.join("Cy")
    game.roll(3, 3, 4, 4, 6, 6)
    found = reviewed(game, folder)
    assert [bool(act.chances) for act in found.acts] == [False, False, False, True, True]
    assert (found.exact, found.untold) == (False, "expected a game of 2 to 12 sides, got 1")
    gap = found.acts[1]
    assert (gap.before, gap.after, gap.price, gap.luck) == (None, None, 0, 0)


@pytest.mark.parametrize(
    ("players", "settings", "words"),
    [(["Ann"], {}, "two sides or more"), (["Ann", "Ben", "Cy"], {"find_loser": True}, "find_loser")],
)
def test_games_without_a_chance_to_win_have_no_review(players, settings, words: str, folder: Path) -> None:
    game = Game("farkle-cribbage", players, settings={"target": 9, **settings})
    with pytest.raises(OddsError, match=words):
        reviewed(game, folder)


class SetChances(GameOdds):
    """Odds that a test sets: Ann's chance by her score."""

    def __init__(self, by_score: dict[int, float]) -> None:
        object.__setattr__(self, "_by_score", by_score)

    def exact(self, state: GameState) -> bool:
        return len(state.sides) == 2

    def chances(self, game: GameState) -> tuple[float, ...]:
        chance = self._by_score.get(game.sides[0].score, 1.0)
        return chance, 1 - chance

    def choices(self, game: GameState) -> WinOdds:
        raise OddsError("expected nobody to ask")


@pytest.mark.parametrize(
    ("by_score", "turning"),
    [
        ({0: 0.4, 1: 0.6, 2: 0.3, 3: 0.7}, 9),  # Ann's third bank
        ({0: 0.4, 1: 0.6, 2: 0.7, 3: 0.8}, 3),
        ({0: 0.6, 1: 0.6, 2: 0.7, 3: 0.8}, None),  # she was ahead from the start
        ({0: 0.4, 1: 0.4, 2: 0.4, 3: 0.4}, 12),  # only the end decides
    ],
)
def test_from_the_turn_of_the_game_on_the_winner_was_ahead(by_score: dict[int, float], turning: int | None) -> None:
    settings = {"target": 4, "endgame": "immediate"}
    game = Game("farkle-cribbage", ["Ann", "Ben"], settings=settings)
    for _ in range(4):
        game.roll(1, 3, 3, 4, 6, 6)
        game.keep(1)
        game.bank()
        if not game.over:
            game.skip("Ben")
    acts = review_of(game.events, lambda _: SetChances(by_score))
    numbers = [act.act for act in acts.acts if act.did != "skip"]
    assert acts.turning == (None if turning is None else numbers[turning - 1])


def test_the_written_game_with_its_review_is_the_same_game(folder: Path) -> None:
    game = play(Game("farkle-cribbage", ["Ann", "skip"], settings={"target": 9}), Random(2))
    found = reviewed(game, folder)
    text = commented(game.events, found, english())
    assert replay(text).events == game.events
    assert written(text, folder) == found
    lines = text.splitlines()
    turns = [place for place, line in enumerate(lines) if line.startswith(("Ann: ", '"skip": '))]
    assert len(turns) == len(game.turns)
    assert all(lines[place + 1].startswith("# ") for place in turns)
    assert lines[-2].startswith("# Ann: ")
