"""The messages between boards and league: a board's acts, verified, and the league's answer, signed.

docs/league.md describes the fields.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from farkle.game.events import EVENT_KINDS, Event
from farkle.league import SIGNATURE_BYTES, VERSION, canonical, code_of, seen_of
from farkleague.errors import LeagueError, UnknownFormError

SCHEMA = 2
"""The newest schema of events that this league knows."""

MOST_BYTES = 1 << 20
"""The most bytes of a message: a game of thousands of acts may come as a whole."""

CLONED = "cloned"
"""The problem of a board whose key a second table uses."""

SHUT_OUT = "the league's organiser has shut this board out"
"""The problem of a board from which nothing is taken."""

_KINDS = {kind.__name__: kind for kind in EVENT_KINDS}
_ZERO = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""A zero character as JSON writes it; a backslash that is itself escaped does not count."""

Name = Annotated[str, Field(min_length=1, max_length=100)]
Number = Annotated[int, Field(ge=0, lt=1 << 31)]
Made = tuple[tuple[Number, tuple[tuple[str, dict[str, Any]], ...]], ...]
"""Acts with their events, each as its kind and its body."""


class SentAct(BaseModel):
    """One act as sent; docs/league.md describes the fields."""

    game: Annotated[int, Field(ge=1, lt=1 << 31)]
    act: Annotated[int, Field(ge=1, lt=1 << 31)]
    id: Annotated[str, Field(pattern=r"^[0-9]{1,10}-[0-9a-f]{64}$")]
    at: Annotated[float, Field(ge=0, le=4e9)]
    keeps: Number
    made: Made
    bots: dict[Number, str] = {}

    @property
    def digest(self) -> bytes:
        """The hash in the act's id, which names the act and all acts of its game before it."""
        return bytes.fromhex(self.id.partition("-")[2])

    @property
    def begins(self) -> bool:
        """Whether its game begins with this act."""
        return not self.keeps and self.made[:1] != () and self.made[0][0] == self.act


class _Started(BaseModel):
    players: list[Name]


class _Joined(BaseModel):
    name: Name


class _Body(BaseModel):
    version: int
    program: Annotated[str, Field(max_length=40)]
    table_schema: Annotated[int, Field(alias="schema")]
    board: Annotated[str, Field(max_length=20)]
    key: Annotated[str, Field(max_length=64)]
    after: Annotated[str, Field(max_length=64)] = ""
    acts: Annotated[tuple[dict[str, Any], ...], Field(max_length=1000)] = ()
    deleted: tuple[Number, ...] = ()
    newest: Number


@dataclass(frozen=True)
class Message:
    """A message whose signature fits its key. `sent` are the acts as they came, which the chain is made of."""

    code: str
    key: bytes
    program: str
    after: str
    acts: tuple[SentAct, ...]
    sent: tuple[Mapping[str, object], ...]
    deleted: tuple[int, ...]
    newest: int
    seen: str
    problem: str = ""
    """Why nothing of the message can be used, though its board sent it."""


def read_message(payload: bytes, code: str) -> Message:
    """Return the message of the board with a code.

    Raises:
        LeagueError: if it is malformed, or its signature does not fit.
    """
    if not SIGNATURE_BYTES < len(payload) <= MOST_BYTES:
        raise LeagueError(f"expected a signed message of at most {MOST_BYTES} bytes, got {len(payload)} bytes")
    signature, text = payload[:SIGNATURE_BYTES], payload[SIGNATURE_BYTES:]
    if _ZERO.search(text):  # which PostgreSQL does not store
        raise LeagueError("expected text without zero characters, got one")
    try:
        body = _Body.model_validate_json(text)
        key = base64.b64decode(body.key, validate=True)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except InvalidSignature as error:
        raise LeagueError("expected the signature of the board's key, got another one") from error
    except ValueError as error:
        raise LeagueError(f"expected the message of a board, got {text[:40]!r}") from error
    if not code == body.board == code_of(key):
        raise LeagueError(f"expected a key with the code of the topic, got that of {code_of(key)}")
    acts, problem = tuple[SentAct, ...](), ""
    try:
        acts = _acts_of(body)
    except UnknownFormError as error:
        problem = str(error)
    return Message(
        code, key, body.program, body.after, acts, body.acts, body.deleted, body.newest, seen_of(payload), problem
    )


def _acts_of(body: _Body) -> tuple[SentAct, ...]:
    """Return the acts of a message.

    Raises:
        UnknownFormError: if this league does not know the form.
    """
    if body.version != VERSION or body.table_schema > SCHEMA:
        known = f"form {VERSION} and schema {SCHEMA}"
        raise UnknownFormError(
            f"this league knows {known}, and farklecrib {body.program} sends form {body.version} and schema "
            f"{body.table_schema}: update the league"
        )
    try:
        acts = tuple(map(SentAct.model_validate, body.acts))
        for act in acts:
            renamed(act, lambda name, _: name)  # each name is one
        return acts
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, wrong["loc"]))
        raise UnknownFormError(f"farklecrib {body.program} sends an unknown act ({where}: {wrong['msg']})") from error


@cache
def _adapter(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(_KINDS[kind])


def decode(kind: str, body: Mapping[str, Any]) -> Event:
    """Return an event of the game.

    Raises:
        UnknownFormError: if this league does not know the kind, or its fields.
    """
    if kind not in _KINDS:
        raise UnknownFormError(f"this league does not know the event {kind!r}: update the league")
    try:
        event = _adapter(kind).validate_python(body)
    except ValidationError as error:
        raise UnknownFormError(f"expected the body of {kind}, got {json.dumps(body)[:200]}") from error
    if (names := vars(event).keys()) != body.keys():
        raise UnknownFormError(f"expected the fields {', '.join(names)} of {kind}, got {', '.join(body)}")
    return event


@dataclass(frozen=True)
class Answer:
    """An answer to a board: its last stored act, the hash of the chain after it, and the message that was taken."""

    board: str
    name: str
    act: str
    hash: str
    seen: str
    problem: str

    def signed(self, key: Ed25519PrivateKey) -> bytes:
        """Return the answer as it is sent."""
        league = base64.b64encode(key.public_key().public_bytes_raw()).decode()
        text = canonical({"version": VERSION, "league": league, **vars(self)})
        return key.sign(text) + text


def renamed(act: SentAct, number_of: Callable[[str, bool], str]) -> Made:
    """Return the acts that count from an act on, with numbers in place of the names of players.

    If something else stands in a name's place, a `ValidationError` reaches the caller.

    Args:
        act: the act.
        number_of: returns the number for a name, and for whether a program plays this player.
    """

    def put(kind: str, body: dict[str, Any]) -> dict[str, Any]:
        if kind == "GameStarted":
            names = enumerate(_Started.model_validate(body).players)
            return {**body, "players": [number_of(name, seat in act.bots) for seat, name in names]}
        if kind == "PlayerJoined":
            return {**body, "name": number_of(_Joined.model_validate(body).name, False)}
        return body

    return tuple((number, tuple((kind, put(kind, body)) for kind, body in events)) for number, events in act.made)
