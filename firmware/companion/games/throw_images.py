"""Stills: the picture that each throw was read from and what was read in it, kept for disputes beside the journal."""

import json
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.runtime.feed import Feed, Update
from companion.table.events import ThrowSeen
from companion.table.history import Act
from companion.table.make_view import PICTURE
from companion.table.view import ReadingView

FOLDER = "stills"
KEPT = 600
"""The last so many throws keep their still: two long evenings, some 40 MB."""


@dataclass(frozen=True)
class SeenDie:
    """A die as it was read: its face, its outline in pixels of the still, and whether it was in doubt."""

    face: int
    outline: tuple[tuple[float, float], ...]
    doubtful: bool


@dataclass(frozen=True)
class Marks:
    """What was read in a still of this width and height."""

    size: tuple[int, int]
    dice: tuple[SeenDie, ...]


def marks_of(reading: ReadingView, size: tuple[int, int]) -> Marks:
    """Return the marks of a reading, in a picture of this width and height."""
    dice = []
    for die in reading.dice:
        x, y, w, h = die.box
        corners = die.outline if len(die.outline) > 2 else ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        dice.append(SeenDie(die.face, tuple((float(a), float(b)) for a, b in corners), bool(die.doubts)))
    return Marks(size, tuple(dice))


class Stills:
    """The stills of one data folder, each named by its act. A still that cannot be written or is gone is no error."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._folder = folder / FOLDER
        self._kept = kept

    def keep(self, act: int, jpeg: bytes, marks: Marks | None = None) -> None:
        """Keep the still of an act and what was read in it; the oldest beyond the last `kept` go."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            if marks is not None:
                dice = [[die.face, die.outline, die.doubtful] for die in marks.dice]
                text = json.dumps({"size": marks.size, "dice": dice}, separators=(",", ":"))
                self._file(act).with_suffix(".json").write_text(text, encoding="ascii")
            part = self._file(act).with_suffix(".part")
            part.write_bytes(jpeg)
            part.replace(self._file(act))
            self.delete(int(name.partition(".")[0]) for name in self._names()[: -self._kept])

    def still(self, act: int) -> bytes | None:
        """The JPEG of an act's throw, None where none is kept."""
        try:
            return self._file(act).read_bytes()
        except OSError:
            return None

    def marks(self, act: int) -> Marks | None:
        """What was read in the still of an act, None where that is not kept or not as it was written."""
        try:
            told = json.loads(self._file(act).with_suffix(".json").read_text(encoding="ascii"))
            width, height = map(int, told["size"])
            dice = tuple(
                SeenDie(int(face), tuple((float(x), float(y)) for x, y in outline), bool(doubtful))
                for face, outline, doubtful in told["dice"]
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return Marks((width, height), dice)

    def acts(self) -> frozenset[int]:
        """The acts whose stills are kept."""
        return frozenset(int(name.partition(".")[0]) for name in self._names())

    def delete(self, acts: Iterable[int]) -> None:
        """Let go of the stills of these acts."""
        for act in acts:
            self._file(act).unlink(missing_ok=True)
            self._file(act).with_suffix(".json").unlink(missing_ok=True)

    def _file(self, act: int) -> Path:
        return self._folder / f"{act:08d}.jpg"

    def _names(self) -> list[str]:
        try:
            return sorted(each.name for each in self._folder.iterdir() if each.suffix == ".jpg")
        except OSError:
            return []


class StillKeeper:
    """Writes each throw's still on a thread of its own. `acts` gives the newest game's acts, `picture` a JPEG."""

    def __init__(
        self,
        stills: Stills,
        feed: Feed,
        acts: Callable[[], Sequence[Act]],
        picture: Callable[[int], bytes | None],
    ) -> None:
        self._stills = stills
        self._acts = acts
        self._picture = picture
        newest = acts()
        self._last = newest[-1].number if newest else 0
        self._waiting: queue.SimpleQueue[tuple[int, bytes, Marks | None] | None] = queue.SimpleQueue()
        self._leave = feed.subscribe(self._on_update)
        self._thread = threading.Thread(target=self._run, name="stills", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what waits, then end."""
        self._leave()
        self._waiting.put(None)
        self._thread.join(5.0)

    def _on_update(self, update: Update) -> None:
        acts = self._acts()
        if not acts or acts[-1].number == self._last:
            return
        self._last = acts[-1].number
        for event in acts[-1].events:
            if isinstance(event, ThrowSeen):
                jpeg = self._picture(event.picture)
                reading, size = update.view.reading, update.view.picture_size
                seen = reading if reading and reading.picture == PICTURE.format(event.picture) else None
                marks = marks_of(seen, size) if seen and size else None
                if jpeg is not None:
                    self._waiting.put((self._last, jpeg, marks))

    def _run(self) -> None:
        while (given := self._waiting.get()) is not None:
            self._stills.keep(*given)
