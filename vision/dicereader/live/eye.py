"""The eye process: source, settle detection and reader in one loop, and a socket to the game."""

import argparse
import contextlib
import os
import queue
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable

import cv2

from dicereader import sources
from dicereader.data.frame import Frame, Pixels
from dicereader.data.pictures import decode, jpeg
from dicereader.errors import DiceReaderError, MessageError, PictureError, SourceError
from dicereader.live import messages
from dicereader.live.faults import FaultDetector
from dicereader.live.messages import AnyMessage, Decoder, FromEye, encode
from dicereader.live.settle import Settled, SettleEvent, Settler
from dicereader.live.timing import MOST_STEP_S, REST, SILENT_S, LookRate, ReopenTimer, ScaledClock
from dicereader.live.tray_reader import TrayReader
from dicereader.reading import DiceReading, Motion
from dicereader.sources import FrameSource, open_source

HEARTBEAT_S = 0.5
PREVIEW_S = 0.2
PREVIEW_SHARE = 0.1  # the most of the eye's time that previews may take: on a slow processor fewer are made
NEXT_S = 0.5  # how long one call waits for a source's next frame
TROUBLE_S = 1.0  # least time between two reports of broken pictures


class Eye:
    """Reads the frames of one open source. `send` takes a message for the game and its payload."""

    def __init__(
        self,
        setup: messages.Setup,
        send: Callable[[FromEye, bytes], None],
        clock: Callable[[], float],
        empty: Pixels | None = None,
    ) -> None:
        self._setup = setup
        self._send = send
        self._clock = clock
        self._time = ScaledClock(clock, setup.speed)
        self._source: FrameSource = open_source(setup.source, setup.arg, self._time)
        self._time.real = setup.source != "synthetic"
        self._live = self._source.live
        remote = self._source if isinstance(self._source, sources.RemoteSource) else None
        self._waiting = remote.waiting if remote else ""
        self._reopen_timer = ReopenTimer(clock(), remote.silent_s if remote else SILENT_S)
        self._expected = messages.Expect()
        view = self._source.view if isinstance(self._source, sources.ViewedSource) else None
        known_fov_deg = view.known_across_deg if view is not None else None
        self._tray = TrayReader(setup.calibration, empty, live=self._live, known_fov_deg=known_fov_deg)
        self._settler = self._new_settler()
        self._faults = FaultDetector()
        self._size: tuple[int, int] | None = None  # of the newest frame
        self._active_s = self._heartbeat_s = self._next_preview_s = self._trouble_s = clock()
        self._changed = True  # something changed since the last preview
        self._look_rate = LookRate(setup.timing.frames_a_second)
        self._idle_s = 1 / setup.timing.idle_frames_a_second
        self._active_frame_s = min(1 / setup.timing.frames_a_second, MOST_STEP_S / setup.speed)
        send(messages.Hello(self._live, view), b"")

    def obey(self, message: AnyMessage, payload: bytes = b"") -> None:
        """Do what a message of the game asks."""
        match message:
            case messages.Expect():
                self._expected = message
                self._settler.expect(message.throw_counts, message.critical_rolls)
            case messages.SetWorld() if isinstance(self._source, sources.WorldSource):
                self._source.set_world(message.world)
                self._changed = True
            case messages.Forget():
                self._settler.forget()
            case messages.IgnoreFaults():
                self._faults.ignore()
            case messages.NextPicture() if isinstance(self._source, sources.StillSource):
                self._source.advance()
            case messages.PhonePicture() if isinstance(self._source, sources.GivenSource):
                self._source.give(payload)
            case _:
                text = f"expected a message for this source, got {type(message).__name__}"
                self._send(messages.Trouble(text, fatal=False), b"")

    def look(self) -> float:
        """Take one frame, if there is one, and report what it shows; return the seconds until the next look."""
        self._time.tick()
        now = self._clock()
        frame = self._frame(now)
        if frame is None:
            return self._active_frame_s / 2 if self._live else self._idle_s
        came_s = self._clock()
        if self._live and frame.size != self._size:  # a camera in the network may change it, as a phone that is turned
            if self._size is not None:
                self._start_anew()
            self._size = frame.size
        if self._tray.search_tags(frame.pixels):
            self._settler = self._new_settler()
        if self._trusted(frame):
            for event in self._settler.feed(frame):
                self._report(event)
                self._changed = True
                self._active_s = now
        self._settler.calibrate(self._tray.calibration)
        if self._tray.has_moved():
            self._send(messages.TrayMoved(), b"")
            self._settler = self._new_settler()
        restless = self._settler.restless
        if restless:
            self._active_s = now
            self._changed = True
        if self._changed and self._live and now >= self._next_preview_s and not self._settler.at_rest:
            began_s = self._clock()
            self._send(messages.TrayPicture(), jpeg(frame.pixels))
            self._next_preview_s = now + max(PREVIEW_S, (self._clock() - began_s) / PREVIEW_SHARE)
            self._changed = restless
        self._beat(now, messages.Heartbeat(frame.at_s))
        ended_s = self._clock()
        work_s = ended_s - came_s
        if self._live and restless and (rate := self._look_rate.look(ended_s, work_s)) is not None:
            self._send(messages.Behind(rate, self._setup.timing.frames_a_second), b"")
        active = now - self._active_s < self._setup.timing.idle_after_s
        wait_s = (self._active_frame_s if active else self._idle_s) - (ended_s - now)
        return max(wait_s, work_s * REST if restless and not self._settler.at_rest else 0.0)

    def _frame(self, now: float) -> Frame | None:
        """Return the newest frame. A live source without a frame for some seconds is reopened.

        Raises:
            SourceError: if a source of photographs cannot give any.
        """
        reason = ""
        try:
            frame = self._source.next(NEXT_S)
        except PictureError as error:
            frame, reason = None, str(error)
            if not self._live or now - self._trouble_s >= TROUBLE_S:
                self._trouble_s = now
                self._send(messages.Trouble(reason, fatal=False), b"")
        except SourceError as error:
            if not self._live:
                raise
            frame, reason = None, str(error)
        if frame is not None:
            self._reopen_timer.frame_came(now)
        elif self._live:
            if self._reopen_timer.is_silent(now, HEARTBEAT_S):  # else the next frame is only not due yet
                self._beat(now, messages.NoFrames())
            if self._reopen_timer.due(now, broken=bool(reason)):
                self._reopen(reason or "no frames come")
            elif not reason and self._reopen_timer.is_silent(now) and now - self._trouble_s >= TROUBLE_S:
                self._trouble_s = now
                self._send(messages.Trouble(self._waiting, fatal=False), b"")
        else:
            self._beat(now, messages.Heartbeat(self._time()))
        return frame

    def _reopen(self, reason: str) -> None:
        """Reopen the source. The next settled picture is a first one.

        Raises:
            SourceError: if that has been tried often enough.
        """
        if self._reopen_timer.exhausted:
            raise SourceError(f"{reason}; opening the camera again did not help")
        self._send(messages.Trouble(f"{reason}: opening the camera again", fatal=False), b"")
        self._source.close()
        with contextlib.suppress(SourceError):  # the timer tries again
            self._source = open_source(self._setup.source, self._setup.arg, self._time)
        self._settler.forget()
        self._faults.forget_reference()

    def _trusted(self, frame: Frame) -> bool:
        """Return whether a frame may be read. The next settled picture after a fault is a first one, never a throw."""
        if not self._live:
            return True
        before = self._faults.faults
        self._faults.look(frame)
        if self._faults.other_scene:
            self._start_anew()
            return True
        if self._faults.faults != before:
            self._send(messages.FaultsChanged(self._faults.faults), b"")
            self._changed = True
            if not self._faults.faults:
                self._settler.forget()
        return not self._faults.suspect

    def _start_anew(self) -> None:
        """Look at the picture as at a start: it has another size, or shows another scene."""
        if self._faults.faults:
            self._send(messages.FaultsChanged(), b"")
        self._settler, self._faults = self._new_settler(), FaultDetector()
        self._tray.search_anew()

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def _report(self, event: SettleEvent) -> None:
        if isinstance(event, Settled):
            self._send(messages.Observed(event.observation), jpeg(event.frame.pixels))
            return
        if event is Motion.STILL:
            self._faults.set_reference(die.box for die in self._settler.dice)
        self._send(messages.MotionChanged(event), b"")

    def _beat(self, now: float, message: messages.Heartbeat | messages.NoFrames) -> None:
        if now - self._heartbeat_s >= HEARTBEAT_S:
            self._send(message, b"")
            self._heartbeat_s = now

    def _new_settler(self) -> Settler:
        settler = Settler(self._read, self._tray.calibration, self._setup.timing)
        settler.expect(self._expected.throw_counts, self._expected.critical_rolls)
        return settler

    def _read(self, pixels: Pixels) -> DiceReading:
        reading = self._tray.read(pixels, self._time())
        self._beat(self._clock(), messages.Heartbeat(self._time()))  # reading may take longer than a heartbeat
        return reading


def serve(wire: socket.socket, clock: Callable[[], float] = time.monotonic) -> int:
    """Run the eye for the game at the other end of a socket, until it sends Stop or closes; return the exit status.

    Raises:
        MessageError: if the first message is not Setup.
    """
    inbox: queue.SimpleQueue[tuple[AnyMessage, bytes]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(wire, inbox), daemon=True).start()

    def send(message: FromEye, payload: bytes) -> None:
        wire.sendall(encode(message, payload))

    eye: Eye | None = None
    try:
        message, payload = inbox.get()
        if not isinstance(message, messages.Setup):
            raise MessageError(f"expected Setup first, got {type(message).__name__}")
        eye = Eye(message, send, clock, decode(payload, "the empty tray") if payload else None)
        while True:
            wait_s = eye.look()
            with contextlib.suppress(queue.Empty):
                while True:
                    message, payload = inbox.get(timeout=wait_s)
                    if isinstance(message, messages.Stop):
                        return 0
                    eye.obey(message, payload)
                    wait_s = 0.0
    except (BrokenPipeError, ConnectionResetError):
        return 0
    except DiceReaderError as error:
        send(messages.Trouble(str(error), fatal=True), b"")
        return 1
    finally:
        if eye is not None:
            eye.close()


def _listen(wire: socket.socket, inbox: "queue.SimpleQueue[tuple[AnyMessage, bytes]]") -> None:
    """Receive messages from the game. When it closes or dies the process ends, whatever the camera is doing."""
    decoder = Decoder()
    try:
        while data := wire.recv(1 << 16):
            for arrived in decoder.feed(data):
                inbox.put(arrived)
    except (OSError, MessageError):
        pass
    os._exit(0)


def main(arguments: list[str] | None = None) -> int:
    """Run the process: `--fd N` is one end of a socket pair inherited from the game."""
    parser = argparse.ArgumentParser(prog="dicereader.live.eye", description="The eye of a table; started by the game.")
    parser.add_argument("--fd", type=int, required=True, help="one end of a socket pair, inherited")
    fd = parser.parse_args(arguments).fd
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the game gets Ctrl-C too, and stops the eye
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
