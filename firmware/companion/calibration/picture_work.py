"""The work of a calibration on its pictures, for a process of its own: the game's own process loads no OpenCV."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import DataFolderError, RefusedError
from companion.words import NOTHING, Message, Text, message
from dicereader import read as read_pixels
from dicereader.data.camera_modules import CameraView
from dicereader.errors import CalibrationError, DiceReaderError
from dicereader.reading import ReadDie, match_places
from dicereader.tray.calibration import Calibration

if TYPE_CHECKING:
    from dicereader.data.frame import Pixels
    from dicereader.tray.camera_place import TrayProblem


Corners = list[list[float]]
"""Four points in pixels, clockwise from the top left."""


@dataclass(frozen=True)
class Tag:
    """A tag in a picture: its number, and its corners in pixels, clockwise from the printed top left."""

    number: int
    corners: Corners


@dataclass(frozen=True)
class SeenDie:
    """A die as it was read: its face, its box in pixels (left, top, width, height), and whether it is sure."""

    face: int
    box: tuple[int, int, int, int]
    sure: bool


@dataclass(frozen=True)
class Progress:
    """The newest picture, and the state of a calibration.

    `width` and `height` are in pixels, and `age_s` is the picture's age in seconds, 0 for one that is new. `problems`
    are sentences about the picture, empty if it is fit for calibrating; `kinds` are their kinds, such as `too dark`.
    `empty` says whether the empty tray was taken, `warnings` what is wrong with its light and focus, and `marks` are
    the places of reflections in it (left, top, width, height). `throws` says how many throws were taken, and
    `calibrated` whether a calibration is stored. `said` is the result of the last step, in words, and `dice` are those
    of the throw that was read last, until the next step.
    """

    width: int
    height: int
    tags: tuple[Tag, ...]
    problems: tuple[Text, ...]
    kinds: tuple[str, ...]
    empty: bool = False
    throws: int = 0
    calibrated: bool = False
    said: Text = NOTHING
    age_s: int = 0
    warnings: tuple[Text, ...] = ()
    marks: tuple[tuple[int, int, int, int], ...] = ()
    dice: tuple[SeenDie, ...] = ()


def inspected(jpeg: bytes, view: CameraView | None, check_line_mm: float | None) -> Progress:
    """Return the tags and problems of a picture.

    Args:
        jpeg: the picture.
        view: what the camera shows, None if that is unknown.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.

    Raises:
        RefusedError: if the picture cannot be decoded.
    """
    from dicereader.tray.fitness import problems_of
    from dicereader.tray.tags import find_tags

    try:
        pixels = _decoded(jpeg)
    except DiceReaderError as error:
        raise RefusedError(str(error)) from error
    problems = problems_of(pixels, view=view, check_line_mm=check_line_mm)
    tags = tuple(Tag(number, corners.round(1).tolist()) for number, corners in sorted(find_tags(pixels).items()))
    kinds = tuple(problem.kind for problem in problems)
    return Progress(pixels.shape[1], pixels.shape[0], tags, tuple(map(problem_in_words, problems)), kinds)


def _decoded(picture: bytes, what: str = "the tray") -> "Pixels":
    from dicereader.data.pictures import decode  # loads OpenCV, as all that is imported in a function here

    return decode(picture, what)


@dataclass(frozen=True)
class Checked:
    """What is wrong with the picture of the empty tray, in words, and where a lamp is mirrored."""

    problems: tuple[Message, ...] = ()
    marks: tuple[tuple[int, int, int, int], ...] = ()


@dataclass(frozen=True)
class ShownThrow:
    """A picture of a throw as JPEG, and the dice that are seen in it."""

    jpeg: bytes
    dice: tuple[ReadDie, ...]


def seen(jpeg: bytes, empty: bytes) -> ShownThrow:
    """Return a throw with its dice, read without a calibration; `empty` is a picture of the empty tray as JPEG."""
    return ShownThrow(jpeg, read_pixels(_decoded(jpeg), empty=_decoded(empty, "the empty tray")).dice)


def lie_alike(now: ShownThrow, before: ShownThrow) -> bool:
    """Return whether two pictures show one throw: all dice of the one with fewer lie where the other's do."""
    alike = [place for place in match_places(now.dice, before.dice) if place is not None]
    return len(alike) == min(len(now.dice), len(before.dice))


def checked(jpegs: tuple[bytes, ...], view: CameraView | None, *, by_corners: bool) -> Checked:
    """Return what is wrong with pictures of the empty tray, taken one after another, and where a lamp is mirrored.

    Args:
        jpegs: the pictures.
        view: what the camera shows, None if that is unknown.
        by_corners: whether the tray's corners are given, so that tags may be missing.

    Raises:
        RefusedError: if the tray is not empty, or a tag is hidden.
    """
    from companion.calibration.samples import ShownTray, check_empty, tray_of
    from dicereader.tray.camera_checks import DICE_LEFT
    from dicereader.tray.tags import find_tags, missing_tags

    shown = ShownTray(tuple(_decoded(jpeg) for jpeg in jpegs), (), view)
    if missing_tags(find_tags(shown.frames[0])) and not by_corners:
        raise RefusedError(message("calibrate.tags_hidden"))
    wrong = [each for each in check_empty(shown, tray_of(shown, None)) if each.good is False]
    said = [message(f"measure.{each.name}", value=round(each.value or 0), limit=round(each.limit)) for each in wrong]
    if wrong and wrong[0].name == DICE_LEFT:
        raise RefusedError(said[0])
    return Checked(
        tuple(said),
        tuple((each.place.x, each.place.y, each.place.w, each.place.h) for each in wrong if each.place is not None),
    )


def read(jpeg: bytes, calibration: Calibration, empty: bytes) -> tuple[bool, tuple[SeenDie, ...]]:
    """Return whether the reading of a throw is sure, and its dice.

    Args:
        jpeg: the picture of the throw.
        calibration: the table's calibration.
        empty: a picture of the empty tray as PNG; it may be missing.
    """
    pixels, floor = _decoded(jpeg), _decoded(empty, "the empty tray") if empty else None
    reading = read_pixels(pixels, calibration=calibration, empty=floor)
    dice = [SeenDie(die.face, (die.box.x, die.box.y, die.box.w, die.box.h), not die.doubts) for die in reading.dice]
    return reading.sure, tuple(dice)


def problem_in_words(problem: "TrayProblem") -> Message:
    """Return a problem of a picture in words."""
    match problem.kind:
        case "camera too low" | "camera aslant" | "dice hidden":
            cm, percent = problem.raise_cm, problem.raise_percent
            rise = message("rise.cm", cm=cm) if cm else message("rise.percent", percent=percent)
            return message(f"tray_problem.{problem.kind}", rise=rise)
        case "camera off centre":
            return message(
                "tray_problem.camera off centre", ways=[message(f"move.{way}", cm=cm) for way, cm in problem.move_cm]
            )
        case "tag hidden":
            tags = [message("calibrate.tag", number=tag, corner=message(f"corner.{tag}")) for tag in problem.hidden]
            if problem.least_cm:
                return message("tray_problem.tag hidden, known lens", tags=tags, least=problem.least_cm)
            return message("tray_problem.tag hidden", tags=tags)
        case kind:
            return message(f"tray_problem.{kind}")


@dataclass(frozen=True)
class CalibrationOutcome:
    """A learnt calibration, and how many of the throws it reads without doubt.

    Its dice are None if they could not be learnt; `why` then says why, empty if no throw was read surely with them.
    """

    calibration: Calibration
    sure: int
    throws: int
    why: str = ""


def learn_tray(
    empty: "Pixels",
    throws: Sequence["Pixels"],
    corners: Corners | None,
    inside_mm: float,
    die_mm: float,
    camera: str,
    known_fov_deg: float | None = None,
) -> CalibrationOutcome:
    """Learn a calibration from the empty tray and the throws, without the dice if only the tray can be learnt.

    Args:
        empty: the empty tray.
        throws: at least one throw on it.
        corners: the tray's inner corners in pixels, clockwise from the top left; None locates the tray by its tags.
        inside_mm: the width of the tray inside, used with `corners`.
        die_mm: the length of a die's edge.
        camera: the camera's name, as written after `--camera`.
        known_fov_deg: the published field of view of the camera in degrees across the picture, None if unknown.

    Raises:
        CalibrationError: if the tray cannot be learnt, or the pictures differ in size.
    """
    import numpy as np

    from dicereader.learn import camera_over, learn
    from dicereader.tray.pose import LensPrior, posed_by_corners, posed_by_tags
    from dicereader.tray.tags import common_tags

    if corners is None:
        posed = posed_by_tags(empty.shape, common_tags([empty, *throws]))
    else:
        posed = posed_by_corners(empty.shape, np.array(corners, np.float64), inside_mm)
    why = ""
    try:
        known = learn(empty, throws, posed, die_mm, known_fov_deg)
    except CalibrationError as error:
        if any(throw.shape != empty.shape for throw in throws):
            raise
        known, why = camera_over(posed, LensPrior(posed, known_fov_deg), die_mm), str(error)

    def sure(of: Calibration) -> int:
        readings = [read_pixels(throw, calibration=of, empty=empty) for throw in throws]
        return sum(reading.sure and bool(reading.dice) for reading in readings)

    count = sure(known)
    if known.dice is not None and not count:
        known = replace(known, dice=None)
        count = sure(known)
    return CalibrationOutcome(replace(known, camera=camera), count, len(throws), why)


def learnt(jpegs: Sequence[bytes], learn: Callable[..., CalibrationOutcome], file: Path) -> CalibrationOutcome:
    """Learn a calibration, and store it.

    Args:
        jpegs: pictures of the empty tray, and of throws on it.
        learn: `learn_tray` with all but its pictures.
        file: where the calibration is stored.

    Raises:
        DataFolderError: if the calibration cannot be stored.
    """
    from dicereader.tray.calibration import save_with_empty

    empty, *throws = (_decoded(jpeg) for jpeg in jpegs)
    outcome = learn(empty, throws)
    try:
        save_with_empty(outcome.calibration, empty, file)
    except CalibrationError as error:
        raise DataFolderError(str(error)) from error
    return outcome
