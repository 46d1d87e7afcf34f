"""The eye process: source, settle detection and reader in one loop, and a socket to the game."""

import argparse
import contextlib
import os
import queue
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

import cv2

from dicereader.errors import DiceReaderError, MessageError, PictureError, SourceError
from dicereader.frame import Frame, Pixels
from dicereader.live.faults import FaultWatch
from dicereader.live.messages import (
    Advance,
    Beat,
    Blind,
    Decoder,
    Expect,
    Forget,
    FoundAgain,
    FromEye,
    Hello,
    Lay,
    Message,
    Motion,
    MotionKind,
    Observed,
    Overlook,
    Preview,
    Setup,
    Stop,
    Trouble,
    Waiting,
    encode,
)
from dicereader.live.pace import MOST_STEP_S, HurriedClock, Reopening
from dicereader.live.registered_tray import RegisteredTray
from dicereader.live.settle import Event, HandIn, Moving, Settled, Settler, StillNow
from dicereader.pictures import decode, jpeg
from dicereader.reading import DiceReading
from dicereader.sources import FrameSource, StillSource, WorldSource, open_source

BEAT_S = 0.5
PREVIEW_S = 0.2
NEXT_S = 0.5  # a source is waited for so long, and then asked again
TROUBLE_S = 1.0  # broken pictures are spoken of so often

_KINDS: dict[type[Moving | HandIn | StillNow], MotionKind] = {
    Moving: MotionKind.MOVING,
    HandIn: MotionKind.HAND,
    StillNow: MotionKind.STILL,
}


class Eye:
    """One open source, and what its frames say. `send` takes a message and its payload to the game."""

    def __init__(
        self,
        setup: Setup,
        send: Callable[[FromEye, bytes], None],
        clock: Callable[[], float],
        empty: Pixels | None = None,
    ) -> None:
        self._setup = setup
        self._send = send
        self._clock = clock
        self._time = HurriedClock(clock, setup.speed)
        self._source: FrameSource = open_source(setup.source, setup.arg, self._time)
        self._live = self._source.live
        self._reopening = Reopening(clock())
        self._expected = Expect()
        self._number = 0  # of the newest observation
        self._tray = RegisteredTray(setup.calibration, empty, live=self._live)
        self._settler = self._new_settler()
        self._faults = FaultWatch()
        self._stirred_s = self._beat_s = self._preview_s = self._trouble_s = clock()
        self._restless = True  # something changed since the last preview
        self._patience = setup.patience
        self._idle_s = 1 / setup.patience.idle_frames_a_second
        self._alert_s = min(1 / setup.patience.frames_a_second, MOST_STEP_S / setup.speed)
        send(Hello(self._live, self._source.simulated, _version()), b"")

    def obey(self, message: Message) -> None:
        """Do what the game asks."""
        match message:
            case Expect():
                self._expected = message
                self._settler.expect(message.thrown, message.grave)
            case Lay() if isinstance(self._source, WorldSource):
                self._source.lay(message.world)
                self._restless = True
            case Forget():
                self._settler.forget()
            case Overlook():
                self._faults.overlook()
            case Advance() if isinstance(self._source, StillSource):
                self._source.advance()
            case _:
                self._send(Trouble(f"expected nothing of the kind of {type(message).__name__} here", fatal=False), b"")

    def look(self) -> float:
        """Take one frame, if there is one, and say what it shows; the seconds until the next look.

        Raises SourceError where no frames come though the camera has been opened again and again.
        """
        self._time.tick()
        now = self._clock()
        frame = self._frame(now)
        if frame is None:
            return self._alert_s / 2 if self._live else self._idle_s
        if self._tray.search(frame.pixels):
            self._settler = self._new_settler()
        if self._trusted(frame):
            for event in self._settler.feed(frame):
                self._tell(event)
                self._restless = True
                self._stirred_s = now
        self._settler.stands(self._tray.calibration)
        if self._tray.has_moved():
            self._send(FoundAgain(), b"")
            self._settler = self._new_settler()
        if self._settler.stirring:
            self._stirred_s = now
            self._restless = True
        if self._restless and self._live and now - self._preview_s >= PREVIEW_S:
            self._send(Preview(), jpeg(frame.pixels))
            self._preview_s = now
            self._restless = self._settler.stirring
        self._beat(now, Beat(frame.at_s))
        took = self._clock() - now
        alert = now - self._stirred_s < self._patience.idle_after_s
        return max(0.0, (self._alert_s if alert else self._idle_s) - took)

    def _frame(self, now: float) -> Frame | None:
        """The newest frame. Where a live source gives none for long it is opened again."""
        reason = ""
        try:
            frame = self._source.next(NEXT_S)
        except PictureError as error:
            frame, reason = None, str(error)
            if not self._live or now - self._trouble_s >= TROUBLE_S:
                self._trouble_s = now
                self._send(Trouble(reason, fatal=False), b"")
        except SourceError as error:
            if not self._live:
                raise
            frame, reason = None, str(error)
        if frame is not None:
            self._reopening.came(now)
        elif self._live:
            self._beat(now, Waiting())
            if self._reopening.due(now):
                self._reopen(reason)
        else:
            self._beat(now, Beat(self._time()))
        return frame

    def _reopen(self, reason: str) -> None:
        """Open the source anew; what it shows then is a first picture."""
        reason = reason or "no frames come"
        if self._reopening.in_vain:
            raise SourceError(f"{reason}; opening the camera again did not help")
        self._send(Trouble(f"{reason}: opening the camera again", fatal=False), b"")
        self._source.close()
        with contextlib.suppress(SourceError):  # there will be another try
            self._source = open_source(self._setup.source, self._setup.arg, self._time)
        self._settler.forget()
        self._faults.forget()

    def _trusted(self, frame: Frame) -> bool:
        """Whether a frame may be looked at. The first settled picture after blindness is a first one."""
        if not self._live:
            return True
        before = self._faults.told
        self._faults.look(frame)
        if self._faults.told != before:
            self._send(Blind(self._faults.told), b"")
            self._restless = True
            if not self._faults.told:
                self._settler.forget()
        return not self._faults.suspect

    def close(self) -> None:
        """Let go of the source."""
        self._source.close()

    def _tell(self, event: Event) -> None:
        if isinstance(event, Settled):
            self._number += 1  # a settler that was begun anew counts anew
            self._send(Observed(replace(event.observation, number=self._number)), jpeg(event.frame.pixels))
            return
        if isinstance(event, StillNow):
            self._faults.trust()
        self._send(Motion(_KINDS[type(event)]), b"")

    def _beat(self, now: float, message: Beat | Waiting) -> None:
        if now - self._beat_s >= BEAT_S:
            self._send(message, b"")
            self._beat_s = now

    def _new_settler(self) -> Settler:
        settler = Settler(self._read, self._tray.calibration, self._setup.patience)
        settler.expect(self._expected.thrown, self._expected.grave)
        return settler

    def _read(self, pixels: Pixels) -> DiceReading:
        reading = self._tray.read(pixels, self._expected.dice, self._time())
        self._beat(self._clock(), Beat(self._time()))  # slow reading is no silence
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


def _version() -> str:
    try:
        return version("farklecrib")
    except PackageNotFoundError:
        return "unknown"


def main(arguments: list[str] | None = None) -> int:
    """The process: `--fd N` is one end of a socket pair inherited from the game."""
    parser = argparse.ArgumentParser(prog="dicereader.live.eye", description="The eye of a table; started by the game.")
    parser.add_argument("--fd", type=int, required=True, help="one end of a socket pair, inherited")
    fd = parser.parse_args(arguments).fd
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the game hears Ctrl-C too, and ends the eye in its order
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    cv2.setNumThreads(1)
    try:
        wire = socket.socket(fileno=fd)
    except OSError as error:
        sys.stderr.write(f"dicereader.live.eye: error: expected a socket as --fd, got {fd!r}: {error}\n")
        return 2
    return serve(wire)


if __name__ == "__main__":
    sys.exit(main())
