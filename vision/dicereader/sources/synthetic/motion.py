"""Interpolate the poses of a World's dice and hand at a time, linearly between keys."""

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.sources.synthetic.world import DiePath, HandPath, Pose, Quaternion

STILL_MM, STILL_TURN = 0.02, 1e-4
"""Movement in millimetres, and turn, during an exposure below which a die is drawn once and kept."""


def pose_at(path: DiePath, t_s: float) -> Pose:
    """Return a die's pose `t_s` seconds after the World's start."""
    keys = path.keys
    if t_s <= keys[0].t_s:
        return keys[0].pose
    if t_s >= keys[-1].t_s:
        return keys[-1].pose
    later = int(np.searchsorted([key.t_s for key in keys], t_s, side="right"))
    before, after = keys[later - 1], keys[later]
    share = (t_s - before.t_s) / max(1e-9, after.t_s - before.t_s)
    a, b = before.pose, after.pose
    return Pose(
        a.x_mm + (b.x_mm - a.x_mm) * share,
        a.y_mm + (b.y_mm - a.y_mm) * share,
        a.z_mm + (b.z_mm - a.z_mm) * share,
        _between(a.q, b.q, share),
    )


def hand_at(path: HandPath, t_s: float) -> tuple[float, float, float] | None:
    """Return the palm's x, y and height in millimetres; None while there is no hand."""
    keys = path.keys
    if not keys[0].t_s <= t_s <= keys[-1].t_s:
        return None
    times = [key.t_s for key in keys]
    x, y, z = (np.interp(t_s, times, [getattr(k, n) for k in keys]) for n in ("x_mm", "y_mm", "height_mm"))
    return float(x), float(y), float(z)


def same(a: Pose, b: Pose) -> bool:
    """Return whether a die that goes from one pose to the other looks still."""
    moved = max(abs(a.x_mm - b.x_mm), abs(a.y_mm - b.y_mm), abs(a.z_mm - b.z_mm))
    alike = abs(sum(p * q for p, q in zip(a.q, b.q, strict=True)))
    return moved < STILL_MM and alike > 1 - STILL_TURN


def matrix(q: Quaternion) -> Floats:
    """Return a rotation as the 3x3 matrix from the die's axes to the tray's."""
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def corners(pose: Pose, edge_mm: float) -> Floats:
    """Return the eight corners of a die, in tray millimetres, shape (8, 3)."""
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * (edge_mm / 2)
    return np.asarray(signs @ matrix(pose.q).T + np.array([pose.x_mm, pose.y_mm, pose.z_mm]), np.float64)


def _between(a: Quaternion, b: Quaternion, share: float) -> Quaternion:
    """Return the rotation between two, by spherical interpolation (Shoemake 1985)."""
    p, q = np.array(a), np.array(b)
    dot = float(p @ q)
    if dot < 0:
        q, dot = -q, -dot
    if dot > 0.9995:
        mixed = p + (q - p) * share
    else:
        angle = np.arccos(min(1.0, dot))
        mixed = (np.sin((1 - share) * angle) * p + np.sin(share * angle) * q) / np.sin(angle)
    w, x, y, z = mixed / np.linalg.norm(mixed)
    return float(w), float(x), float(y), float(z)
