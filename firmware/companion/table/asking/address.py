"""The address of the page for people without a screen: spoken clearly, and its last number counted out on the board."""

import re
from dataclasses import replace
from urllib.parse import urlsplit

from companion.table.state.acts import Handlers, Step
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import Located
from companion.table.state.menus import SayAddress
from companion.table.state.state import TableState
from companion.words import Text, in_form, joined, message


def say_address(state: TableState) -> Step:
    """Say where the page is; the lights count out the last number of the address in the network."""
    text: Text = message("said.no_page")
    if state.address:
        place = urlsplit(state.address)
        port = " ".join(str(place.port or ""))
        spelling = spelled(place.hostname or "")
        text = message("said.address", address=state.address, host=spelling, port=port)
    digits = address_digits(state)
    if digits:
        counting = message("said.lights_count", digits=" ".join(map(str, digits)))
        text = joined(text, counting)
    return Step(replace(state, announced=text), cues=(Cue(CueKind.ADDRESS, in_form(text, "spoken")),))


def address_digits(state: TableState) -> tuple[int, ...]:
    """Return the digits of the last number of this machine's IPv4 address; empty without a network."""
    return tuple(int(digit) for digit in state.network_address.rpartition(".")[2])


def spelled(host: str) -> Text:
    """Return a host as it is read aloud: a name in words, a number digit by digit."""
    named = any(character.isalpha() for character in host) and ":" not in host
    parts = re.split(r"([.:-])", host) if named else host
    signs = {".": message("said.dot"), "-": message("said.dash"), ":": message("said.colon")}
    return joined(*(signs.get(part, part) for part in parts))


HANDLERS: Handlers = {
    SayAddress: lambda state, _given, _now: say_address(state),
    Located: lambda state, given, _: Step(replace(state, address=given.address, network_address=given.network_address)),
}
