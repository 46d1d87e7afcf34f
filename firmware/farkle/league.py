"""What a board and a league send each other: the topics, the code of a board, and the chain of its acts.

A message is an Ed25519 signature of 64 bytes and then the JSON that it signs; docs/league.md describes the fields.
"""

import base64
import hashlib
import json
from collections.abc import Mapping

VERSION = 1
"""The version of the messages' form. A league names a board that sends another one, and stores nothing of it."""

SIGNATURE_BYTES = 64

CODE_LETTERS = 12
"""The letters of a code: 60 bits of the key's hash."""


def code_of(key: bytes) -> str:
    """Return the code of a board from its public key of 32 bytes: `K7QF-2MXA-ATPB`."""
    letters = base64.b32encode(hashlib.sha256(key).digest()).decode()[:CODE_LETTERS]
    return "-".join(letters[place : place + 4] for place in range(0, CODE_LETTERS, 4))


def seen_of(message: bytes) -> str:
    """Return what an answer of the league names this message by."""
    return hashlib.sha256(message[SIGNATURE_BYTES:]).hexdigest()[:16]


def acts_topic(code: str) -> str:
    """Return the topic on which a board sends its acts; `+` stands for all boards."""
    return f"farkleague/{code}/acts"


def stored_topic(code: str) -> str:
    """Return the topic on which the league retains what it has stored of a board."""
    return f"farkleague/{code}/stored"


def canonical(value: object) -> bytes:
    """Return JSON with sorted keys and no spaces: the same bytes for the same value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chained(before: str, act: Mapping[str, object]) -> str:
    """Return the hash of an act as sent, after the hash of the act sent before it; that is empty for the first."""
    return hashlib.sha256(before.encode() + canonical(act)).hexdigest()
