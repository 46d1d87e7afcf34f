"""Make the materials of grounds: cloths, woods, papers and others, with relief and pattern."""

import math
from typing import Any

from traced.dice import RGB
from traced.nodes import Graph, printed
from traced.prints import game, paper
from traced.scene import Ground

PAGE_CM, GAME_CM = 24.0, 40.0
"""The widths of a page and of a game's board, times the ground's scale. Around it is a table of another colour."""


def ground_material(ground: Ground, seed: int) -> Any:
    """Return the material of a ground; coordinates of the object are centimetres."""
    graph = Graph(ground.kind)
    return graph.done(GROUNDS[ground.kind](graph, ground, seed))


def wall_material(kind: str, colour: RGB, roughness: float) -> Any:
    """Return the material of a tray's wall."""
    return ground_material(Ground(kind, colour, colour, 1.0, 0.6, roughness, 0.0), 0)


def times(colour: RGB, by: float) -> RGB:
    """Return a darker or lighter colour."""
    return tuple(min(0.95, each * by) for each in colour)  # type: ignore[return-value]


def _stained(graph: Graph, colour: Any, darker: RGB) -> Any:
    """Return a colour with large, faint stains."""
    stain = graph.math("MULTIPLY", graph.noise(graph.place(), 0.12, 3.0), 0.5)
    return graph.mixed(stain, colour, darker)


def _felt(graph: Graph, ground: Ground, _: int) -> Any:
    fibre = graph.noise(graph.place(), 22.0 / ground.scale, 6.0, 1.5)
    hair = graph.noise(graph.stretched((3.0, 30.0, 3.0), math.radians(ground.turn_deg)), 1.0, 3.0, 2.0)
    both = graph.math("ADD", fibre, graph.math("MULTIPLY", hair, 0.5))
    colour = graph.mixed(graph.steps(both, 0.45, 1.05), times(ground.colour, 0.6), times(ground.colour, 1.35))
    return graph.principled(
        Base_Color=_stained(graph, colour, times(ground.colour, 0.8)), Roughness=0.95, Specular_IOR_Level=0.15,
        Sheen_Weight=0.35, Normal=graph.bump(both, ground.relief, 0.06),
    )  # fmt: skip


def _cloth(graph: Graph, ground: Ground, _: int) -> Any:
    turn, thread = math.radians(ground.turn_deg), 9.0 / ground.scale
    waves = []
    for quarter in (0.0, math.pi / 2):
        at = graph.stretched((thread, thread, 1.0), turn + quarter)
        waves.append(
            graph.add("TexWave", {"Vector": at, "Scale": 1.0, "Distortion": 0.8, "Detail": 1.0}).outputs["Fac"]
        )
    weave = graph.math("MULTIPLY", *waves)
    folds = graph.noise(graph.place(), 0.1, 2.0, 1.0)
    colour = graph.mixed(weave, times(ground.colour, 0.55), ground.colour)
    if ground.relief > 0.75:  # stripes or checks
        wide = graph.add(
            "TexChecker", {"Vector": graph.stretched((0.35, 0.35, 0.01), turn), "Scale": 1.0 / ground.scale}
        )
        colour = graph.mixed(graph.math("MULTIPLY", wide.outputs["Fac"], 0.7), colour, ground.second)
    height = graph.math("ADD", graph.math("MULTIPLY", weave, 0.04), graph.math("MULTIPLY", folds, 1.2 * ground.relief))
    return graph.principled(
        Base_Color=colour, Roughness=0.9, Specular_IOR_Level=0.2, Sheen_Weight=0.2, Normal=graph.bump(height, 1.0, 1.0)
    )


def _wood(graph: Graph, ground: Ground, _: int) -> Any:
    return _grain(graph, ground, graph.stretched((0.025, 0.2, 0.2), math.radians(ground.turn_deg)), None)


def _board(graph: Graph, ground: Ground, _: int) -> Any:
    at = graph.stretched((0.025, 0.2, 0.2), math.radians(ground.turn_deg))
    wide = 5.0 * ground.scale
    plain = graph.stretched((1.0, 1.0, 1.0), math.radians(ground.turn_deg))
    planks = graph.add(
        "TexBrick",
        {
            "Vector": plain, "Color1": (1.0, 1.0, 1.0), "Color2": (0.55, 0.55, 0.55), "Mortar": (0.05, 0.05, 0.05),
            "Scale": 1.0, "Mortar Size": 0.06, "Brick Width": 45.0, "Row Height": wide,
        },
    ).outputs["Color"]  # fmt: skip
    return _grain(graph, ground, at, planks)


def _grain(graph: Graph, ground: Ground, at: Any, planks: Any) -> Any:
    rings = graph.add(
        "TexWave", {"Vector": at, "Scale": 1.0 / ground.scale, "Distortion": 7.0, "Detail": 3.0, "Detail Scale": 1.0},
        bands_direction="Y",
    ).outputs["Fac"]  # fmt: skip
    fibre = graph.noise(at, 40.0, 6.0, 0.4)
    colour = graph.mixed(graph.math("MULTIPLY", rings, 0.7), ground.colour, times(ground.colour, 0.5))
    colour = graph.mixed(graph.math("MULTIPLY", fibre, 0.5), colour, times(ground.colour, 0.4))
    if planks is not None:
        colour = graph.mixed(1.0, colour, planks, "MULTIPLY")
    normal = graph.bump(fibre, 0.3 * ground.relief, 0.05)
    return graph.principled(
        Base_Color=colour, Roughness=ground.roughness, Normal=normal, Coat_Weight=0.6 if ground.roughness < 0.3 else 0.0
    )


def _leather(graph: Graph, ground: Ground, _: int) -> Any:
    cells = graph.add(
        "TexVoronoi",
        {"Vector": graph.place(), "Scale": 6.0 / ground.scale, "Randomness": 1.0},
        feature="DISTANCE_TO_EDGE",
    ).outputs["Distance"]
    grain = graph.steps(cells, 0.0, 0.25)
    colour = graph.mixed(grain, times(ground.colour, 0.6), ground.colour)
    return graph.principled(
        Base_Color=_stained(graph, colour, times(ground.colour, 0.6)), Roughness=0.4 + 0.3 * ground.roughness,
        Normal=graph.bump(grain, ground.relief, 0.05),
    )  # fmt: skip


def _cardboard(graph: Graph, ground: Ground, _: int) -> Any:
    at = graph.stretched((0.6, 3.0, 1.0), math.radians(ground.turn_deg))
    fibre = graph.noise(at, 6.0, 6.0)
    flutes = graph.add("TexWave", {"Vector": at, "Scale": 0.35, "Distortion": 0.3}, bands_direction="Y").outputs["Fac"]
    colour = graph.mixed(fibre, times(ground.colour, 0.75), times(ground.colour, 1.2))
    height = graph.math("ADD", fibre, graph.math("MULTIPLY", flutes, 0.6))
    return graph.principled(Base_Color=colour, Roughness=0.85, Normal=graph.bump(height, 0.35 * ground.relief, 0.03))


def _printed(graph: Graph, ground: Ground, page: Any, width: float) -> Any:
    at = graph.stretched((1 / width, 1 / width, 1.0), math.radians(ground.turn_deg))
    at = graph.add("VectorMath", {0: at, 1: (0.5, 0.5, 0.0)}, operation="ADD").outputs[0]
    ink = graph.add("TexImage", {"Vector": at}, image=printed("print", page), extension="CLIP").outputs
    table = graph.mixed(graph.noise(graph.place(), 0.8, 4.0), ground.second, times(ground.second, 0.6))
    seen = graph.mixed(ink["Alpha"], table, ink["Color"])
    crumpled = graph.bump(graph.noise(graph.place(), 0.35, 4.0), 0.5 * ground.relief, 0.5)
    return graph.principled(Base_Color=seen, Roughness=ground.roughness, Normal=crumpled)


def _bytes(colour: RGB) -> tuple[int, ...]:
    """Return a colour as bytes of blue, green, red."""
    return tuple(round(255 * max(0.0, each) ** (1 / 2.2)) for each in reversed(colour))


def _paper(graph: Graph, ground: Ground, seed: int) -> Any:
    return _printed(graph, ground, paper(seed, _bytes(ground.colour)), PAGE_CM * ground.scale)


def _game(graph: Graph, ground: Ground, seed: int) -> Any:
    page = game(seed, _bytes(ground.colour), _bytes(ground.second))
    return _printed(graph, ground, page, GAME_CM * ground.scale)


def _laminate(graph: Graph, ground: Ground, _: int) -> Any:
    fine = graph.noise(graph.place(), 60.0, 2.0)
    colour = graph.mixed(graph.math("MULTIPLY", graph.steps(fine, 0.55, 0.7), 0.25), ground.colour, ground.second)
    return graph.principled(
        Base_Color=_stained(graph, colour, times(ground.colour, 0.85)), Roughness=ground.roughness,
        Normal=graph.bump(fine, 0.1 * ground.relief, 0.02),
    )  # fmt: skip


def _stone(graph: Graph, ground: Ground, _: int) -> Any:
    at = graph.place()
    cloud = graph.steps(graph.noise(at, 0.25 / ground.scale, 8.0, 1.0), 0.3, 0.7)
    thin = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.noise(at, 0.2 / ground.scale, 6.0, 2.0), 0.5))
    flecks = graph.add("TexVoronoi", {"Vector": at, "Scale": 9.0}).outputs["Color"]
    colour = graph.mixed(cloud, ground.colour, times(ground.colour, 1.7))
    colour = graph.mixed(0.12, colour, flecks)
    colour = graph.mixed(graph.steps(thin, 0.02, 0.0), colour, ground.second)
    return graph.principled(Base_Color=colour, Roughness=0.5 * ground.roughness, Coat_Weight=0.3)


def _carpet(graph: Graph, ground: Ground, _: int) -> Any:
    at = graph.place()
    tufts = graph.add("TexVoronoi", {"Vector": at, "Scale": 4.5 / ground.scale}).outputs
    tone = graph.noise(at, 0.5, 4.0)
    colour = graph.mixed(
        graph.steps(tufts["Distance"], 0.0, 0.7), times(ground.colour, 1.3), times(ground.colour, 0.35)
    )
    colour = graph.mixed(graph.math("MULTIPLY", graph.steps(tone, 0.45, 0.6), 0.6), colour, ground.second)
    height = graph.math("SUBTRACT", graph.noise(at, 18.0, 4.0), tufts["Distance"])
    return graph.principled(
        Base_Color=colour, Roughness=0.95, Specular_IOR_Level=0.1, Sheen_Weight=0.3,
        Normal=graph.bump(height, ground.relief, 0.25),
    )  # fmt: skip


GROUNDS = {
    "felt": _felt, "cloth": _cloth, "board": _board, "wood": _wood, "leather": _leather, "cardboard": _cardboard,
    "paper": _paper, "game": _game, "laminate": _laminate, "stone": _stone, "carpet": _carpet,
}  # fmt: skip
