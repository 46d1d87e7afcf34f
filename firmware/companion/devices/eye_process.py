"""Starts the eye process, exchanges messages with it, and starts it again when it ends or hangs."""

import contextlib
import select
import socket
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.log import OnceAMinute, log_stream, logger_of
from companion.runtime.heartbeat import Worker
from dicereader.errors import MessageError
from dicereader.live.messages import (
    AnyMessage,
    Decoder,
    Expect,
    Forget,
    FromEye,
    Heartbeat,
    IgnoreFaults,
    NextPicture,
    NoFrames,
    Observed,
    Setup,
    SetWorld,
    Stop,
    ToEye,
    TrayPicture,
    Trouble,
    encode,
)
from dicereader.tray.calibration import Calibration
from dicereader.world import World

_log = logger_of("eye")
_log.addFilter(OnceAMinute())

SILENCE_S = 2.5
"""Seconds without a message after which the eye counts as hanging and is replaced.

An eye without frames still sends messages. It reopens its camera by itself (`dicereader.live.timing`), and then ends.
"""

START_S = 15.0
"""Seconds that a starting eye may take to its first frame: a small Pi loads OpenCV slowly."""

RETRY_S = 10.0
"""Seconds between starts after `FAILED_STARTS` starts in a row without a frame."""

FAILED_STARTS = 2
KEPT_PICTURES = 20
_POLL_S = 0.1
_END_S = 0.4


@dataclass
class RestartSchedule:
    """Decides when the eye is started again, and when its failure is reported. Pure: times are arguments."""

    failures: int = 0
    next_start_s: float = 0.0

    def succeed(self) -> None:
        """Reset the count of failures, because a frame has come."""
        self.failures = 0

    def fail(self, now_s: float) -> bool:
        """Count that the eye ended or hung; return whether to report it: at the second failure without a frame."""
        self.failures += 1
        self.next_start_s = now_s + (RETRY_S if self.failures >= FAILED_STARTS else 0.0)
        return self.failures == FAILED_STARTS


class EyeProcess(Worker):
    """The eye of one table, in a process of its own.

    The numbers of observations go on across restarts. After each start the eye sends `Hello` when its source is open,
    and its next observation is a first one.
    """

    def __init__(self, setup: Setup, on_message: Callable[[FromEye], None], empty: bytes = b"") -> None:
        """Prepare the eye.

        Args:
            setup: The source, its clock's speed, the calibration and the timing.
            on_message: Called with each message, on a thread of its own.
            empty: A picture file of the empty tray, with which the reader does not take parts of the tray for dice.
        """
        super().__init__("eye")
        self._setup = setup
        self._empty = empty
        self._on_message = on_message
        self._lock = threading.Lock()  # guards the sending side of the socket, and all below
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._expected = Expect()
        self._world: World | None = None
        self._number = 0  # of the newest observation
        self._number_before = 0  # of the newest observation of the eye before this one
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._preview: bytes | None = None

    def stop(self) -> None:
        """End the eye and wait until its process has gone. May be called more than once."""
        self._ending.set()
        self._send(Stop())
        self._end(timeout_s=None)

    def expect(self, counts: tuple[int, ...] = (), high_stakes: tuple[tuple[int, ...], ...] = ()) -> None:
        """Tell the eye the allowed counts of the next throw, and the rolls that need extra votes."""
        expected = Expect(counts, high_stakes)
        if expected != self._expected:
            self._expected = expected
            self._send(expected)

    def set_world(self, world: World) -> None:
        """Show the eye another simulated tray."""
        self._world = world
        self._send(SetWorld(world))

    def forget(self) -> None:
        """Make the next observation a first one."""
        self._send(Forget())

    def ignore_faults(self) -> None:
        """Let the eye go on reading in spite of the camera's faults, because they are false alarms."""
        self._send(IgnoreFaults())

    def calibrate(self, calibration: Calibration, empty: bytes = b"") -> None:
        """Restart the eye with another calibration and picture file of the empty tray."""
        with self._lock:
            self._setup, self._empty = replace(self._setup, calibration=calibration), empty
            if self._process is not None:
                self._process.kill()

    def next_picture(self) -> None:
        """Let the source of recorded pictures show its next one."""
        self._send(NextPicture())

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG that observation `number` was read from; only the last 20 are kept."""
        with self._lock:
            return self._pictures.get(number)

    def preview(self) -> bytes | None:
        """Return the newest JPEG of the tray; None before the first."""
        with self._lock:
            return self._preview

    @property
    def pid(self) -> int | None:
        """The process id of the eye; None while no eye runs."""
        with self._lock:
            return self._process.pid if self._process is not None else None

    def _send(self, message: ToEye, payload: bytes = b"") -> None:
        with self._lock:
            if self._socket is None or self._process is None:
                return  # the next eye gets the lasting state when it starts
            try:
                self._socket.sendall(encode(message, payload))
            except OSError:
                self._process.kill()  # half a message may have been sent, so no other one can follow

    def _run(self) -> None:
        schedule = RestartSchedule()
        while not self._ending.is_set():
            self._beat()
            if time.monotonic() < schedule.next_start_s:
                self._ending.wait(_POLL_S)
                continue
            process, connection = self._start_eye()
            reason, hangs = self._receive(connection, schedule)
            self._end_eye(process, connection)
            if self._ending.is_set():
                break
            _log.warning(f"ended, and is started again: {reason}")
            if schedule.fail(time.monotonic()):
                self._on_message(Trouble(f"{reason}; enter throws on the page", fatal=True))
            elif hangs:
                self._on_message(Trouble(f"{reason}: starting the eye again", fatal=False))

    def _start_eye(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        ours, theirs = socket.socketpair()
        ours.settimeout(1.0)  # for sending alone: select precedes receiving
        fd = theirs.fileno()
        command = [sys.executable, "-m", "dicereader.live.eye", "--fd", str(fd)]
        # In a process group of its own, so that Ctrl-C at the terminal reaches only the game, which then ends the eye.
        process = subprocess.Popen(
            command, pass_fds=[fd], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0
        )
        theirs.close()
        threading.Thread(target=log_stream, args=(process.stderr, _log), daemon=True).start()
        _log.debug(f"started as process {process.pid}")
        with self._lock:
            self._process, self._socket = process, ours
            self._number_before = self._number
        self._send(self._setup, self._empty)
        self._send(self._expected)
        if self._world is not None:
            self._send(SetWorld(self._world.at_rest() if self._number else self._world))
        if self._ending.is_set():
            self._send(Stop())
        return process, ours

    def _receive(self, connection: socket.socket, schedule: RestartSchedule) -> tuple[str, bool]:
        """Receive messages until the eye ends, hangs or is stopped; return the reason, and whether the eye hangs."""
        decoder = Decoder()
        deadline = time.monotonic() + START_S
        reason = "no frames came"
        started = False
        while time.monotonic() < deadline and not self._ending.is_set():
            self._beat()
            if not select.select([connection], [], [], _POLL_S)[0]:
                continue
            try:
                data = connection.recv(1 << 18)
                arrived = decoder.feed(data)
            except (OSError, MessageError) as error:
                return f"its messages broke off: {error}", False
            if not data:
                return reason, False
            for message, payload in arrived:
                started = started or isinstance(message, Heartbeat | NoFrames | Observed | TrayPicture)
                if started:
                    deadline = time.monotonic() + SILENCE_S
                if isinstance(message, Heartbeat | Observed | TrayPicture):
                    schedule.succeed()
                if isinstance(message, Trouble) and message.fatal:
                    reason = message.text  # reported only if a restart does not help
                else:
                    self._handle(message, payload)
        return f"no word from the eye for {SILENCE_S if started else START_S:g} s", True

    def _handle(self, message: AnyMessage, payload: bytes) -> None:
        """Keep the message's picture, and pass the message on."""
        if isinstance(message, Observed):
            with self._lock:
                self._number = self._number_before + message.observation.number
                self._pictures[self._number] = self._preview = payload
                while len(self._pictures) > KEPT_PICTURES:
                    self._pictures.popitem(last=False)
            message = Observed(replace(message.observation, number=self._number))
        elif isinstance(message, TrayPicture):
            with self._lock:
                self._preview = payload
        if isinstance(message, FromEye) and not self._ending.is_set():
            self._on_message(message)

    def _end_eye(self, process: subprocess.Popen[bytes], connection: socket.socket) -> None:
        with self._lock:
            self._process = self._socket = None
        # First wait, because Stop was sent; then hang up, ask, force. An eye that works ends at the first or second.
        for end in (connection.close, process.terminate, process.kill):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
                break
            end()
        process.wait()
        connection.close()
