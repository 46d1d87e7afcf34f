"""Say how sure each die is, name the doubts, and turn the choice into a reading."""

import numpy as np
from numpy.typing import NDArray

from dicereader.reading import Box, Doubt, ReadDie, Told, Zone, from_the_top, is_sure
from dicereader.stages.choose import Chosen
from dicereader.stages.confidence import confidences, least_sure
from dicereader.stages.detector import CORNERS
from dicereader.stages.doubts import certain, reasons
from dicereader.stages.poses import Poses
from dicereader.stages.rectify import BURNT, MOST_GAIN, View
from dicereader.tray.calibration import Calibration

Floats = NDArray[np.float64]


def readings(
    view: View,
    chosen: Chosen,
    calibration: Calibration | None,
    expect: int | None,
    missed: int,
) -> Told:
    """The dice from the top left to the bottom right, whether all is sure, and the doubts of the whole picture.

    `missed` is how many places and things were not read that may be dice.
    """
    whole: list[Doubt] = []
    if missed or expect not in (None, len(chosen.poses)):
        whole.append(Doubt.COUNT)
    if chosen.usual is None:
        # Nobody can tell that nothing lies there.
        if view.gain >= MOST_GAIN:
            whole.append(Doubt.DARK)
        if view.levels[-1].min() > BURNT:
            whole.append(Doubt.GLARE)
        return (), not whole, tuple(dict.fromkeys(whole))
    corners = view.in_picture(outline(chosen.poses, chosen.half))
    confidence = confidences(chosen)
    doubts = certain(view, chosen)
    for n in least_sure(confidence):
        doubts[n] = tuple(dict.fromkeys([*doubts[n], *reasons(view, chosen, int(n))]))
    dice = from_the_top(
        _die(view, chosen, n, corners[n], float(confidence[n]), doubts[n], calibration)
        for n in range(len(chosen.poses))
    )
    return dice, is_sure(dice, whole), tuple(dict.fromkeys(whole))


def doubtful(chosen: Chosen) -> Floats:
    """The corners (n, 4, 2), in pixels of level 0, of the dice whose faces are in doubt."""
    return outline(chosen.poses, chosen.half)[least_sure(confidences(chosen))]


def outline(poses: Poses, half: Floats) -> Floats:
    """The corners of each face in pixels of level 0, shape (n, 4, 2)."""
    corners = np.array(CORNERS, float) * half[:, None, None]
    along = poses.u / np.maximum(np.hypot(*poses.u.T), 1e-9)[:, None]
    across = poses.v / np.maximum(np.hypot(*poses.v.T), 1e-9)[:, None]
    found: Floats = poses.centre[:, None] + corners[..., :1] * along[:, None] + corners[..., 1:] * across[:, None]
    return found


def _die(
    view: View,
    chosen: Chosen,
    n: int,
    corners: Floats,
    confidence: float,
    doubts: tuple[Doubt, ...],
    calibration: Calibration | None,
) -> ReadDie:
    x0, y0 = np.floor(corners.min(0)).astype(int)
    x1, y1 = np.ceil(corners.max(0)).astype(int)
    place: tuple[float, float] | None = None
    zone: Zone | None = None
    if calibration is not None:
        seen = view.in_picture(chosen.poses.centre[n])
        place = calibration.place(float(seen[0]), float(seen[1]), calibration.tray.die_mm)
        zone = calibration.zone(*place)
    return ReadDie(
        face=int(chosen.poses.face[n]),
        box=Box(int(x0), int(y0), int(x1 - x0), int(y1 - y0)),
        confidence=min(max(confidence, 0.0), 1.0),
        zone=zone,
        doubts=doubts,
        outline=tuple((float(x), float(y)) for x, y in corners),
        place=place,
    )
