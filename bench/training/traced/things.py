"""Put things beside the dice that are none: a phone, keys, coins, cards, dominoes, bricks, numbered dice and others."""

import math
from random import Random
from typing import Any

import bpy
import numpy as np

from traced.dice import RGB, look
from traced.die_materials import die_material
from traced.die_paint import paint
from traced.die_shape import mesh
from traced.ground_materials import wall_material
from traced.nodes import Graph, image, printed
from traced.poses import Block, level
from traced.prints import card, domino, letter, screen
from traced.scene import Thing
from traced.solids import ball, block, cylinder, die_data, matrix, ring, shown

Made = tuple[list[Any], list[Block]]
"""The objects of a thing, and the blocks that dice bump into."""


def put(thing: Thing) -> Made:
    """Add a thing to the scene."""
    return THINGS[thing.kind](thing, Random(thing.seed))


def _plain(colour: RGB, roughness: float = 0.4, metallic: float = 0.0, coat: float = 0.0) -> Any:
    graph = Graph("plain")
    mottled = graph.mixed(graph.math("MULTIPLY", graph.noise(graph.place(), 4.0), 0.15), colour, (0.2, 0.2, 0.2))
    return graph.done(graph.principled(Base_Color=mottled, Roughness=roughness, Metallic=metallic, Coat_Weight=coat))


def _page(name: str, pixels: Any, roughness: float = 0.4, glow: float = 0.0) -> Any:
    graph = Graph(name)
    seen = graph.add("TexImage", {}, image=printed(name, pixels), extension="EXTEND").outputs["Color"]
    return graph.done(
        graph.principled(Base_Color=seen, Roughness=roughness, Emission_Color=seen, Emission_Strength=glow)
    )


def _lying(thing: Thing, size: tuple[float, float, float], below: float = 0.0) -> Block:
    return Block((*thing.at, below + size[2] / 2), size, thing.turn_deg)


def _flat(thing: Thing, size: tuple[float, float, float], material: Any, bevel: float) -> Made:
    box = _lying(thing, size)
    return [block(thing.kind, box, material, bevel)], [box]


def _phone(thing: Thing, chance: Random) -> Made:
    body, boxes = _flat(thing, (7.2, 15.0, 0.8), _plain((0.02, 0.02, 0.022), 0.15), 0.25)
    lit = chance.random() < 0.6
    glass = _page("screen", screen(thing.seed), 0.05, chance.uniform(0.3, 2.0)) if lit else _plain((0.005,) * 3, 0.03)
    return [*body, block("screen", _lying(thing, (6.7, 14.4, 0.02), 0.8), glass)], boxes


def _keys(thing: Thing, chance: Random) -> Made:
    brass = _plain(chance.choice([(0.6, 0.45, 0.18), (0.6, 0.6, 0.6)]), 0.3, 1.0)
    made = [ring("ring", 1.3, 0.1, (*thing.at, 0.1), _plain((0.6, 0.6, 0.6), 0.2, 1.0))]
    for n in range(chance.randint(1, 4)):
        angle = math.radians(thing.turn_deg) + 0.5 * n + chance.uniform(-0.15, 0.15)
        ahead = np.array([math.cos(angle), math.sin(angle)])
        head, stem = np.array(thing.at) + 2.3 * ahead, np.array(thing.at) + 4.6 * ahead
        made.append(cylinder("head", 1.1, 0.22, (*head, 0.12 + 0.2 * n), brass))
        made.append(block("stem", Block((*stem, 0.12 + 0.2 * n), (3.2, 0.7, 0.2), math.degrees(angle)), brass, 0.04))
        for tooth in range(4):
            at = stem + ahead * (0.2 + 0.35 * tooth) + 0.45 * np.array([-ahead[1], ahead[0]])
            made.append(block("tooth", Block((*at, 0.12 + 0.2 * n), (0.2, 0.3, 0.2), math.degrees(angle)), brass))
    return made, [Block((*thing.at, 0.1), (2.6, 2.6, 0.2))]


def _coins(thing: Thing, chance: Random) -> Made:
    metal = _plain(chance.choice([(0.7, 0.45, 0.2), (0.6, 0.6, 0.58), (0.65, 0.5, 0.22)]), 0.25, 1.0)
    made, boxes = [], []
    for n in range(chance.randint(1, 4)):
        at = thing.at[0] + n * chance.uniform(-2.5, 2.5), thing.at[1] + n * chance.uniform(-2.5, 2.5)
        r = chance.uniform(0.9, 1.3)
        made += [cylinder("coin", r, 0.2, (*at, 0.1), metal), ring("rim", 0.88 * r, 0.05, (*at, 0.2), metal)]
        made.append(cylinder("relief", 0.4 * r, 0.05, (*at, 0.21), metal, chance.uniform(0.3, 1.0)))
        boxes.append(Block((*at, 0.1), (1.7 * r, 1.7 * r, 0.2), 0.0))
    return made, boxes


def _pen(thing: Thing, _: Random) -> Made:
    made = cylinder("pen", 0.4, 14.0, (*thing.at, 0.4), _plain(thing.colour, 0.2, 0.0, 0.5))
    tip = cylinder("tip", 0.32, 1.6, (0, 0, 0), _plain((0.6, 0.6, 0.6), 0.2, 1.0), 0.2)
    angle = math.radians(thing.turn_deg)
    for each, along in ((made, 0.0), (tip, 7.8)):
        each.rotation_euler = (0, math.pi / 2, angle)
        each.location = (thing.at[0] + along * math.cos(angle), thing.at[1] + along * math.sin(angle), 0.4)
    return [made, tip], [Block((*thing.at, 0.38), (14.0, 0.75, 0.76), thing.turn_deg)]


def _card(thing: Thing, _: Random) -> Made:
    return _flat(thing, (5.8, 8.8, 0.04), _page("card", card(thing.seed), 0.3), 0.0)


def _domino(thing: Thing, chance: Random) -> Made:
    wide = thing.scale * chance.uniform(0.9, 1.6)
    return _flat(thing, (wide, 2 * wide, 0.4 * wide), _page("domino", domino(thing.seed), 0.25), 0.08 * wide)


def _pawn(thing: Thing, _: Random) -> Made:
    paint = _plain(thing.colour, 0.25, 0.0, 0.6)
    foot = cylinder("foot", 0.8, 0.3, (*thing.at, 0.15), paint)
    body = cylinder("body", 0.65, 1.8, (*thing.at, 1.2), paint, 0.3)
    return [foot, body, ball("head", 0.5, (*thing.at, 2.3), paint)], [Block((*thing.at, 1.3), (1.4, 1.4, 2.6))]


def _brick(thing: Thing, chance: Random) -> Made:
    plastic = _plain(thing.colour, 0.2, 0.0, 0.4)
    columns, rows = chance.choice(((2, 2), (2, 3), (2, 4), (1, 2), (1, 3)))
    box = _lying(thing, (0.8 * columns, 0.8 * rows, 0.96))
    made = [block("brick", box, plastic, 0.03)]
    angle = math.radians(thing.turn_deg)
    for i in range(columns):
        for j in range(rows):
            x, y = 0.8 * (i - (columns - 1) / 2), 0.8 * (j - (rows - 1) / 2)
            at = (
                thing.at[0] + x * math.cos(angle) - y * math.sin(angle),
                thing.at[1] + x * math.sin(angle) + y * math.cos(angle),
            )
            made.append(cylinder("stud", 0.25, 0.17, (*at, 1.04), plastic))
    return made, [box]


def _tile(thing: Thing, chance: Random) -> Made:
    side = thing.scale * chance.uniform(0.85, 1.2)
    high = side * chance.choice((0.25, 0.5, 1.0))
    return _flat(thing, (side, side, high), _page("tile", letter(thing.seed), 0.35), 0.1 * side)


def _numerals(thing: Thing, chance: Random) -> Made:
    """Add a die with numerals in place of pips."""
    from dataclasses import replace

    own = replace(look(chance, thing.colour, alike=False, edge_cm=thing.scale), numerals=True, depth=0.0)
    atlas = image("numerals", paint(own, np.random.default_rng(thing.seed)), data=True)
    data = die_data(mesh(own, 40), own.edge_cm, die_material(own, atlas))
    made = shown("numerals", data, None)
    pose = level(own, chance.randint(1, 6), thing.at, math.radians(thing.turn_deg))
    made.matrix_world = matrix(pose)
    return [made], [Block((*thing.at, own.edge_cm / 2), (own.edge_cm,) * 3, thing.turn_deg)]


def _gem(thing: Thing, _: Random) -> Made:
    """Add a die of twenty faces, or a glass stone."""
    radius = 0.65 * thing.scale
    made = ball("gem", radius, (*thing.at, 0.8 * radius), _plain(thing.colour, 0.1, 0.0, 0.5), facets=1)
    made.rotation_euler = (0.36, 0.0, math.radians(thing.turn_deg))
    return [made], [Block((*thing.at, 0.8 * radius), (1.6 * radius,) * 3)]


def _cup(thing: Thing, chance: Random) -> Made:
    radius, high = chance.uniform(3.0, 4.5), chance.uniform(3.5, 9.0)
    made = cylinder("cup", 0.85 * radius, high, (*thing.at, high / 2), _plain(thing.colour, 0.2, 0.0, 0.6), 1.15)
    drink = cylinder("drink", 0.88 * radius, 0.02, (*thing.at, high + 0.01), _plain((0.03, 0.015, 0.008), 0.05))
    rim = ring("rim", 0.93 * radius, 0.08 * radius, (*thing.at, high), made.data.materials[0])
    return [made, drink, rim], [Block((*thing.at, high / 2), (1.7 * radius, 1.7 * radius, high))]


def _finger(thing: Thing, chance: Random) -> Made:
    """Add fingers of a hand that reaches in."""
    tone = chance.uniform(0.1, 0.75)
    graph = Graph("skin")
    skin = graph.done(
        graph.principled(
            Base_Color=(tone, 0.62 * tone, 0.47 * tone),
            Roughness=0.5,
            Subsurface_Weight=0.3,
            Subsurface_Scale=0.3,
            Normal=graph.bump(graph.noise(graph.place(), 12.0, 5.0), 0.3, 0.05),
        )
    )
    made = []
    for n in range(chance.randint(1, 4)):
        angle = math.radians(thing.turn_deg)
        ahead, out = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
        for joint in range(7):
            r = 0.72 + 0.035 * joint
            at = np.array(thing.at) + out * 1.7 * n + ahead * (joint * 1.1 + 0.5 * abs(n - 1))
            part = ball("finger", r, (*at, r + 0.12 * joint), skin)
            part.scale = (1.3, 1.0, 0.9)
            part.rotation_euler = (0, 0, angle)
            made.append(part)
    return made, []


def _box(thing: Thing, chance: Random) -> Made:
    """Add a box, a book or a wooden block."""
    size = chance.uniform(4, 12), chance.uniform(5, 14), chance.uniform(0.4, 4.0)
    kind = chance.choice(("cardboard", "wood", "leather", "laminate"))
    return _flat(thing, size, wall_material(kind, thing.colour, 0.5), 0.1)


THINGS = {
    "phone": _phone, "keys": _keys, "coins": _coins, "pen": _pen, "card": _card, "domino": _domino, "pawn": _pawn,
    "brick": _brick, "tile": _tile, "numerals": _numerals, "gem": _gem, "cup": _cup, "finger": _finger, "box": _box,
}  # fmt: skip


def corners(made: list[bpy.types.Object]) -> np.ndarray:
    """Return the corners (n, 3) of the boxes around objects, on the table."""
    bpy.context.view_layer.update()
    return np.array([(one.matrix_world @ _vector(corner))[:] for one in made for corner in one.bound_box])


def _vector(corner: Any) -> Any:
    from mathutils import Vector

    return Vector(corner)
