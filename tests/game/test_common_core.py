"""The common core, the rules of a turn in every sheet (C1 to C4). Every row of the catalogue has a test."""

import re
from pathlib import Path

import brute_force
import pytest
from written_games import ended, happened, kept, play, points, refusal, scores, to_move, worth

from farkle.game.state import Phase
from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

ROWS = {
    "c": range(1, 5),
    "000": range(1, 19),
    "001": range(1, 7),
    "002": range(19),
    "003": range(1, 9),
    "004": range(1, 11),
    "a": range(1, 23),
}
"""The rows of the catalogue by sheet (c: the common core), and the decisions taken (a)."""

IDS = sorted(
    f"{sheet}{number}" if sheet in "ca" else f"{sheet}_{number}"
    for sheet, numbers in ROWS.items()
    for number in numbers
)

FILES = sorted(Path(__file__).parent.glob("test_*.py"))
NAMES = re.findall(r"^def test_(\w+)\(", "".join(file.read_text(encoding="utf-8") for file in FILES), re.MULTILINE)


@pytest.mark.parametrize("row", IDS)
def test_every_row_of_the_catalogue_has_a_test_named_after_it(row: str) -> None:
    assert any(name.startswith(f"{row}_") for name in NAMES), f"no test_{row}_..."


def test_the_catalogue_has_87_rows() -> None:
    assert len(IDS) == len(set(IDS)) == 4 + 18 + 6 + 19 + 8 + 10 + 22 == 87


# --- C1 ---


def test_c1_a_turn_throws_six_keeps_some_and_banks() -> None:
    played = play("farkle-cribbage", "Ann: 123466 > 1, bank")
    assert (scores(played), to_move(played)) == ((1, 0), "Ben")


def test_c1_the_rest_of_the_dice_may_be_thrown_on() -> None:
    played = play("farkle-cribbage", "Ann: 123466 > 1, 23466 > 2")
    assert (points(played), played.state.turn.dice_left) == (3, 4)


def test_c1_a_throw_is_of_all_dice_that_are_left() -> None:
    assert refusal("farkle-cribbage", "Ann: 123466 > 1, 2346").startswith("expected 5 dice, got 4")


def test_c1_a_farkle_loses_the_turn_and_passes_on() -> None:
    played = play("free-the-dice", "Ann: 122346 > 1, 23466")
    assert ended(played) == [("Ann", 0, "farkle")]
    assert (scores(played), to_move(played)) == ((0, 0), "Ben")


def test_c1_a_farkle_leaves_what_was_banked_before() -> None:
    played = play("free-the-dice", "Ann: 122346 > 1, bank", "Ben: 223446", "Ann: 122346 > 1, 23466")
    assert scores(played) == (100, 0)


def test_c1_a_combination_is_kept_whole_or_not_at_all() -> None:
    assert "none of them scores" in refusal("farkle-cribbage", "Ann: 333446 > 3")
    assert "only 5 of them can score" in refusal("free-the-dice", "Ann: 111346 > 111, 125 > 25")


def test_c1_each_die_counts_once() -> None:
    assert worth("sir-albert", "115") == 250
    assert worth("sir-albert", "1115") == 1050


def test_c1_at_least_one_die_is_kept_before_the_next_throw_or_the_bank() -> None:
    assert refusal("farkle-cribbage", "Ann: 123466, 23466") == "keep a die first"
    assert refusal("farkle-cribbage", "Ann: 123466, bank") == "keep a die first"


# --- C2 ---


@pytest.mark.parametrize("rules", ["classic", "christian-brothers", "packet-farkle", "sir-albert"])
def test_c2_only_dice_of_one_throw_combine(rules: str) -> None:
    assert points(play(rules, "Ann: 555234 > 555, 553 > 55")) == 500 + 100


def test_c2_three_fives_one_at_a_time_are_three_single_fives() -> None:
    assert points(play("free-the-dice", "Ann: 522346 > 5, 52346 > 5, 5346 > 5")) == 150


# --- C3 ---


@pytest.mark.parametrize("rules", brute_force.SHEETS)
def test_c3_any_number_of_four_ones_may_be_kept(rules: str) -> None:
    assert {dice for dice in kept(rules, "111146") if set(dice) == {"1"}} == {"1", "11", "111", "1111"}


@pytest.mark.parametrize(
    "rules", sorted(brute_force.SHEETS.keys() - {"dice-10000", "kcd-dice"})
)  # these rule sets have rows of five
def test_c3_five_dice_offer_about_two_and_a_half_selections_and_six_three_and_a_half(rules: str) -> None:
    found = {roll: len(legal_selections(find_rule_set(rules), roll)) for roll in brute_force.rolls()}
    for size, least, most in ((5, 2.45, 2.56), (6, 3.40, 3.56)):
        selections = sum(count * brute_force.ways(roll) for roll, count in found.items() if len(roll) == size)
        assert least < selections / 6**size < most
    assert max(found.values()) <= 15


# --- C4 ---


def test_c4_when_all_six_have_scored_six_are_thrown_again_and_the_points_stay() -> None:
    played = play("farkle-cribbage", "Ann: 111222 > 111222")
    assert (points(played), played.state.turn.dice_left) == (26, 6)
    assert "HotDiceMade" in happened(played)
    assert points(play("farkle-cribbage", "Ann: 111222 > 111222, 134466 > 1")) == 27


def test_c4_the_player_may_stop_instead() -> None:
    assert scores(play("farkle-cribbage", "Ann: 111222 > 111222, bank")) == (26, 0)


def test_c4_a_farkle_after_hot_dice_loses_all_of_it() -> None:
    assert ended(play("farkle-cribbage", "Ann: 111222 > 111222, 334466")) == [("Ann", 0, "farkle")]


def test_c4_there_is_no_limit_to_hot_dice() -> None:
    played = play("farkle-cribbage", f"Ann: {', '.join(['111222 > 111222'] * 9)}, bank", target=500)
    assert scores(played) == (9 * 26, 0)


def test_c4_the_six_may_have_scored_over_several_throws() -> None:
    played = play("farkle-cribbage", "Ann: 134466 > 1, 23466 > 2, 1112 > 1112")
    assert (points(played), played.state.turn.dice_left, played.state.phase) == (25, 6, Phase.KEPT)
