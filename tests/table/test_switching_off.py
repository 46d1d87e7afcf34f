"""Switching the table off is confirmed by somebody who stands at it: each way to it, from each place."""

import pytest
from tables import Table, paused

from companion.errors import RefusedError
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Answer, Button, Input, Origin, Pause, Press, Started, SwitchFound

ITEMS_BEFORE = 20
"""More than the menu has items."""

CONFIRMS = {
    "an answer by its name": lambda origin: Answer("power_off", origin),
    "an answer by its former words": lambda origin: Answer("power off", origin),
    "ROLL, which gives the second answer": lambda origin: Press(Button.ROLL, origin=origin),
}


def asked(*, real_buttons: bool, switches_off: bool = False) -> Table:
    """Return a table that asks whether to switch it off."""
    table = Table().start()
    table.take(Started(real_buttons))
    if switches_off:
        table.take(SwitchFound())
    return paused(table, "power off")


def ends(table: Table, given: Input) -> bool:
    return CueKind.POWER_OFF in [cue.kind for cue in table.take(given).cues]


@pytest.mark.parametrize("way", CONFIRMS)
@pytest.mark.parametrize(
    ("real_buttons", "origin"),
    [(True, Origin.TABLE), (False, Origin.TABLE), (False, Origin.MACHINE)],
)
def test_who_stands_at_the_table_switches_it_off(real_buttons: bool, origin: Origin, way: str) -> None:
    assert ends(asked(real_buttons=real_buttons), CONFIRMS[way](origin))


@pytest.mark.parametrize("way", CONFIRMS)
@pytest.mark.parametrize(
    ("real_buttons", "origin", "reason"),
    [
        (True, Origin.MACHINE, "press ROLL at the table itself to confirm it"),
        (True, Origin.NETWORK, "press ROLL at the table itself to confirm it"),
        (False, Origin.NETWORK, "only the page on the table's own machine can do that"),
    ],
)
def test_nobody_else_does_and_the_question_stays_open(
    real_buttons: bool, origin: Origin, reason: str, way: str
) -> None:
    table = asked(real_buttons=real_buttons)
    before = table.state
    with pytest.raises(RefusedError, match=reason):
        table.take(CONFIRMS[way](origin))
    assert table.state == before


@pytest.mark.parametrize("origin", [Origin.MACHINE, Origin.NETWORK])
def test_no_way_through_the_menu_by_page_buttons_goes_round_the_confirmation(origin: Origin) -> None:
    table = Table().start()
    table.take(Started(real_buttons=True))
    table.take(Pause())
    for _ in range(ITEMS_BEFORE):
        if table.view.message.short == "end the table":
            break
        table.take(Press(Button.ROLL, origin=origin))
    table.take(Press(Button.BANK, origin=origin))
    with pytest.raises(RefusedError, match="at the table itself"):
        table.take(Press(Button.ROLL, origin=origin))


def test_an_input_says_that_it_comes_from_the_network_unless_it_knows_better() -> None:
    assert Press(Button.ROLL).origin is Answer("power_off").origin is Origin.NETWORK


@pytest.mark.parametrize(("switches_off", "words"), [(False, "end the table"), (True, "power off")])
def test_the_menu_and_its_question_say_what_really_happens(switches_off: bool, words: str) -> None:
    table = asked(real_buttons=False, switches_off=switches_off)
    assert table.view.question.answers == ("go on", words)
    table.answers("go on").take(Pause())
    assert words in table.view.question.answers
