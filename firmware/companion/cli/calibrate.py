"""`farklecrib calibrate`: learn where the camera is and what the dice look like, from a camera or from pictures."""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from companion.calibration.samples import laid, taken
from companion.calibration.store import place
from companion.cli.play import Asked, configured
from companion.config import Camera, camera_named, data_folder, load_config
from companion.errors import CompanionError
from dicereader.arrays import Floats
from dicereader.errors import CalibrationError
from dicereader.frame import Pixels
from dicereader.learn import learn
from dicereader.pictures import SUFFIXES, load
from dicereader.reader import read_pixels
from dicereader.sources import open_source
from dicereader.tray.calibration import Calibration, save_with_empty
from dicereader.tray.fitness import fitness
from dicereader.tray.tag_sheet import tag_sheet
from dicereader.tray.tags import PoseSolver, common_tags, posed_by_corners, posed_by_tags

THROWS = 5
"""So many throws are asked for at a camera."""


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for; None leaves it to the configuration, or to the pictures."""

    camera: str | None = None
    pictures: tuple[Path, ...] = ()
    save: Path | None = None
    sheet: Path | None = None
    die_mm: float = 16.0
    corners: str | None = None
    inside_mm: float = 230.0
    data: Path | None = None
    config: Path | None = None


def calibrate(wanted: Wanted) -> int:
    """Calibrate, and say what was found; 0 when it was saved, 1 when not one of the throws is read surely then."""
    if wanted.sheet is not None:
        return _print_sheet(wanted.sheet)
    config = configured(load_config(wanted.config), Asked(camera=wanted.camera, data=wanted.data))
    file = wanted.save or place(data_folder(config))
    if wanted.pictures:
        empty, throws = _from_files(wanted.pictures)
        camera = wanted.camera or ""
    else:
        camera = config.camera.source
        empty, throws = _from_camera(camera_named(camera))
    for problem in fitness(empty, corners_given=wanted.corners is not None).problems:
        _say(f"the picture of the empty tray: {problem}")
    known = replace(learn(empty, throws, _posed(empty, throws, wanted), wanted.die_mm), camera=camera)
    surely = sum(read_pixels(throw, calibration=known, empty=empty).sure for throw in throws)
    for line in told(known):
        print(line)
    print(f"of {len(throws)} throws {surely} are read surely")
    if not surely:
        _say("not saved: these throws are not read surely. More light, a sharper picture or other throws may help.")
        return 1
    save_with_empty(known, empty, file)
    print(f"saved as {file}")
    return 0


def told(known: Calibration) -> Iterator[str]:
    """A calibration in words."""
    x, y, z = known.position_mm
    tray = known.tray
    yield f"camera: {z:.0f} mm over the floor, {abs(x):.0f} mm {'right' if x > 0 else 'left'} and {abs(y):.0f} mm " + (
        f"{'behind' if y > 0 else 'before'} the middle"
    )
    yield f"tray: {tray.inner_mm:.0f} mm inside, walls {tray.wall_height_mm:.0f} mm high"
    dice = known.dice
    if dice is not None:
        kind = "dark pips on light dice" if sum(dice.body) > sum(dice.pip) else "light pips on dark dice"
        wide, off = 2 * dice.pip_mm, dice.corner_mm
        yield f"dice: {tray.die_mm:g} mm, {kind}; pips {wide:.1f} mm wide, {off:.1f} mm off centre"


def _print_sheet(file: Path) -> int:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(tag_sheet(), encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"expected a file to write the tags to, got {str(file)!r}: {error.strerror}") from error
    print(f"wrote {file}: print it at 100 %, and check the line on it with a ruler")
    return 0


def _from_files(paths: Sequence[Path]) -> tuple[Pixels, list[Pixels]]:
    """The empty tray and the throws, in the order given; a folder stands for its pictures by name."""
    files: list[Path] = []
    for path in paths:
        files += sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES) if path.is_dir() else [path]
    if len(files) < 2:
        raise CompanionError(f"expected the empty tray and at least one throw after --from, got {len(files)} pictures")
    first, *rest = (load(file) for file in files)
    return first, rest


def _from_camera(camera: Camera) -> tuple[Pixels, list[Pixels]]:
    """The empty tray and throws from a camera; a person is told what to lay, a simulated tray lays it itself."""
    if camera.name == "recorded":
        return _from_files([Path(camera.arg)])
    if camera.name == "simulated":
        return laid(int(camera.arg or 0), THROWS, random.Random(int(camera.arg or 0)))
    if not sys.stdin.isatty():
        raise CompanionError("expected a terminal to say when the tray is ready, or pictures after --from")
    source = open_source(camera.source, camera.arg, time.monotonic)
    try:
        _ask("Clear the tray, shelf too, and take your hands away. Then press Enter.")
        empty = taken(source)
        throws = []
        for n in range(THROWS):
            _ask(f"Throw all six dice ({n + 1} of {THROWS}); none may lean. Then press Enter.")
            throws.append(taken(source))
        return empty, throws
    finally:
        source.close()


def _posed(empty: Pixels, throws: Sequence[Pixels], wanted: Wanted) -> PoseSolver:
    if wanted.corners is None:
        return posed_by_tags(empty.shape, common_tags([empty, *throws]))
    return posed_by_corners(empty.shape, corners_from(wanted.corners), wanted.inside_mm)


def corners_from(text: str) -> Floats:
    """Four points `x,y x,y x,y x,y` as an array (4, 2); raises `CalibrationError`."""
    try:
        points = np.array([[float(value) for value in point.split(",")] for point in text.split()], np.float64)
    except ValueError as error:
        raise CalibrationError(f"expected --corners 'x,y x,y x,y x,y', got {text!r}") from error
    if points.shape != (4, 2):
        raise CalibrationError(f"expected --corners 'x,y x,y x,y x,y', got {text!r}")
    return points


def _ask(words: str) -> None:
    _say(words)
    sys.stdin.readline()


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
