"""The pause menu: an entry does what its text says, and an unknown entry does nothing."""

from dataclasses import replace

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.asking.menu import GO_ON, MENUS
from companion.table.state.state import Menu


@pytest.mark.parametrize("kind", MENUS)
def test_an_unknown_entry_of_a_menu_does_nothing(kind: str) -> None:
    table = Table().start()
    table.state = replace(table.state, menu=Menu(kind, (GO_ON, "tea"), place=1))
    before = table.state
    with pytest.raises(RefusedError, match="tea"):
        table.answers("tea")
    assert table.state == before
