"""Try a table's camera: measure the picture of its empty tray, and read throws whose faces are known."""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from companion.calibration.picture_work import problem_in_words
from companion.calibration.samples import DICE, ShownTray, check_empty, draw_throw, take_frames, take_picture, tray_of
from companion.calibration.store import StoredCalibration
from companion.cameras import CameraChoice
from companion.errors import CompanionError
from companion.words import english
from dicereader import read as read_pixels
from dicereader.data.frame import Pixels
from dicereader.data.pictures import decode
from dicereader.reading import Box, DiceReading
from dicereader.sources import FrameSource, ViewedSource, open_source
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.camera_checks import Measure, reading_time, saturated_dice
from dicereader.tray.fitness import problems_of

FRAMES = 20
"""Frames of the empty tray that are compared: at 30 a second, two thirds of a second."""

CLEAR = "Clear the tray, shelf too, and take your hands away. Then press Enter.\n"


@dataclass(frozen=True)
class TriedTray:
    """A tray before a camera; `ask` shows a request to the person who throws, and returns the line that is typed."""

    source: FrameSource
    ask: Callable[[str], str]

    def empty(self) -> ShownTray:
        """Ask for the empty tray, and return frames of it."""
        self.ask(CLEAR)
        frames = [replace(frame, pixels=frame.pixels.copy()) for frame in take_frames(self.source, FRAMES)]
        view = self.source.view if isinstance(self.source, ViewedSource) else None
        return ShownTray(tuple(frame.pixels for frame in frames), tuple(frame.at_s for frame in frames), view)

    def throw(self, request: str) -> tuple[str, Pixels]:
        """Ask for a throw; return what was typed, and then a picture of the throw."""
        return self.ask(request), take_picture(self.source)


def simulated_person(source: SyntheticSource, seed: int) -> Callable[[str], str]:
    """Return a person who clears a simulated tray, throws at random, and types the faces."""
    chance = random.Random(seed)

    def answer(request: str) -> str:
        faces = [] if request == CLEAR else [chance.randint(1, 6) for _ in range(DICE)]
        draw_throw(source, seed, faces, chance)
        return text_of(faces)

    return answer


@contextmanager
def open_tray(camera: CameraChoice, ask: Callable[[str], str], instead: str = "") -> Iterator[TriedTray]:
    """Open the tray before a camera, and close the camera at the end.

    Args:
        camera: a camera, or the simulated one.
        ask: shows a request to a person at the terminal, and returns the line that is typed.
        instead: what the error for a missing terminal offers in its place.

    Raises:
        CompanionError: if the camera shows photographs, or standard input is not a terminal.
    """
    if camera.name == "recorded":
        raise CompanionError("expected a camera, got photographs: nobody can throw there")
    if camera.name == "simulated":
        seed = int(camera.arg or 0)
        drawn = SyntheticSource(lambda: 100.0, seed=seed)
        yield TriedTray(drawn, simulated_person(drawn, seed))
        return
    if not sys.stdin.isatty():
        raise CompanionError(f"expected a terminal to say what lies in the tray{instead}")
    if camera.name == "phone":
        raise CompanionError("expected a camera that this program opens, got a phone: calibrate on the table's page")
    source = open_source(camera.source, camera.arg, time.monotonic)
    try:
        yield TriedTray(source, ask)
    finally:
        source.close()


@dataclass(frozen=True)
class KnownThrow:
    """A throw whose faces are known, and how it was read."""

    faces: tuple[int, ...]
    reading: DiceReading

    @property
    def right(self) -> int:
        """How many dice were read right."""
        return (Counter(self.faces) & Counter(self.reading.faces)).total()

    @property
    def exact(self) -> bool:
        """Whether all dice were read right, and no others were read."""
        return Counter(self.faces) == Counter(self.reading.faces)

    @property
    def wrong_and_sure(self) -> bool:
        """Whether the game would have scored other faces without asking."""
        return self.reading.sure and not self.exact

    @property
    def misread(self) -> str:
        """The faces, and the wrong ones that were read."""
        return f"{text_of(self.faces)} read as {text_of(self.reading.faces)}{' and sure' * self.reading.sure}"

    def line(self) -> str:
        """Return the throw and its result in words."""
        result = "right" if self.exact else f"WRONG, read as {text_of(self.reading.faces)}"
        return f"{text_of(self.faces)}: {result}{'' if self.reading.sure else ', not sure'}"


def well_read(throws: Sequence[KnownThrow]) -> bool:
    """Return whether no sure reading was wrong, and at least nine of ten throws were read exactly."""
    exact = sum(throw.exact for throw in throws)
    return exact * 10 >= len(throws) * 9 and not any(throw.wrong_and_sure for throw in throws)


def try_camera(
    tray: TriedTray, shown: ShownTray, stored: StoredCalibration, throws: int, tell: Callable[[str], object]
) -> tuple[list[Measure], list[KnownThrow]]:
    """Measure the empty tray, and read throws; return the measures and the throws.

    Args:
        tray: where somebody throws.
        shown: frames of that tray while it is empty.
        stored: the table's calibration.
        throws: how many throws to ask for; an empty line ends them.
        tell: gets the problems of the picture, and a line for each throw.
    """
    calibration, floor = stored.calibration, decode(stored.empty, "the empty tray") if stored.empty else None
    located = tray_of(shown, calibration)
    for problem in problems_of(shown.frames[0], view=shown.view) if located is None else ():
        tell(f"the picture of the empty tray: {english().text(problem_in_words(problem))}")
    read, times_ms = list[KnownThrow](), list[float]()
    pictures: list[tuple[Pixels, list[Box]]] = []
    for number in range(1, throws + 1):
        line, pixels = tray.throw(f"{number} of {throws}: throw all dice, then type their faces (nothing: end): ")
        if not line.strip():
            break
        known = (calibration, floor) if calibration is not None and calibration.fits(pixels) else (None, None)
        started_s = time.perf_counter()
        reading = read_pixels(pixels, calibration=known[0], empty=known[1], expect=DICE)
        times_ms.append(1000 * (time.perf_counter() - started_s))
        pictures.append((pixels, [die.box for die in reading.dice]))
        read.append(KnownThrow(faces_in(line), reading))
        tell(read[-1].line())
    return [*check_empty(shown, located), saturated_dice(pictures), reading_time(times_ms)], read


def text_of(faces: Iterable[int]) -> str:
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
