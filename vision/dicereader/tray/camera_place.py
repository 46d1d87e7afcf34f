"""Say whether the camera hangs where its picture shows the whole tray with its tags, and the tops of all dice.

A pinhole camera sees a width of 2 h tan(field / 2) at the distance h. All lengths are millimetres.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.errors import CalibrationError
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration, focal_px
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import LensPrior, posed_by_tags
from dicereader.tray.printed_sheets import RULER_MM
from dicereader.tray.tags import Tags, tray_of, with_hidden

Kind = Literal[
    "too dark",
    "too bright",
    "glare",
    "out of focus",
    "camera too low",
    "camera off centre",
    "tag hidden",
    "camera aslant",
    "dice hidden",
]
Way = Literal["left", "right", "up", "down"]

MARGIN_MM = 5.0
"""Least distance between a tag's plate and the picture's edge: a hand-made mount is not exactly in the middle."""

_CORNERS = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
"""The printed corners of a tag, and the corners of the tray by the numbers of their tags: x to the right, y up."""

STEEPEST_DEG, STEEPEST_WALLED_DEG = 48.0, 35.0
"""Angles in degrees from above the middle of a sheet, and of a tray with walls, up to which dice are read as well as
docs/vision.md says."""

REFUSED_DEG = 50.0
"""Angle from which a tray is not calibrated."""

HIDDEN = 0.25
"""Part of a die's top that a wall may hide."""

TENTHS = 30
"""The most tenths of its height by which a camera is told to be raised."""


@dataclass(frozen=True)
class TrayProblem:
    """What is wrong with a picture.

    Args:
        kind: the kind, with which a sentence about it begins.
        raise_percent: by how much of its height to raise the camera.
        raise_cm: the same in centimetres, 0 if the size of the print was not measured.
        move_cm: how far to move a camera that is off centre, each way as the picture shows the tray.
        hidden: the numbers of the tags that are not seen.
        least_cm: the least height of the lens above the tray's floor, if tags are hidden; 0 if it is unknown.
    """

    kind: Kind
    raise_percent: int = 0
    raise_cm: int = 0
    move_cm: tuple[tuple[Way, int], ...] = ()
    hidden: tuple[int, ...] = ()
    least_cm: int = 0


def raised(kind: Kind, percent: int, rise_mm: float, check_line_mm: float | None) -> TrayProblem:
    """Return the problem of a camera that must be higher.

    The pictures tell only how much higher as a part of its height, unless the print was measured.

    Args:
        kind: the kind of problem.
        percent: by how much of its height to raise the camera.
        rise_mm: the same in millimetres of the print.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.
    """
    cm = 0 if check_line_mm is None else math.ceil(rise_mm * check_line_mm / RULER_MM / 10)
    return TrayProblem(kind, raise_percent=percent, raise_cm=cm)


def needed_height_mm(upright_deg: float, tray: Tray | None = None) -> float:
    """Return the least height of the lens over the tray's floor.

    Args:
        upright_deg: the upright field of view of the picture in degrees; pictures are wider than high.
        tray: the tray's measures.
    """
    tray = tray or Tray()
    half_mm = max(tray.tag_centre_mm(1)) + tray.plate_mm / 2 + MARGIN_MM  # of the tags' plates and a margin
    return half_mm / math.tan(math.radians(upright_deg) / 2) + tray.tags_z_mm


def framing_problem(
    tags: Tags, size: tuple[int, int], check_line_mm: float | None = None, fov_deg: float = DEFAULT_FOV_DEG
) -> TrayProblem | None:
    """Return what is wrong with the camera's place, None if the tags and their white borders are in the picture.

    Hidden tags are assumed where a square tray has them. Without any tag the result is None.

    Args:
        tags: the tags in the picture.
        size: the picture's width and height in pixels.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.
        fov_deg: the field of view in degrees across the picture.
    """
    if not tags:
        return None
    outline, side_px, tray = _outline(tags)
    low, high = outline.min(0), outline.max(0)
    ends = np.array(size, np.float64) - 1
    if (low >= 0).all() and (high <= ends).all():
        return None
    mm_px = tray.tag_mm / side_px
    ratio = float(((high - low + 2 * MARGIN_MM / mm_px) / ends).max())
    if ratio > 1:
        more = math.ceil(100 * (ratio - 1))
        rise_mm = focal_px(size[0], fov_deg) * mm_px * more / 100
        return raised("camera too low", more, rise_mm, check_line_mm)
    over = np.where(low < 0, low, np.maximum(high - ends, 0)) * mm_px  # right and down of the picture
    axes: tuple[tuple[Way, Way], ...] = (("left", "right"), ("up", "down"))
    ways = tuple(
        (each[int(over[axis] > 0)], math.ceil((abs(over[axis]) + MARGIN_MM) / 10))
        for axis, each in enumerate(axes)
        if over[axis]
    )
    return TrayProblem("camera off centre", move_cm=ways)


def _outline(tags: Tags) -> tuple[Floats, float, Tray]:
    """Return the corners of all four tags' plates in pixels (n, 2), the side of a tag in pixels, and the tray."""
    usual = Tray()
    sides = [float(np.hypot(*(corners - np.roll(corners, 1, 0)).T).mean()) for corners in tags.values()]
    seen = with_hidden(tags) if len(tags) > 1 else _from_one(tags, usual)
    tray = tray_of(seen) if len(tags) > 1 else usual
    plate = 1 + 2 * usual.tag_border_mm / usual.tag_mm
    plates = [corners.mean(0) + plate * (corners - corners.mean(0)) for corners in seen.values()]
    return np.concatenate(plates), float(np.mean(sides)), tray


def _from_one(tags: Tags, tray: Tray) -> dict[int, Floats]:
    """Return the four tags of a tray of which one is seen, by that tag's place, turn and scale."""
    ((number, corners),) = tags.items()
    middle = corners.mean(0)
    # The affine picture of the tag's plane: pixels of a millimetre to the right and of one up.
    axes = np.linalg.lstsq(_CORNERS * tray.tag_mm / 2, corners - middle, rcond=None)[0]
    here = np.array(tray.tag_centre_mm(number))
    return {n: corners + (np.array(tray.tag_centre_mm(n)) - here) @ axes for n in range(4)}


def place_problem(known: Calibration, check_line_mm: float | None = None) -> TrayProblem | None:
    """Return what is wrong with the camera's place, None if nothing is: it looks too far aslant, or walls hide dice.

    Args:
        known: the camera over the tray, as the tags alone tell it, or a finished calibration.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.
    """
    if _sees_all(known):
        return None
    x, y, z = known.position_mm
    higher = (replace(known, position_mm=(x, y, z * (1 + tenths / 10))) for tenths in range(1, TENTHS))
    more = next((tenths for tenths, camera in enumerate(higher, 1) if _sees_all(camera)), TENTHS)
    rise_mm = z * more / 10
    return raised("dice hidden" if _walls_hide(known) else "camera aslant", 10 * more, rise_mm, check_line_mm)


def seen_by_tags(shape: Sequence[int], tags: Tags, known_fov_deg: float | None = None) -> Calibration | None:
    """Return the likeliest camera over a tray with all four tags in view.

    None if a tag is hidden, or if no camera sees them so.

    Args:
        shape: the picture's height and width.
        tags: the tags in the picture.
        known_fov_deg: the published field of view of the camera in degrees across the picture, None if unknown.
    """
    try:
        posed = posed_by_tags(tuple(shape), tags)
        return posed(LensPrior(posed, known_fov_deg).likeliest, posed.usual.wall_height_mm, posed.usual.die_mm)
    except CalibrationError:
        return None


def check_place(known: Calibration) -> None:
    """Check that the camera looks down so steeply that it sees the tops of all dice.

    Raises:
        CalibrationError: if it looks too flat, or a wall hides the shelf.
    """
    if _walls_hide(known):
        raise CalibrationError(
            "expected a camera that sees every die, got one before which a wall hides some: hang it higher"
        )
    if _aslant_deg(known) > REFUSED_DEG:
        raise CalibrationError(
            f"expected a camera at most {REFUSED_DEG:g} degrees from above the tray, got {_aslant_deg(known):.0f}: "
            "hang it higher"
        )


def _sees_all(known: Calibration) -> bool:
    steepest_deg = STEEPEST_DEG if known.tray.paper else STEEPEST_WALLED_DEG
    return _aslant_deg(known) <= steepest_deg and not _walls_hide(known)


def _aslant_deg(known: Calibration) -> float:
    """Return the angle between the vertical and the line from the tray's middle to the camera in degrees."""
    x, y, z = known.position_mm
    return math.degrees(math.atan2(math.hypot(x, y), z))


def _walls_hide(known: Calibration) -> bool:
    """Return whether a wall hides a large part of the top of a kept die, or of one that lies at the other walls."""
    tray, (x, y, z) = known.tray, known.position_mm
    above, edge = tray.wall_height_mm - tray.die_mm, tray.die_mm
    if tray.paper or above <= 0:
        return False
    # The line of sight over a wall's upper edge meets the height of the tops this far inside.
    left, right, far, near = (
        out * above / (z - tray.wall_height_mm)
        for out in (-x - tray.half_mm, x - tray.half_mm, y - tray.half_depth_mm, -y - tray.half_depth_mm)
    )
    _, pocket = tray.pocket_centre_mm(0)
    before_kept = pocket + tray.half_depth_mm - edge / 2  # between the near wall and the dice on the shelf
    return max(left, right, far, near - before_kept) > HIDDEN * edge
