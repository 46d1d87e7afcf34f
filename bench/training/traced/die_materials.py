"""Make the materials of dice: bodies of eleven kinds, and the paint in their pips."""

from typing import Any

from traced.dice import DieLook
from traced.nodes import Graph

IOR = 1.49
"""The refractive index of acrylic."""


def die_material(look: DieLook, paint: Any) -> Any:
    """Return the material of a die whose paint is a picture; coordinates of the object are centimetres."""
    graph = Graph("die")
    edge = look.edge_cm
    # Patterns are in edges, other ones in each die.
    at = graph.place(1 / edge, own=True)
    body, volume = BODIES[look.material](graph, look, at)
    seen = graph.add("TexImage", {}, image=paint, interpolation="Linear", extension="EXTEND")
    split = graph.add("SeparateColor", {"Color": seen.outputs["Color"]})
    pip = _enamel(graph, look.pip)
    accent = _enamel(graph, look.accent)
    surface = graph.either(split.outputs["Red"], body, pip)
    surface = graph.either(split.outputs["Green"], surface, accent)
    return graph.done(surface, volume)


def _enamel(graph: Graph, colour: Any) -> Any:
    gold = colour == (0.75, 0.5, 0.12)
    return graph.principled(Base_Color=colour, Roughness=0.35 if gold else 0.5, Metallic=0.9 if gold else 0.0)


def _plastic(graph: Graph, look: DieLook, colour: Any, normal: Any = None, under: float = 0.0) -> Any:
    inputs: dict[str, Any] = {
        "Base_Color": colour,
        "Roughness": look.roughness,
        "Coat_Weight": look.coat,
        "Coat_Roughness": 0.05,
        "Subsurface_Weight": under,
        "Subsurface_Radius": (1.0, 0.85, 0.7),
        "Subsurface_Scale": 0.15 * look.edge_cm,
    }
    if normal is not None:
        inputs["Normal"] = normal
    return graph.principled(**inputs)


def _opaque(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    # Moulded plastic is not quite even, and handled dice are not quite clean.
    mottled = graph.mixed(graph.math("MULTIPLY", graph.noise(at, 3.0), 0.12), look.body, look.second)
    return _plastic(graph, look, mottled, under=0.15), None


def _clear(graph: Graph, look: DieLook, roughness: float) -> tuple[Any, Any]:
    """Return a clear body whose colour deepens with the way of the light."""
    glass = graph.principled(Base_Color=(1.0, 1.0, 1.0), Roughness=roughness, IOR=IOR, Transmission_Weight=1.0)
    # Light that falls through a clear die lights its shadow; tracing that would take thousands of rays.
    tint = tuple(0.75 * min(1.0, each + 0.02) ** (0.5 * look.density) for each in look.body)
    through = graph.add("BsdfTransparent", {"Color": tint}).outputs[0]
    shadow = graph.add("LightPath").outputs["Is Shadow Ray"]
    volume = graph.add("VolumeAbsorption", {"Color": look.body, "Density": look.density / look.edge_cm}).outputs[0]
    return graph.either(shadow, glass, through), volume


def _acrylic(graph: Graph, look: DieLook, _: Any) -> tuple[Any, Any]:
    return _clear(graph, look, min(look.roughness, 0.06))


def _frosted(graph: Graph, look: DieLook, _: Any) -> tuple[Any, Any]:
    return _clear(graph, look, 0.3 + 0.4 * look.roughness)


def _pearl(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    bands = graph.noise(at, 1.3 * look.grain, 2.0, 2.5)
    gloss = graph.steps(bands, 0.35, 0.65)
    lighter = tuple(min(0.95, 0.5 * each + 0.35) for each in look.body)
    colour = graph.mixed(gloss, look.body, lighter)
    facing = graph.add("LayerWeight", {"Blend": 0.4}).outputs["Facing"]
    colour = graph.mixed(graph.math("MULTIPLY", facing, 0.5), colour, look.third)
    sheen = graph.principled(
        Base_Color=colour, Metallic=graph.math("MULTIPLY", gloss, 0.55), Roughness=0.28,
        Coat_Weight=1.0, Coat_Roughness=0.04, Subsurface_Weight=0.15, Subsurface_Scale=0.15 * look.edge_cm,
    )  # fmt: skip
    return sheen, None


def _swirl(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    bent = graph.noise(at, 0.9 * look.grain, 3.0, 3.0)
    first = graph.mixed(graph.steps(bent, 0.4, 0.55), look.body, look.second)
    veins = graph.steps(graph.noise(at, 1.6 * look.grain, 4.0, 2.0), 0.58, 0.66)
    return _plastic(graph, look, graph.mixed(veins, first, look.third), under=0.1), None


def _flakes(graph: Graph, at: Any, scale: float, share: float) -> tuple[Any, Any]:
    """Return where flakes are, and a random colour for each."""
    cells = graph.add("TexVoronoi", {"Vector": at, "Scale": scale})
    random = cells.outputs["Color"]
    red = graph.add("SeparateColor", {"Color": random}).outputs["Red"]
    return graph.math("LESS_THAN", red, share), random


def _glitter(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    there, random = _flakes(graph, at, 22.0 * look.grain, 0.4)
    tilted = graph.add("VectorMath", {0: random, 1: (0.5, 0.5, 0.5)}, operation="SUBTRACT").outputs[0]
    normal = graph.add("NewGeometry").outputs["Normal"]
    tilted = graph.add("VectorMath", {0: tilted, 1: normal}, operation="ADD").outputs[0]
    tilted = graph.add("VectorMath", {0: tilted}, operation="NORMALIZE").outputs[0]
    colour = graph.mixed(0.5, look.second, random, "SCREEN")
    flake = graph.principled(
        Base_Color=colour, Metallic=1.0, Roughness=0.2, Normal=tilted, Coat_Weight=1.0, Coat_Roughness=0.03
    )
    return graph.either(there, _plastic(graph, look, look.body), flake), None


def _speckle(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    coarse, _ = _flakes(graph, at, 14.0 * look.grain, 0.2)
    fine, _ = _flakes(graph, at, 30.0 * look.grain, 0.18)
    colour = graph.mixed(fine, graph.mixed(coarse, look.body, look.second), look.third)
    return _plastic(graph, look, colour, under=0.1), None


def _metal(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    worn = graph.math(
        "ADD", graph.math("MULTIPLY", graph.noise(at, 8.0, 5.0), 0.25), look.roughness * 0.7 - 0.08, clamp=True
    )
    scratched = graph.bump(graph.noise(at, 40.0), 0.05, 0.01)
    return graph.principled(Base_Color=look.body, Metallic=1.0, Roughness=worn, Normal=scratched), None


def _wood(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    along = graph.add("Mapping", {"Vector": at, "Scale": (1.0, 1.0, 0.12)}).outputs[0]
    rings = graph.add(
        "TexWave", {"Vector": along, "Scale": 1.6 * look.grain, "Distortion": 5.0, "Detail": 3.0}, wave_type="RINGS"
    ).outputs["Fac"]
    fibre = graph.noise(along, 34.0, 4.0)
    darker = tuple(0.45 * each for each in look.body)
    colour = graph.mixed(graph.math("MULTIPLY", rings, 0.75), look.body, darker)
    colour = graph.mixed(graph.math("MULTIPLY", fibre, 0.4), colour, darker)
    relief = graph.bump(fibre, 0.25, 0.02)
    return graph.principled(
        Base_Color=colour, Roughness=max(0.35, look.roughness), Normal=relief, Coat_Weight=0.5 * look.coat
    ), None


def _stone(graph: Graph, look: DieLook, at: Any) -> tuple[Any, Any]:
    cloud = graph.mixed(graph.steps(graph.noise(at, 1.2 * look.grain, 8.0, 0.6), 0.3, 0.7), look.body, look.second)
    thin = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.noise(at, 1.1 * look.grain, 6.0, 1.5), 0.5))
    veins = graph.steps(thin, 0.025, 0.0)
    return _plastic(graph, look, graph.mixed(veins, cloud, look.third)), None


def _glow(graph: Graph, look: DieLook, _: Any) -> tuple[Any, Any]:
    lit = graph.principled(
        Base_Color=look.body, Roughness=0.4, Subsurface_Weight=0.5, Subsurface_Scale=0.3 * look.edge_cm,
        Emission_Color=tuple(each**2 for each in look.body), Emission_Strength=0.15 * look.density,
    )  # fmt: skip
    return lit, None


BODIES = {
    "opaque": _opaque, "acrylic": _acrylic, "frosted": _frosted, "pearl": _pearl, "swirl": _swirl,
    "glitter": _glitter, "speckle": _speckle, "metal": _metal, "wood": _wood, "stone": _stone, "glow": _glow,
}  # fmt: skip
