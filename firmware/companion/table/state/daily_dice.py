"""The dice of a daily challenge: the same at every table, from the day, the rule set, the turn and the throw alone.

docs/table.md says how any program can repeat them.
"""

import hashlib
from collections.abc import Iterator
from itertools import count, islice

from farkle.rules.dice import Faces

CHALLENGE = "Farkle Crib daily challenge 1"
"""The beginning of each hashed text; another way to make the dice has another number."""

MOST_DICE = 6
LARGEST_BYTE = 252
"""Bytes from here on are left out: 252 is the largest multiple of six, so that each face is equally likely."""


def dealt(day: str, rules: str, turn: int, throw: int) -> Faces:
    """Return the six faces of a throw; a throw of fewer dice has the first of them.

    They are bytes of SHA-256 in counter mode: of `Farkle Crib daily challenge 1|DAY|RULES|TURN|THROW|BLOCK`, with the
    blocks counted from 0. A byte below 252 is the face `1 + byte % 6`; other bytes are left out.

    Args:
        day: the day, such as `2026-11-27`.
        rules: the key of the rule set.
        turn: the number of the turn, from 1.
        throw: the number of the throw in the turn, from 1.
    """
    hashed = f"{CHALLENGE}|{day}|{rules}|{turn}|{throw}"
    return tuple(1 + byte % 6 for byte in islice(_bytes(hashed), MOST_DICE))


def _bytes(hashed: str) -> Iterator[int]:
    for block in count():
        digest = hashlib.sha256(f"{hashed}|{block}".encode()).digest()
        yield from (byte for byte in digest if byte < LARGEST_BYTE)
