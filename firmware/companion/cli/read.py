"""`farklecrib read`: what do the dice of pictures, folders and clips show?"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from dicereader.errors import PictureError
from dicereader.reading import DiceReading, ReadDie

if TYPE_CHECKING:
    from dicereader.frame import Pixels
    from dicereader.tray.calibration import Calibration

Read = Callable[["Pixels"], DiceReading]

MANY = 4
"""From this many files on a terminal shows how far the work is."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What was read of one picture, or of one settled throw of a clip (`frame` and `at_s` are a clip's only)."""

    source: str
    reading: DiceReading
    pixels: "Pixels"
    at_s: float | None = None
    frame: int | None = None


@dataclass(frozen=True)
class Failure:
    """Why a file could not be read."""

    source: str
    error: str


def read_paths(
    paths: list[Path], *, json_out: bool, overlay: Path | None, calibration: Path | None, expect: int | None
) -> int:
    """Print a line for each picture and each settled throw; the exit status is 1 when a file could not be read.

    Raises `CompanionError` for a path that does not exist or a folder without pictures, `CalibrationError` for a
    calibration that cannot be used; both before anything is printed.
    """
    files = [file for path in paths for file in _files_in(path)]
    overlays = None if overlay is None else Overlays(overlay)
    known, empty = _table(calibration)
    from dicereader.reader import read_pixels

    def read(pixels: "Pixels") -> DiceReading:
        return read_pixels(pixels, calibration=known, empty=empty, expect=expect)

    bad = False
    with _progress(len(files)) as step:
        for file in files:
            for answer in _answers(file, read, known):
                print(json.dumps(as_record(answer)) if json_out else as_line(answer), flush=True)
                if isinstance(answer, Failure):
                    bad = True
                elif overlays is not None:
                    overlays.write(answer)
            step()
    return 1 if bad else 0


def as_record(answer: Answer | Failure) -> dict[str, Any]:
    """One line of the command's JSON."""
    if isinstance(answer, Failure):
        return {"source": answer.source, "error": answer.error}
    reading = answer.reading
    record: dict[str, Any] = {
        "source": answer.source,
        "dice": [_die(die) for die in reading.dice],
        "sure": reading.sure,
        "doubts": [str(doubt) for doubt in reading.doubts],
        "ms": round(reading.ms, 1),
    }
    if answer.at_s is not None:
        record |= {"at_s": round(answer.at_s, 3), "frame": answer.frame}
    return record


def as_line(answer: Answer | Failure) -> str:
    """One line for a person."""
    if isinstance(answer, Failure):
        return f"{answer.source}: error: {answer.error}"
    reading = answer.reading
    where = answer.source if answer.at_s is None else f"{answer.source} at {answer.at_s:.2f} s"
    faces = " ".join(f"{die.face}?" if die.doubts else str(die.face) for die in reading.dice) or "no dice"
    if reading.sure:
        return f"{where}: {faces}"
    doubts = dict.fromkeys([*reading.doubts, *(doubt for die in reading.dice for doubt in die.doubts)])
    return f"{where}: {faces} (not sure: {', '.join(doubts)})"


def _die(die: ReadDie) -> dict[str, Any]:
    return {
        "face": die.face,
        "box": [die.box.x, die.box.y, die.box.w, die.box.h],
        "confidence": round(die.confidence, 4),
        "zone": None if die.zone is None else str(die.zone),
        "doubts": [str(doubt) for doubt in die.doubts],
    }


def _files_in(path: Path) -> list[Path]:
    """The file itself, or the pictures and clips of a folder in the order of their names."""
    from dicereader.pictures import SUFFIXES
    from dicereader.sources.recorded import CLIPS

    try:
        if path.is_dir():
            found = sorted(p for p in path.iterdir() if p.suffix.lower() in {*SUFFIXES, *CLIPS} and p.is_file())
            if not found:
                raise CompanionError(
                    f"expected pictures (JPEG, PNG, BMP) or clips (MP4, AVI) in {str(path)!r}, got none"
                )
            return found
        if not path.exists():
            raise CompanionError(
                f"expected a picture, a clip or a folder of them, got {str(path)!r}, which is not there"
            )
    except OSError as error:
        raise CompanionError(f"expected a picture, a clip or a folder, got {str(path)!r}: {error.strerror}") from error
    return [path]


def _table(path: Path | None) -> "tuple[Calibration | None, Pixels | None]":
    """A table's calibration and its empty tray, as far as they are known."""
    if path is None:
        return None, None
    from dicereader.tray.calibration import load_with_empty

    return load_with_empty(path)


def _answers(file: Path, read: Read, calibration: "Calibration | None") -> Iterator[Answer | Failure]:
    from dicereader.pictures import load
    from dicereader.sources.recorded import CLIPS

    try:
        if file.suffix.lower() in CLIPS:
            yield from _throws(file, read, calibration)
            return
        pixels = load(file)
        yield Answer(str(file), read(pixels), pixels)
    except PictureError as error:
        yield Failure(str(file), str(error))


def _throws(clip: Path, read: Read, calibration: "Calibration | None") -> Iterator[Answer]:
    """Each settled throw of a clip."""
    from dicereader.live.settle import Settled, Settler
    from dicereader.sources.recorded import clip_frames

    settler = Settler(read, calibration)
    for frame in clip_frames(clip):
        for event in settler.feed(frame):
            if isinstance(event, Settled):
                seen = event.frame
                yield Answer(str(clip), event.observation.reading, seen.pixels, seen.at_s, seen.number)


class Overlays:
    """Writes overlays into a folder, each file once and never over a picture that was read."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CompanionError(
                f"expected a folder for the overlays, got {str(folder)!r}: {error.strerror}"
            ) from error
        self._folder = folder
        self._written: set[str] = set()

    def write(self, answer: Answer) -> None:
        """Write the answer's picture with what was read drawn over it: `0001.read.jpg` for `tray/0001.png`."""
        import cv2

        from dicereader.overlay import draw

        stem = Path(answer.source).stem + ("" if answer.frame is None else f"-{answer.frame:05d}")
        name, number = f"{stem}.read.jpg", 2
        while name in self._written:
            name, number = f"{stem}-{number}.read.jpg", number + 1
        self._written.add(name)
        _, data = cv2.imencode(".jpg", draw(answer.pixels, answer.reading), [cv2.IMWRITE_JPEG_QUALITY, 90])
        try:
            (self._folder / name).write_bytes(data.tobytes())
        except OSError as error:
            raise CompanionError(f"expected to write {str(self._folder / name)!r}, got: {error.strerror}") from error


@contextmanager
def _progress(files: int) -> Iterator[Callable[[], None]]:
    """Gives a function to call after each file; on a terminal it moves a bar on standard error."""
    if files < MANY or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # Where standard output is the same terminal its lines go above the bar.
    console = Console(stderr=True)
    with Progress(console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as bar:
        task = bar.add_task("reading", total=files)
        yield lambda: bar.advance(task)
