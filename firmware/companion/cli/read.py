"""`farklecrib read`: read the dice of pictures, folders and clips."""

import json
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import Json, bar, tell, written
from companion.errors import CompanionError, reporting_file_errors
from companion.nothing import nothing

if TYPE_CHECKING:
    from dicereader.data.frame import Pixels
    from dicereader.reading import DiceReading, ReadDie
    from dicereader.tray.calibration import Calibration

Read = Callable[["Pixels"], "DiceReading"]

MANY = 4
"""From this number of files on, a terminal shows a progress bar."""


@dataclass(frozen=True, eq=False)
class PictureResult:
    """The reading of a picture, or of a settled throw in a clip (with `frame` and `at_s`), or the error instead."""

    source: str
    reading: "DiceReading | None" = None
    pixels: "Pixels | None" = None
    at_s: float | None = None
    frame: int | None = None
    error: str = ""


def read(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...")],
    json_out: Json = False,
    overlay: Annotated[Path | None, typer.Option(metavar="DIR")] = None,
    calibration: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    expect: Annotated[int | None, typer.Option(metavar="N", min=0, max=50)] = None,
) -> int:
    """Read the dice in pictures, folders and clips.

    Args:
        paths: Pictures, folders of them, or clips.
        overlay: Write each picture with what was read drawn over it.
        calibration: The calibration of the tray.
        expect: How many dice there must be.
    """
    files = [file for path in paths for file in _files_in(path)]
    overlays: set[str] = set()
    if overlay is not None:
        with reporting_file_errors("a folder for the overlays", overlay):
            overlay.mkdir(parents=True, exist_ok=True)
    from dicereader import read as read_pixels
    from dicereader.tray.calibration import load_calibration

    known, empty = (None, None) if calibration is None else load_calibration(calibration)

    def read_one(pixels: "Pixels") -> "DiceReading":
        return read_pixels(pixels, calibration=known, empty=empty, expect=expect)

    status = 0
    many = len(files) >= MANY and sys.stderr.isatty()
    with bar("reading") if many else nullcontext(nothing) as share:
        for number, file in enumerate(files, 1):
            for result in _results(file, read_one, known):
                tell(json.dumps(as_record(result)) if json_out else as_line(result))
                if result.error:
                    status = 1
                elif overlay is not None and result.reading is not None and result.pixels is not None:
                    _write_overlay(_overlay_file(overlay, overlays, result), result.pixels, result.reading)
            share(number / len(files))
    return status


def as_record(result: PictureResult) -> dict[str, Any]:
    """Return one line of the command's JSON."""
    reading = result.reading
    if reading is None:
        return {"source": result.source, "error": result.error}
    record: dict[str, Any] = {
        "source": result.source,
        "dice": [_die(die) for die in reading.dice],
        "sure": reading.sure,
        "doubts": [str(doubt) for doubt in reading.doubts],
        "ms": round(reading.ms, 1),
    }
    if result.at_s is not None:
        record |= {"at_s": round(result.at_s, 3), "frame": result.frame}
    return record


def as_line(result: PictureResult) -> str:
    """Return one line for a person."""
    reading = result.reading
    if reading is None:
        return f"{result.source}: error: {result.error}"
    where = result.source if result.at_s is None else f"{result.source} at {result.at_s:.2f} s"
    faces = " ".join(f"{die.face}?" if die.doubts else str(die.face) for die in reading.dice) or "no dice"
    if reading.sure:
        return f"{where}: {faces}"
    doubts = dict.fromkeys([*reading.doubts, *(doubt for die in reading.dice for doubt in die.doubts)])
    return f"{where}: {faces} (not sure: {', '.join(doubts)})"


def _die(die: "ReadDie") -> dict[str, Any]:
    return {
        "face": die.face,
        "box": [die.box.x, die.box.y, die.box.w, die.box.h],
        "confidence": round(die.confidence, 4),
        "zone": None if die.zone is None else str(die.zone),
        "doubts": [str(doubt) for doubt in die.doubts],
    }


def _files_in(path: Path) -> list[Path]:
    """Return the file itself, or the pictures and clips of a folder in the order of their names.

    Raises:
        CompanionError: if the path does not exist, or the folder has neither pictures nor clips.
    """
    from dicereader.data.pictures import SUFFIXES
    from dicereader.sources.recorded import CLIPS

    with reporting_file_errors("a picture, a clip or a folder of them", path):
        if not stat.S_ISDIR(path.stat().st_mode):
            return [path]
        found = sorted(p for p in path.iterdir() if p.suffix.lower() in {*SUFFIXES, *CLIPS} and p.is_file())
    if not found:
        raise CompanionError(f"expected pictures (JPEG, PNG, BMP) or clips (MP4, AVI) in {str(path)!r}, got none")
    return found


def _results(file: Path, read_one: Read, calibration: "Calibration | None") -> Iterator[PictureResult]:
    """Yield the reading of a picture, or of each settled throw of a clip."""
    from dicereader.errors import PictureError
    from dicereader.live.settle import Settled, Settler
    from dicereader.reader import read_file
    from dicereader.sources.recorded import CLIPS, clip_frames

    try:
        if file.suffix.lower() not in CLIPS:
            pixels, reading = read_file(file, read_one)
            yield PictureResult(str(file), reading, pixels)
            return
        settler = Settler(read_one, calibration)
        for event in (event for frame in clip_frames(file) for event in settler.feed(frame)):
            if isinstance(event, Settled):
                frame = event.frame
                yield PictureResult(str(file), event.observation.reading, frame.pixels, frame.at_s, frame.number)
    except PictureError as error:
        yield PictureResult(str(file), error=str(error))


def _overlay_file(folder: Path, written: set[str], result: PictureResult) -> Path:
    """Return a file whose name is not in `written`, and add the name: `0001.read.jpg` for `tray/0001.png`."""
    stem = Path(result.source).stem + ("" if result.frame is None else f"-{result.frame:05d}")
    name, number = f"{stem}.read.jpg", 2
    while name in written:
        name, number = f"{stem}-{number}.read.jpg", number + 1
    written.add(name)
    return folder / name


def _write_overlay(file: Path, pixels: "Pixels", reading: "DiceReading") -> None:
    """Write a picture with its reading drawn over it. `CompanionError` reaches the caller if it cannot be written."""
    import cv2

    from dicereader.overlay import draw

    _, data = cv2.imencode(".jpg", draw(pixels, reading), [cv2.IMWRITE_JPEG_QUALITY, 90])
    with written(file) as opened:
        opened.write(data.tobytes())
