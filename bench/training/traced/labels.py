"""The labels of a traced scene: each die's upper face in pixels, its true slant, and how much of it is seen."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scenes import Lens, seen_face

from traced.dice import DieLook
from traced.die_shape import frame, outline_points, upper
from traced.plan import VERSION
from traced.poses import DiePose
from traced.scene import Camera, TracedScene

Floats = NDArray[np.float64]
Sight = Callable[[int, Floats], list[bool]]
"""Tells which points (n, 3) of a die's surface the camera sees, by the die's number."""

LEANS_DEG = 2.0
"""A die that leans more than this rests on something beside the table, or lies on a thing."""

WITHIN = 0.42
SAMPLES = 9
"""A face's share that is seen is measured at so many points in each direction, up to `WITHIN` edges from its middle."""

RAISED = 0.04
"""The share of an edge by which a die's lowest corner is above the table when it lies on something."""


def placed(camera: Camera) -> tuple[Floats, Floats]:
    """Return where a camera stands (3,), and its axes right, down and ahead on the table as rows (3, 3)."""
    tilt, azimuth, roll = (np.radians(n) for n in (camera.tilt_deg, camera.azimuth_deg, camera.roll_deg))
    back = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    up = np.cross(back, right)
    turned = np.cos(roll) * right + np.sin(roll) * up
    at = np.array([*camera.target, 0.0]) + camera.distance_cm * back
    return at, np.stack([turned, -np.cross(back, turned), -back])


def lens_of(camera: Camera) -> Lens:
    """Return a camera as the lens that gives the pixel of a point. A pixel's middle has whole coordinates."""
    at, turn = placed(camera)
    return Lens(turn, at, camera.focal_px, (camera.width / 2 - 0.5, camera.height / 2 - 0.5), 1.0)


def labels(
    scene: TracedScene, looks: list[DieLook], poses: list[DiePose], sight: Sight, grey: NDArray[np.uint8]
) -> list[Any]:
    """Return the label of each die that is in the picture.

    Args:
        scene: the scene.
        looks: each die's look.
        poses: where each die lies.
        sight: tells which points of a die are seen.
        grey: the finished picture's brightness, (height, width).
    """
    lens = lens_of(scene.camera)
    width, height = scene.camera.width, scene.camera.height
    found = []
    for n, (look, pose) in enumerate(zip(looks, poses, strict=True)):
        body = pose.spot + pose.edge * outline_points(look) @ pose.turn.T
        if ((body - lens.at) @ lens.turn[2] < 0.5).any():
            continue  # beside or behind the camera
        outline = cv2.convexHull(lens.see(body).astype(np.float32))[:, 0]
        low, high = outline.min(0), outline.max(0)
        if high[0] < 0 or high[1] < 0 or low[0] > width - 1 or low[1] > height - 1:
            continue
        face = upper(look, pose.turn)
        axes = frame(look, face)
        normal, along, across = (pose.turn @ each * pose.edge / 2 for each in (axes.normal, axes.along, axes.across))
        seen, corners = seen_face(lens, pose.spot + normal, along, across, face, pose.lean_deg)
        line = np.linspace(-2 * WITHIN, 2 * WITHIN, SAMPLES)
        grid = np.stack([(pose.spot + normal + s * along + t * across) for s in line for t in line])
        here = lens.see(grid)
        inside = ((here > -0.5) & (here < (width - 0.5, height - 0.5))).all(1)
        share = float(np.mean(inside & np.array(sight(n, grid))))
        found.append(
            {
                **{key: _rounded(value) for key, value in asdict(seen).items() if key != "visible"},
                "visible": round(share, 3),
                "corners": _rounded(corners),
                "outline": _rounded(outline),
                "box": _rounded([*low, *(high - low)]),
                "cut": bool((corners < 0).any() or (corners > (width - 1, height - 1)).any()),
                "box_cut": bool((low < 0).any() or (high > (width - 1, height - 1)).any()),
                "rests": _rests(n, poses),
                "on_top": bool(_over(n, poses)),
                "beneath": any(n in _over(other, poses) for other in range(len(poses))),
                "contrast": _contrast(look, face, lens, pose, grey),
                "edge_cm": round(pose.edge, 3),
                "material": look.material,
                "pips": look.pips,
                "mark": look.logo[1] if look.logo and look.logo[0] == face else look.mark,
                "eastern": look.eastern,
                "look": int(scene.dice[n]),
                "spot": _rounded(pose.spot),
                "turn": _rounded(pose.turn, 5),
            }
        )
    return found


def described(scene: TracedScene, dice: list[Any], besides: list[Any]) -> dict[str, Any]:
    """Return all labels of a scene, as they are written."""
    lens = lens_of(scene.camera)
    whole = asdict(scene)
    for key in ("looks", "dice", "things"):
        del whole[key]
    return {
        "version": VERSION,
        **whole,
        "lens": {"turn": _rounded(lens.turn, 6), "at": _rounded(lens.at, 4), "focal_px": round(lens.focal, 3)},
        "dice": dice,
        "no_dice": besides,
    }


def _rests(n: int, poses: list[DiePose]) -> str:
    """Return how a die lies: level on the table, raised but level, leaning, or not yet at rest."""
    pose = poses[n]
    if pose.moves:
        return "moving"
    if pose.lean_deg > LEANS_DEG:
        return "leaning"
    return "raised" if pose.lowest_cm > RAISED * pose.edge else "level"


def _over(n: int, poses: list[DiePose]) -> list[int]:
    """Return the dice that a die lies over."""
    top = poses[n]
    return [
        m
        for m, low in enumerate(poses)
        if m != n
        and top.spot[2] - low.spot[2] > 0.35 * (top.edge + low.edge)
        and np.hypot(*(top.spot - low.spot)[:2]) < 0.5 * (top.edge + low.edge)
    ]


def _contrast(look: DieLook, face: int, lens: Lens, pose: DiePose, grey: NDArray[np.uint8]) -> float:
    """Return the grey levels between a face's pips and its body in the finished picture."""
    axes = frame(look, face)
    r = look.radius(face)

    def levels(places: list[tuple[float, float]]) -> Floats:
        points = pose.spot + pose.edge * np.array(
            [pose.turn @ (0.5 * axes.normal + s * axes.along + t * axes.across) for s, t in places]
        )
        seen = np.rint(lens.see(points)).astype(int)
        inside = ((seen >= 0) & (seen < grey.shape[::-1])).all(1)
        return grey[seen[inside, 1], seen[inside, 0]].astype(float)

    pips = look.places(face)
    beside = [
        (s + 1.7 * r * np.cos(angle), t + 1.7 * r * np.sin(angle))
        for s, t in pips
        for angle in np.arange(8) * np.pi / 4
    ]
    around = [
        at
        for at in beside
        if max(map(abs, at)) < 0.42 and all(np.hypot(at[0] - s, at[1] - t) > 1.4 * r for s, t in pips)
    ]
    inner, outer = levels(pips), levels(around)
    return round(abs(float(np.median(inner) - np.median(outer))), 1) if len(inner) and len(outer) else 0.0


def _rounded(values: Any, digits: int = 3) -> Any:
    if isinstance(values, int):
        return values
    return np.round(np.asarray(values, float), digits).tolist()
