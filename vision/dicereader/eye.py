"""The eye's process: source, settling and reader in one loop, and a socket to the game. `python -m dicereader.eye`."""

import argparse
import os
import queue
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

import cv2

from dicereader.errors import CalibrationError, DiceReaderError, MessageError, PictureError
from dicereader.frame import Frame, Pixels
from dicereader.messages import (
    Advance,
    Beat,
    Decoder,
    Expect,
    Forget,
    FromEye,
    Hello,
    Lay,
    Message,
    Motion,
    MotionKind,
    Observed,
    Preview,
    Setup,
    Stop,
    Trouble,
    encode,
)
from dicereader.pictures import decode
from dicereader.reader import read_pixels
from dicereader.reading import DiceReading
from dicereader.settle import Event, HandIn, Moving, Settled, Settler, StillNow
from dicereader.sources import FrameSource, StillSource, WorldSource, open_source
from dicereader.tags import from_tags

ALERT_S = 1 / 30  # between two frames while something moves
IDLE_S = 1 / 10
IDLE_AFTER_S = 3.0
BEAT_S = 0.5
PREVIEW_S = 0.2
TAG_FRAMES = 30  # so many first frames are searched for tags
JPEG_QUALITY = 85
MOST_STEP_S = 0.1
"""A hurried clock goes no further than this from frame to frame: a throw must be seen to be one."""

_KINDS: dict[type[Moving | HandIn | StillNow], MotionKind] = {
    Moving: MotionKind.MOVING,
    HandIn: MotionKind.HAND,
    StillNow: MotionKind.STILL,
}


class HurriedClock:
    """Time that runs `speed` times as fast as the real clock, but never leaps between two frames."""

    def __init__(self, clock: Callable[[], float], speed: float) -> None:
        self._clock = clock
        self._speed = speed
        self._real = self._now = clock()

    def __call__(self) -> float:
        """The time of the present frame."""
        return self._now

    def tick(self) -> None:
        """Go on to the next frame."""
        real = self._clock()
        passed = (real - self._real) * self._speed
        self._real = real
        self._now += passed if self._speed == 1.0 else min(passed, MOST_STEP_S)


class Eye:
    """One open source, and what its frames say. `send` takes a message and its payload to the game."""

    def __init__(
        self,
        setup: Setup,
        send: Callable[[FromEye, bytes], None],
        clock: Callable[[], float],
        empty: Pixels | None = None,
    ) -> None:
        self._send = send
        self._clock = clock
        self._time = HurriedClock(clock, setup.speed)
        self._source: FrameSource = open_source(setup.source, setup.arg, self._time)
        self._expected = Expect()
        self._empty = empty
        self._calibration = setup.calibration
        self._tag_frames_left = TAG_FRAMES if setup.calibration is None and self._source.live else 0
        self._settler = self._new_settler()
        self._stirred_s = self._beat_s = self._preview_s = clock()
        self._restless = True  # something changed since the last preview
        self._alert_s = min(ALERT_S, MOST_STEP_S / setup.speed)
        send(Hello(self._source.live, self._source.simulated, _version()), b"")

    def obey(self, message: Message) -> None:
        """Do what the game asks."""
        match message:
            case Expect():
                self._expected = message
                self._settler.expect(message.thrown)
            case Lay() if isinstance(self._source, WorldSource):
                self._source.lay(message.world)
                self._restless = True
            case Forget():
                self._settler.forget()
            case Advance() if isinstance(self._source, StillSource):
                self._source.advance()
            case _:
                self._send(Trouble(f"expected nothing of the kind of {type(message).__name__} here", fatal=False), b"")

    def look(self) -> float:
        """Take one frame, if there is one, and say what it shows; the seconds until the next look."""
        self._time.tick()
        now = self._clock()
        try:
            frame = self._source.next(1.0)
        except PictureError as error:
            self._send(Trouble(str(error), fatal=False), b"")
            return 0.0
        if frame is None:
            self._beat(now, self._time(), alive=not self._source.live)
            return ALERT_S / 2 if self._source.live else IDLE_S
        if self._tag_frames_left:
            self._search_tags(frame)
        for event in self._settler.feed(frame):
            self._tell(event)
            self._restless = True
            self._stirred_s = now
        if self._settler.stirring:
            self._stirred_s = now
            self._restless = True
        if self._restless and self._source.live and now - self._preview_s >= PREVIEW_S:
            self._send(Preview(), _jpeg(frame.pixels))
            self._preview_s = now
            self._restless = self._settler.stirring
        self._beat(now, frame.at_s, alive=True)
        took = self._clock() - now
        return max(0.0, (self._alert_s if now - self._stirred_s < IDLE_AFTER_S else IDLE_S) - took)

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()

    def _tell(self, event: Event) -> None:
        if isinstance(event, Settled):
            self._send(Observed(event.observation), _jpeg(event.frame.pixels))
        else:
            self._send(Motion(_KINDS[type(event)]), b"")

    def _beat(self, now: float, at_s: float, *, alive: bool) -> None:
        if alive and now - self._beat_s >= BEAT_S:
            self._send(Beat(at_s), b"")
            self._beat_s = now

    def _search_tags(self, frame: Frame) -> None:
        self._tag_frames_left -= 1
        try:
            self._calibration = from_tags(frame.pixels)
        except CalibrationError:
            return
        self._tag_frames_left = 0
        self._settler = self._new_settler()

    def _new_settler(self) -> Settler:
        settler = Settler(self._read, self._calibration)
        settler.expect(self._expected.thrown)
        return settler

    def _read(self, pixels: Pixels) -> DiceReading:
        known = self._calibration
        fitting = known if known is not None and known.fits(pixels) else None
        empty = self._empty if self._empty is not None and self._empty.shape == pixels.shape else None
        reading = read_pixels(pixels, calibration=fitting, empty=empty, expect=self._expected.dice)
        self._beat(self._clock(), self._time(), alive=True)  # slow reading is no silence
        return reading


def serve(wire: socket.socket, clock: Callable[[], float] = time.monotonic) -> int:
    """Run the eye for the game at the other end of a socket, until it says Stop or hangs up; the exit status."""
    inbox: queue.SimpleQueue[tuple[Message, bytes]] = queue.SimpleQueue()
    wake, woken = socket.socketpair()
    threading.Thread(target=_listen, args=(wire, inbox, wake), daemon=True).start()

    def send(message: FromEye, payload: bytes) -> None:
        wire.sendall(encode(message, payload))

    eye: Eye | None = None
    try:
        wait_s: float | None = None
        while True:
            if select.select([woken], [], [], wait_s)[0]:
                woken.recv(4096)
            while not inbox.empty():
                message, payload = inbox.get()
                if isinstance(message, Stop):
                    return 0
                if eye is not None:
                    eye.obey(message)
                elif isinstance(message, Setup):
                    eye = Eye(message, send, clock, decode(payload, "the empty tray") if payload else None)
                else:
                    raise MessageError(f"expected Setup first, got {type(message).__name__}")
            if eye is not None:
                wait_s = eye.look()
    except (BrokenPipeError, ConnectionResetError):
        return 0
    except DiceReaderError as error:
        send(Trouble(str(error), fatal=True), b"")
        return 1
    finally:
        if eye is not None:
            eye.close()


def _listen(wire: socket.socket, inbox: "queue.SimpleQueue[tuple[Message, bytes]]", wake: socket.socket) -> None:
    """Take messages from the game. When it hangs up, or dies, the process ends, whatever the camera is doing."""
    decoder = Decoder()
    try:
        while data := wire.recv(1 << 16):
            for arrived in decoder.feed(data):
                inbox.put(arrived)
                wake.send(b".")
    except (OSError, MessageError):
        pass
    os._exit(0)


def _jpeg(pixels: Pixels) -> bytes:
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise PictureError(f"expected a picture that JPEG can hold, got one of shape {pixels.shape}")
    return data.tobytes()


def _version() -> str:
    try:
        return version("farklecrib")
    except PackageNotFoundError:
        return "unknown"


def main(arguments: list[str] | None = None) -> int:
    """The process: `--fd N` is one end of a socket pair inherited from the game."""
    parser = argparse.ArgumentParser(prog="dicereader.eye", description="The eye of a table; started by the game.")
    parser.add_argument("--fd", type=int, required=True, help="one end of a socket pair, inherited")
    fd = parser.parse_args(arguments).fd
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the game hears Ctrl-C too, and ends the eye in its order
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    cv2.setNumThreads(1)
    try:
        wire = socket.socket(fileno=fd)
    except OSError as error:
        sys.stderr.write(f"dicereader.eye: error: expected a socket as --fd, got {fd!r}: {error}\n")
        return 2
    return serve(wire)


if __name__ == "__main__":
    sys.exit(main())
