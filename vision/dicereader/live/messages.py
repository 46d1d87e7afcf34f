"""What crosses the eye's socket: frozen messages each way, as a JSON header and a binary payload behind two lengths."""

import json
import struct
import types
import typing
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Union, get_args, get_origin

from dicereader.errors import DiceReaderError, MessageError
from dicereader.live.patience import Patience
from dicereader.reading import CameraFault, Observation
from dicereader.tray.calibration import Calibration
from dicereader.world import World

LENGTHS = struct.Struct(">II")
"""Header and payload length in bytes, before each message."""

MOST_DICE = 60
MOST_HEADER_BYTES = 4 << 20
MOST_PAYLOAD_BYTES = 16 << 20


@dataclass(frozen=True)
class Setup:
    """To the eye, first of all: which source to open, and what is known of the tray.

    `source` and `arg` are as after `--camera` (`recorded` and a path); `speed` scales a simulated source's clock,
    `patience` is how long the eye waits. The payload may hold a picture of the empty tray as JPEG or PNG.
    """

    source: str
    arg: str = ""
    calibration: Calibration | None = None
    speed: float = 1.0
    patience: Patience = field(default_factory=Patience)

    def __post_init__(self) -> None:
        if not 0.01 <= self.speed <= 1000:
            raise MessageError(f"expected a speed from 0.01 to 1000, got {self.speed!r}")


@dataclass(frozen=True)
class Expect:
    """To the eye: how many dice must be on the tray, and what numbers of dice may be thrown next, as far as is known.

    A prior and never a proof: what else comes is looked at longer, and told as it is. `grave` are rolls, faces in
    rising order, that are looked at longer too, for much is lost where one is misread.
    """

    dice: int | None = None
    thrown: tuple[int, ...] = ()
    grave: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        for count in (*self.thrown, *(() if self.dice is None else (self.dice,))):
            if not 0 <= count <= MOST_DICE:
                raise MessageError(f"expected 0 to {MOST_DICE} dice, got {count!r}")


@dataclass(frozen=True)
class Lay:
    """To the eye of a simulated tray: this is the tray from now on."""

    world: World


@dataclass(frozen=True)
class Forget:
    """To the eye: the next settled picture is a first one, and never a throw (a start, an undo, blindness)."""


@dataclass(frozen=True)
class Overlook:
    """To the eye: people say that the faults it tells of are false alarms; it reads on in spite of them."""


@dataclass(frozen=True)
class Advance:
    """To the eye of a folder of photographs: the next one, please."""


@dataclass(frozen=True)
class Stop:
    """To the eye: end."""


@dataclass(frozen=True)
class Hello:
    """From the eye, when its source is open: what kind of source it is, and the program's version."""

    live: bool
    simulated: bool
    version: str


@dataclass(frozen=True)
class Observed:
    """From the eye: a settled reading; the payload is the picture that was read, as JPEG."""

    observation: Observation


class MotionKind(StrEnum):
    """What goes on in the tray."""

    STILL = "still"
    MOVING = "moving"
    HAND = "hand"


@dataclass(frozen=True)
class Motion:
    """From the eye: what goes on in the tray has changed to this."""

    kind: MotionKind


@dataclass(frozen=True)
class Preview:
    """From the eye, at most five a second and only when something changed: the payload is the tray now, as JPEG."""


@dataclass(frozen=True)
class Beat:
    """From the eye, about twice a second as long as frames come. `at_s` is the newest frame's time."""

    at_s: float


@dataclass(frozen=True)
class Waiting:
    """From the eye, about twice a second while no frames come though they should."""


@dataclass(frozen=True)
class Blind:
    """From the eye: the camera's faults have changed to these, the worst first; none: it sees again.

    As long as there is one nothing is read.
    """

    faults: tuple[CameraFault, ...] = ()


@dataclass(frozen=True)
class FoundAgain:
    """From the eye: the tray, or the camera, has moved; it was found again, and nothing is wrong."""


@dataclass(frozen=True)
class Trouble:
    """From the eye: something is wrong. After a `fatal` one the eye ends."""

    text: str
    fatal: bool


ToEye = Setup | Expect | Lay | Forget | Overlook | Advance | Stop
FromEye = Hello | Observed | Motion | Preview | Beat | Waiting | Blind | FoundAgain | Trouble
Message = ToEye | FromEye

_KINDS: dict[str, type[Message]] = {kind.__name__: kind for kind in (*get_args(ToEye), *get_args(FromEye))}


def encode(message: Message, payload: bytes = b"") -> bytes:
    """A message as the bytes that cross the socket."""
    header = json.dumps({"kind": type(message).__name__, "body": to_plain(message)}, separators=(",", ":")).encode()
    if len(header) > MOST_HEADER_BYTES or len(payload) > MOST_PAYLOAD_BYTES:
        most, got = (MOST_HEADER_BYTES, MOST_PAYLOAD_BYTES), (len(header), len(payload))
        raise MessageError(f"expected header and payload of at most {most} bytes, got {got}")
    return LENGTHS.pack(len(header), len(payload)) + header + payload


class Decoder:
    """Bytes in, as they arrive; whole messages out."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[tuple[Message, bytes]]:
        """Add what arrived; the messages that are now whole, each with its payload. Raises MessageError."""
        self._bytes += data
        whole: list[tuple[Message, bytes]] = []
        while len(self._bytes) >= LENGTHS.size:
            header, payload = LENGTHS.unpack_from(self._bytes)
            if header > MOST_HEADER_BYTES or payload > MOST_PAYLOAD_BYTES:
                most = (MOST_HEADER_BYTES, MOST_PAYLOAD_BYTES)
                raise MessageError(f"expected header and payload of at most {most} bytes, got {(header, payload)}")
            end = LENGTHS.size + header + payload
            if len(self._bytes) < end:
                break
            body = bytes(self._bytes[LENGTHS.size : end])
            del self._bytes[:end]
            whole.append((_decoded(body[:header]), body[header:]))
        return whole


def _decoded(header: bytes) -> Message:
    try:
        plain = json.loads(header, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"expected a JSON header, got {header[:60]!r}: {error}") from error
    if not isinstance(plain, dict) or plain.keys() != {"kind", "body"} or plain["kind"] not in _KINDS:
        raise MessageError(f"expected a message of kind {', '.join(_KINDS)}, got {header[:60]!r}")
    return typing.cast(Message, from_plain(_KINDS[plain["kind"]], plain["body"]))


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def to_plain(value: Any) -> Any:
    """A message, or a part of one, as what JSON knows: dataclasses become objects, tuples arrays."""
    if is_dataclass(value):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    return value


def from_plain(kind: Any, plain: Any) -> Any:
    """What `to_plain` gave, as the type `kind` again; MessageError says what was expected."""
    if is_dataclass(kind) and isinstance(kind, type):
        return _object(kind, plain)
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if plain is None and type(None) in get_args(kind):
            return None
        (only,) = (part for part in get_args(kind) if part is not type(None))
        return from_plain(only, plain)
    if origin is tuple:
        return _tuple(get_args(kind), plain)
    if kind is float and isinstance(plain, int) and not isinstance(plain, bool):
        return float(plain)
    if isinstance(kind, type) and issubclass(kind, StrEnum) and plain in list(kind):
        return kind(plain)
    if type(plain) is kind and kind in (int, float, str, bool):
        return plain
    raise MessageError(f"expected {getattr(kind, '__name__', kind)}, got {plain!r:.80}")


def _object(kind: type, plain: Any) -> Any:
    known = _types_of(kind)
    if not isinstance(plain, dict) or plain.keys() != known.keys():
        raise MessageError(f"expected {kind.__name__} with {', '.join(known) or 'nothing'}, got {plain!r:.80}")
    values = {name: from_plain(part, plain[name]) for name, part in known.items()}
    try:
        return kind(**values)
    except MessageError:
        raise
    except DiceReaderError as error:
        raise MessageError(f"expected a {kind.__name__} that can be: {error}") from error


def _tuple(parts: tuple[Any, ...], plain: Any) -> tuple[Any, ...]:
    if not isinstance(plain, list):
        raise MessageError(f"expected an array, got {plain!r:.80}")
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(from_plain(parts[0], item) for item in plain)
    if len(parts) != len(plain):
        raise MessageError(f"expected an array of {len(parts)}, got {len(plain)}")
    return tuple(from_plain(part, item) for part, item in zip(parts, plain, strict=True))


@cache
def _types_of(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {f.name: hints[f.name] for f in fields(kind)}
