"""Measure the pips of faces that are known: where each is, to a part of a pixel, and how large."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.poses import LAYOUTS, SITES, Poses
from dicereader.stages.rectify import View
from dicereader.stages.sampling import brightness, sample_spots

Floats = NDArray[np.float64]

ROUNDS = 3
ANGLES = 16
STEPS = np.arange(0.1, 2.2, 0.1)
"""Places along a ray from a pip's middle, in units of the radius it was thought to have."""

RING = (14, 17)
"""The steps between which a pip is over and its face is seen."""

FARTHEST = 0.6
"""A pip found farther than this share of the pitch from its site is another's."""

SMALLEST, LARGEST = 0.4, 2.5
"""What is smaller or larger than a pip's usual radius by more than this is no pip: light has taken it."""

_PHI = np.arange(ANGLES) * (2 * np.pi / ANGLES)
_RAYS = np.stack([np.cos(_PHI), np.sin(_PHI)], 1)


def measured(view: View, poses: Poses) -> Poses:
    """The poses with `centre`, `u`, `v` and `r` moved to where their pips are seen."""
    for _ in range(ROUNDS):
        poses = _once(view, poses)
    return poses


def _once(view: View, poses: Poses) -> Poses:
    centre, u, v, radius = poses.centre.copy(), poses.u.copy(), poses.v.copy(), poses.r.copy()
    for n in range(len(poses)):
        one = poses.take(np.array([n]))
        places = SITES[list(LAYOUTS[int(one.layout[0])][1])]
        spots, reach = _measured_spots(view, one, one.points(places)[0])
        near = np.hypot(*(spots - one.points(places)[0]).T) < FARTHEST * one.pitch[0]
        size = float(np.median(reach))
        if not near.all() or not SMALLEST < size / float(one.r[0]) < LARGEST:
            continue
        radius[n] = size
        if len(places) >= 4:
            rows = np.column_stack((np.ones(len(places)), places))
            centre[n], u[n], v[n] = np.linalg.lstsq(rows, spots, rcond=None)[0]
            continue
        middle = spots.mean(0)
        off, flat = places - places.mean(0), spots - middle
        if len(places) > 1:  # turned and scaled: more cannot be told of pips on one line
            u_of, v_of = off @ np.stack([one.u[0], one.v[0]]), flat
            length = (u_of**2).sum()
            turn = (u_of * v_of).sum() / length
            skew = (u_of[:, 0] * v_of[:, 1] - u_of[:, 1] * v_of[:, 0]).sum() / length
            both = np.array([[turn, skew], [-skew, turn]])
            u[n], v[n] = one.u[0] @ both, one.v[0] @ both
        centre[n] = middle - places.mean(0) @ np.stack([u[n], v[n]])
    return replace(poses, centre=centre, u=u, v=v, r=radius)


def _measured_spots(view: View, pose: Poses, spots: Floats) -> tuple[Floats, Floats]:
    """Each pip's middle (k, 2) and radius (k,): where on each ray half of the contrast is passed."""
    sign, r = float(pose.sign[0]), float(pose.r[0])
    rays = spots[:, None, None] + r * STEPS[:, None, None] * _RAYS
    signed = brightness(sample_spots(view.levels[0], rays, 0), sign).astype(np.float64) * sign
    inside, outside = signed[:, :5].mean((1, 2)), np.median(signed[:, RING[0] : RING[1]], (1, 2))
    beyond = signed > ((inside + outside) / 2)[:, None, None]
    first = np.where(beyond.any(1), beyond.argmax(1), RING[0])
    reach = r * STEPS[first]
    reach = np.minimum(reach, 1.5 * np.median(reach, 1)[:, None])
    return spots + 2 * (reach[..., None] * _RAYS).mean(1), np.median(reach, 1)
