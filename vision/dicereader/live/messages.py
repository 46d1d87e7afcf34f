"""The messages on the eye's socket: dataclasses as a JSON header and a binary payload after their two lengths."""

import json
import struct
import typing
from dataclasses import asdict, dataclass, field
from typing import get_args

from dicereader.data.camera_modules import CameraView
from dicereader.data.dataclass_json import from_plain
from dicereader.errors import FormatError, MessageError, check_number
from dicereader.live.timing import SettleTiming
from dicereader.reading import CameraFault, Motion, Observation
from dicereader.sources.synthetic.world import World
from dicereader.tray.calibration import Calibration

LENGTHS = struct.Struct(">II")
"""Length of header and payload in bytes, before each message."""

MOST_DICE = 60
MOST_HEADER_BYTES = 4 << 20
MOST_PAYLOAD_BYTES = 16 << 20


@dataclass(frozen=True)
class Setup:
    """To the eye, the first message: the source to open, and what is known of the tray.

    `source` and `arg` are as after `--camera` (`recorded` and a path); `speed` scales a simulated source's clock. The
    payload may hold a picture of the empty tray as JPEG or PNG.
    """

    source: str
    arg: str = ""
    calibration: Calibration | None = None
    speed: float = 1.0
    timing: SettleTiming = field(default_factory=SettleTiming)

    def __post_init__(self) -> None:
        check_number(self.speed, 0.01, 1000, "a speed from 0.01 to 1000", MessageError)


@dataclass(frozen=True)
class Expect:
    """To the eye: the allowed counts of the next throw, empty if unknown, and the rolls that need extra votes.

    The eye takes longer for any other count, and then reports it as it is. `critical_rolls` are rolls, faces in rising
    order, whose misreading would cost much.
    """

    throw_counts: tuple[int, ...] = ()
    critical_rolls: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        for count in self.throw_counts:
            check_number(count, 0, MOST_DICE, f"0 to {MOST_DICE} dice", MessageError)


@dataclass(frozen=True)
class SetWorld:
    """To the eye of a simulated tray: the tray from now on."""

    world: World


@dataclass(frozen=True)
class Forget:
    """To the eye: the next settled picture is a first one, and never a throw (a start, an undo, blindness)."""


@dataclass(frozen=True)
class IgnoreFaults:
    """To the eye: the present camera faults are false alarms; read in spite of them."""


@dataclass(frozen=True)
class NextPicture:
    """To the eye of a folder of photographs: read the next one."""


@dataclass(frozen=True)
class PhonePicture:
    """To the eye of a phone's pictures: the payload is the newest one, as JPEG."""


@dataclass(frozen=True)
class Stop:
    """To the eye: end."""


@dataclass(frozen=True)
class Hello:
    """From the eye, when its source is open: whether the source is live, and what a camera on the ribbon shows."""

    live: bool
    view: CameraView | None = None


@dataclass(frozen=True)
class Observed:
    """From the eye: a settled reading; the payload is the picture that was read, as JPEG."""

    observation: Observation

    def __post_init__(self) -> None:
        if len(self.observation.reading.dice) > MOST_DICE:
            raise MessageError(f"expected at most {MOST_DICE} dice, got {len(self.observation.reading.dice)}")


@dataclass(frozen=True)
class MotionChanged:
    """From the eye: the tray's motion has changed."""

    motion: Motion


@dataclass(frozen=True)
class TrayPicture:
    """From the eye, at most five a second and only if something changed: the payload is the tray now, as JPEG."""


@dataclass(frozen=True)
class Heartbeat:
    """From the eye, about twice a second as long as frames come. `at_s` is the newest frame's time."""

    at_s: float


@dataclass(frozen=True)
class NoFrames:
    """From the eye, about twice a second while frames should come and do not."""


@dataclass(frozen=True)
class Behind:
    """From the eye, at most once a minute: the frames a second of moving dice that it looks at, and those it wants."""

    looked: float
    wanted: float

    def __str__(self) -> str:
        return f"looks at {self.looked:.0f} of {self.wanted:.0f} frames a second"


@dataclass(frozen=True)
class FaultsChanged:
    """From the eye: the camera's faults have changed to these, the worst first. Nothing is read while there is one."""

    faults: tuple[CameraFault, ...] = ()


@dataclass(frozen=True)
class TrayMoved:
    """From the eye: the tray, or the camera, has moved and was registered again; nothing is wrong."""


@dataclass(frozen=True)
class Trouble:
    """From the eye: an error, in words. After a `fatal` one the eye ends."""

    text: str
    fatal: bool


ToEye = Setup | Expect | SetWorld | Forget | IgnoreFaults | NextPicture | PhonePicture | Stop
FromEye = (
    Hello | Observed | MotionChanged | TrayPicture | Heartbeat | NoFrames | Behind | FaultsChanged | TrayMoved | Trouble
)
AnyMessage = ToEye | FromEye

_KINDS: dict[str, type[AnyMessage]] = {kind.__name__: kind for kind in (*get_args(ToEye), *get_args(FromEye))}


def encode(message: AnyMessage, payload: bytes = b"") -> bytes:
    """Return a message as the bytes for the socket; MessageError if header or payload is too long."""
    header = json.dumps({"kind": type(message).__name__, "body": asdict(message)}, separators=(",", ":")).encode()
    _check_lengths(len(header), len(payload))
    return LENGTHS.pack(len(header), len(payload)) + header + payload


class Decoder:
    """Turns bytes, as they arrive, into messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> list[tuple[AnyMessage, bytes]]:
        """Add bytes; return the messages that are now complete, each with its payload; MessageError if invalid."""
        self._bytes += data
        complete: list[tuple[AnyMessage, bytes]] = []
        while len(self._bytes) >= LENGTHS.size:
            header, payload = LENGTHS.unpack_from(self._bytes)
            _check_lengths(header, payload)
            end = LENGTHS.size + header + payload
            if len(self._bytes) < end:
                break
            body = bytes(self._bytes[LENGTHS.size : end])
            del self._bytes[:end]
            complete.append((_decoded(body[:header]), body[header:]))
        return complete


def _check_lengths(header: int, payload: int) -> None:
    if header > MOST_HEADER_BYTES or payload > MOST_PAYLOAD_BYTES:
        most = (MOST_HEADER_BYTES, MOST_PAYLOAD_BYTES)
        raise MessageError(f"expected header and payload of at most {most} bytes, got {(header, payload)}")


def _decoded(header: bytes) -> AnyMessage:
    try:
        plain = json.loads(header)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"expected a JSON header, got {header[:60]!r}: {error}") from error
    kind = _KINDS.get(str(plain["kind"])) if isinstance(plain, dict) and plain.keys() == {"kind", "body"} else None
    if kind is None:
        raise MessageError(f"expected a message of kind {', '.join(_KINDS)}, got {header[:60]!r}")
    try:
        return typing.cast(AnyMessage, from_plain(kind, plain["body"]))
    except FormatError as error:
        raise MessageError(str(error)) from error
