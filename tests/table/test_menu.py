"""The pause menu: an entry does what its text says, and an unknown entry does nothing."""

from dataclasses import replace

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.asking.menu import MENUS
from companion.table.state.inputs import DoorChanged, Pause, Started
from companion.table.state.menus import CLOSES, Menu


@pytest.mark.parametrize("kind", MENUS)
def test_an_unknown_entry_of_a_menu_does_nothing(kind: str) -> None:
    table = Table().start()
    table.state = replace(table.state, menu=Menu(kind, (CLOSES,)))
    before = table.state
    with pytest.raises(RefusedError, match="no such item"):
        table.answers("tea")
    assert table.state == before


def test_who_lets_a_phone_in_hears_on_whose_phone_to_type() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Started(real_buttons=True, lets_in=True))
    table.take(DoorChanged("Zoe"))
    assert table.taps("keep").view.message.told == "Type what the table shows on Zoe’s phone, within a minute."


def test_nobody_leads_a_game_that_ended_without_points() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Pause())
    said = table.answers("end game").answers("end the game").view.message.text
    assert said == "The game was ended early. Nobody has any points. Another game?"
