"""Acts beside the turns: counted points, players who join by name, and throws for the start."""

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.state.inputs import CountPoints, JoinGame, NewGame, Pause


def paused(table: Table, *items: str) -> Table:
    table.take(Pause())
    for item in items:
        table.answers(item)
    return table


def counting(rules: str = "farkle-cribbage") -> Table:
    table = Table()
    table.take(NewGame(rules, ("Ann", "Ben")))
    return paused(table, "count points ourselves")


def test_a_number_sets_the_points_of_the_turn_so_far() -> None:
    table = counting()
    table.take(CountPoints(9))
    assert table.view.turn_points == 9
    table.take(CountPoints(7))
    assert table.taps("bank").score("Ann") == 7


def test_the_unit_of_a_sheet_in_hundreds_is_fifty() -> None:
    table = counting("classic")
    assert table.view.count_unit == 50
    table.take(CountPoints(350))
    assert table.view.message.told == "Ann counts 350 points."


@pytest.mark.parametrize(
    ("points", "why"),
    [
        (0, "the points of a turn are 50 or more"),
        (-50, "50 or more"),
        (375, "the points of a turn are a multiple of 50"),
        (10**9, "a turn brings at most 1,000,000 points"),
        (350, "350 points are counted already"),
    ],
)
def test_a_number_that_no_turn_brings_is_refused(points: int, why: str) -> None:
    table = counting("classic")
    table.take(CountPoints(350))
    with pytest.raises(RefusedError, match=why):
        table.take(CountPoints(points))


def test_a_table_that_reads_the_dice_takes_no_number() -> None:
    with pytest.raises(RefusedError, match="the table reads the dice"):
        Table().start().take(CountPoints(5))


def test_a_player_joins_by_name() -> None:
    table = Table().start()
    table.take(JoinGame(" Zoë "))
    assert [player.name for player in table.view.players] == ["Ann", "Ben", "Zoë"]
    assert table.view.message.told == "Zoë joins."


@pytest.mark.parametrize(
    ("name", "why"),
    [("ann", "ann plays already"), ("  ", "a name cannot be empty"), ("x" * 21, "at most 20"), ('"Cy"', "no quotes")],
)
def test_a_name_that_cannot_join_is_refused(name: str, why: str) -> None:
    with pytest.raises(RefusedError, match=why):
        Table().start().take(JoinGame(name))


def test_nobody_joins_in_the_middle_of_a_turn() -> None:
    with pytest.raises(RefusedError, match="finish the turn first"):
        Table().start().throws("233346").take(JoinGame("Cy"))


def test_the_players_may_throw_for_the_start_until_the_game_has_begun() -> None:
    table = paused(Table().start(), "throw for who begins")
    assert table.view.message.text == "Ann, throw two dice to see who begins."
    table.throws("12").throws("66")
    assert table.view.to_move == "Ben"
    table.throws("233346").taps("bank")
    table.take(Pause())
    assert table.view.question is not None
    assert "throw for who begins" not in table.view.question.answers


def test_an_undo_removes_the_throw_for_the_start() -> None:
    table = paused(Table().start(), "throw for who begins").undoes()
    assert table.view.message.text == "Undone: Throw for who begins. Ann, throw six dice."


def test_a_question_that_was_open_is_open_again_if_the_game_goes_on() -> None:
    table = Table().start().throws("133346", sure=False)
    asked = table.view.question
    assert paused(table, "end game").answers("go on").view.question == asked
    assert paused(table, "power off").holds("roll").view.question == asked
