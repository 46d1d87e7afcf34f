"""Draw tables seen aslant, for `rig_bench`: `python bench/aslant_rigs.py FOLDER [--tray paper|walls|alike]`.

Each rig is a folder as those of the shared data: the empty tray, throws, and `truth.jsonl` with the dice, their boxes
and zones. Lens, distance, turn, the size of the print (85 to 115 %), its colour, light and dice follow from the rig's
number; a reader is told none of them. One sheet in three is printed in grey, one in faded ink. The light is uneven, and
changes a little from picture to picture. The camera stands on the players' side. Some thrown dice rest on the shelf or
on its line, and some kept ones were knocked. On a tray with walls no top of a die is hidden. `alike` is such a tray
whose felt has the dice's colour, half as bright. In some throws after those to learn from one die leans.
"""

import argparse
import json
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from dicereader.data.arrays import Values
from dicereader.sources.synthetic.camera import camera_aslant
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import (
    DieKey,
    DiePath,
    Lighting,
    Pose,
    TableColours,
    World,
    multiply,
    turn,
    upright,
)
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import PAPER, TINT, Tray

FOVS_DEG, PRINTED, DIE_MM = (55.0, 85.0), (0.85, 1.15), 16.0
"""Fields of view across the picture, sizes of the print, and a die's edge in true millimetres."""

DICE = (
    ((236, 230, 214), (24, 22, 22)),
    ((240, 240, 238), (20, 20, 22)),
    ((226, 208, 160), (30, 24, 18)),
    ((28, 27, 30), (236, 236, 234)),
    ((190, 26, 32), (240, 238, 232)),
    ((30, 52, 168), (238, 238, 240)),
    ((18, 120, 62), (238, 238, 236)),
    ((232, 186, 36), (22, 20, 18)),
)
"""Colours of dice and their pips."""

FELTS = ((24, 74, 50), (26, 26, 28), (22, 40, 92), (96, 22, 28), (58, 50, 60))
STRAY, KNOCKED, CLOSE = 0.12, 0.3, 0.25
"""Shares of the thrown dice that rest on the shelf or its line, of the kept ones that were knocked, and of all dice
that may lie close to others."""

LEARNT, LEANING, LEANS_DEG = 6, 0.14, (14.0, 40.0)
"""The throws to learn from, the share of the others with a leaning die, and the bounds of the lean in degrees."""

UNEVEN, LEVELS, SOFT_PX = (0.0, 0.16), (0.92, 1.06), (0.0, 0.9)
"""Standard deviation of the light over a picture, its level from picture to picture, and the lens's blur."""

GREY = 0.299, 0.587, 0.114
"""What red, green and blue contribute to a grey print."""


@dataclass(frozen=True)
class Lying:
    """A die: its face, its middle in the tray's millimetres, its turn, and how much it leans around which direction."""

    face: int
    x: float
    y: float
    turn: float
    lean_deg: float = 0.0
    towards: float = 0.0


def lay(chance: random.Random, camera: Calibration) -> list[Lying]:
    """Return six dice of a throw, with none to four kept ones on the shelf."""
    tray, edge = camera.tray, camera.tray.die_mm
    reach, far = tray.half_mm - edge, tray.half_depth_mm - edge
    kept, pockets = chance.choice((0, 0, 1, 2, 3, 4)), random.Random(chance.random()).sample(range(6), 6)
    found: list[Lying] = []
    while len(found) < 6:
        n = len(found)
        apart = 1.05 if chance.random() < CLOSE else 1.5
        for _ in range(1000):
            if n < kept:
                x, y = tray.pocket_centre_mm(pockets[n])
                knocked = chance.random() < KNOCKED
                slip = 6.0 if knocked else 3.0
                x, y = x + chance.uniform(-5, 5), y + chance.uniform(-slip, slip)
                turn = chance.uniform(0, math.tau) if knocked else chance.gauss(0, 0.15)
            else:
                x, turn = chance.uniform(-reach, reach), chance.uniform(0, math.tau)
                y = chance.uniform(tray.rail_y_mm + 0.75 * edge, far)
                if tray.paper and chance.random() < STRAY:
                    y = tray.rail_y_mm + chance.uniform(-tray.shelf_mm / 2, 0.75 * edge)
            die = Lying(chance.randint(1, 6), x, y, turn)
            if _stands_clear(die, found, apart * edge) and not _hidden(camera, die):
                found.append(die)
                break
        else:
            found.clear()
    return found


def with_a_leaning(chance: random.Random, camera: Calibration, dice: list[Lying]) -> list[Lying]:
    """Return the dice with one of the thrown ones leaning."""
    thrown = [n for n, die in enumerate(dice) if not camera.tray.on_shelf(die.y)]
    leans = chance.choice(thrown) if thrown else -1
    degrees, towards = chance.uniform(*LEANS_DEG), chance.uniform(0, math.tau)
    return [replace(die, lean_deg=degrees, towards=towards) if n == leans else die for n, die in enumerate(dice)]


def pose(die: Lying, edge: float) -> Pose:
    """Return the pose of a die with an edge in millimetres: a leaning one stands on its lowest edge or corner."""
    angle = math.radians(die.lean_deg)
    tilted = turn((math.cos(die.towards), math.sin(die.towards), 0.0), angle)
    rotation = multiply(tilted, upright(die.face, die.turn))
    return Pose(die.x, die.y, edge / 2 * (math.cos(angle) + math.sin(angle)), rotation)


def printed_tint(chance: random.Random, number: int) -> tuple[int, int, int]:
    """Return the colour that a printer gave the sheet: as it is, faded, or grey."""
    red, green, blue = (value * chance.uniform(0.94, 1.06) for value in TINT)
    grey = sum(share * value for share, value in zip(GREY, (red, green, blue), strict=True))
    part = (1.0, chance.uniform(0.45, 0.8), 0.0)[number % 3]
    paler = chance.uniform(0.8, 1.0)
    red, green, blue = (255 - paler * (255 - (grey + part * (value - grey))) for value in (red, green, blue))
    return min(round(red), 255), min(round(green), 255), min(round(blue), 255)


def uneven_light(drawn: np.random.Generator, size: tuple[int, int]) -> Values:
    """Return the factor of the light at each pixel of a picture, (height, width, 1)."""
    spots = drawn.normal(size=(4, 5)).astype(np.float32) * np.float32(drawn.uniform(*UNEVEN))
    large = np.asarray(cv2.resize(np.exp(spots), size, interpolation=cv2.INTER_CUBIC), np.float32)
    return large[..., None] / np.float32(max(float(np.quantile(large, 0.9)), 1.0))


def _stands_clear(die: Lying, others: list[Lying], apart: float) -> bool:
    """Return whether a die is so far from others that no two can meet, turned as they are."""
    reach = [abs(math.cos(each.turn)) + abs(math.sin(each.turn)) for each in (die, *others)]
    return all(
        math.hypot(die.x - other.x, die.y - other.y) > apart * (reach[0] + wide) / 2
        for other, wide in zip(others, reach[1:], strict=True)
    )


def _hidden(camera: Calibration, die: Lying) -> bool:
    """Return whether a wall hides a part of a die's top, or the die would be in a wall, the rail or on a tag."""
    tray = camera.tray
    if tray.paper:
        beside = tray.plate_mm + 0.75 * tray.die_mm  # a die that lies on a tag may hide it, and is no throw
        return abs(die.x) > tray.half_mm - beside and abs(die.y) > tray.half_depth_mm - beside
    edge, reach = tray.die_mm, tray.die_mm * 0.71
    if abs(die.x) > tray.half_mm - reach or abs(die.y) > tray.half_depth_mm - reach:
        return True
    if abs(die.y - tray.rail_y_mm) < reach + tray.rail_mm / 2:
        return True
    eye = np.array(camera.position_mm)
    for x, y in ((die.x + a * reach, die.y + b * reach) for a in (-1, 1) for b in (-1, 1)):
        top = np.array([x, y, edge])
        # Where the line of sight leaves the tray's inside it must be above the wall.
        rise = (tray.wall_height_mm - edge) / (eye[2] - edge)
        there = top + (eye - top) * rise
        if abs(there[0]) > tray.half_mm or abs(there[1]) > tray.half_depth_mm:
            return True
    return False


def draw_rig(job: tuple[Path, int, str, float, int]) -> Path:
    """Draw one rig: folder, number, kind of tray, the camera's angle in degrees, and how many throws."""
    parent, number, kind, aslant, throws = job
    chance, drawn = random.Random(number), np.random.default_rng(number)
    printed, fov = chance.uniform(*PRINTED), chance.uniform(*FOVS_DEG)
    tray = PAPER if kind == "paper" else Tray(inner_mm=round(chance.uniform(195, 250)))
    tray = replace(tray, die_mm=DIE_MM / printed)
    camera = camera_aslant(drawn, tray, aslant, fov)
    source = SyntheticSource(lambda: 1.0, number, camera)
    die, pip = DICE[number % len(DICE)]
    felt = chance.choice(FELTS)
    if kind == "alike":
        felt = die[0] // 2, die[1] // 2, die[2] // 2
    colours = TableColours(die, pip, felt, sheet=printed_tint(chance, number))
    uneven, soft_px = uneven_light(drawn, (camera.width_px, camera.height_px)), chance.uniform(*SOFT_PX)
    light = Lighting(chance.uniform(0.75, 1.05), chance.uniform(0, 360), chance.uniform(38, 80), chance.uniform(0, 0.7))
    folder = parent / f"{kind}-{aslant:g}-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    scene = {"rig": number, "aslant": aslant, "fov_deg": fov, "printed": printed}
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as truth:
        for n in range(throws + 1):
            dice = lay(chance, camera) if n else []
            if n > LEARNT and chance.random() < LEANING:
                dice = with_a_leaning(chance, camera, dice)
            paths = tuple(DiePath((DieKey(0.0, pose(each, tray.die_mm)),)) for each in dice)
            source.set_world(World(number, paths, light=light, colours=colours))
            frame = source.next(1.0)
            assert frame is not None
            seen = frame.pixels * (uneven * np.float32(chance.uniform(*LEVELS)))
            seen = cv2.GaussianBlur(seen, (0, 0), max(soft_px, 0.1)) + np.float32(0.5)
            name = f"{n:03d}.jpg"
            cv2.imwrite(str(folder / name), seen.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])
            row = {"image": name, "dice": [_truth(camera, each) for each in dice], "scene": scene}
            truth.write(json.dumps(row) + "\n")
    return folder


def _truth(camera: Calibration, die: Lying) -> dict[str, object]:
    """Return what is true of a die, in the form of the shared data."""
    half = camera.tray.die_mm / 2
    cos, sin = half * math.cos(die.turn), half * math.sin(die.turn)
    around = [(die.x + a * cos - b * sin, die.y + a * sin + b * cos) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.array([camera.project(*place, z) for place in around for z in (0.0, 2 * half)])
    (left, top), (right, bottom) = points.min(0), points.max(0)
    box = [round(float(value), 1) for value in (left, top, right - left, bottom - top)]
    return {"pips": die.face, "box": box, "cocked": die.lean_deg > 0, "kept": camera.tray.on_shelf(die.y)}


def draw_rigs(folder: Path, kind: str, angles: list[float], rigs: int, throws: int, first: int) -> Iterator[Path]:
    """Draw rigs of each angle, and yield their folders."""
    jobs = [(folder, first + 100 * int(angle) + n, kind, angle, throws) for angle in angles for n in range(rigs)]
    with Pool(2, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        yield from pool.imap(draw_rig, jobs)


def main() -> int:
    """Draw, and print the folders."""
    parser = argparse.ArgumentParser(description="Draw tables that a camera sees aslant, for rig_bench.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tray", choices=("paper", "walls", "alike"), default="paper")
    parser.add_argument("--aslant", nargs="+", type=float, default=[0.0, 15.0, 30.0, 45.0], help="angles in degrees")
    parser.add_argument("--rigs", type=int, default=10, help="tables an angle")
    parser.add_argument("--throws", type=int, default=42, help="throws a table, those to learn from included")
    parser.add_argument("--first", type=int, default=20000, help="the number of the first table")
    given = parser.parse_args()
    for folder in draw_rigs(given.folder, given.tray, given.aslant, given.rigs, given.throws, given.first):
        sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
