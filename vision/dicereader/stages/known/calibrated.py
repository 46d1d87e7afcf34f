"""Find known dice on a calibrated tray: known camera, known dice, and a picture of the tray without dice."""

from dicereader.data.arrays import Values
from dicereader.data.frame import Pixels
from dicereader.stages.known.bodies import find_bodies, ground_colour
from dicereader.stages.known.level_dice import LevelDice, choose_level, no_dice
from dicereader.stages.known.plane import TopPlane, beside_plain, clear_corners, find_plane, sharpened, window_of
from dicereader.tray.calibration import Calibration, DiceSet

_last: list[tuple[Pixels, Calibration, Pixels, Values | None]] = []
"""The last empty tray, its calibration, its plane and its ground: every reading of one table needs the same."""


def find_known_dice(
    pixels: Pixels, calibration: Calibration, dice: DiceSet, empty: Pixels
) -> tuple[TopPlane, LevelDice]:
    """Return the plane of the dice's tops and the dice chosen in it; `empty` is the same tray without dice."""
    plane = find_plane(pixels, calibration)
    small, ground = _empty_plane(empty, calibration)
    pip_px = dice.pip_mm * plane.scale / 2
    bodies = find_bodies(plane.levels[1], small, dice, plane.floor, ground=ground, pip_px=pip_px)
    if not calibration.tray.paper:
        clear_corners(plane, bodies.mask)
    else:
        printed = beside_plain(plane, calibration.tray)
        bodies = bodies.with_print(plane.levels[1], dice, printed, round(plane.edge / 2))
    window = window_of(bodies.possible, round(plane.edge / 2))
    if window[2] == 0:
        return plane, no_dice(bodies)
    plane = sharpened(pixels, plane, window)
    return plane, choose_level(plane, bodies, dice, window)


def _empty_plane(empty: Pixels, calibration: Calibration) -> tuple[Pixels, Values | None]:
    for pixels, known, small, ground in _last:
        if pixels is empty and known is calibration:
            return small, ground
    small, ground = find_plane(empty, calibration).levels[1], ground_colour(empty, calibration)
    _last[:] = [(empty, calibration, small, ground)]
    return small, ground
