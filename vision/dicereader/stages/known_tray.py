"""Read the dice of a known tray: known camera, known dice, and a picture of the tray when it is empty."""

from collections.abc import Callable

from dicereader.frame import Pixels
from dicereader.stages.bodies import find_bodies
from dicereader.stages.level import Level, choose_level, nothing
from dicereader.stages.plane import Plane, blank_corners, find_plane, sharp, window_of
from dicereader.tray.calibration import Calibration
from dicereader.tray.dice_set import DiceSet

WINDOW_MARGIN_PX = 6

_last: list[tuple[Pixels, Calibration, Pixels]] = []
"""The last empty tray, its calibration, and its plane: every reading of one table needs the same."""


def look_known(
    pixels: Pixels, calibration: Calibration, dice: DiceSet, empty: Pixels, lap: Callable[[str], None]
) -> tuple[Plane, Level]:
    """The plane of the dice's tops and the faces chosen in it; `empty` is the same tray without dice.

    `lap` is told each step's name when it is done.
    """
    plane = find_plane(pixels, calibration)
    bare = _bare(empty, calibration)
    lap("plane")
    bodies = find_bodies(plane.levels[1], bare, dice, plane.floor)
    blank_corners(plane, bodies.mask)
    lap("bodies")
    window = window_of(bodies.mask, WINDOW_MARGIN_PX)
    if window[2] == 0:
        return plane, nothing(bodies)
    plane = sharp(pixels, plane, window)
    lap("sharp")
    return plane, choose_level(plane, bodies, dice, window, lap)


def _bare(empty: Pixels, calibration: Calibration) -> Pixels:
    for pixels, known, bare in _last:
        if pixels is empty and known is calibration:
            return bare
    bare = find_plane(empty, calibration).levels[1]
    _last[:] = [(empty, calibration, bare)]
    return bare
