"""Starts the eye, watches over it, starts it again: the game's end of the eye's socket."""

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
from dicereader.live.timing import SettleTiming
from dicereader.tray.calibration import Calibration
from dicereader.world import World

OnMessage = Callable[[FromEye, bytes], None]

_log = logger_of("eye")
_log.addFilter(OnceAMinute())

SILENCE_S = 2.5
"""An eye from which nothing has been heard for so long hangs: it is ended and started again.

An eye without frames opens its camera again, three times in two seconds each (`dicereader.live.timing`), and ends.
"""

START_S = 15.0
"""A starting eye may take so long to its first frame: a small Pi loads OpenCV slowly."""

RETRY_S = 10.0
"""After two starts in a row that brought no frame it is tried again this often."""

TRIES = 2
KEPT_PICTURES = 20
_LOOK_S = 0.1
_END_S = 0.4


@dataclass
class Ladder:
    """When to start the eye again, and when to say that it does not come. Pure: the times come in."""

    failed: int = 0
    next_start_s: float = 0.0

    def came(self) -> None:
        """Frames come: all is forgiven."""
        self.failed = 0

    def fell(self, now_s: float) -> bool:
        """The eye ended or fell silent; whether the table must hear of it now: at the second time without a frame."""
        self.failed += 1
        self.next_start_s = now_s + (RETRY_S if self.failed >= TRIES else 0.0)
        return self.failed == TRIES


class Watcher:
    """The eye of one table: `on_message` is called on the watcher's own thread with each message and its payload.

    `source` and `arg` are as in `dicereader.sources`; `speed` hurries a simulated source's clock. Observations are
    numbered on across restarts of the eye; after one the game hears `Hello` again, and the next observation is a first.
    `empty` is a picture file of the empty tray, where there is one: it keeps the reader from taking the tray for dice.
    """

    def __init__(
        self,
        source: str,
        arg: str,
        on_message: OnMessage,
        clock: Callable[[], float] = time.monotonic,
        speed: float = 1.0,
        calibration: Calibration | None = None,
        empty: bytes = b"",
        patience: SettleTiming | None = None,
    ) -> None:
        self._setup = Setup(source, arg, calibration, speed, patience or SettleTiming())
        self._empty = empty
        self._on_message = on_message
        self._clock = clock
        self._lock = threading.Lock()  # guards the wire's sending side and all below
        self._wire: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._expected = Expect()
        self._world: World | None = None
        self._number = 0  # of the newest observation
        self._before = 0  # observations of the eyes before this one
        self._pictures: OrderedDict[int, bytes] = OrderedDict()
        self._preview: bytes | None = None
        self.seen_s: float | None = None  # when it last went round: a sign of life
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Start the eye; returns at once, `Hello` follows when its source is open."""
        self._thread.start()

    def stop(self) -> None:
        """End the eye; no process is left. May be called more than once."""
        self._ending.set()
        self._send(Stop())
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def expect(self, thrown: tuple[int, ...] = (), grave: tuple[tuple[int, ...], ...] = ()) -> None:
        """Tell the eye the allowed counts of the next throw, and the rolls that need extra votes."""
        expected = Expect(thrown, grave)
        if expected != self._expected:
            self._expected = expected
            self._send(expected)

    def lay(self, world: World) -> None:
        """The simulated tray is this World from now on."""
        self._world = world
        self._send(SetWorld(world))

    def forget(self) -> None:
        """The next settled picture is a first one."""
        self._send(Forget())

    def overlook(self) -> None:
        """The camera's faults are false alarms: read on, whatever they are."""
        self._send(IgnoreFaults())

    def know(self, calibration: Calibration, empty: bytes = b"") -> None:
        """The tray is known better from now on, the empty one as a picture file: the eye is started again with it."""
        with self._lock:
            self._setup, self._empty = replace(self._setup, calibration=calibration), empty
            if self._process is not None:
                self._process.kill()

    def advance(self) -> None:
        """The next photograph, please."""
        self._send(NextPicture())

    def picture(self, number: int) -> bytes | None:
        """The JPEG that observation `number` was read from; only the last 20 are kept."""
        with self._lock:
            return self._pictures.get(number)

    def preview(self) -> bytes | None:
        """The newest JPEG of the tray; None before the first."""
        with self._lock:
            return self._preview

    @property
    def pid(self) -> int | None:
        """The eye's process, None while none runs."""
        with self._lock:
            return self._process.pid if self._process is not None else None

    def _send(self, message: ToEye, payload: bytes = b"") -> None:
        with self._lock:
            if self._wire is None:
                return  # what matters is told to the next eye when it starts
            try:
                self._wire.sendall(encode(message, payload))
            except OSError:
                # Half a message may be on the wire: this eye cannot be spoken with any more.
                if self._process is not None:
                    self._process.kill()

    def _run(self) -> None:
        ladder = Ladder(next_start_s=self._clock())
        while not self._ending.is_set():
            self.seen_s = time.monotonic()
            if self._clock() < ladder.next_start_s:
                self._ending.wait(_LOOK_S)
                continue
            wire = self._start_eye()
            reason, hangs = self._attend(wire, ladder)
            self._end_eye(wire)
            if self._ending.is_set():
                break
            _log.warning(f"ended, and is started again: {reason}")
            if ladder.fell(self._clock()):
                self._on_message(Trouble(f"{reason}; enter throws on the page", fatal=True), b"")
            elif hangs:
                self._on_message(Trouble(f"{reason}: starting the eye again", fatal=False), b"")

    def _start_eye(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        # Only sending can time out: receiving follows select.
        ours.settimeout(1.0)
        fd = theirs.fileno()
        command = [sys.executable, "-m", "dicereader.live.eye", "--fd", str(fd)]
        # A process group of its own: Ctrl-C at the terminal reaches the game alone, which ends the eye in its order.
        process = subprocess.Popen(
            command, pass_fds=[fd], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0
        )
        theirs.close()
        threading.Thread(target=log_stream, args=(process.stderr, _log), daemon=True).start()
        _log.debug(f"started as process {process.pid}")
        with self._lock:
            self._process, self._wire = process, ours
            self._before = self._number
        self._send(self._setup, self._empty)
        self._send(self._expected)
        if self._world is not None:
            self._send(SetWorld(self._world if self._before == 0 and not self._pictures else self._world.at_rest()))
        if self._ending.is_set():
            self._send(Stop())
        return ours

    def _attend(self, wire: socket.socket, ladder: Ladder) -> tuple[str, bool]:
        """Take the eye's messages until it ends, hangs or is told to stop; why it was, and whether it hangs."""
        decoder = Decoder()
        deadline = self._clock() + START_S
        trouble = "no frames came"
        started = False
        while self._clock() < deadline and not self._ending.is_set():
            self.seen_s = time.monotonic()
            if not select.select([wire], [], [], _LOOK_S)[0]:
                continue
            try:
                data = wire.recv(1 << 18)
                arrived = decoder.feed(data)
            except (OSError, MessageError) as error:
                return f"its messages broke off: {error}", False
            if not data:
                return trouble, False
            for message, payload in arrived:
                started = started or isinstance(message, Heartbeat | NoFrames | Observed | TrayPicture)
                if started:
                    deadline = self._clock() + SILENCE_S
                if isinstance(message, Heartbeat | Observed | TrayPicture):
                    ladder.came()
                if isinstance(message, Trouble) and message.fatal:
                    trouble = message.text
                    continue  # told by the ladder when it is not cured by starting again
                self._hear(message, payload)
        return f"no word from the eye for {SILENCE_S if started else START_S:g} s", True

    def _hear(self, message: AnyMessage, payload: bytes) -> None:
        if isinstance(message, Observed):
            with self._lock:
                self._number = self._before + message.observation.number
                self._pictures[self._number] = self._preview = payload
                while len(self._pictures) > KEPT_PICTURES:
                    self._pictures.popitem(last=False)
            message = Observed(replace(message.observation, number=self._number))
        elif isinstance(message, TrayPicture):
            with self._lock:
                self._preview = payload
        if isinstance(message, FromEye) and not self._ending.is_set():
            self._on_message(message, payload)

    def _end_eye(self, wire: socket.socket) -> None:
        with self._lock:
            process, self._process, self._wire = self._process, None, None
        if process is None:
            wire.close()
            return
        # From asking (Stop was sent) over hanging up to force; an eye that is well needs no more than the first two.
        for end in (wire.close, process.terminate, process.kill):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
                break
            end()
        process.wait()
        wire.close()
