"""A host with a real journal for tests: the test sets its clock, and gives inputs directly or through its inbox."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tables import FEATURES, observation

from companion.runtime.feed import Update
from companion.runtime.guard import Worker
from companion.runtime.host import Clock, Host
from companion.storage.data_folder import Storage, open_storage
from companion.storage.database import Connection, connect, read
from companion.table.feature import TableFeature
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Button, Gesture, Input, NewGame, Press, ReadingSettled
from companion.table.state.state import restored
from companion.table.step import with_open_choice
from companion.table.view import View
from companion.times import Times
from companion.words import english

PATIENCE_S = 60.0
WALL_S = 1_790_000_000.0

Worker.closing_s = PATIENCE_S  # on a busy machine a thread that ends may get no core for a second


@dataclass
class ToldClock:
    """A clock that the test sets. Each reading moves it on by `stride` seconds."""

    now: float = 100.0
    stride: float = 0.0

    def monotonic(self) -> float:
        self.now += self.stride
        return self.now

    @property
    def clock(self) -> Clock:
        return Clock(self.monotonic, lambda: WALL_S)


def fast_clock(speed: float) -> Clock:
    """Return a clock whose monotonic time runs `speed` times as fast from now on."""
    began = time.monotonic()
    return Clock(lambda: began + (time.monotonic() - began) * speed, speed=speed)


@dataclass
class Connected:
    """The opener of a journal's connection, as in the program. It keeps the connection, so that a test can limit it."""

    connection: Connection | None = None

    def __call__(self, path: Path) -> Connection:
        self.connection = connect(path)
        return self.connection

    def set(self, pragma: str) -> None:
        self.connection.execute(f"PRAGMA {pragma}")

    def refuse_writes(self, refuse: bool = True) -> None:
        self.set(f"query_only={'ON' if refuse else 'OFF'}")


@dataclass
class Hosted:
    """A host, its journal and every update that its feed has published."""

    host: Host
    storage: Storage
    connected: Connected
    told: list[Update] = field(default_factory=list)

    def take(self, given: Input) -> View:
        """Handle one input: on this thread if the host's thread does not run, else on the host's, and wait for it."""
        return self.host.submit(given).result(PATIENCE_S) if self.host.alive else self.host.take(given)

    def game(self, *players: str, **given: object) -> "Hosted":
        self.take(NewGame("farkle-cribbage", players or ("Ann", "Ben"), **given))  # type: ignore[arg-type]
        return self

    def throws(self, thrown: str, **given: object) -> "Hosted":
        self.take(seen(thrown, **given))
        return self

    def taps(self, button: str) -> "Hosted":
        self.take(Press(Button(button)))
        return self

    def holds(self, button: str) -> "Hosted":
        self.take(Press(Button(button), Gesture.HOLD))
        return self

    @property
    def view(self) -> View:
        """The newest view in English."""
        return english().rendered(self.host.feed.latest.view)

    def written(self) -> list[tuple[int, str]]:
        """Return the act and the kind of each row of the journal."""
        return [(row.act, row.kind) for row in read(self.storage.journal.path).rows]

    def refusals(self) -> list[str]:
        """Return the texts of all refusals, in order."""
        return [cue.text for update in self.told for cue in update.cues if cue.kind is CueKind.REFUSED]


def eventually(fits: Callable[[], bool]) -> None:
    """Wait until something holds that no event tells."""
    pause, deadline = threading.Event(), time.monotonic() + 2 * PATIENCE_S
    while not fits():
        assert time.monotonic() < deadline
        pause.wait(0.02)


def seen(thrown: str, **given: object) -> ReadingSettled:
    return ReadingSettled(observation(thrown, **given), "synthetic")  # type: ignore[arg-type]


@contextmanager
def hosted(
    folder: Path,
    clock: Clock | None = None,
    *,
    running: bool = False,
    times: Times | None = None,
    features: tuple[TableFeature, ...] = FEATURES,
) -> Iterator[Hosted]:
    """Open a host on the journal in the folder. `running` starts its thread."""
    connected = Connected()
    storage = open_storage(folder, lambda: WALL_S, connecting=connected)
    loaded = storage.loaded
    state = restored(
        loaded.acts, seq=loaded.seq, game_number=loaded.game, last_game=loaded.last_game, features=features
    )
    state = with_open_choice(replace(state, times=times or Times()))
    host = Host(state, storage.journal, clock or ToldClock().clock)
    made = Hosted(host, storage, connected)
    host.feed.subscribe(lambda update: made.told.append(english().rendered(update)))
    if running:
        host.start()
    try:
        yield made
    finally:
        host.stop(PATIENCE_S)
        storage.close()
