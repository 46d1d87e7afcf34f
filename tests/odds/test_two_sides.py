"""The chance to win between two sides: against a second solver, and against itself."""

import numpy as np
import plain_solver
import pytest

from farkle import find_rule_set
from farkle.errors import FarkleError
from farkle.odds.game.asked import game_of, in_turn
from farkle.odds.game.duel import Duel, duel_of
from farkle.odds.game.files import PACKAGED, packaged_table
from farkle.odds.game.solve import SolveProgress, solve
from farkle.odds.game.table import Standings, Table
from farkle.odds.turn.listing import list_rolls
from farkle.rules.catalogue import catalogue
from farkle.rules.ruleset import RuleSet

CLOSE = 1e-9
ADVANCED = "farkle-cribbage-advanced"
GAMES = {
    "basic": ("farkle-cribbage", {}, {}),
    "advanced": (ADVANCED, {}, {"penalty": 20, "swap": "permanent"}),
    "without a penalty": (ADVANCED, {"farkle3_penalty": 0}, {"swap": "permanent"}),
    "without a swap": (ADVANCED, {"bomb_swap": "off"}, {"penalty": 20}),
    "without both": (ADVANCED, {"bomb_swap": "off", "farkle3_penalty": 0}, {}),
    "undone swaps": (ADVANCED, {"bomb_swap": "undone_on_farkle"}, {"penalty": 20, "swap": "undone_on_farkle"}),
}


def game(key: str, **settings: object) -> Duel:
    return duel_of(find_rule_set(key).with_settings(settings))


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GAMES)
def test_every_state_is_that_of_the_second_solver(name: str) -> None:
    key, settings, options = GAMES[name]
    table = solve(game(key, target=12, **settings))
    assert np.abs(table.values - plain_solver.values(key, 12, **options)).max() < CLOSE


def test_a_short_game_is_that_of_the_second_solver() -> None:
    found = solve(game("farkle-cribbage", target=2)).values
    assert np.abs(found - plain_solver.values("farkle-cribbage", 2, guess=found)).max() < CLOSE


@pytest.mark.exhaustive
def test_a_lower_total_counts_where_the_goal_ends_ones_own_turns() -> None:
    found = solve(game("classic", target=600)).values
    again = plain_solver.values("classic", 12, in_a_row=True, tie=0.0, lower=True, unit=50, guess=found)
    assert np.abs(found - again).max() < CLOSE


def banking_falls(rules: RuleSet) -> bool:
    """Return whether banking more points is worth less in some state of a short game, if no lower totals are declared.

    A penalty takes no side below the start, which would need many states more.
    """
    step = list_rolls(rules).terms.step
    table = solve(duel_of(rules.with_settings({"target": 3 * step, "penalty_floor": "start"})))
    duel = table.duel
    mine, theirs = (each.ravel() for each in np.indices((duel.places, duel.places)))
    none = np.zeros_like(mine)
    found = False
    for role, farkles in np.ndindex(len(duel.all_roles), duel.terms.streaks):
        bank = table.ends(Standings(role, mine, theirs, none, none + farkles)).bank
        found |= bool(np.diff(bank, axis=0).min() < -CLOSE)
    return found


QUICK = ("farkle-cribbage", "classic", "kcd-dice")


@pytest.mark.parametrize(
    "key",
    [
        rules.key if rules.key in QUICK else pytest.param(rules.key, marks=pytest.mark.exhaustive)
        for rules in catalogue()
    ],
)
def test_lower_totals_count_in_the_sets_in_which_more_points_may_be_worse(key: str) -> None:
    rules = find_rule_set(key)
    assert banking_falls(rules) == rules.lower_total_can_win


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "settings",
    [
        {"endgame": "one_more_turn"},
        {"endgame": "one_more_turn", "tie": "extra_round"},
        {"endgame": "immediate"},
        {"tie": "trigger"},
        {"tie": "extra_round"},
        {"one_peg_per_hole": 1},
        {"min_bank": 2},
        {"opening_min": 2},
        {"forced_hot": "any"},
        {"too_hot": True},
        {"farkle_penalty": 2},
        {"farkle3_penalty": 3},
        {"farkle3_penalty": 3, "farkle_streak_reset": "never"},
        {"three_strikes_out": True},
        {"nobody_loses": True},
        {"six_ones_win": True},
        {"troublesome_twos": True},
        {"five_dice_rollover": True},
        {"n_dice": 5},
    ],
    ids=str,
)
def test_lower_totals_count_with_the_switches_with_which_more_points_may_be_worse(settings: dict[str, object]) -> None:
    rules = find_rule_set("farkle-cribbage").with_settings(settings)
    assert banking_falls(rules) == rules.lower_total_can_win


def test_an_interrupted_solution_goes_on_where_it_stopped() -> None:
    duel = game(ADVANCED, target=2)
    whole = solve(duel)

    class StoppedError(Exception):
        pass

    seen: list[SolveProgress] = []

    def stop(now: SolveProgress | None, _: float) -> None:
        seen.append(now)
        if now.sweep == 1 and now.total == 0:
            raise StoppedError

    with pytest.raises(StoppedError):
        solve(duel, stop)
    shares: list[float] = []
    gone_on = solve(duel, lambda _, share: shares.append(share), seen[-1])
    assert np.abs(gone_on.values - whole.values).max() < CLOSE
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


@pytest.fixture(scope="module")
def sixty_one() -> Table:
    return packaged_table(find_rule_set("farkle-cribbage").with_settings({"target": 61}))


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["farkle-cribbage", ADVANCED])
def test_a_packaged_table_of_61_holes_is_the_solution(key: str) -> None:
    packaged = packaged_table(find_rule_set(key).with_settings({"target": 61}))
    assert np.abs(solve(packaged.duel).values - packaged.values).max() < CLOSE


@pytest.mark.parametrize(("key", "target"), PACKAGED)
def test_a_packaged_table_does_not_change_when_a_state_is_found_again(key: str, target: int) -> None:
    table = packaged_table(find_rule_set(key).with_settings({"target": target}))
    chance = np.random.default_rng(48)
    streaks = table.duel.terms.streaks
    for role in (0, 1):
        mine, theirs = chance.integers(0, target, (2, 12))
        my_farkles, their_farkles = chance.integers(0, streaks, (2, 12))
        found = table.solve(Standings(role, mine, theirs, my_farkles, their_farkles))
        assert np.abs(found.start - table.values[role, my_farkles, their_farkles, mine, theirs]).max() < CLOSE


def test_more_points_of_ones_own_are_never_worse(sixty_one: Table) -> None:
    assert np.diff(sixty_one.values, axis=3).min() > -CLOSE
    assert np.diff(sixty_one.values, axis=4).max() < CLOSE


@pytest.mark.parametrize(
    ("scores", "more", "words"),
    [
        ((61, 0), {}, "score of mine below the target 61, got 61"),
        ((0, 61), {}, "a score of theirs below the target 61, got 61: who sets off the last round begins the round"),
        ((-1, 0), {}, "a score of 0 or more for mine, got -1"),
        ((0, 0), {"farkles": (3, 0)}, "farkles of 2 sides, 0 to 2 each, got 3,0"),
        ((0, 0), {"turn": (-2, 3)}, "turn points of 0 or more, got -2"),
        ((0, 0), {"turn": (2, 7)}, "1 to 6 dice, got 7"),
        ((0, 0), {"turn": (0, 2)}, "turn points of 4 or more with 2 dice to throw, got 0"),
        ((0, 0), {"turn": (3, 6)}, "turn points of 6 or more with 6 dice to throw, got 3"),
        ((0, 0, 0), {"farkles": (0, 1)}, "farkles of 3 sides, 0 to 2 each, got 0,1"),
    ],
)
def test_a_moment_that_cannot_be_says_what_was_expected(
    scores: tuple[int, ...], more: dict[str, tuple[int, int]], words: str, sixty_one: Table
) -> None:
    turn = more.pop("turn", (0, 6))
    with pytest.raises(FarkleError, match=words):
        in_turn(game_of(sixty_one.duel.terms.rules, scores, **more), *turn)
