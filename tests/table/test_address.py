"""The address of the page without a screen: spoken character by character, with its last number shown as lights."""

import pytest
from tables import Table

from companion.table.asking.house import spelled
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Located, Pause
from companion.words import english


def asked(address: str, network_address: str = "") -> Table:
    table = Table().start()
    table.take(Located(address, network_address))
    table.take(Pause())
    return table.answers("network address")


def test_an_address_in_numbers_is_spoken_digit_by_digit() -> None:
    table = asked("http://192.168.1.23:8080/", "192.168.1.23")
    (cue,) = table.cues
    assert cue.kind is CueKind.ADDRESS
    assert cue.text == (
        "The page is at 1 9 2 dot 1 6 8 dot 1 dot 2 3, port 8 0 8 0. The lights count its last number: 2 3."
    )
    assert table.view.message.told.startswith("The page is at http://192.168.1.23:8080/.")
    assert table.view.address_digits == (2, 3)


def test_a_name_is_spoken_as_a_name_and_the_lights_count_the_number() -> None:
    table = asked("http://farkle-crib.local:8080/", "10.0.0.105")
    assert table.cues[0].text.startswith("The page is at farkle dash crib dot local, port 8 0 8 0.")
    assert table.view.address_digits == (1, 0, 5)


def test_a_page_for_this_machine_alone_has_no_number_for_the_lights() -> None:
    table = asked("http://127.0.0.1:8080/")
    assert table.view.address_digits == ()
    assert "lights" not in table.cues[0].text


def test_a_table_without_a_page_says_so() -> None:
    assert asked("").cues[0].text == "This table has no page."


@pytest.mark.parametrize(
    ("host", "said"),
    [("10.0.0.7", "1 0 dot 0 dot 0 dot 7"), ("pi.local", "pi dot local"), ("fe80::1", "f e 8 0 colon colon 1")],
)
def test_hosts_are_spelled(host: str, said: str) -> None:
    assert english().text(spelled(host)) == said
