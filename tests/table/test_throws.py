"""The effect of a settled tray on the turn: throws, dice set aside, and questions about unclear cases."""

from dataclasses import replace

import pytest
from tables import Table, observation

from companion.errors import RefusedError
from companion.table.state.inputs import MotionReported, ReadingSettled, Tick
from dicereader.reading import Episode, Fate, Motion
from farkle.game.events import DiceKept, DiceRolled


def test_six_dice_thrown_are_the_roll() -> None:
    table = Table().start().throws("233346")
    assert table.view.phase == "choosing"
    assert table.view.roll == (2, 3, 3, 3, 4, 6)
    assert table.view.selections[0].points == 8


def test_dice_set_aside_on_the_shelf_are_kept_when_the_rest_is_thrown() -> None:
    table = Table().start().throws("233346").sets_aside("333", "246")
    assert table.view.chosen is not None
    assert table.view.chosen.points == 6
    assert table.view.players[0].front_hole == 6
    table.throws("146", shelf="333")
    assert table.view.turn_points == 6
    assert table.view.locked == (3, 3, 3)
    assert table.view.roll == (1, 4, 6)


def test_dice_left_lying_while_the_others_are_thrown_were_set_aside() -> None:
    table = Table().start().throws("233346").throws("146", left="333")
    assert table.view.turn_points == 6


def test_dice_set_beside_the_tray_were_set_aside() -> None:
    table = Table().start().throws("133346").throws("14466")
    assert table.view.turn_points == 1


def test_dice_laid_beside_the_tray_and_then_on_the_shelf_are_not_counted_twice() -> None:
    table = Table().start().throws("124445").sets_aside("", "5")
    assert table.throws("1", shelf="12444").view.turn_points == 11
    table = Table().start().throws("112256").sets_aside("", "2256").throws("1234", shelf="1")
    assert table.view.locked == (1, 1)  # the other one still lies beside the tray


def test_a_choice_on_the_page_counts_where_nothing_is_seen_on_the_shelf() -> None:
    table = Table().start().throws("122346").chooses("2").throws("14466")
    assert table.view.turn_points == 2


def test_if_two_selections_are_possible_the_table_asks() -> None:
    table = Table().start().throws("122346").throws("14466")
    assert table.view.phase == "asking"
    assert table.view.question is not None
    assert table.view.question.answers == ("2 for 2", "1 for 1", "throw again")
    table.answers("1 for 1")
    assert (table.view.turn_points, table.view.roll) == (1, (1, 4, 4, 6, 6))


def test_a_choice_that_contradicts_the_dice_set_aside_is_not_taken() -> None:
    table = Table().start().throws("122346").chooses("2").throws("14466", left="1")
    assert table.view.locked == (1,)
    table = Table().start().throws("122346").chooses("2").throws("14466", left="4")
    assert table.view.phase == "asking"


def test_the_only_selection_of_the_right_size_is_not_taken_if_another_die_is_aside() -> None:
    table = Table().start().throws("133346").throws("14", left="1334")
    assert table.view.question is not None
    assert table.view.question.answers == ("3 3 3 1 for 7", "throw again")
    table.answers("3 3 3 1 for 7")
    assert sorted(table.view.locked) == [1, 3, 3, 3]


def test_a_die_that_hopped_onto_the_shelf_is_not_set_aside_until_a_hand_touches_it() -> None:
    table = Table().start()
    hopped = observation("23346", shelf="1")
    fates = (Fate.THROWN,) * 6
    table.take(ReadingSettled(replace(hopped, episode=Episode(False, True, fates, (5,)))))
    assert (sorted(table.view.roll), table.view.shelf, table.view.chosen) == ([1, 2, 3, 3, 4, 6], (), None)
    table.sets_aside("1", "23346")
    assert (table.view.shelf, table.view.chosen is not None) == ((1,), True)


@pytest.mark.parametrize(
    ("act", "numbers"),
    [
        (lambda table: table.start(), (6,)),
        (lambda table: table.start().throws("233346"), (2, 3, 5, 6)),
        (lambda table: table.start().throws("122346").throws("14466"), ()),  # the table asks
    ],
)
def test_the_view_says_how_many_dice_may_be_thrown_next(act, numbers) -> None:
    assert act(Table()).view.may_throw == numbers


def test_a_throw_that_does_not_count_after_a_question_changes_nothing() -> None:
    table = Table().start().throws("122346").throws("14466").answers("throw again")
    assert (table.view.phase, table.view.roll) == ("choosing", (1, 2, 2, 3, 4, 6))
    assert table.view.out_of_step


def test_all_six_set_aside_and_thrown_again_are_hot_dice() -> None:
    table = Table().start().throws("111222").throws("123466")
    assert table.view.turn_points == 26
    assert table.view.locked == ()


def test_a_doubtful_reading_is_asked_about_and_never_scored() -> None:
    table = Table().start().throws("233346", sure=False)
    assert table.view.phase == "asking"
    assert table.view.roll == ()
    table.taps("keep")
    assert table.view.roll == (2, 3, 3, 3, 4, 6)


def test_a_die_missing_is_said_and_nothing_is_scored() -> None:
    table = Table().start().throws("23334")
    assert table.view.phase == "to_throw"
    assert "One die missing" in table.view.message.text
    assert len(table.journal) == 1


def test_too_many_dice_where_nothing_may_be_banked_are_refused() -> None:
    table = Table().start().throws("346")
    assert "three dice" in table.view.message.told.lower()
    assert table.view.phase == "to_throw"


def test_six_dice_thrown_after_a_turn_that_could_be_banked_ask_whether_it_was() -> None:
    table = Table().start().throws("233346").throws("123466")
    assert table.view.question is not None
    assert table.view.question.text.startswith("Did Ann bank 8?")
    table.taps("keep")
    assert (table.score("Ann"), table.view.to_move, table.view.roll) == (8, "Ben", (1, 2, 3, 4, 6, 6))


def test_hot_dice_of_which_one_does_not_come_to_rest_are_not_taken_for_another_selection() -> None:
    table = Table().start().throws("125551").chooses("125551").throws("14466")
    assert table.view.question is not None
    assert table.view.question.text == "Which dice did you set aside? Or is one die missing?"
    table.answers("throw again")
    assert (table.view.phase, table.view.dice_to_throw) == ("choosing", 6)
    table.throws("144666")
    assert (table.view.throw_seq, table.view.roll) == (2, (1, 4, 4, 6, 6, 6))


def test_no_bank_after_a_throw_of_six_dice_voids_the_throw() -> None:
    table = Table().start().throws("233346").throws("123466").taps("roll")
    assert (table.score("Ann"), table.view.to_move, table.view.phase) == (0, "Ann", "choosing")


def test_a_die_that_hops_onto_the_shelf_counts_as_rolled() -> None:
    table = Table().start().throws("233346")
    rolled = next(event for event in table.journal[-1] if isinstance(event, DiceRolled))
    assert rolled.faces == (2, 3, 3, 3, 4, 6)


def hopping(thrown: str, hopped: str, *, shelf: str = "") -> ReadingSettled:
    """Return a tray with thrown dice, of which `hopped` came onto the shelf."""
    seen = observation(thrown, shelf=shelf + hopped)
    told = range(len(thrown) + len(shelf), len(thrown + shelf + hopped))
    fates = tuple(Fate.THROWN if i in told else fate for i, fate in enumerate(seen.episode.fates))
    return ReadingSettled(replace(seen, episode=replace(seen.episode, fates=fates, hopped=tuple(told))), "synthetic")


def test_kept_dice_that_have_not_moved_were_not_thrown_whatever_the_eye_says() -> None:
    """A pushed tray: six thrown, two ones kept, and one of them told as hopped there anew. Five may be thrown, too."""
    table = Table().start().throws("113446").chooses("11")
    table.take(hopping("1124", "1", shelf="1"))
    assert (table.view.locked, table.view.roll) == ((1, 1), (1, 1, 2, 4))
    table.chooses("1").take(hopping("124", "11", shelf="1"))
    assert (table.view.locked, table.view.roll) == ((1, 1, 1), (1, 2, 4))


def test_a_die_that_hops_beside_those_that_are_kept_was_thrown() -> None:
    table = Table().start().throws("113446").chooses("11")
    table.take(hopping("124", "1", shelf="11"))
    assert (table.view.locked, table.view.roll) == ((1, 1), (1, 2, 4, 1))


def test_a_first_picture_is_never_a_throw() -> None:
    table = Table().start().throws("233346", first=True)
    assert table.view.phase == "to_throw"


def test_a_first_picture_that_fits_goes_on_and_one_that_does_not_is_asked_about() -> None:
    table = Table().start().throws("233346").throws("233346", first=True)
    assert table.view.phase == "choosing"
    table = Table().start().throws("133446").throws("22466", first=True)
    assert table.view.question is not None
    assert "just now" in table.view.question.text
    table.answers("yes")
    assert (table.view.turn_points, table.view.roll) == (1, (2, 2, 4, 6, 6))


def test_nudged_dice_change_nothing() -> None:
    table = Table().start().throws("233346").sets_aside("", "233346")
    assert table.view.roll == (2, 3, 3, 3, 4, 6)
    assert len(table.journal) == 2


def test_a_die_on_the_shelf_that_does_not_count_leaves_the_best_valid_part() -> None:
    table = Table().start().throws("133346").sets_aside("14", "3336")
    assert table.view.chosen is not None
    assert table.view.chosen.dice == (1,)
    assert table.view.shelf == (1, 4)


def test_a_farkle_is_shown_a_while_and_the_next_player_follows() -> None:
    table = Table().start().throws("334466")
    assert (table.view.phase, table.view.to_move) == ("farkled", "Ben")
    table.now = 2.4
    table.take(Tick())
    assert table.view.phase == "farkled"
    table.now = 2.5
    table.take(Tick())
    assert table.view.phase == "to_throw"


def test_a_throw_ends_the_farkles_showing() -> None:
    table = Table().start().throws("334466").throws("233346")
    assert table.view.phase == "choosing"


def test_moving_dice_are_shown_and_never_journalled() -> None:
    table = Table().start()
    table.take(MotionReported(Motion.MOVING))
    assert table.view.phase == "rolling"
    assert len(table.journal) == 1


def test_keeping_and_rolling_are_one_act() -> None:
    table = Table().start().throws("233346").chooses("333").throws("146", shelf="333")
    assert [type(event) for event in table.journal[-1] if isinstance(event, DiceKept | DiceRolled)] == [
        DiceKept,
        DiceRolled,
    ]


def test_a_photograph_throws_all_dice_outside_the_shelf() -> None:
    table = Table().start().throws("233346", still=True)
    assert table.view.roll == (2, 3, 3, 3, 4, 6)


def test_the_game_over_takes_no_more_throws() -> None:
    table = Table().start("Ann", settings={"target": 1}).throws("123466").taps("bank")
    assert table.view.phase == "over"
    table.throws("123466")
    assert table.view.phase == "over"
    with pytest.raises(RefusedError, match="the game is over"):
        table.taps("keep")


def test_a_throw_that_the_eye_missed_after_an_undo_is_asked_about() -> None:
    table = Table().start().throws("233346").undoes().throws("233346", first=True)
    assert table.view.phase == "to_throw"  # the same tray as before: no dice were thrown
    table.throws("124466", first=True)
    assert table.view.question is not None
    assert table.view.question.text == "Did you throw 1 2 4 4 6 6 just now?"
    table.taps("keep")
    assert (table.view.roll, table.view.out_of_step) == ((1, 2, 4, 4, 6, 6), False)


def test_a_hand_in_the_tray_is_told_apart_from_moving_dice() -> None:
    table = Table().start("Ann", "Ben")
    table.take(MotionReported(Motion.HAND))
    assert table.view.message.text == "A hand is in the tray."
    table.take(MotionReported(Motion.MOVING))
    assert table.view.message.text == "The dice are moving."
