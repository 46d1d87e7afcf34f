"""The rolls that the eye is asked to look at longer."""

from tables import Table


def test_before_the_first_throw_the_farkles_of_six_dice_are_grave() -> None:
    grave = Table().start().view.grave
    assert (3, 3, 4, 4, 6, 6) in grave
    assert (1, 3, 4, 4, 6, 6) not in grave
    assert {len(roll) for roll in grave} == {6}


def test_a_roll_that_may_win_is_grave() -> None:
    table = Table().start(settings={"target": 8})
    assert (2, 3, 3, 3, 4, 6) in table.view.grave
    assert (1, 3, 4, 4, 6, 6) not in table.view.grave


def test_what_is_set_aside_brings_a_win_nearer() -> None:
    table = Table().start(settings={"target": 8}).throws("233346").chooses("333")
    assert (1, 4, 6) not in Table().start(settings={"target": 121}).throws("233346").chooses("333").view.grave
    assert (2, 4, 6) in table.view.grave


def test_nothing_is_grave_in_the_lobby() -> None:
    assert Table().view.grave == ()
