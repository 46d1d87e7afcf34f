"""Throw images: the picture of each throw and the dice read in it, kept beside the journal to settle disputes."""

import queue
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from companion.errors import DataFolderError
from companion.nothing import nothing
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.storage.data_folder import Storage
from companion.storage.files import name_to_keep, oldest_aside
from companion.storage.whole_file import write_whole
from companion.table.state.events import ThrowSeen
from companion.table.state.history import Act
from companion.table.state.inputs import Fault
from companion.table.throws.shown_turn import PICTURE, ReadingView
from companion.words import message
from dicereader.data.files import MOST_PICTURE_BYTES, MOST_TEXT_BYTES, read_bytes

FOLDER = "stills"
KEPT = 600
"""Number of throws whose images are kept: two long evenings, about 40 MB."""


class MarkedDie(NamedTuple):
    """A die as read: its face, its outline in pixels of the image, and whether it was in doubt."""

    face: int
    outline: tuple[tuple[float, float], ...]
    doubtful: bool


@dataclass(frozen=True)
class ImageMarks:
    """What was read in an image of this width and height."""

    size: tuple[int, int]
    dice: tuple[MarkedDie, ...]


MARKS = TypeAdapter(ImageMarks)
"""Writes the marks of an image as JSON: an array for each die."""


def marks_of(reading: ReadingView, size: tuple[int, int]) -> ImageMarks:
    """Return the marks of a reading, in a picture of this width and height."""
    dice = []
    for die in reading.dice:
        x, y, w, h = die.box
        corners = die.outline if len(die.outline) > 2 else ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        dice.append(MarkedDie(die.face, tuple((float(a), float(b)) for a, b in corners), bool(die.doubts)))
    return ImageMarks(size, tuple(dice))


class ThrowImages:
    """The throw images of one data folder, by act. An image that is missing or cannot be written is not an error."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self.data, self._folder = folder, folder / FOLDER
        self._kept = kept

    def keep(self, act: int, jpeg: bytes, marks: ImageMarks | None = None) -> None:
        """Keep the image of an act and what was read in it; delete all but the newest `kept` images."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._folder.chmod(0o700)
            if marks is not None:
                write_whole(self._file(act).with_suffix(".json"), [MARKS.dump_json(marks)], synced=False)
            write_whole(self._file(act), [jpeg], synced=False)
            self.delete(sorted(self.acts())[: -self._kept])

    def image(self, act: int) -> bytes | None:
        """Return the JPEG of an act's throw, or None if no image is kept."""
        try:
            return read_bytes(self._file(act), MOST_PICTURE_BYTES)
        except OSError:
            return None

    def marks(self, act: int) -> ImageMarks | None:
        """Return what was read in the image of an act, or None if its marks are missing or damaged."""
        try:
            return MARKS.validate_json(read_bytes(self._file(act).with_suffix(".json"), MOST_TEXT_BYTES))
        except (OSError, ValidationError):
            return None

    def acts(self) -> frozenset[int]:
        """Return the acts whose images are kept."""
        try:
            files = [each for each in self._folder.iterdir() if each.suffix == ".jpg" and each.stem.isdecimal()]
        except OSError:
            files = []
        return frozenset(int(file.stem) for file in files)

    def delete(self, acts: Iterable[int]) -> None:
        """Delete the images of these acts.

        Raises:
            DataFolderError: if they cannot be deleted.
        """
        try:
            for act in acts:
                self._file(act).unlink(missing_ok=True)
                self._file(act).with_suffix(".json").unlink(missing_ok=True)
        except OSError as error:
            raise DataFolderError(
                f"expected throw images that can be deleted, got {str(self._folder)!r}: {error.strerror}"
            ) from error

    def size(self, acts: Iterable[int]) -> int:
        """Return how many bytes the images of these acts have, with their marks."""
        found = (file for act in acts for file in (self._file(act), self._file(act).with_suffix(".json")))
        return sum(file.stat().st_size for file in found if file.exists())

    def put_aside(self, now_s: float) -> None:
        """Rename the folder of the images, at this wall-clock time in seconds since 1970; the newest three are kept."""
        if self._folder.exists():
            aside = name_to_keep(self._folder, now_s, "replaced")
            self._folder.rename(aside)
            for older in oldest_aside(self._folder, aside):
                shutil.rmtree(older, ignore_errors=True)

    def _file(self, act: int) -> Path:
        return self._folder / f"{act:08d}.jpg"


def open_throw_images(data: Path, storage: Storage) -> ThrowImages:
    """Return the throw images of a data folder; an image whose act the journal lost is deleted."""
    images = ThrowImages(data)
    if storage.saved:
        with suppress(OSError):  # else the image would soon be shown with another throw
            images.delete(images.acts() - storage.loaded.numbers)
    return images


class ThrowImageWriter(Worker):
    """Writes each throw's image on a thread of its own.

    `acts` returns the acts of the game, `picture` the JPEG of an observation by its number.
    """

    def __init__(
        self,
        images: ThrowImages,
        feed: Feed,
        acts: Callable[[], Sequence[Act]],
        picture: Callable[[int], bytes | None],
        report: Callable[[Fault], object] = nothing,
    ) -> None:
        super().__init__("throw images", Guard("throw images", message("fault.pictures"), report))
        self._images = images
        self._acts = acts
        self._picture = picture
        newest = acts()
        self._last = newest[-1].number if newest else 0
        self._waiting: queue.SimpleQueue[tuple[int, bytes, ImageMarks | None] | None] = queue.SimpleQueue()
        self._leave = feed.subscribe(self._on_update, "pictures of the throws")

    def close(self) -> None:
        """Write the waiting images, then end."""
        self._leave()
        self._waiting.put(None)
        if self.alive:
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

    def _work(self) -> float:
        given = self._waiting.get()
        if given is None:
            self._ending.set()
        else:
            self._images.keep(*given)
            self._guard.works()
        return 0.0
