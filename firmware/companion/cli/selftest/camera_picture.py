"""The table in the self-test of a camera: the empty tray, throws with known faces, and the measures of both."""

import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.calibration.samples import DICE, WAIT_S, draw_throw, take_picture
from companion.cli.options import LONGEST_LINE
from companion.errors import CompanionError
from dicereader.data.camera_modules import CameraView
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.reading import Box
from dicereader.sources import FrameSource, ViewedSource, open_source
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World
from dicereader.tray import camera_checks
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration
from dicereader.tray.camera_checks import Measure
from dicereader.tray.fitness import fitness
from dicereader.tray.pose import from_tags
from dicereader.tray.tags import find_tags

if TYPE_CHECKING:
    from companion.cameras import CameraChoice

FRAMES = 20
"""Frames of the empty tray that are compared: at 30 a second, two thirds of a second."""


@dataclass(frozen=True)
class ShownTray:
    """Frames of the empty tray, their times in seconds, and the camera's view, None if that is unknown."""

    frames: tuple[Pixels, ...]
    times_s: tuple[float, ...]
    view: CameraView | None = None


class TestedTable(Protocol):
    """A table before a camera."""

    def empty(self) -> ShownTray:
        """Return frames of the empty tray."""

    def throws(self, count: int) -> Iterator[tuple[tuple[int, ...], Pixels]]:
        """Yield the known faces of each throw, and its picture."""


@dataclass(frozen=True)
class PersonsTable:
    """A real table: a person clears the tray, throws, and types the faces."""

    source: FrameSource

    def empty(self) -> ShownTray:
        """Ask for the empty tray, and return frames of it.

        Raises:
            CompanionError: if no frames come.
        """
        _ask("clear the tray, shelf too, and take your hands away, then press Enter: ")
        frames: list[Pixels] = []
        times_s: list[float] = []
        while len(frames) < FRAMES:
            frame = self.source.next(WAIT_S)
            if frame is None:
                raise CompanionError(f"expected frames from the camera, got none for {WAIT_S:g} s")
            frames.append(frame.pixels.copy())
            times_s.append(time.monotonic())
        return ShownTray(
            tuple(frames), tuple(times_s), self.source.view if isinstance(self.source, ViewedSource) else None
        )

    def throws(self, count: int) -> Iterator[tuple[tuple[int, ...], Pixels]]:
        """Ask for each throw and its faces; an empty line ends it."""
        for number in range(1, count + 1):
            line = _ask(f"{number} of {count}: throw all dice, then type their faces (nothing: end): ")
            if not line.strip():
                return
            yield faces_in(line), take_picture(self.source)


@dataclass(frozen=True)
class DrawnTable:
    """A simulated table, which lays known dice itself."""

    source: SyntheticSource
    seed: int

    def empty(self) -> ShownTray:
        """Return frames of the empty tray; drawn frames have no frame rate."""
        self.source.set_world(World(self.seed, ()))
        frames = (self.source.next(WAIT_S) for _ in range(FRAMES))
        return ShownTray(tuple(frame.pixels.copy() for frame in frames if frame is not None), ())

    def throws(self, count: int) -> Iterator[tuple[tuple[int, ...], Pixels]]:
        """Draw each throw at random places."""
        chance = random.Random(self.seed)
        for _ in range(count):
            faces = tuple(chance.randint(1, 6) for _ in range(DICE))
            yield faces, draw_throw(self.source, self.seed, faces, chance).copy()


@contextmanager
def open_table(camera: "CameraChoice") -> Iterator[TestedTable]:
    """Open the table before a camera, and close the camera at the end.

    Raises:
        CompanionError: if the camera shows photographs, or standard input is not a terminal.
    """
    if camera.name == "recorded":
        raise CompanionError("expected a camera, got photographs: nobody can throw there")
    if camera.name == "simulated":
        seed = int(camera.arg or 0)
        yield DrawnTable(SyntheticSource(lambda: 100.0, seed=seed), seed)
        return
    if not sys.stdin.isatty():
        raise CompanionError("expected a terminal to type the faces on")
    if camera.name == "phone":
        raise CompanionError("expected a camera that this program opens, got a phone: calibrate on the table's page")
    source = open_source(camera.source, camera.arg, time.monotonic)
    try:
        yield PersonsTable(source)
    finally:
        source.close()


def tray_of(shown: ShownTray, calibration: Calibration | None) -> Calibration | None:
    """Locate the tray by the table's calibration, else by the tags; return None if neither locates it."""
    empty = shown.frames[0]
    if calibration is not None and calibration.fits(empty):
        return calibration
    known_deg = shown.view.known_across_deg if shown.view is not None else None
    try:
        return from_tags(empty, fov_deg=known_deg or DEFAULT_FOV_DEG)
    except CalibrationError:
        return None


def picture_problems(shown: ShownTray) -> tuple[str, ...]:
    """Return the reasons why the tray cannot be found in the picture, such as a camera that is too low."""
    return tuple(map(str, fitness(shown.frames[0], view=shown.view).problems))


def check_empty(shown: ShownTray, tray: Calibration | None) -> list[Measure]:
    """Return the measures of the empty tray: sharpness, light, flicker, reflections and frame rate."""
    empty = shown.frames[0]
    return [
        camera_checks.sharpness(empty, find_tags(empty)),
        camera_checks.evenness(empty, tray),
        camera_checks.flicker(shown.frames, tray),
        camera_checks.reflections(empty, tray),
        camera_checks.frame_rate(shown.times_s),
    ]


def check_dice(read: Sequence[tuple[Pixels, Sequence[Box]]], times_ms: Sequence[float]) -> list[Measure]:
    """Return the measures of throws: saturated dice and the time of a reading.

    Args:
        read: the picture of each throw, with the boxes of its dice.
        times_ms: the milliseconds that each reading took.
    """
    return [camera_checks.saturated_dice(read), camera_checks.reading_time(times_ms)]


def faces_in(line: str) -> tuple[int, ...]:
    """Return the faces of `112346` or `1 1 2 3 4 6`.

    Raises:
        CompanionError: if the line holds anything else.
    """
    digits = [each for each in line if not each.isspace() and each not in ",-"]
    if not digits or any(each not in "123456" for each in digits):
        raise CompanionError(f"expected faces such as 112346, got {line.strip()!r}")
    return tuple(sorted(map(int, digits)))


def _ask(request: str) -> str:
    """Ask on standard error, and return the line that is typed."""
    print(request, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline(LONGEST_LINE)
