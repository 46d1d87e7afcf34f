"""Piggyback between two sides: every state and offer against a second solver, and questions about an offer."""

import io

import numpy as np
import plain_piggyback
import pytest

from farkle import find_rule_set
from farkle.odds.answers import answer
from farkle.odds.duel import Duel, duel_of
from farkle.odds.offers import Offers
from farkle.odds.questions import OddsQuestion
from farkle.odds.solve import solve
from farkle.odds.standings import Table
from farkle.odds.tables import read_table, write_table

CLOSE = 1e-9
HOT = {"piggyback": True, "piggyback_hot": True}
GAMES = {
    "hot dice are left over": (12, {"piggyback_hot": True}, {"hot": True}),
    "hot dice are not left over": (12, {}, {}),
    "opening": (14, {"opening_min": 6, "min_bank": 3}, {"opening": 6, "least": 3}),
    "one more turn": (12, {"endgame": "one_more_turn"}, {"ending": "one_more_turn"}),
    "trigger": (11, {"endgame": "one_more_turn", "tie": "trigger"}, {"ending": "one_more_turn", "tie": 0.0}),
    "immediate": (12, {"endgame": "immediate", "piggyback_hot": True}, {"ending": "immediate", "hot": True}),
    "penalty": (5, {"farkle3_penalty": 3, "penalty_floor": "start"}, {"penalty": 3}),
    "each farkle costs": (8, {"farkle_penalty": 1, "penalty_floor": "start"}, {"cost": 1}),
}
SHORT = ("hot dice are left over", "opening")
"""The games of which the second solver does one round alone, which must change nothing."""


def game(target: int, **settings: object) -> Duel:
    """Return Farkle Cribbage with five dice and piggyback."""
    switches = {"piggyback": True, "n_dice": 5, "target": target, **settings}
    return duel_of(find_rule_set("farkle-cribbage").with_settings(switches))


def laid_out(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return a table as the second solver lays it out: fresh turns, and offers by points and dice less one."""
    assert table.offers is not None
    _, counts, _, target, _ = table.duel.shape
    shape = 2, counts, counts, target, target
    offers = np.zeros((target, table.duel.listing.dice, *shape))
    for theirs in range(1, target):
        for points in range(1, theirs + 1):
            found = table.offers.values[:, :, :, theirs * (theirs - 1) // 2 + points - 1]
            offers[points, : table.duel.offered, :, :, 0, :, theirs] = np.moveaxis(found, -1, 0)
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
    table = solve(game(8))
    for offer in ((1, 1), (7, 4)):
        found = answer(table, OddsQuestion(3, 7, offer=offer))
        fresh = answer(table, OddsQuestion(3, 7)).win
        thrown = answer(table, OddsQuestion(3, 7, points=offer[0], dice=offer[1])).throw
        assert (found.fresh, found.piggyback, found.win) == (fresh, thrown, max(fresh, thrown or 0.0))
        assert found.exact
    assert answer(table, OddsQuestion(3, 7, offer=(1, 1))).best == "fresh"
    assert found.best == "piggyback"


def test_the_example_of_the_docs() -> None:
    table = solve(game(11, n_dice=6))
    found = answer(table, OddsQuestion(5, 16, second=True, offer=(12, 3)))  # docs/odds.md
    assert found.piggyback == pytest.approx(156 / 216, abs=1e-12)
    assert found.fresh == pytest.approx(0.4529, abs=5e-5)


def test_a_bank_with_dice_left_is_worth_what_the_other_side_then_leaves() -> None:
    table = solve(game(9))
    found = answer(table, OddsQuestion(1, 2, roll=(2, 3, 3, 3, 4)))
    better = []
    for kept in (each for each in found.choices or () if 1 + each.points < 9):
        after = answer(table, OddsQuestion(2, 1 + kept.points, second=True, offer=(kept.points, 5 - len(kept.dice))))
        assert kept.bank == pytest.approx(1 - after.win, abs=1e-12)
        better.append(after.best)
    assert set(better) == {"fresh", "piggyback"}


def test_a_table_with_offers_is_kept_whole() -> None:
    table = solve(game(3))
    file = io.BytesIO()
    write_table(table, file)
    again = read_table(table.duel, io.BytesIO(file.getvalue()))
    question = OddsQuestion(1, 2, offer=(2, 3))
    assert answer(again, question) == answer(table, question)
    without = Table(table.duel, table.values, table.finals)
    file = io.BytesIO()
    write_table(without, file)  # as before piggyback counted
    with pytest.raises(ValueError, match="damaged"):
        read_table(table.duel, io.BytesIO(file.getvalue()))


def test_short_numbers_cost_no_more_than_the_error_says(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(game(8))
    monkeypatch.setattr("farkle.odds.duel.EXACT_OFFERS", 0)
    short = solve(game(8))
    assert isinstance(short.offers, Offers)
    assert short.offers.values.dtype == np.float32
    assert not short.duel.exact
    assert 0 < np.abs(whole.values - short.values).max() < short.duel.offers_error < 1e-6


def test_a_game_with_too_many_offers_is_computed_in_longer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farkle.odds.duel.MOST_OFFERS", 1000)
    duel = game(12)
    assert duel.listing.step == 2
    assert not duel.exact
    without = duel_of(find_rule_set("farkle-cribbage"))
    assert (without.listing.step, without.offer_count) == (1, 0)


@pytest.mark.parametrize(
    ("settings", "partners", "left_aside"),
    [
        ({"rounds": 3}, 1, ("piggyback",)),
        ({"tie": "extra_round"}, 1, ("tie",)),
        ({}, 2, ("piggyback",)),
        ({"endgame": "immediate"}, 2, ()),
    ],
)
def test_what_does_not_count_an_offer_is_named(settings: dict[str, object], partners: int, left_aside: object) -> None:
    rules = find_rule_set("farkle-cribbage").with_settings({**HOT, **settings})
    assert duel_of(rules, partners=partners).left_aside == left_aside


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (OddsQuestion(0, 5, offer=(5, 5)), "1 point or more and 1 to 4 dice left over, got 5,5"),
        (OddsQuestion(0, 5, offer=(0, 2)), "1 point or more and 1 to 4 dice left over, got 0,2"),
        (OddsQuestion(0, 5, points=2, dice=2, offer=(1, 1)), "dice left over before a turn"),
    ],
)
def test_an_offer_that_cannot_be_says_what_was_expected(question: OddsQuestion, words: str) -> None:
    table = solve(game(2))
    with pytest.raises(ValueError, match=words):
        answer(table, OddsQuestion(**{**question.__dict__, "theirs": 1}))
