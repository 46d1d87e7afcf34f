"""The odds of a game under way: each act of whole games, and the games of whom the odds do not know everything."""

from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random

import brute_force
import pytest
from samples import sampled

from companion.odds.kept_tables import table_of
from farkle import Game, find_rule_set
from farkle.game.commands import Roll
from farkle.game.events import PiggybackTaken, TurnBanked
from farkle.game.machine import command_of, course_of
from farkle.game.state import GameState, Phase
from farkle.odds.game.answers import GameOdds
from farkle.odds.game.asked import game_of
from farkle.odds.game.duel import OddsError

CLOSE = 1e-9
ADVANCED = "farkle-cribbage-advanced"
HOT = {"piggyback": True, "piggyback_hot": True}
GAMES = {
    "basic": ("farkle-cribbage", {"target": 9}),
    "pegs bump": ("farkle-cribbage", {"target": 6, "one_peg_per_hole": 5}),
    "penalty and swap": (ADVANCED, {"target": 4, "farkle3_penalty": 3}),
    "swaps undone": (ADVANCED, {"target": 6, "farkle3_penalty": 0, "bomb_swap": "undone_on_farkle"}),
    "another round": ("farkle-cribbage", {"target": 2, "tie": "extra_round"}),
    "who ends it wins ties": ("farkle-cribbage", {"target": 6, "tie": "trigger"}),
    "immediate": ("farkle-cribbage", {"target": 7, "endgame": "immediate", "farkle_penalty": 1}),
    "one more turn": ("sir-albert", {"target": 400, "opening_min": 150}),
    "first throws pay": ("farkle-cribbage", {"target": 9, "nobody_loses": True, "five_dice_rollover": True}),
    "rounds": ("farkle-cribbage", {"rounds": 2}),
    "rounds, another round": ("farkle-cribbage", {"rounds": 2, "tie": "extra_round"}),
    "rounds of points": ("classic", {"rounds": 3, "tie": "shared", "min_bank": 300}),
    "opening": ("classic", {"target": 600, "opening_min": 300, "min_bank": 150}),
    "dice left over": ("classic", {"target": 500, "min_bank": 100, "piggyback": True, "n_dice": 5}),
    "hot dice left over": ("farkle-cribbage", {"target": 9, **HOT, "nobody_loses": True}),
    "left over, each six pays": (
        "farkle-cribbage",
        {"target": 9, **HOT, "nobody_loses": True, "nobody_loses_scope": "any_six", "five_dice_rollover": True},
    ),
    "left over, forced throws": ("classic", {"target": 500, **HOT, "too_hot": True, "tie": "trigger"}),
    "left over, pegs bump": ("farkle-cribbage", {"target": 8, **HOT, "one_peg_per_hole": 5}),
    "left over, swaps": (ADVANCED, {"target": 4, **HOT, "farkle3_penalty": 3}),
    "left over, undone swaps": (
        ADVANCED,
        {"target": 5, **HOT, "farkle3_penalty": 0, "bomb_swap": "undone_on_farkle", "endgame": "one_more_turn"},
    ),
    "left over, swaps of points": (ADVANCED, {"target": 8, **HOT, "farkle3_penalty": 0, "min_bank": 3}),
}


def odds_of(key: str, settings: dict[str, object], folder: Path) -> GameOdds:
    return GameOdds(table_of(find_rule_set(key).with_settings(settings), folder))


def step(game: Game, chance: Random, bomb: float = 0.0) -> None:
    """Do one act at random; some throws are six of a kind."""
    state = game.state
    if state.phase is Phase.CHOOSING:
        game.keep(*chance.choice(game.selections).dice)
    elif "swap" in game.options and chance.random() < 0.8:
        game.choose("swap")
    elif "piggyback" in game.options and chance.random() < 0.8:
        game.choose(chance.choice(["piggyback", "piggyback", "fresh"]))
    elif game.can_bank and chance.random() < 0.4:
        game.bank()
    elif chance.random() < bomb and game.dice_left == 6:
        game.roll(*[chance.randint(1, 6)] * 6)
    else:
        game.roll(*(chance.randint(1, 6) for _ in range(game.dice_left)))


def mean_over_rolls(odds: GameOdds, state: GameState, side: int) -> float:
    mean, size = 0.0, state.turn.dice_left
    for roll in combinations_with_replacement(range(1, 7), size):
        after = course_of(state, Roll(roll)).state
        mean += brute_force.ways(roll) / 6**size * odds.chances(after)[side]
    return mean


def follow(name: str, folder: Path, games: int, most_dice: int) -> Counter[str]:
    """Follow random games; return how often each kind of moment was seen."""
    key, settings = GAMES[name]
    odds = odds_of(key, settings, folder)
    chance, seen = Random(48), Counter[str]()
    assert odds.table.duel.exact or name == "opening"
    for _ in range(games):
        game = Game(key, ["Ann", "Ben"], settings=settings)
        while not game.over:
            chances = odds.chances(game.state)
            assert sum(chances) == pytest.approx(1, abs=CLOSE)
            assert min(chances) >= -CLOSE
            side, found = game.state.side_to_move, odds.choices(game.state)
            assert found.win == chances[side]
            seen[game.state.phase] += 1
            may_throw = game.state.phase is not Phase.CHOOSING
            if game.state.phase is Phase.KEPT:
                assert (found.bank is not None) == game.can_bank
            if may_throw and game.dice_left <= most_dice and found.exact:
                throw = next(each for each in (found.throw, found.fresh, found.win) if each is not None)
                assert throw == pytest.approx(mean_over_rolls(odds, game.state, side), abs=CLOSE)
                seen["mean"] += 1
            if found.choices and game.state.phase is Phase.CHOOSING:
                swaps = [each for each in found.choices if each.choice == "swap"]
                kept = chance.choice(swaps or found.choices)
                game.keep(*kept.dice, points=kept.points if kept.choice is None else None)
                if kept.choice == "swap":
                    assert odds.choices(game.state).choices == (kept,)
                    game.choose("swap")
                    assert odds.chances(game.state)[side] == pytest.approx(kept.worth, abs=CLOSE)
                    seen["swap"] += 1
                elif kept.choice is None:
                    assert odds.chances(game.state)[side] == pytest.approx(kept.worth, abs=CLOSE)
            else:
                step(game, chance, bomb=0.4)
                last = next(each.__class__ for each in reversed(game.events) if command_of(each) is not None)
                if last in (TurnBanked, PiggybackTaken) and found.exact:
                    worth = found.bank if last is TurnBanked else found.piggyback
                    assert odds.chances(game.state)[side] == pytest.approx(worth, abs=CLOSE)
                    seen[last.__name__] += 1
        assert odds.chances(game.state)[game.state.winners[0]] == 1 / len(game.winners)
        seen["tie"] += len(game.winners) > 1
    return seen


@pytest.mark.parametrize("name", ["pegs bump", "rounds"])
def test_each_act_of_whole_games_of_two_sides(name: str, tmp_path: Path) -> None:
    seen = follow(name, tmp_path, games=2, most_dice=2)
    assert seen["mean"] > 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GAMES)
def test_each_act_of_many_games_of_two_sides(name: str, tmp_path: Path) -> None:
    seen = follow(name, tmp_path, games=30, most_dice=2)
    seen += follow(name, tmp_path, games=1, most_dice=4)
    assert seen["mean"] > 10
    if "swap" in name:
        assert seen["swap"] > 2
    if "left over" in name:
        assert seen["PiggybackTaken"] > 2
        assert seen["TurnBanked"] > 2


SHORT = ("farkle-cribbage", {"target": 2})
TURNS = [
    SHORT,
    ("classic", {"target": 200, "opening_min": 150, "min_bank": 100}),
    ("farkle-cribbage", {"target": 4, "tie": "extra_round"}),
    ("classic", {"target": 600, "opening_min": 300, "min_bank": 150}),
    ("farkle-cribbage", {"target": 6}),
    ("farkle-cribbage", {"target": 8, "endgame": "immediate", "nobody_loses": True}),
    (ADVANCED, {"target": 5}),
    ("sir-albert", {"target": 1200}),
    ("classic", {"target": 600, "six_ones_win": True, "too_hot": True}),
]


@pytest.mark.parametrize("turn", sampled(TURNS, SHORT))
def test_a_turn_is_worth_the_mean_of_its_first_rolls(turn: tuple[str, dict[str, object]], tmp_path: Path) -> None:
    odds = odds_of(*turn, tmp_path)
    rules, step = odds.table.duel.terms.rules, odds.table.duel.terms.step
    top = rules.goal - step
    for mine, theirs, second in ((0, 0, False), (top, step, True), (0, top + step, True)):
        if theirs > top and rules.ending == "immediate":
            continue
        state = game_of(rules, (mine, theirs), second=second)
        found = odds.choices(state).win
        assert found == pytest.approx(mean_over_rolls(odds, state, state.side_to_move), abs=1e-10)


def test_acts_of_the_table_are_followed(tmp_path: Path) -> None:
    odds = odds_of("farkle-cribbage", {"target": 9}, tmp_path)
    game = Game("farkle-cribbage", ["Ann", "Ben", "Cy"], settings={"target": 9})
    assert not odds.choices(game.state).exact
    game.leave("Ben")
    assert odds.chances(game.state)[1] == 0
    assert odds.choices(game.state).exact
    before = odds.chances(game.state)[0]
    game.adjust("Cy", 8)
    assert odds.chances(game.state)[0] < before
    game.give_turn("Cy")
    assert not odds.choices(game.state).exact
    game.count(3)
    assert odds.choices(game.state).throw is None
    game.end()
    with pytest.raises(OddsError, match="a game with a winner, got one that was called off"):
        odds.chances(game.state)


def test_nobody_leads_while_players_throw_for_the_first_turn(tmp_path: Path) -> None:
    odds = odds_of("farkle-cribbage", {"target": 5, "start_roll_dice": 1}, tmp_path)
    game = Game("farkle-cribbage", ["Ann", "Ben"], settings={"target": 5, "start_roll_dice": 1})
    game.throw_for_start("Ann", 6)
    assert odds.chances(game.state) == (0.5, 0.5)
    with pytest.raises(OddsError, match="expected a turn, got a game that is starting"):
        odds.choices(game.state)


@pytest.mark.parametrize(
    ("sides", "key", "target"),
    [(3, ADVANCED, 5), pytest.param(12, "farkle-cribbage", 31, marks=pytest.mark.exhaustive)],
)
def test_several_sides_share_one_chance(sides: int, key: str, target: int, tmp_path: Path) -> None:
    settings = {"target": target, **({"farkle3_penalty": 0} if key == ADVANCED else {})}
    odds = odds_of(key, settings, tmp_path)
    game, chance = Game(key, [f"P{each}" for each in range(sides)], settings=settings), Random(5)
    assert not odds.exact(game.state)
    first = odds.chances(game.state)
    assert max(first) / min(first) < 2
    for _ in range(60):
        if game.over:
            break
        chances, found = odds.chances(game.state), odds.choices(game.state)
        assert sum(chances) == pytest.approx(1, abs=CLOSE)
        assert min(chances) >= 0
        assert found.win == chances[game.state.side_to_move]
        if game.state.phase is Phase.KEPT and game.dice_left <= 2:
            scored, missed = mean_over_scoring_rolls(odds, game)
            assert scored - CLOSE <= found.throw <= scored + missed  # a farkle leaves the rest
        step(game, chance, bomb=0.3)


def mean_over_scoring_rolls(odds: GameOdds, game: Game) -> tuple[float, float]:
    """Return what the rolls that score are worth, each by its chance, and the chance of a farkle."""
    mean, missed, size = 0.0, 0.0, game.dice_left
    for roll in combinations_with_replacement(range(1, 7), size):
        state, share = course_of(game.state, Roll(roll)).state, brute_force.ways(roll) / 6**size
        if state.phase is Phase.CHOOSING:
            mean += share * odds.choices(state).win
        else:
            missed += share
    return mean, missed
