"""The chance to win between two sides: against a second solver, and against itself."""

from itertools import combinations_with_replacement

import brute_force
import numpy as np
import plain_solver
import plain_teams
import pytest

from farkle import find_rule_set
from farkle.odds.answers import answer
from farkle.odds.duel import Duel, duel_of
from farkle.odds.listing import list_rolls
from farkle.odds.questions import OddsQuestion
from farkle.odds.solve import SolveProgress, solve
from farkle.odds.standings import Standings, Table
from farkle.odds.tables import PACKAGED, packaged_table
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


TEAMS = {
    "two players": ("farkle-cribbage", 2, 1, {}, {}),
    "basic": ("farkle-cribbage", 2, 2, {}, {}),
    "three a side": ("farkle-cribbage", 3, 3, {"tie": "trigger"}, {"trigger": True}),
    "in a row": (
        ADVANCED,
        3,
        2,
        {"endgame": "one_more_turn", "farkle3_penalty": 2},
        {"in_a_row": True, "penalty": 2, "swap": "permanent"},
    ),
    "swap": (ADVANCED, 6, 2, {"farkle3_penalty": 0}, {"swap": "permanent"}),
    "undone swaps": (
        ADVANCED,
        6,
        3,
        {"farkle3_penalty": 0, "bomb_swap": "undone_on_farkle"},
        {"swap": "undone_on_farkle"},
    ),
    "penalty": (ADVANCED, 4, 2, {"bomb_swap": "off", "farkle3_penalty": 3}, {"penalty": 3}),
    "penalty and swap": (ADVANCED, 3, 2, {"farkle3_penalty": 2}, {"penalty": 2, "swap": "permanent"}),
}
SHORT = ("two players", "basic")
"""The games of which the second solver does one round alone, which must change nothing."""


@pytest.mark.parametrize(
    "name", [*SHORT, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in TEAMS if name not in SHORT)]
)
def test_every_state_of_teams_is_that_of_the_second_solver(name: str) -> None:
    key, holes, partners, settings, options = TEAMS[name]
    rules = find_rule_set(key).with_settings({"target": holes, **settings})
    found = solve(duel_of(rules, partners=partners)).values
    again = plain_teams.values(key, holes, partners, guess=found if name in SHORT else None, **options)
    assert np.abs(found - again).max() < CLOSE


def test_a_lower_total_counts_where_the_goal_ends_ones_own_turns() -> None:
    found = solve(game("classic", target=600)).values
    plain = {"in_a_row": True, "trigger": True, "lower": True, "unit": 50}
    again = plain_teams.values("classic", 12, 1, guess=found, **plain)
    assert np.abs(found - again).max() < CLOSE


def banking_falls(rules: RuleSet) -> bool:
    """Return whether banking more points is worth less in some state of a short game, if no lower totals are declared.

    A penalty takes no side below the start, which would need many states more.
    """
    step = list_rolls(rules).step
    table = solve(duel_of(rules.with_settings({"target": 3 * step, "penalty_floor": "start"})))
    duel = table.duel
    mine, theirs = (each.ravel() for each in np.indices((duel.places, duel.places)))
    none = np.zeros_like(mine)
    found = False
    for role, farkles in np.ndindex(len(duel.all_roles), duel.streaks):
        bank = table.after(Standings(role, mine, theirs, none, none + farkles)).bank
        found |= bool(np.diff(bank, axis=0).min() < -CLOSE)
    return found


QUICK = ("farkle-cribbage", "classic", "playmonster", "free-the-dice", "kcd-dice", "super-farkle")


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


@pytest.mark.parametrize(
    ("key", "settings"),
    [
        pytest.param("classic", {"target": 200, "opening_min": 150, "min_bank": 100}, marks=pytest.mark.exhaustive),
        ("farkle-cribbage", {"target": 2}),
        pytest.param("farkle-cribbage", {"target": 4, "tie": "extra_round"}, marks=pytest.mark.exhaustive),
        pytest.param("classic", {"target": 600, "opening_min": 300, "min_bank": 150}, marks=pytest.mark.exhaustive),
        pytest.param("farkle-cribbage", {"target": 6}, marks=pytest.mark.exhaustive),
        pytest.param(
            "farkle-cribbage",
            {"target": 8, "endgame": "immediate", "nobody_loses": True},
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(ADVANCED, {"target": 5}, marks=pytest.mark.exhaustive),
        pytest.param("sir-albert", {"target": 1200}, marks=pytest.mark.exhaustive),
        pytest.param("zilch-online", {"target": 800}, marks=pytest.mark.soak),
        pytest.param("classic", {"target": 600, "six_ones_win": True, "too_hot": True}, marks=pytest.mark.exhaustive),
    ],
)
def test_a_turn_is_worth_the_mean_of_its_first_rolls(key: str, settings: dict[str, object]) -> None:
    duel = game(key, **settings)
    table = solve(duel)
    step, top = duel.listing.step, duel.rules.switches.target - duel.listing.step
    for mine, theirs, second in ((0, 0, False), (top, step, True), (0, top + step, True)):
        if theirs > top and not duel.all_roles[0].answered:
            continue
        mean = 0.0
        for roll in combinations_with_replacement(range(1, 7), 6):
            found = answer(table, OddsQuestion(mine, theirs, second=second, roll=roll))
            mean += brute_force.ways(roll) / 6**6 * found.win
        assert answer(table, OddsQuestion(mine, theirs, second=second)).win == pytest.approx(mean, abs=1e-10)


def test_an_interrupted_solution_goes_on_where_it_stopped() -> None:
    duel = game(ADVANCED, target=2)
    whole = solve(duel)

    class StoppedError(Exception):
        pass

    progress = SolveProgress(np.full(duel.shape, 0.5))

    def stop(now: SolveProgress, _: float) -> None:
        if now.sweep == 1 and now.total == 0:
            raise StoppedError

    with pytest.raises(StoppedError):
        solve(duel, stop, progress)
    shares: list[float] = []
    gone_on = solve(duel, lambda _, share: shares.append(share), progress)
    assert np.abs(gone_on.values - whole.values).max() < CLOSE
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


@pytest.fixture(scope="module")
def sixty_one() -> Table:
    table = packaged_table(find_rule_set("farkle-cribbage").with_settings({"target": 61}))
    assert table is not None
    return table


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ["farkle-cribbage", ADVANCED])
def test_a_packaged_table_of_61_holes_is_the_solution(key: str) -> None:
    packaged = packaged_table(find_rule_set(key).with_settings({"target": 61}))
    assert packaged is not None
    assert np.abs(solve(packaged.duel).values - packaged.values).max() < CLOSE


@pytest.mark.parametrize(("key", "target"), PACKAGED)
def test_a_packaged_table_does_not_change_when_a_state_is_found_again(key: str, target: int) -> None:
    table = packaged_table(find_rule_set(key).with_settings({"target": target}))
    assert table is not None
    chance = np.random.default_rng(48)
    streaks = table.duel.streaks
    for role in (0, 1):
        mine, theirs = chance.integers(0, target, (2, 12))
        my_farkles, their_farkles = chance.integers(0, streaks, (2, 12))
        found, _ = table.solve(Standings(role, mine, theirs, my_farkles, their_farkles))
        assert np.abs(found.start - table.values[role, my_farkles, their_farkles, mine, theirs]).max() < CLOSE


def test_more_points_of_ones_own_are_never_worse(sixty_one: Table) -> None:
    assert np.diff(sixty_one.values, axis=3).min() > -CLOSE
    assert np.diff(sixty_one.values, axis=4).max() < CLOSE


def test_a_choice_is_worth_what_the_other_side_then_leaves(sixty_one: Table) -> None:
    found = answer(sixty_one, OddsQuestion(30, 40, points=5, dice=3, roll=(1, 1, 2)))
    assert found.choices is not None
    assert found.win == max(each.worth for each in found.choices)
    kept = next(each for each in found.choices if each.points == 4)
    after = answer(sixty_one, OddsQuestion(40, 30 + 5 + 4, second=True))
    assert kept.bank == pytest.approx(1 - after.win, abs=1e-12)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (OddsQuestion(61, 0), "score of mine below the target 61, got 61"),
        (OddsQuestion(0, 61), "score of theirs below the target 61, got 61"),
        (OddsQuestion(-1, 0), "score of mine of 0 or more, got -1"),
        (OddsQuestion(0, 0, my_farkles=3), "0 to 2 for my farkles in a row, got 3"),
        (OddsQuestion(0, 0, points=-2, dice=3), "turn points of 0 or more, got -2"),
        (OddsQuestion(0, 0, points=2, dice=7), "1 to 6 dice, got 7"),
        (OddsQuestion(0, 0, points=2, dice=2, roll=(1, 1, 1)), "a roll of 2 dice, got 3"),
        (OddsQuestion(0, 0, roll=(1, 1, 1)), "a first roll of 6 dice, or --turn, got 3"),
        (OddsQuestion(9, 4, points=2, dice=2, swapped=True), "rules with a Bomb that swaps pegs"),
        (OddsQuestion(0, 0, points=0, dice=2), "turn points of 1 or more with 2 dice left, got 0"),
    ],
)
def test_a_moment_that_cannot_be_says_what_was_expected(question: OddsQuestion, words: str, sixty_one: Table) -> None:
    with pytest.raises(ValueError, match=words):
        answer(sixty_one, question)
