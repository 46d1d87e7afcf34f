"""The table's place in a league: its key, the league's key, and the last act that the league has stored."""

import base64
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import BaseModel, Field, TypeAdapter

from companion.errors import ToldError, reporting_file_errors
from companion.storage.whole_file import write_whole
from companion.words import message
from farkle.league import SIGNATURE_BYTES, VERSION, canonical, code_of

FILE = "league.json"
"""The file of the membership in the data folder; no backup holds it."""

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{43}=$")]
ActId = Annotated[str, Field(pattern=r"^([0-9]{1,10}-[0-9a-f]{64})?$")]
ChainHash = Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]


class LeagueError(ToldError, OSError):
    """The league does not get the acts."""


class Answer(BaseModel):
    """What a league says that it has stored; docs/league.md describes the fields."""

    version: int
    board: str
    league: Key
    name: str = Field(max_length=100)
    act: ActId
    hash: ChainHash
    seen: str
    problem: str = Field(max_length=600)


@dataclass(frozen=True)
class Membership:
    """What the file holds; keys are in base64.

    Args:
        key: the private key of the table.
        since: the newest act when the key was made; the league gets later ones.
        league: the public key of the league; empty before its first answer.
        name: the table's name in the league.
        act: the id of the last act that the league has stored, empty if it has none.
        hash: the hash of the chain after that act.
    """

    key: Key
    since: int
    league: Key | Literal[""] = ""
    name: str = ""
    act: ActId = ""
    hash: ChainHash = ""

    @classmethod
    def new(cls, since: int) -> "Membership":
        """Return a membership with a new key."""
        return cls(base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode(), since)

    @classmethod
    def read(cls, file: Path) -> "Membership":
        """Read the file; an `OSError` reaches the caller.

        Raises:
            LeagueError: if it does not hold a membership.
        """
        data = file.read_bytes()
        try:
            return _MEMBERSHIP.validate_json(data)
        except ValueError as error:
            raise LeagueError(message("league_page.no_key", file=str(file))) from error

    def write(self, file: Path) -> None:
        """Write the file; a `CompanionError` reaches the caller if that cannot be done."""
        with reporting_file_errors("a file that can be written", file):
            write_whole(file, [_MEMBERSHIP.dump_json(self)])

    @cached_property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(base64.b64decode(self.key, validate=True))

    @property
    def _public(self) -> bytes:
        return self._private.public_key().public_bytes_raw()

    @cached_property
    def code(self) -> str:
        """The code of the table."""
        return code_of(self._public)

    @property
    def place(self) -> int:
        """The number of the last act that need not be sent."""
        return int(self.act.partition("-")[0] or self.since)

    def signed(self, body: dict[str, Any]) -> bytes:
        """Return a message with these fields and those that say who sends it."""
        key = base64.b64encode(self._public).decode()
        data = canonical({"version": VERSION, "board": self.code, "key": key, **body})
        return self._private.sign(data) + data

    def answer_in(self, payload: bytes) -> Answer:
        """Return the answer of a league to this table.

        Raises:
            ValueError: if it is none.
        """
        answer = Answer.model_validate_json(payload[SIGNATURE_BYTES:])
        if (answer.version, answer.board) != (VERSION, self.code):
            raise ValueError(f"expected form {VERSION} for {self.code}, got {answer.version} for {answer.board!r}")
        try:
            key = Ed25519PublicKey.from_public_bytes(base64.b64decode(answer.league))
            key.verify(payload[:SIGNATURE_BYTES], payload[SIGNATURE_BYTES:])
        except InvalidSignature as error:
            raise ValueError("expected an answer that its league has signed") from error
        return answer


_MEMBERSHIP = TypeAdapter(Membership)
