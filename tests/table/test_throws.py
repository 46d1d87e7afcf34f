"""Throws, dice set aside, questions and refused presses of a turn, and the rolls that need extra votes.

The scenes show the usual cases.
"""

from dataclasses import replace

import pytest
from tables import Table, banks, game, observation

from companion.errors import RefusedError
from companion.table.state.house import HouseRules
from companion.table.state.inputs import ReadingSettled
from companion.table.state.seen import IncompleteThrow
from companion.table.throws.doubts import completed
from companion.table.throws.selection import expected_throw
from dicereader.reading import Episode, Fate


def test_dice_laid_beside_the_tray_and_then_on_the_shelf_are_not_counted_twice() -> None:
    table = Table().start().throws("124445").sets_aside("", "5")
    assert table.throws("1", shelf="12444").view.turn_points == 11
    table = Table().start().throws("112256").sets_aside("", "2256").throws("1234", shelf="1")
    assert table.view.locked == (1, 1)  # the other one still lies beside the tray


def test_a_choice_on_the_page_counts_where_nothing_is_seen_on_the_shelf() -> None:
    table = Table().start().throws("122346").chooses("2").throws("14466")
    assert table.view.turn_points == 2


def test_a_choice_that_contradicts_the_dice_set_aside_is_not_taken() -> None:
    table = Table().start().throws("122346").chooses("2").throws("14466", left="1")
    assert table.view.locked == (1,)
    table = Table().start().throws("122346").chooses("2").throws("14466", left="4")
    assert table.view.phase == "asking"


def test_the_only_selection_of_the_right_size_is_not_taken_if_another_die_is_aside() -> None:
    table = Table().start().throws("133346").throws("14", left="1334")
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


def test_hot_dice_of_which_one_does_not_come_to_rest_are_not_taken_for_another_selection() -> None:
    table = Table().start().throws("125551").chooses("125551").throws("14466")
    assert table.view.question.text == "Which dice did you set aside? Or is one die missing?"
    table.answers("throw again")
    assert (table.view.phase, table.view.dice_to_throw) == ("choosing", 6)
    table.throws("144666")
    assert (table.view.throw_seq, table.view.roll) == (2, (1, 4, 4, 6, 6, 6))


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


def test_a_first_picture_that_fits_goes_on_and_one_that_does_not_is_asked_about() -> None:
    assert Table().start().throws("233346", first=True).view.phase == "to_throw"
    table = Table().start().throws("233346").throws("233346", first=True)
    assert table.view.phase == "choosing"
    table = Table().start().throws("133446").throws("22466", first=True)
    assert "just now" in table.view.question.text
    table.answers("yes")
    assert (table.view.turn_points, table.view.roll) == (1, (2, 2, 4, 6, 6))


def test_a_photograph_throws_all_dice_outside_the_shelf() -> None:
    table = Table().start().throws("233346", still=True)
    assert table.view.roll == (2, 3, 3, 3, 4, 6)


def test_dice_that_are_missing_and_thrown_again_keep_what_had_been_set_aside() -> None:
    table = Table().start().throws("233346").chooses("333")
    table.state = replace(table.state, house=HouseRules(off_table="that_die"))
    table.throws("1", shelf="333").throws("46", shelf="333", left="1")
    assert (table.view.locked, table.view.roll) == ((3, 3, 3), (1, 4, 6))


def test_equal_dice_that_were_set_aside_and_lie_among_a_completed_throw_do_not_count_in_it() -> None:
    waiting = IncompleteThrow("touching", (3, 4, 6), again=0, kept=(1, 1))
    assert completed(waiting, observation(left="13461")) == (3, 4, 6)
    assert completed(waiting, observation(left="134616")) is None


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
    assert table.view.question.text == "Did you throw 1 2 4 4 6 6 just now?"
    table.taps("keep")
    assert (table.view.roll, table.view.out_of_step) == ((1, 2, 4, 4, 6, 6), False)


def in_doubt() -> Table:
    """Return a table on which Ann has banked eight points, and Ben's first throw is read in doubt."""
    table = Table().start().throws("233346").taps("bank").throws("133346", sure=False)
    assert table.view.question is not None
    return table


def test_a_correction_of_a_throw_in_doubt_is_that_throw_as_one_act() -> None:
    table = in_doubt()
    before = table.state.game
    table.corrects("113346")
    assert (table.view.phase, table.view.roll, table.view.to_move) == ("choosing", (1, 1, 3, 3, 4, 6), "Ben")
    assert table.score("Ann") == 8
    assert table.undoes().state.game == before


def test_a_throw_in_doubt_keeps_what_had_been_set_aside() -> None:
    table = Table().start().throws("233346").chooses("333").throws("146", shelf="333", sure=False).corrects("116")
    assert (table.view.turn_points, table.view.roll) == (6, (1, 1, 6))


@pytest.mark.parametrize(
    ("table", "corrected", "why"),
    [
        (in_doubt, "113", "this throw has six dice"),
        (lambda: Table().start().throws("122346").throws("14466"), "122345", "answer the question first"),
    ],
)
def test_a_correction_that_does_not_fit_the_question_is_refused(table, corrected: str, why: str) -> None:
    asked = table()
    before = asked.state
    with pytest.raises(RefusedError, match=why):
        asked.corrects(corrected)
    assert asked.state == before


def test_the_last_throw_of_a_game_may_be_corrected_while_a_rematch_is_asked_about() -> None:
    table = Table().start("Ann", settings={"target": 5}).throws("334466").throws("122346").chooses("122").taps("bank")
    table.taps("bank").corrects("122446")
    assert (table.view.phase, table.score("Ann")) == ("over", 5)


def test_keep_held_while_the_table_asks_does_not_change_the_question() -> None:
    table = in_doubt()
    before = table.state
    with pytest.raises(RefusedError, match="answer the question first"):
        table.holds("keep")
    assert table.state == before


def test_a_doubtful_throw_counts_after_both_answers_with_what_was_set_aside() -> None:
    table = Table().start().throws("122346").throws("14466", sure=False).answers("1 for 1")
    assert (table.view.turn_points, table.view.question and table.view.question.kind) == (0, "doubt")
    table.answers("yes")
    assert (table.view.turn_points, table.view.roll, table.view.phase) == (1, (1, 4, 4, 6, 6), "choosing")


def test_a_doubtful_throw_that_shows_a_silent_bank_is_asked_about_after_the_bank() -> None:
    table = Table().start().throws("233346").chooses("333").throws("122346", sure=False).answers("yes")
    assert (table.score("Ann"), table.view.to_move, table.view.throw_seq) == (8, "Ben", 1)
    assert table.view.question.kind == "doubt"
    assert table.answers("yes").view.roll == (1, 2, 2, 3, 4, 6)


def test_a_silent_bank_may_end_the_game_and_the_throw_after_it_does_not_count() -> None:
    table = Table().start("Ann", settings={"target": 5}).throws("233346").chooses("333").throws("122346").answers("yes")
    assert (table.view.phase, table.score("Ann"), table.view.throw_seq) == ("over", 8, 1)


def high_stakes(table: Table) -> tuple[tuple[int, ...], ...]:
    return expected_throw(table.state).high_stakes


def test_before_the_first_throw_the_farkles_of_six_dice_need_extra_votes() -> None:
    rolls = high_stakes(Table().start())
    assert (3, 3, 4, 4, 6, 6) in rolls
    assert (1, 3, 4, 4, 6, 6) not in rolls
    assert {len(roll) for roll in rolls} == {6}
    assert high_stakes(Table()) == ()


def test_a_roll_that_may_win_needs_extra_votes_and_dice_set_aside_count() -> None:
    table = Table().start(settings={"target": 8})
    assert (2, 3, 3, 3, 4, 6) in high_stakes(table)
    assert (1, 3, 4, 4, 6, 6) not in high_stakes(table)
    assert (2, 4, 6) in high_stakes(table.throws("233346").chooses("333"))
    assert (1, 4, 6) not in high_stakes(Table().start().throws("233346").chooses("333"))


@pytest.mark.parametrize(
    ("table", "dice", "points", "words"),
    [
        (Table(), "1", None, "no game"),
        (Table().start(), "1", None, "throw first"),
        (Table().start().throws("233346"), "5", None, "5 is not in this throw"),
        (Table().start().throws("233346"), "4", None, "4 does not score"),
        (Table().start().throws("233346"), "333", 7, "these dice count 6"),
        (Table().start().throws("233346"), "34", None, "only 3|3 4 do not score"),
    ],
)
def test_a_choice_that_may_not_be_kept_says_why(table: Table, dice: str, points: int | None, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        table.chooses(dice, points)


def test_a_question_is_answered_word_for_word() -> None:
    table = Table().start().throws("122346").throws("14466")
    with pytest.raises(RefusedError, match="no answer to this question"):
        table.answers("maybe")
    with pytest.raises(RefusedError, match="answer the question first"):
        table.taps("bank")
    with pytest.raises(RefusedError, match="no question is open"):
        Table().start().answers("yes")


def bomb() -> Table:
    """Return a table on which Ben leads with 20, and Ann throws six fours."""
    ahead = banks(banks(game("farkle-cribbage-advanced"), "234466", "2"), "111346", "111")
    return ahead.throws("444444")


def test_a_choice_that_was_answered_is_asked_again_after_an_undo() -> None:
    asked = bomb()
    assert asked.taps("keep").undoes().state.question == bomb().state.question is not None


def test_without_an_answer_the_bomb_counts_or_fewer_of_its_dice_and_nobody_behind_is_swapped_with() -> None:
    assert bomb().throws("111346").view.turn_points == 28
    assert bomb().chooses("4444").view.chosen.points == 18
    assert game("farkle-cribbage-advanced").throws("444444").view.question is None
