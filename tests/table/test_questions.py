"""Corrections, presses and undo while the table asks a question."""

import pytest
from tables import Table

from companion.errors import RefusedError


def in_doubt() -> Table:
    """Return a table on which Ann has banked eight points, and Ben's first throw is read in doubt."""
    table = Table().start().throws("233346").taps("bank").throws("133346", sure=False)
    assert table.view.question is not None
    return table


def test_a_correction_of_a_throw_in_doubt_is_that_throw() -> None:
    table = in_doubt().corrects("113346")
    assert (table.view.phase, table.view.roll, table.view.to_move) == ("choosing", (1, 1, 3, 3, 4, 6), "Ben")


def test_a_correction_of_a_throw_in_doubt_leaves_the_throw_before_as_it_is() -> None:
    table = in_doubt().corrects("113346")
    assert table.score("Ann") == 8


def test_a_throw_in_doubt_that_is_corrected_can_be_undone_as_one_act() -> None:
    table = in_doubt()
    before = table.state.game
    assert table.corrects("113346").undoes().state.game == before


def test_a_throw_in_doubt_keeps_what_had_been_set_aside() -> None:
    table = Table().start().throws("233346").chooses("333").throws("146", shelf="333", sure=False).corrects("116")
    assert (table.view.turn_points, table.view.roll) == (6, (1, 1, 6))


def test_a_throw_in_doubt_keeps_its_number_of_dice() -> None:
    table = in_doubt()
    before = table.state
    with pytest.raises(RefusedError, match="this throw has six dice"):
        table.corrects("113")
    assert table.state == before


def test_a_correction_is_refused_while_the_table_asks_about_dice_set_aside() -> None:
    table = Table().start().throws("122346").throws("14466")
    with pytest.raises(RefusedError, match="answer the question first"):
        table.corrects("122345")


def test_the_last_reading_may_be_corrected_while_the_table_asks_about_it() -> None:
    table = Table().start().throws("233346").holds("keep").corrects("133346")
    assert (table.view.question, table.view.roll) == (None, (1, 3, 3, 3, 4, 6))


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


def test_a_doubtful_throw_is_not_scored_by_saying_what_was_set_aside() -> None:
    table = Table().start().throws("122346").throws("14466", sure=False)
    table.answers("1 for 1")
    assert table.view.turn_points == 0
    assert table.view.question is not None
    assert table.view.question.text == "I am not sure. Did you throw 1 4 4 6 6?"


def test_after_both_answers_a_doubtful_throw_counts_with_what_was_set_aside() -> None:
    table = Table().start().throws("122346").throws("14466", sure=False).answers("1 for 1").answers("yes")
    assert (table.view.turn_points, table.view.roll, table.view.phase) == (1, (1, 4, 4, 6, 6), "choosing")


def test_a_doubtful_throw_that_shows_a_silent_bank_is_asked_about_after_the_bank() -> None:
    table = Table().start().throws("233346").chooses("333").throws("122346", sure=False).answers("yes")
    assert (table.score("Ann"), table.view.to_move, table.view.throw_seq) == (8, "Ben", 1)
    assert table.view.question is not None
    assert table.view.question.text == "I am not sure. Did you throw 1 2 2 3 4 6?"
    assert table.answers("yes").view.roll == (1, 2, 2, 3, 4, 6)


def test_a_silent_bank_may_end_the_game_and_the_throw_after_it_does_not_count() -> None:
    table = Table().start("Ann", settings={"target": 5}).throws("233346").chooses("333").throws("122346").answers("yes")
    assert (table.view.phase, table.score("Ann"), table.view.throw_seq) == ("over", 8, 1)
