"""Starts the eye process, exchanges messages with it, and starts it again when it ends or hangs."""

import contextlib
import select
import socket
import subprocess
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from companion.devices.eye_patience import RestartSchedule, patience_s, processor_times
from companion.exits import CRASHES, FAULTHANDLER, why_ended
from companion.log import OnceAMinute, log_stream, logger_of
from companion.nothing import nothing
from companion.runtime.guard import Guard, Worker
from companion.table.state.inputs import Fault
from companion.words import message
from dicereader.data.camera_modules import CameraView
from dicereader.errors import MessageError
from dicereader.live import messages
from dicereader.reading import Motion
from dicereader.sources.synthetic.world import World
from dicereader.tray.calibration import Calibration

_log = logger_of("eye")
_log.addFilter(OnceAMinute())

SILENCE_S = 2.5
"""Seconds without a message after which the eye counts as hanging and is replaced, as `patience_s` counts them.

An eye without frames still sends messages. It reopens its camera by itself (`dicereader.live.timing`), and then ends.
"""

START_S = 15.0
"""Seconds that a starting eye may take to its first frame, as `patience_s` counts them."""

CALIBRATION = "calibration"
"""The part that is degraded while the stored calibration does not fit the camera."""

COMMAND = (sys.executable, *FAULTHANDLER, "-m", "dicereader.live.eye")
SEES = messages.Heartbeat | messages.Observed | messages.TrayPicture
"""The messages of an eye that gets frames."""

KEPT_PICTURES = 20
KEPT_LINES = 100
"""Lines of the eye's standard error, which say why it ended: a traceback has two for each call."""

_POLL_S = 0.1
_END_S = 0.4


@dataclass(eq=False)
class EyeProcess(Worker):
    """The eye of one table, in a process of its own.

    The numbers of observations go on across restarts. After each start the eye sends `Hello` when its source is open,
    and its next observation is a first one.

    Args:
        setup: The source, its clock's speed, the calibration and the timing.
        on_message: Called with each message, on a thread of its own.
        empty: A picture file of the empty tray; with it the reader does not mistake parts of the tray for dice.
        report: Gets the faults of starting and watching the eye, and of a calibration that does not fit.
        command: The program of the eye; `--fd` and its socket's descriptor follow.
    """

    closing_s = None

    setup: messages.Setup
    on_message: Callable[[messages.FromEye], None]
    empty: bytes = b""
    report: Callable[[Fault], object] = nothing
    command: tuple[str, ...] = COMMAND

    def __post_init__(self) -> None:
        super().__init__("eye", Guard("eye", message("fault.blind"), self.report))
        self._schedule = RestartSchedule()
        self._lock = threading.Lock()  # guards the process and its connection; never held for long
        self._socket: socket.socket | None = None
        # The newest message of each kind that has to wait, oldest first.
        self._unsent: dict[type[messages.ToEye], bytes] = {}
        self._rest = memoryview(b"")  # the unsent rest of the message that is being sent
        self._process: subprocess.Popen[bytes] | None = None
        self._replaced = False  # the process was ended because another one takes its place
        self._expected = messages.Expect()
        self._world: World | None = None
        self._number = 0  # of the newest observation
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._preview: bytes | None = None
        self._view: CameraView | None = None
        self._frame_s = float("-inf")  # when a frame was last known to come
        self._fits = True  # the calibration, to the size of the pictures
        self._motion = Motion.MOVING
        self._still_since_s = 0.0

    def stop(self) -> None:
        """End the eye and wait until its process has gone. May be called more than once."""
        self._ending.set()
        self._send(messages.Stop())
        self._end()

    def expect(self, counts: tuple[int, ...] = (), high_stakes: tuple[tuple[int, ...], ...] = ()) -> None:
        """Tell the eye the allowed counts of the next throw, and the rolls that need extra votes."""
        expected = messages.Expect(counts, high_stakes)
        if expected != self._expected:
            self._expected = expected
            self._send(expected)

    def set_world(self, world: World) -> None:
        """Show the eye another simulated tray."""
        self._world = world
        self._send(messages.SetWorld(world))

    def forget(self) -> None:
        """Make the next observation a first one."""
        self._send(messages.Forget())

    def ignore_faults(self) -> None:
        """Let the eye go on reading in spite of the camera's faults, because they are false alarms."""
        self._send(messages.IgnoreFaults())

    def calibrate(self, calibration: Calibration, empty: bytes = b"") -> None:
        """Restart the eye with another calibration and picture file of the empty tray."""
        self._fits = True
        self.report(Fault(CALIBRATION, None))
        with self._lock:
            self.setup, self.empty = replace(self.setup, calibration=calibration), empty
            if self._process is not None:
                self._replaced = True
                self._process.kill()

    def next_picture(self) -> None:
        """Let the source of recorded pictures show its next one."""
        self._send(messages.NextPicture())

    def show(self, picture: bytes) -> None:
        """Show the eye a picture that a phone has taken, as JPEG; a newer one replaces it while it waits."""
        self._send(messages.PhonePicture(), picture)

    def still_for_s(self) -> float:
        """Return the seconds for which the eye has seen nothing move; 0 while something moves."""
        return time.monotonic() - self._still_since_s if self._motion is Motion.STILL else 0.0

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG that observation `number` was read from; only the last 20 are kept."""
        return self._pictures.get(number)

    def preview(self) -> bytes | None:
        """Return the newest JPEG of the tray; None before the first."""
        return self._preview

    def picture_age_s(self) -> float:
        """Return the seconds since the tray was last seen as the newest JPEG shows it."""
        return time.monotonic() - self._frame_s

    def view(self) -> CameraView | None:
        """Return the view of the eye's camera; None before it is open, and for a camera that is not on the ribbon."""
        return self._view

    @property
    def pid(self) -> int | None:
        """The process id of the eye; None while no eye runs."""
        process = self._process
        return process.pid if process is not None else None

    def _send(self, message: messages.ToEye, payload: bytes = b"") -> None:
        """Send a message, or let it wait until the eye reads; it replaces a waiting message of the same kind."""
        encoded = messages.encode(message, payload)
        with self._lock:
            if self._socket is not None:  # else the next eye gets the lasting state when it starts
                self._unsent.pop(type(message), None)
                self._unsent[type(message)] = encoded
                self._flush(self._socket)

    def _flush(self, connection: socket.socket) -> None:
        """Send as much as the socket takes at once. The lock must be held."""
        with contextlib.suppress(OSError):  # a full socket, or an eye that has ended, which `_receive` notices
            while self._rest or self._unsent:
                if not self._rest:
                    self._rest = memoryview(self._unsent.pop(next(iter(self._unsent))))
                self._rest = self._rest[connection.send(self._rest, socket.MSG_DONTWAIT) :]

    def _work(self) -> float:
        """Run one eye to its end."""
        early_s = self._schedule.next_start_s - time.monotonic()
        if early_s > 0:
            return early_s
        self._schedule.start(time.monotonic())
        with contextlib.ExitStack() as undo:
            connection, theirs = socket.socketpair()
            undo.callback(connection.close)
            with theirs:
                # In its own process group: Ctrl-C at the terminal reaches only the game, which then ends the eye.
                fd = theirs.fileno()
                command = [*self.command, "--fd", str(fd)]
                process = subprocess.Popen(
                    command, pass_fds=[fd], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0
                )
            undo.callback(self._end_eye, process, connection)
            lines: deque[str] = deque(maxlen=KEPT_LINES)
            log = threading.Thread(target=log_stream, args=(process.stderr, _log, lines.append), daemon=True)
            log.start()
            _log.debug(f"started as process {process.pid}")
            self._instruct(process, connection)
            reason, hangs = self._receive(connection, process.pid)
        with self._lock:
            replaced, self._replaced = self._replaced, False
        if not (self._ending.is_set() or replaced):
            log.join(_END_S)
            reason = self._why(process.returncode, lines, reason)
            _log.warning(f"ended, and is started again: {reason}")
            if self._schedule.fail(time.monotonic()):
                self.on_message(messages.Trouble(f"{reason}; enter throws on the page", fatal=True))
            elif hangs:
                self.on_message(messages.Trouble(f"{reason}: starting the eye again", fatal=False))
        return 0.0

    def _why(self, status: int, lines: Iterable[str], reason: str) -> str:
        """Return why the eye ended: the signal of a crash, else the reason that it gave, else its last line."""
        if (status == 0 or reason) and -status not in CRASHES:
            return reason or "no frames came"
        verb, why = "stopped" if self._schedule.worked else "cannot start", why_ended(status, "\n".join(lines))
        return f"the reader {verb}: {why}; see farklecrib doctor"

    def _instruct(self, process: "subprocess.Popen[bytes]", connection: socket.socket) -> None:
        """Send a new eye its setup, the expected throw and the simulated tray."""
        with self._lock:
            self._process, self._socket = process, connection
        self._send(self.setup, self.empty)
        self._send(self._expected)
        if self._world is not None:
            self._send(messages.SetWorld(self._world.at_rest() if self._number else self._world))
        if self._ending.is_set():
            self._send(messages.Stop())

    def _receive(self, connection: socket.socket, pid: int) -> tuple[str, bool]:
        """Receive messages until the eye ends, hangs or is stopped; return the reason, and whether the eye hangs."""
        decoder = messages.Decoder()
        limit_s, since_s = START_S, patience_s(time.monotonic(), *processor_times(pid))
        reason = ""
        started = False
        while not self._ending.is_set():
            self._beat()
            now_s = patience_s(time.monotonic(), *processor_times(pid))
            if now_s - since_s >= limit_s:
                return f"no word from the eye for {limit_s:g} s", True
            readable, writable, _ = select.select([connection], [connection] if self._rest else [], [], _POLL_S)
            if writable:
                with self._lock:
                    self._flush(connection)
            if not readable:
                continue
            try:
                data = connection.recv(1 << 18)
                arrived = decoder.feed(data)
            except OSError:  # it ended with messages unread
                return reason, False
            except MessageError as error:
                return f"its messages broke off: {error}", False
            if not data:
                return reason, False
            for arrival, payload in arrived:
                if not isinstance(arrival, messages.FromEye):
                    return f"its messages broke off: expected one of an eye, got {type(arrival).__name__}", False
                started = started or isinstance(arrival, SEES | messages.NoFrames)
                if started and not self._rest:  # an eye that reads no messages hangs, too
                    limit_s, since_s = SILENCE_S, patience_s(time.monotonic(), *processor_times(pid))
                if isinstance(arrival, messages.Trouble) and arrival.fatal:
                    reason = arrival.text  # reported only if a restart does not help
                else:
                    self._handle(arrival, payload)
                if isinstance(arrival, SEES):
                    self._frame_s = time.monotonic()
                    self._schedule.succeed(self._frame_s)
                    self._guard.works()
        return reason, False

    def _handle(self, message: messages.FromEye, payload: bytes) -> None:
        """Keep the message's picture, and pass the message on."""
        if isinstance(message, messages.Observed):
            self._number += 1
            self._pictures[self._number] = self._preview = payload
            while len(self._pictures) > KEPT_PICTURES:
                self._pictures.popitem(last=False)
            self._check_size(message.observation.size)
            message = messages.Observed(replace(message.observation, number=self._number))
        elif isinstance(message, messages.MotionChanged):
            self._motion, self._still_since_s = message.motion, time.monotonic()
        elif isinstance(message, messages.TrayPicture):
            self._preview = payload
        elif isinstance(message, messages.Behind):
            _log.warning(f"{message}: the processor is slow or busy. Scores stay right but come later")
        elif isinstance(message, messages.Hello) and message.view is not None:
            _log.info(f"camera {message.view}")
            self._view = message.view
        if not self._ending.is_set():
            self.on_message(message)

    def _check_size(self, size: tuple[int, int]) -> None:
        """Report when pictures of another size than the calibration's begin to come, and when they end."""
        known = self.setup.calibration
        then = (known.width_px, known.height_px) if known is not None else size
        if (size == then) != self._fits:
            self._fits = size == then
            sizes = {"now": "{} x {}".format(*size), "then": "{} x {}".format(*then)}
            self.report(Fault(CALIBRATION, None if self._fits else message("fault.other_size", **sizes)))

    def _end_eye(self, process: "subprocess.Popen[bytes]", connection: socket.socket) -> None:
        with self._lock:
            self._process = self._socket = None
            self._unsent.clear()
            self._rest = memoryview(b"")
        # Wait first, because Stop was sent; then close the socket, terminate and kill the process. A working eye ends
        # before it is terminated.
        for end in (connection.close, process.terminate, process.kill):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
                break
            end()
        process.wait()
        connection.close()
