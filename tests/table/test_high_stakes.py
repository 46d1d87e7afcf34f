"""The rolls that need extra votes of the eye."""

from tables import Table

from companion.table.throws.selection import expected_throw


def high_stakes(table: Table) -> tuple[tuple[int, ...], ...]:
    return expected_throw(table.state).high_stakes


def test_before_the_first_throw_the_farkles_of_six_dice_have_high_stakes() -> None:
    rolls = high_stakes(Table().start())
    assert (3, 3, 4, 4, 6, 6) in rolls
    assert (1, 3, 4, 4, 6, 6) not in rolls
    assert {len(roll) for roll in rolls} == {6}


def test_a_roll_that_may_win_has_high_stakes() -> None:
    table = Table().start(settings={"target": 8})
    assert (2, 3, 3, 3, 4, 6) in high_stakes(table)
    assert (1, 3, 4, 4, 6, 6) not in high_stakes(table)


def test_dice_set_aside_count_towards_a_win() -> None:
    table = Table().start(settings={"target": 8}).throws("233346").chooses("333")
    assert (1, 4, 6) not in high_stakes(Table().start(settings={"target": 121}).throws("233346").chooses("333"))
    assert (2, 4, 6) in high_stakes(table)


def test_no_roll_has_high_stakes_in_the_lobby() -> None:
    assert high_stakes(Table()) == ()
