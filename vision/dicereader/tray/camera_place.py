"""Say from a calibration alone, before any die is seen, whether the camera is where it sees every die."""

import math
from collections.abc import Sequence
from dataclasses import replace

from dicereader.errors import CalibrationError
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray
from dicereader.tray.lens import LensPrior
from dicereader.tray.pose import posed_by_tags
from dicereader.tray.problem import TrayProblem, raised
from dicereader.tray.tags import Tags

STEEPEST_DEG, STEEPEST_WALLED_DEG = 48.0, 35.0
"""Angles in degrees from above the middle of a sheet, and of a tray with walls, up to which dice are read as well as
docs/vision.md says."""

REFUSED_DEG = 50.0
"""Angle from which a tray is not calibrated."""

HIDDEN = 0.25
"""Part of a die's top that a wall may hide."""

TENTHS = 30
"""The most tenths of its height by which a camera is told to be raised."""


def place_problem(known: Calibration, check_line_mm: float | None = None) -> TrayProblem | None:
    """Return what is wrong with the camera's place, None if nothing is: it looks too far aslant, or walls hide dice.

    Args:
        known: the camera over the tray, as the tags alone tell it, or a finished calibration.
        check_line_mm: the measured length of the printed line of 100 mm, None if it was not measured.
    """
    if _sees_all(known, _steepest_deg(known.tray)):
        return None
    more = next((n for n in range(1, TENTHS) if _sees_all(_higher(known, n), _steepest_deg(known.tray))), TENTHS)
    rise_mm = known.position_mm[2] * more / 10
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


def _steepest_deg(tray: Tray) -> float:
    return STEEPEST_DEG if tray.paper else STEEPEST_WALLED_DEG


def _sees_all(known: Calibration, steepest_deg: float) -> bool:
    return _aslant_deg(known) <= steepest_deg and not _walls_hide(known)


def _higher(known: Calibration, tenths: int) -> Calibration:
    """Return a camera at the same place, higher by so many tenths of its height."""
    x, y, z = known.position_mm
    return replace(known, position_mm=(x, y, z * (1 + tenths / 10)))


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
    beyond = {"left": -x - tray.half_mm, "right": x - tray.half_mm, "far": y - tray.half_depth_mm}
    near = -y - tray.half_depth_mm
    hidden = {side: out * above / (z - tray.wall_height_mm) for side, out in (beyond | {"near": near}).items()}
    _, pocket = tray.pocket_centre_mm(0)
    room = {"near": pocket + tray.half_depth_mm - edge / 2}
    return any(part - room.get(side, 0.0) > HIDDEN * edge for side, part in hidden.items())
