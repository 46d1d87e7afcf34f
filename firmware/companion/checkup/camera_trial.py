"""Try a table's camera: measure the picture of its empty tray, and read throws whose faces are known."""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from companion.calibration.checks import ShownTray, check_empty, tray_of
from companion.calibration.samples import DICE, WAIT_S, draw_throw, take_picture
from companion.calibration.store import StoredCalibration
from companion.errors import CompanionError
from dicereader.data.frame import Pixels
from dicereader.data.pictures import decode
from dicereader.reader import read_pixels
from dicereader.reading import Box, DiceReading
from dicereader.sources import FrameSource, ViewedSource, open_source
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World
from dicereader.tray.camera_checks import Measure, reading_time, saturated_dice
from dicereader.tray.fitness import fitness

if TYPE_CHECKING:
    from companion.cameras import CameraChoice

FRAMES = 20
"""Frames of the empty tray that are compared: at 30 a second, two thirds of a second."""

CLEAR = "Clear the tray, shelf too, and take your hands away. Then press Enter.\n"


class TriedTray(Protocol):
    """A tray before a camera, and somebody who clears it and throws."""

    def empty(self) -> ShownTray:
        """Return frames of the empty tray."""

    def throw(self, request: str) -> tuple[str, Pixels]:
        """Ask for a throw; return what was typed, and a picture of the throw."""


@dataclass(frozen=True)
class RealTray:
    """A real tray; `ask` shows a request to a person, and returns the line that is typed."""

    source: FrameSource
    ask: Callable[[str], str]

    def empty(self) -> ShownTray:
        """Ask for the empty tray, and return frames of it.

        Raises:
            CompanionError: if no frames come.
        """
        self.ask(CLEAR)
        frames: list[Pixels] = []
        times_s: list[float] = []
        while len(frames) < FRAMES:
            frame = self.source.next(WAIT_S)
            if frame is None:
                raise CompanionError(f"expected frames from the camera, got none for {WAIT_S:g} s")
            frames.append(frame.pixels.copy())
            times_s.append(time.monotonic())
        view = self.source.view if isinstance(self.source, ViewedSource) else None
        return ShownTray(tuple(frames), tuple(times_s), view)

    def throw(self, request: str) -> tuple[str, Pixels]:
        """Ask for a throw, and take the picture once something was typed."""
        return self.ask(request), take_picture(self.source)


class DrawnTray:
    """A simulated tray, which clears itself, throws at random, and knows the faces."""

    def __init__(self, seed: int) -> None:
        """Begin with the empty tray; `seed` is the number of the simulated table."""
        self._seed, self._chance = seed, random.Random(seed)
        self._source = SyntheticSource(lambda: 100.0, seed=seed)
        self._source.set_world(World(seed, ()))

    def empty(self) -> ShownTray:
        """Return frames of the empty tray; drawn frames have no frame rate."""
        frames = (self._source.next(WAIT_S) for _ in range(FRAMES))
        return ShownTray(tuple(frame.pixels.copy() for frame in frames if frame is not None), ())

    def throw(self, _request: str) -> tuple[str, Pixels]:
        """Draw a throw; return its faces, as a person would type them, and its picture."""
        faces = [self._chance.randint(1, 6) for _ in range(DICE)]
        return text_of(faces), draw_throw(self._source, self._seed, faces, self._chance).copy()


@contextmanager
def open_tray(camera: "CameraChoice", ask: Callable[[str], str]) -> Iterator[TriedTray]:
    """Open the tray before a camera, and close the camera at the end.

    Args:
        camera: a camera, or the simulated one.
        ask: shows a request to a person at the terminal, and returns the line that is typed.

    Raises:
        CompanionError: if the camera shows photographs, or standard input is not a terminal.
    """
    if camera.name == "recorded":
        raise CompanionError("expected a camera, got photographs: nobody can throw there")
    if camera.name == "simulated":
        yield DrawnTray(int(camera.arg or 0))
        return
    if not sys.stdin.isatty():
        raise CompanionError("expected a terminal to say what lies in the tray")
    if camera.name == "phone":
        raise CompanionError("expected a camera that this program opens, got a phone: calibrate on the table's page")
    source = open_source(camera.source, camera.arg, time.monotonic)
    try:
        yield RealTray(source, ask)
    finally:
        source.close()


@dataclass
class Score:
    """The readings of throws with known faces, counted."""

    throws: int = 0
    exact: int = 0
    sure: int = 0
    wrong_and_sure: int = 0
    dice: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, faces: tuple[int, ...], reading: DiceReading) -> str:
        """Count one throw, and return the result in words."""
        known, read = Counter(faces), Counter(reading.faces)
        self.throws += 1
        self.exact += known == read
        self.sure += reading.sure
        self.wrong_and_sure += reading.sure and known != read
        self.dice += len(faces)
        self.right += (known & read).total()
        if known != read:
            self.wrong.append(f"{text_of(faces)} read as {text_of(reading.faces)}{' and sure' if reading.sure else ''}")
        result = "right" if known == read else f"WRONG, read as {text_of(reading.faces)}"
        return f"{text_of(faces)}: {result}{'' if reading.sure else ', not sure'}"

    @property
    def good(self) -> bool:
        """Whether no sure reading was wrong, and at least nine of ten throws were read exactly."""
        return self.throws > 0 and self.wrong_and_sure == 0 and self.exact * 10 >= self.throws * 9


def try_camera(
    tray: TriedTray, shown: ShownTray, stored: StoredCalibration, throws: int, tell: Callable[[str], object]
) -> tuple[list[Measure], Score]:
    """Measure the empty tray, and read throws; return the measures, and the readings counted.

    Args:
        tray: where somebody throws.
        shown: frames of that tray while it is empty.
        stored: the table's calibration.
        throws: how many throws to ask for; an empty line ends them.
        tell: gets the problems of the picture, and a line for each throw.
    """
    calibration, floor = stored.calibration, decode(stored.empty, "the empty tray") if stored.empty else None
    located = tray_of(shown, calibration)
    for problem in fitness(shown.frames[0], view=shown.view).problems if located is None else ():
        tell(f"the picture of the empty tray: {problem}")
    score, times_ms = Score(), list[float]()
    read: list[tuple[Pixels, list[Box]]] = []
    for number in range(1, throws + 1):
        line, pixels = tray.throw(f"{number} of {throws}: throw all dice, then type their faces (nothing: end): ")
        if not line.strip():
            break
        known = (calibration, floor) if calibration is not None and calibration.fits(pixels) else (None, None)
        started_s = time.perf_counter()
        reading = read_pixels(pixels, calibration=known[0], empty=known[1], expect=DICE)
        times_ms.append(1000 * (time.perf_counter() - started_s))
        read.append((pixels, [die.box for die in reading.dice]))
        tell(score.add(faces_in(line), reading))
    return [*check_empty(shown, located), saturated_dice(read), reading_time(times_ms)], score


def text_of(faces: tuple[int, ...] | list[int]) -> str:
    """Return faces as `112346`, in order; `-` stands for none."""
    return "".join(map(str, sorted(faces))) or "-"


def faces_in(line: str) -> tuple[int, ...]:
    """Return the faces of `112346` or `1 1 2 3 4 6`.

    Raises:
        CompanionError: if the line holds anything else.
    """
    digits = [each for each in line if not each.isspace() and each not in ",-"]
    if not digits or any(each not in "123456" for each in digits):
        raise CompanionError(f"expected faces such as 112346, got {line.strip()!r}")
    return tuple(sorted(map(int, digits)))
