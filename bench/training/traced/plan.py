"""Draw from a seed what a traced scene shows: camera, ground, lamps, dice, their poses, and things beside them."""

import math
from random import Random

from traced.dice import DieLook, chosen, coloured, dark, look, luminance, pale
from traced.scene import Camera, Ground, RoomLamp, Thing, TracedScene, TrayForm

VERSION = 2
"""Counts up when the same seed gives another scene: what earlier versions made is then made again."""

SIZES = {(320, 240): 58, (240, 320): 8, (400, 300): 18, (480, 360): 10, (640, 480): 6}
"""Width and height of pictures, and how often each is taken."""

DIE_PX = (12.0, 80.0)
"""The edges of dice in the picture's middle."""

NEAREST_CM, FARTHEST_CM = 9.0, 130.0
"""Distances of the camera: the die's size follows from the field of view within these."""

GROUNDS = {
    "felt": 17, "cloth": 13, "board": 9, "wood": 15, "leather": 8, "cardboard": 6, "paper": 8, "game": 9, "laminate": 7,
    "stone": 4, "carpet": 4,
}  # fmt: skip
"""What dice lie on; `board` is planks, `laminate` a plain table top, `game` the print of a board game."""

LAMPS = {"bulb": 22, "panel": 15, "ring": 13, "window": 20, "candle": 6, "strips": 7, "mirror": 7, "overcast": 10}
"""Lamps. `mirror` is a panel that a level die's face mirrors into the camera; `overcast` is the room's light alone."""

GATHERINGS = {"thrown": 55, "heap": 9, "row": 13, "cluster": 15, "none": 8}
"""How the dice came to lie: thrown, poured into a heap, laid in rows, pushed together, or there are none."""

ODD = {"wall": 30, "die": 24, "stack": 18, "rail": 28}
"""How a die lies that cannot be read: leaning on a wall or a die, on top of one, or astride a rail."""

THINGS = (
    "phone", "keys", "coins", "pen", "card", "domino", "pawn", "brick", "tile", "numerals", "gem", "cup", "finger",
    "box",
)  # fmt: skip
"""What lies beside the dice and is none."""


LARGE, LARGE_FROM_CM = ("phone", "cup", "finger", "box"), 25.0
"""Things that would fill the picture of a camera that is nearer."""


def plan(seed: int) -> TracedScene:
    """Return the scene of a seed."""
    chance = Random(f"traced {seed}")
    edge = chance.uniform(1.2, 1.9) if chance.random() < 0.8 else chance.choice((0.8, 1.0, 2.2, 2.5))
    camera = _camera(chance, edge)
    ground = _ground(chance)
    tray = _tray(chance, camera)
    gathering = chosen(chance, GATHERINGS)
    looks, dice = _dice(chance, camera, ground, edge, gathering)
    odd: tuple[str, ...] = ()
    if dice and chance.random() < 0.42:
        odd = tuple(chosen(chance, ODD) for _ in range(1 if chance.random() < 0.7 else 2))
    return TracedScene(
        seed=seed,
        camera=camera,
        ground=ground,
        lamps=_lamps(chance, camera),
        room=chance.uniform(0.5, 1.5),
        tray=tray,
        looks=looks,
        gathering=gathering,
        dice=dice,
        odd=odd,
        things=_things(chance, camera, edge, few=gathering != "none"),
        moving=bool(dice) and chance.random() < 0.05,
    )


def _camera(chance: Random, edge: float) -> Camera:
    width, height = chance.choices(list(SIZES), list(SIZES.values()))[0]
    fov = chance.uniform(40, 90)
    focal = width / 2 / math.tan(math.radians(fov) / 2)
    die_px = math.exp(chance.uniform(*map(math.log, DIE_PX)))
    distance = min(FARTHEST_CM, max(NEAREST_CM, 5.0 * edge, focal * edge / die_px))
    draw = chance.random()
    tilt = chance.uniform(0, 10) if draw < 0.5 else chance.uniform(10, 30) if draw < 0.75 else chance.uniform(30, 50)
    across = distance * width / 2 / focal
    return Camera(
        width=width,
        height=height,
        fov_deg=fov,
        tilt_deg=tilt,
        azimuth_deg=chance.uniform(0, 360),
        roll_deg=chance.gauss(0, 6),
        distance_cm=distance,
        target=(chance.gauss(0, 0.12 * across), chance.gauss(0, 0.12 * across)),
        aperture_cm=math.exp(chance.uniform(math.log(0.03), math.log(0.25))),
        focus=chance.gauss(1.0, 0.03) if chance.random() < 0.88 else chance.uniform(0.75, 1.3),
        held=chance.random() < 0.6,
    )


def _ground(chance: Random) -> Ground:
    kind = chosen(chance, GROUNDS)
    if kind in ("wood", "board"):
        colour = chance.choice(
            [(0.35, 0.18, 0.07), (0.2, 0.08, 0.03), (0.55, 0.38, 0.2), (0.06, 0.03, 0.018), (0.3, 0.27, 0.23)]
        )
    elif kind == "cardboard":
        colour = (0.42, 0.27, 0.14)
    elif kind == "paper":
        colour = pale(chance)
    elif kind == "leather":
        colour = chance.choice([(0.1, 0.04, 0.015), (0.02, 0.018, 0.017), (0.2, 0.03, 0.02), (0.28, 0.15, 0.06)])
    else:
        draw = chance.random()
        if draw < 0.3:
            colour = coloured(chance, (0.3, 0.9), (0.1, 0.6))
        elif draw < 0.55:
            grey = chance.uniform(0.02, 0.4)
            colour = (grey, grey * chance.uniform(0.85, 1.05), grey * chance.uniform(0.75, 1.1))
        elif draw < 0.75:
            colour = dark(chance)
        elif draw < 0.88:
            colour = pale(chance)
        else:
            colour = (0.01, 0.13, 0.035)  # the green of card tables
    return Ground(
        kind=kind,
        colour=tuple(each * chance.uniform(0.8, 1.2) for each in colour),  # type: ignore[arg-type]
        second=coloured(chance, (0.1, 0.7), (0.1, 0.8)),
        scale=math.exp(chance.uniform(-0.6, 0.6)),
        relief=chance.uniform(0.3, 1.0),
        roughness=chance.uniform(0.15, 0.5) if chance.random() < 0.5 else chance.uniform(0.5, 0.9),
        turn_deg=chance.uniform(0, 360),
    )


def _tray(chance: Random, camera: Camera) -> TrayForm | None:
    across, deep = camera.reach_cm
    high = camera.distance_cm * math.cos(math.radians(camera.tilt_deg))
    wall = chance.uniform(1.0, 3.5)
    if chance.random() > 0.42 or high < wall + 5:
        return None
    half = (max(4.5, across * chance.uniform(0.55, 1.25)), max(4.5, deep * chance.uniform(0.55, 1.25)))
    # A camera that looks in from the side stands outside and above the walls.
    rail = chance.uniform(0.4, 1.3) if chance.random() < 0.35 else 0.0
    sides = chance.choices((4, 6, 8, 24), (65, 10, 10, 15))[0]
    kind = chance.choice(("wood", "leather", "felt", "laminate"))
    colour = coloured(chance, (0.1, 0.6), (0.05, 0.6))
    if kind in ("wood", "leather"):
        colour = chance.choice([(0.25, 0.12, 0.05), (0.08, 0.04, 0.02), (0.45, 0.3, 0.15), (0.02, 0.018, 0.016)])
    return TrayForm(
        middle=(chance.gauss(0, 0.25 * across), chance.gauss(0, 0.25 * across)),
        half=half,
        sides=sides,
        wall_cm=wall,
        thick_cm=chance.uniform(0.4, 1.5),
        turn_deg=camera.azimuth_deg + 90 + chance.gauss(0, 8),
        kind=kind,
        colour=colour,
        rail_cm=rail,
        rail_at=chance.uniform(-0.7, 0.7),
    )


def _dice(
    chance: Random, camera: Camera, ground: Ground, edge: float, gathering: str
) -> tuple[tuple[DieLook, ...], tuple[int, ...]]:
    """Return the looks of the dice, and which of them each die has."""
    if gathering == "none":
        return (), ()
    across, deep = camera.reach_cm
    room = int(0.3 * 4 * across * deep / (2.2 * edge * edge))
    least, most = (6, 16) if gathering == "heap" else chance.choices(((1, 2), (3, 6), (6, 14)), (22, 53, 25))[0]
    count = max(1, min(chance.randint(least, most), room))
    if gathering != "thrown":
        count = max(2, count)
    kinds = 1 if chance.random() < 0.62 else min(count, chance.randint(2, 6))
    alike = chance.random() < 0.15
    edges = [edge * (chance.uniform(0.8, 1.25) if kinds > 1 and chance.random() < 0.3 else 1.0) for _ in range(kinds)]
    looks = tuple(look(chance, ground.colour, alike=alike and n == 0, edge_cm=size) for n, size in enumerate(edges))
    return looks, tuple(n % kinds for n in range(count))


def _lamps(chance: Random, camera: Camera) -> tuple[RoomLamp, ...]:
    kinds = [chosen(chance, LAMPS)]
    if chance.random() < 0.28:
        kinds.append(chosen(chance, LAMPS))
    return tuple(_lamp(chance, camera, kind) for kind in kinds if kind != "overcast")


def _lamp(chance: Random, camera: Camera, kind: str) -> RoomLamp:
    angle, warm = chance.uniform(0, 2 * math.pi), chance.random()
    colour = (1.0, 1 - 0.35 * warm, 1 - 0.65 * warm)

    def beside(low: float, high: float, up: tuple[float, float]) -> tuple[float, float, float]:
        out = chance.uniform(low, high)
        return out * math.cos(angle), out * math.sin(angle), chance.uniform(*up)

    strength = math.exp(chance.uniform(math.log(0.8), math.log(7)))
    if kind == "bulb":
        return RoomLamp(kind, beside(0, 70, (40, 110)), colour, chance.uniform(2.5, 8), strength)
    if kind == "panel":
        return RoomLamp(kind, beside(0, 60, (40, 120)), colour, chance.uniform(15, 70), strength)
    if kind == "ring":
        high = max(14.0, camera.distance_cm * math.cos(math.radians(camera.tilt_deg)) * chance.uniform(0.8, 1.3))
        return RoomLamp(kind, (chance.gauss(0, 3), chance.gauss(0, 3), high), colour, chance.uniform(8, 16), strength)
    if kind == "window":
        day = chance.random()
        sky = (1 - 0.25 * day, 1 - 0.1 * day, 1.0)
        if chance.random() < 0.3:  # the sun itself
            return RoomLamp("sun", beside(60, 160, (60, 140)), (1.0, 0.9, 0.72), 3.0, 2 * strength)
        return RoomLamp(kind, beside(80, 160, (25, 110)), sky, chance.uniform(50, 120), strength)
    if kind == "candle":
        return RoomLamp(kind, beside(12, 35, (7, 18)), (1.0, 0.55, 0.2), 1.2, 1.5 * strength)
    if kind == "strips":
        hue = coloured(chance, (0.75, 1.0), (0.9, 1.0))
        return RoomLamp(kind, beside(15, 60, (15, 60)), hue, chance.uniform(30, 80), strength)
    return RoomLamp("mirror", (0.0, 0.0, 0.0), colour, chance.uniform(0.35, 1.2) * camera.distance_cm, strength)


def _things(chance: Random, camera: Camera, edge: float, *, few: bool) -> tuple[Thing, ...]:
    across, deep = camera.reach_cm
    draw = chance.random()
    count = (0 if draw < 0.55 else chance.randint(1, 4)) if few else chance.randint(0, 6)
    kinds = [kind for kind in THINGS if kind not in LARGE or camera.distance_cm > LARGE_FROM_CM]
    found = []
    for _ in range(count):
        colour = pale(chance) if chance.random() < 0.3 else coloured(chance)
        if luminance(colour) < 0.02:
            colour = dark(chance)
        scale = edge if chance.random() < 0.6 else edge * chance.uniform(0.7, 1.5)
        at = (chance.uniform(-0.95, 0.95) * across, chance.uniform(-0.95, 0.95) * deep)
        found.append(Thing(chance.choice(kinds), at, chance.uniform(0, 360), scale, colour, chance.randrange(1 << 30)))
    return tuple(found)
