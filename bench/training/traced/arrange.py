"""Arrange dice before and after they are thrown: where they are dropped, what stands around, which lie oddly."""

import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from traced.dice import DieLook
from traced.poses import LEANS_DEG, Block, DiePose, about, astride, cluster, free, leaning, level, row
from traced.scene import TracedScene, TrayForm

Floats = NDArray[np.float64]
InPicture = Callable[[Floats], bool]

UP = np.array([0.0, 0.0, 1.0])

BELOW_CM = 1.0
"""A tray's walls go down to its own bottom, this far below its floor."""

TRIES = 40
"""Places tried for a die that lies oddly. If none is free and in the picture, it lies as it was thrown."""

MOST_RAISED = 0.66
"""The highest edge that a die lies astride, in its own edges."""


def walls_of(tray: TrayForm) -> list[Block]:
    """Return what dice bump into at a tray's walls. Each has its own x along the wall and its own y outwards."""
    found = []
    for n in range(tray.sides):
        angle = 2 * math.pi * n / tray.sides + math.radians(tray.turn_deg)
        if tray.sides == 4:
            out, wide = (tray.half[0], tray.half[1]) if n % 2 == 0 else (tray.half[1], tray.half[0])
        else:
            out = (tray.half[0] + tray.half[1]) / 2
            wide = out * math.tan(math.pi / tray.sides)
        away = out + tray.thick_cm / 2
        middle = (
            tray.middle[0] + away * math.cos(angle),
            tray.middle[1] + away * math.sin(angle),
            (tray.wall_cm - BELOW_CM) / 2,
        )
        size = 2 * wide + 2 * tray.thick_cm, tray.thick_cm, tray.wall_cm + BELOW_CM
        found.append(Block(middle, size, math.degrees(angle) - 90))
    return found


def corners_of(tray: TrayForm, out: float) -> Floats:
    """Return the corners (n, 2) of a tray's walls on the table: the inner ones, moved outwards by `out`."""
    turn = math.radians(tray.turn_deg)
    if tray.sides == 4:
        x, y = tray.half[0] + out, tray.half[1] + out
        own = np.array([(x, -y), (x, y), (-x, y), (-x, -y)])
    else:
        angle = 2 * math.pi * (np.arange(tray.sides) - 0.5) / tray.sides
        own = (sum(tray.half) / 2 + out) / math.cos(math.pi / tray.sides) * np.stack([np.cos(angle), np.sin(angle)], 1)
    turned = np.array([(math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))])
    return np.asarray(own @ turned.T + tray.middle)


def rail_of(tray: TrayForm) -> Block | None:
    """Return a tray's rail, which parts a shelf for kept dice from the rest, if it has one."""
    if not tray.rail_cm:
        return None
    angle = math.radians(tray.turn_deg)
    off = tray.rail_at * tray.half[0]
    middle = tray.middle[0] + off * math.cos(angle), tray.middle[1] + off * math.sin(angle), tray.rail_cm / 2
    return Block(middle, (2 * min(tray.half), 0.35, tray.rail_cm), tray.turn_deg + 90)


def local(box: Block, spot: Floats) -> Floats:
    """Return a place in a block's own axes, from its middle."""
    return about(UP, -math.radians(box.turn_deg)) @ (spot - np.array(box.middle))


def beyond(box: Block, spot: Floats) -> float:
    """Return how far a place is from a block's surface; 0 inside."""
    return float(np.linalg.norm(np.maximum(np.abs(local(box, spot)) - np.array(box.size) / 2, 0)))


def dropped(chance: Random, scene: TracedScene, looks: list[DieLook], boxes: list[Block]) -> list[DiePose]:
    """Return where the dice are before they fall: scattered above the table, in a heap, in rows or pushed together."""
    across, deep = scene.camera.reach_cm
    middle, half = scene.camera.target, (0.7 * across, 0.7 * deep)
    turn = math.radians(scene.camera.azimuth_deg + 90)
    if scene.tray is not None:
        least = min(scene.tray.half) - looks[0].edge_cm
        half = min(half[0], 0.9 * least), min(half[1], 0.9 * least)
        if math.dist(middle, scene.tray.middle) > 0.5 * least:
            middle = scene.tray.middle
    at = middle[0] + chance.gauss(0, 0.15 * half[0]), middle[1] + chance.gauss(0, 0.15 * half[1])
    if scene.gathering == "row":
        laid = row(chance, looks, at, 1.6 * half[0])
    elif scene.gathering == "cluster":
        laid = cluster(chance, looks, at)
    else:
        laid = [_tumbling(chance, look) for look in looks]
        most = max(look.edge_cm for look in looks)
        heap = scene.gathering == "heap"
        spread = (0.5 * most * math.sqrt(len(looks)),) * 2 if heap else half
        middle = at if heap else middle
        for n, pose in enumerate(laid):
            x, y = (chance.uniform(-each, each) for each in spread)
            place = np.array([middle[0], middle[1], 0.0]) + about(UP, turn) @ np.array([x, y, 0.0])
            above = np.array([0.0, 0.0, most * (1.0 + (1.3 * n if heap else 1.8 * (n % 3)))])
            laid[n] = replace(pose, spot=pose.spot + place + above)
    raised = []
    for pose in laid:
        below = np.array([*pose.spot[:2], 0.0])
        under = [box.top_cm for box in boxes if beyond(_flattened(box), below) < 0.6 * pose.edge]
        raised.append(replace(pose, spot=pose.spot + (max(under, default=0.0) + 0.01) * UP))
    return raised


def _tumbling(chance: Random, look: DieLook) -> DiePose:
    """Return a die that is turned anyhow, with its middle half an edge above the table's."""
    axis = np.array([chance.gauss(0, 1) for _ in range(3)])
    turn = about(axis / np.linalg.norm(axis), chance.uniform(0, 2 * math.pi))
    return DiePose(look.edge_cm / 2 * UP, turn, look.edge_cm)


def _flattened(box: Block) -> Block:
    """Return the block as flat on the table's plane, to measure distances seen from above."""
    return Block((box.middle[0], box.middle[1], 0.0), (box.size[0], box.size[1], 0.02), box.turn_deg)


def oddly(
    chance: Random,
    scene: TracedScene,
    looks: list[DieLook],
    poses: list[DiePose],
    things: list[Block],
    inside: InPicture,
) -> list[DiePose]:
    """Return the poses with one or two dice set against walls, rails, things and other dice, or on top of one."""
    poses = list(poses)
    walls = walls_of(scene.tray) if scene.tray else []
    rail = rail_of(scene.tray) if scene.tray else None
    fixed = [*things, *walls, *([rail] if rail else [])]
    taken: set[int] = set()
    for kind in scene.odd:
        ready = [n for n in range(len(poses)) if n not in taken]
        if not ready:
            break
        n = chance.choice(ready)
        others = [pose for m, pose in enumerate(poses) if m != n]
        edge = looks[n].edge_cm
        low = [box for box in [*things, *([rail] if rail else [])] if 0.08 * edge < box.top_cm < MOST_RAISED * edge]
        high = walls + [box for box in things if box.top_cm > 0.5 * edge]
        for _ in range(TRIES):
            pose, on = _odd_pose(chance, kind, looks[n], others, low, high)
            if pose is None:
                break
            clear = all(beyond(box, pose.spot) > 0.52 * edge for box in fixed if box is not on)
            if clear and inside(pose.spot) and free(pose.spot, edge, others, on if isinstance(on, DiePose) else None):
                poses[n] = pose
                taken.add(n)
                taken |= {m for m, other in enumerate(poses) if other is on}
                break
    return poses


def _odd_pose(
    chance: Random, kind: str, look: DieLook, others: list[DiePose], low: list[Block], high: list[Block]
) -> tuple[DiePose | None, DiePose | Block | None]:
    """Return a die's odd pose and what it touches, or nothing if there is nothing to touch."""
    face, lean = chance.randint(1, 6), math.radians(chance.uniform(*LEANS_DEG))
    flat = [pose for pose in others if pose.lean_deg < 1 and pose.lowest_cm < 0.1]
    if kind == "rail" and low:
        box = chance.choice(low)
        side, angle = chance.choice((-1.0, 1.0)), math.radians(box.turn_deg)
        pose = level(look, face, (0, 0), angle + chance.randrange(4) * math.pi / 2)
        share = chance.uniform(max(0.35, box.top_cm / look.edge_cm / MOST_RAISED * 0.9), 0.95)
        along = chance.uniform(-0.45, 0.45) * box.size[0]
        return astride(pose, box, share, side, along), box
    if kind == "wall" and high:
        box = chance.choice(high)
        angle = math.radians(box.turn_deg)
        ahead, out = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
        at = np.array(box.middle[:2]) + ahead * chance.uniform(-0.45, 0.45) * box.size[0] - out * box.size[1] / 2
        yaw = angle + chance.randrange(4) * math.pi / 2 + chance.gauss(0, 0.25)
        return leaning(level(look, face, (0, 0), yaw), lean, out, at), box
    if not flat:
        return None, None
    near = chance.choice(flat)
    if kind == "stack":
        off = np.array([chance.gauss(0, 0.17), chance.gauss(0, 0.17)]).clip(-0.42, 0.42) * near.edge
        place = float(near.spot[0] + off[0]), float(near.spot[1] + off[1])
        return level(look, face, place, chance.uniform(0, 2 * math.pi), near.spot[2] + near.edge / 2), near
    base = math.atan2(near.turn[1, 0], near.turn[0, 0]) + chance.randrange(4) * math.pi / 2
    out = np.array([math.cos(base), math.sin(base)])
    at = near.spot[:2] + out * near.edge / 2 + np.array([-out[1], out[0]]) * chance.uniform(-0.5, 0.5) * near.edge
    yaw = base + chance.randrange(4) * math.pi / 2 + chance.gauss(0, 0.2)
    return leaning(level(look, face, (0, 0), yaw), lean, -out, at), near
