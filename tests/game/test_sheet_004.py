"""The class sheet of the Christian Brothers (004) and the two presets it names: each row of the catalogue."""

import pytest
from written_games import (
    ended,
    farkles,
    kept,
    play,
    points,
    refusal,
    rules_of,
    scores,
    to_move,
    totals,
    winners,
    worth,
)

CLASS, PACKET, FACEBOOK = "christian-brothers", "packet-farkle", "facebook-farkle"
THREE = "players: Ann, Ben, Cy"
BANKS_100 = "122346 > 1, bank"
FARKLES = "223446"


# --- 004-1: the chart ---


@pytest.mark.parametrize(
    ("dice", "worth_it"),
    {
        "1": 100,
        "5": 50,
        "55": 100,
        "111": 1000,
        "222": 200,
        "333": 300,
        "444": 400,
        "555": 500,
        "666": 600,
        "115566": 1500,
        "123456": 1500,
        "333333": 600,
    }.items(),
)
def test_004_1_the_chart(dice: str, worth_it: int) -> None:
    assert worth(CLASS, dice) == worth_it


def test_004_1_the_one_and_the_five_of_the_sheets_own_throw_are_150() -> None:
    assert worth(CLASS, "123356", "15") == 150
    assert worth(CLASS, "123356", "5") == 50


def test_004_1_there_is_no_four_of_a_kind_and_no_straight_of_five() -> None:
    assert worth(CLASS, "3333") is None
    assert worth(CLASS, "3333", "333") == 300
    assert worth(CLASS, "12345") is None


def test_004_1_only_ones_and_fives_score_alone() -> None:
    assert farkles(CLASS, "2346")
    assert worth(CLASS, "3445", "45") is None


def test_004_1_two_fives_after_a_five_are_100_and_not_500() -> None:
    assert points(play(CLASS, "Ann: 522346 > 5, 55346 > 55")) == 150


# --- 004-2: three farkles in a row ---


def test_004_2_three_farkles_in_a_row_cost_1000() -> None:
    lines = ("scores: Ann 500, Ben 0", "farkles: Ann 2", f"Ann: {FARKLES}")
    assert scores(play(CLASS, *lines)) == (-500, 0)


def test_004_2_two_cost_nothing_and_the_count_begins_anew() -> None:
    standing, turns = "scores: Ann 500, Ben 500", (f"Ann: {FARKLES}", f"Ben: {BANKS_100}") * 6
    assert [scores(play(CLASS, standing, *turns[: 2 * n]))[0] for n in (2, 3, 5, 6)] == [500, -500, -500, -1500]


# --- 004-3: who starts ---


def test_004_3_one_die_each_the_highest_begins_and_ties_throw_again() -> None:
    assert to_move(play(CLASS, THREE, "throws-for-start: Ann 2, Ben 5, Cy 5, Ben 1, Cy 4")) == "Cy"


def test_004_3_then_clockwise() -> None:
    lines = (THREE, "throws-for-start: Ann 2, Ben 5, Cy 4", f"Ben: {FARKLES}")
    assert to_move(play(CLASS, *lines)) == "Cy"
    assert to_move(play(CLASS, *lines, f"Cy: {FARKLES}")) == "Ann"


# --- 004-4: on the board ---


def test_004_4_200_are_refused_off_the_board() -> None:
    assert refusal(CLASS, "Ann: 222346 > 222, bank") == "350 to open, you have 200"


def test_004_4_350_open() -> None:
    assert scores(play(CLASS, "Ann: 222156 > 22215, bank")) == (350, 0)


def test_004_4_later_any_score_counts() -> None:
    assert scores(play(CLASS, "scores: Ann 400, Ben 0", "Ann: 222346 > 222, bank")) == (600, 0)


def test_004_4_the_350_are_made_in_one_turn() -> None:
    lines = ("Ann: 222346 > 222, 346", f"Ben: {FARKLES}", "Ann: 222346 > 222, bank")
    assert refusal(CLASS, *lines) == "350 to open, you have 200"


def test_004_4_who_fell_below_zero_is_still_on_the_board() -> None:
    lines = ("scores: Ann 400, Ben 0", "farkles: Ann 2", f"Ann: {FARKLES}", f"Ben: {FARKLES}", f"Ann: {BANKS_100}")
    assert scores(play(CLASS, *lines)) == (-500, 0)


# --- 004-5: the end ---


def test_004_5_exactly_5000_trigger_the_last_round() -> None:
    lines = ("scores: Ann 4900, Ben 500", f"Ann: {BANKS_100}")
    assert play(CLASS, *lines).state.closer == 0
    assert play(CLASS, "scores: Ann 4890, Ben 500", f"Ann: {BANKS_100}").state.closer is None


def test_004_5_everyone_has_the_same_number_of_turns() -> None:
    lines = (THREE, "scores: Ann 0, Ben 4900, Cy 500", f"Ann: {FARKLES}", f"Ben: {BANKS_100}")
    assert not play(CLASS, *lines).state.over
    assert winners(play(CLASS, *lines, f"Cy: {FARKLES}")) == ("Ben",)


def test_004_5_the_highest_wins() -> None:
    lines = ("scores: Ann 4900, Ben 4500", f"Ann: {BANKS_100}", "Ben: 111346 > 111, bank")
    assert winners(play(CLASS, *lines)) == ("Ben",)


# --- 004-6: variations ---


def test_004_6_it_may_go_to_10000_with_1000_to_open_and_350_a_turn() -> None:
    longer = {"target": 10_000, "opening_min": 1000, "min_bank": 350}
    assert refusal(CLASS, "Ann: 666346 > 666, bank", **longer) == "1000 to open, you have 600"
    assert refusal(CLASS, "scores: Ann 5100, Ben 0", f"Ann: {BANKS_100}", **longer).startswith("350 at least")
    played = play(CLASS, "scores: Ann 4000, Ben 0", "Ann: 111346 > 111, bank", f"Ben: {FARKLES}", **longer)
    assert (scores(played), played.state.over) == ((5000, 0), False)


# --- 004-7: four, five, six of a kind ---


@pytest.mark.parametrize(("dice", "worth_it"), [("3333", 1000), ("33333", 2000), ("333333", 3000), ("1111", 1100)])
def test_004_7_flat(dice: str, worth_it: int) -> None:
    assert worth(CLASS, dice, of_a_kind="flat") == worth_it


def test_004_7_four_ones_may_be_split_the_other_way() -> None:
    assert totals(CLASS, "1111", of_a_kind="flat") == (1100, 1000, 400)


@pytest.mark.parametrize(("dice", "worth_it"), [("3333", 600), ("33333", 1200), ("333333", 2400), ("22222", 800)])
def test_004_7_doubling(dice: str, worth_it: int) -> None:
    assert worth(CLASS, dice, of_a_kind="double") == worth_it


def test_004_7_neither_unless_asked_for() -> None:
    assert "3333" not in kept(CLASS, "333346")


# --- 004-8: two triplets, Packet Farkle ---


def test_004_8_two_triplets_are_2500() -> None:
    assert worth(CLASS, "222444", two_triplets=2500) == 2500
    assert worth(CLASS, "111555", two_triplets=2500, of_a_kind="flat") == 2500


def test_004_8_without_the_switch_they_are_two_threes() -> None:
    assert worth(CLASS, "222444") == 600


def test_004_8_six_equal_dice_are_not_two_triplets() -> None:
    assert worth(CLASS, "222222", two_triplets=2500) == 400


def test_004_8_packet_farkle_is_flat_with_two_triplets() -> None:
    assert [worth(PACKET, dice) for dice in ("3333", "33333", "333333", "222444")] == [1000, 2000, 3000, 2500]


def test_004_8_packet_farkle_leaves_three_ones_at_1000() -> None:
    assert worth(PACKET, "111") == 1000
    assert worth(PACKET, "111", pocket_farkle=True) == 300


# --- 004-9: Facebook Farkle ---


def test_004_9_facebook_farkle_doubles_and_pays_750_for_three_pairs() -> None:
    assert [worth(FACEBOOK, dice) for dice in ("2222", "22222", "112233")] == [400, 800, 750]


@pytest.mark.parametrize("preset", [PACKET, FACEBOOK])
def test_004_9_the_presets_keep_the_sheets_other_rules(preset: str) -> None:
    ours, sheet = rules_of(preset).switches, rules_of(CLASS).switches
    for name in ("target", "opening_min", "farkle3_penalty", "endgame", "tie", "straight"):
        assert getattr(ours, name) == getattr(sheet, name)


# --- 004-10: piggy-backing ---


def test_004_10_piggybacking_is_as_the_classic_sheet_tells_it() -> None:
    lines = ("scores: Ann 400, Ben 400", "Ann: 333246 > 333, bank", "Ben: piggyback, 546 > 5, bank")
    assert scores(play(CLASS, *lines, piggyback=True)) == (700, 750)


def test_004_10_the_350_count_what_was_taken_over() -> None:
    lines = ("Ann: 444246 > 444, bank", "Ben: piggyback, 546 > 5, bank")
    assert ended(play(CLASS, *lines, piggyback=True))[-1] == ("Ben", 450, "bank")
