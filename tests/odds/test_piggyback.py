"""Piggyback between two sides: every state and offer against a second solver, and questions about an offer."""

import io

import numpy as np
import plain_piggyback
import pytest

from farkle import find_rule_set
from farkle.game.commands import Choose, Roll
from farkle.game.machine import course_of
from farkle.odds.game.answers import GameOdds
from farkle.odds.game.asked import game_of
from farkle.odds.game.duel import Duel, duel_of
from farkle.odds.game.files import read_table, write_table
from farkle.odds.game.solve import solve
from farkle.odds.game.table import Offers, Table

CLOSE = 1e-9
HOT = {"piggyback": True, "piggyback_hot": True}
GAMES = {
    "hot dice are left over": (12, {"piggyback_hot": True}, {"hot": True}),
    "hot dice are not left over": (12, {}, {}),
    "opening": (8, {"opening_min": 4, "min_bank": 2, "piggyback_hot": True}, {"opening": 4, "least": 2, "hot": True}),
    "one more turn": (12, {"endgame": "one_more_turn"}, {"ending": "one_more_turn"}),
    "trigger": (11, {"endgame": "one_more_turn", "tie": "trigger"}, {"ending": "one_more_turn", "tie": 0.0}),
    "immediate": (12, {"endgame": "immediate", "piggyback_hot": True}, {"ending": "immediate", "hot": True}),
    "penalty": (5, {"farkle3_penalty": 3, "penalty_floor": "start"}, {"penalty": 3}),
    "each farkle costs": (8, {"farkle_penalty": 1, "penalty_floor": "start"}, {"cost": 1}),
}
SHORT = ("opening",)
"""The game of which the second solver does one round alone, which must change nothing."""


def game(target: int, **settings: object) -> Duel:
    """Return Farkle Cribbage with five dice and piggyback."""
    switches = {"piggyback": True, "n_dice": 5, "target": target, **settings}
    return duel_of(find_rule_set("farkle-cribbage").with_settings(switches))


def laid_out(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return a table as the second solver lays it out: fresh turns, and offers by points and dice less one."""
    _, counts, _, target, _ = table.duel.shape
    shape = 2, counts, counts, target, target
    offers = np.zeros((target, table.duel.listing.dice, *shape))
    for theirs in range(1, target):
        for points in range(1, theirs + 1):
            found = table.offers.values[:, :, :, theirs * (theirs - 1) // 2 + points - 1]
            offers[points, : table.duel.terms.offered, :, :, 0, :, theirs] = np.moveaxis(found, -1, 0)
    return np.broadcast_to(table.values, shape), offers


@pytest.mark.parametrize(
    "name", [*SHORT, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in GAMES if name not in SHORT)]
)
def test_every_state_and_offer_is_that_of_the_second_solver(name: str) -> None:
    target, settings, switches = GAMES[name]
    table = solve(game(target, **settings))
    assert table.duel.exact
    fresh, offers = laid_out(table)
    again = plain_piggyback.plain_game("farkle-cribbage", target, {"n_dice": 5}, **switches)
    found, offered = plain_piggyback.values(again, (fresh, offers) if name in SHORT else None)
    assert np.abs(found - fresh).max() < CLOSE
    points, theirs = np.arange(target)[:, None], np.arange(target)
    can_be = (points <= theirs)[:, None, None, None, None, None]
    off = np.maximum(offered, found) - np.maximum(offers, fresh)
    assert np.abs(np.where(can_be, off, 0.0)[:, :, :, :, 0]).max() < CLOSE


def test_an_offer_is_the_better_of_fresh_dice_and_the_dice_left_over() -> None:
    odds = GameOdds(solve(game(8)))
    rules, better = odds.table.duel.terms.rules, []
    fresh = odds.choices(game_of(rules, (3, 7))).win
    for left_over in ((1, 1), (4, 7)):
        state = game_of(rules, (3, 7), left_over=left_over)
        found = odds.choices(state)
        thrown = odds.choices(course_of(state, Choose("piggyback")).state).throw
        assert (found.fresh, found.piggyback, found.win) == (fresh, thrown, max(fresh, thrown or 0.0))
        assert found.exact
        better.append(found.best)
    assert better == ["fresh", "piggyback"]


@pytest.mark.exhaustive
def test_the_example_of_the_docs() -> None:
    odds = GameOdds(solve(game(11, n_dice=6)))
    found = odds.choices(game_of(odds.table.duel.terms.rules, (5, 16), second=True, left_over=(3, 12)))  # docs/odds.md
    assert found.piggyback == pytest.approx(156 / 216, abs=1e-12)
    assert found.fresh == pytest.approx(0.4529, abs=5e-5)


def test_a_bank_with_dice_left_is_worth_what_the_other_side_then_leaves() -> None:
    odds = GameOdds(solve(game(9)))
    rules = odds.table.duel.terms.rules
    found = odds.choices(course_of(game_of(rules, (1, 2)), Roll((2, 3, 3, 3, 4))).state)
    better = []
    for kept in (each for each in found.choices or () if 1 + each.points < 9):
        left_over = 5 - len(kept.dice), kept.points
        after = odds.choices(game_of(rules, (2, 1 + kept.points), second=True, left_over=left_over))
        assert kept.bank == pytest.approx(1 - after.win, abs=1e-12)
        better.append(after.best)
    assert set(better) == {"fresh", "piggyback"}


def test_a_table_with_offers_is_kept_whole() -> None:
    table = solve(game(3))
    file = io.BytesIO()
    write_table(table, file)
    again = read_table(table.duel, io.BytesIO(file.getvalue()))
    state = game_of(table.duel.terms.rules, (1, 2), left_over=(3, 2))
    assert GameOdds(again).choices(state) == GameOdds(table).choices(state)
    without = Table(table.duel, table.values, table.finals)
    file = io.BytesIO()
    write_table(without, file)  # as before piggyback counted
    with pytest.raises(ValueError, match="damaged"):
        read_table(table.duel, io.BytesIO(file.getvalue()))


def test_short_numbers_cost_no_more_than_the_error_says(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(game(8))
    monkeypatch.setattr("farkle.odds.game.duel.EXACT_OFFERS", 0)
    short = solve(game(8))
    assert isinstance(short.offers, Offers)
    assert short.offers.values.dtype == np.float32
    assert not short.duel.exact
    assert 0 < np.abs(whole.values - short.values).max() < short.duel.offers_error < 1e-6


def test_a_game_with_too_many_offers_is_computed_in_longer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farkle.odds.game.duel.MOST_OFFERS", 1000)
    duel = game(12)
    assert duel.terms.step == 2
    assert not duel.exact
    without = duel_of(find_rule_set("farkle-cribbage"))
    assert (without.terms.step, without.offer_count) == (1, 0)


@pytest.mark.parametrize(
    ("settings", "left_aside"), [({"rounds": 3}, ("piggyback",)), ({"tie": "extra_round"}, ("tie",))]
)
def test_what_does_not_count_an_offer_is_named(settings: dict[str, object], left_aside: object) -> None:
    rules = find_rule_set("farkle-cribbage").with_settings({**HOT, **settings})
    assert duel_of(rules).terms.left_aside == left_aside
