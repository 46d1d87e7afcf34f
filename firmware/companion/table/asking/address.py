"""The address of the page for people without a screen: spoken clearly, and its last number counted out on the board."""

from dataclasses import replace
from urllib.parse import urlsplit

from companion.table.state.acts import Step
from companion.table.state.cues import Cue, CueKind
from companion.table.state.state import TableState
from companion.words import words


def say_address(state: TableState) -> Step:
    """Say where the page is; the lights count out the last number of the address in the network."""
    if not state.address:
        text = spoken = words("said.no_page")
    else:
        place = urlsplit(state.address)
        text = words("said.address", address=state.address)
        spoken = words("said.address_spelled", host=spelled(place.hostname or ""), port=" ".join(str(place.port or "")))
    digits = address_digits(state)
    if digits:
        counting = words("said.lights_count", digits=" ".join(map(str, digits)))
        text, spoken = f"{text} {counting}", f"{spoken} {counting}"
    return Step(replace(state, announced=text), cues=(Cue(CueKind.ADDRESS, spoken),))


def address_digits(state: TableState) -> tuple[int, ...]:
    """Return the digits of the last number of this machine's IPv4 address; empty without a network."""
    return tuple(int(digit) for digit in state.network_address.rpartition(".")[2])


def spelled(host: str) -> str:
    """Return a host as it is read aloud: a name in words, a number digit by digit."""
    named = any(character.isalpha() for character in host) and ":" not in host
    signs = {".": words("said.dot"), "-": words("said.dash"), ":": words("said.colon")}
    found = "".join(f" {signs[sign]} " if sign in signs else sign if named else f" {sign} " for sign in host)
    return " ".join(found.split())
