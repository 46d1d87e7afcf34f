"""Light a scene: its room, its lamps, and the shadow of whoever holds the camera."""

import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

from traced.dice import RGB
from traced.labels import placed
from traced.nodes import Graph, image
from traced.poses import Block
from traced.room import room
from traced.scene import RoomLamp, TracedScene
from traced.solids import block

HOLDER_CM = (8.0, 16.0, 0.9)
"""The phone in whose shadow dice often lie."""

LEDS = 12
"""Lamps in a ring."""


def light(scene: TracedScene) -> None:
    """Add the room and all lamps of a scene."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    seen = nodes.new("ShaderNodeTexEnvironment")
    seen.image = image("room", room(scene.seed))
    links.new(seen.outputs["Color"], nodes["Background"].inputs["Color"])
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 128
    nodes["Background"].inputs["Strength"].default_value = scene.room * (0.5 if scene.lamps else 1.0)
    for lamp in scene.lamps:
        _lamp(scene, lamp)
    if scene.camera.held and all(lamp.kind != "mirror" for lamp in scene.lamps):
        _holder(scene)


def _lamp(scene: TracedScene, lamp: RoomLamp) -> None:
    about = Vector((*scene.camera.target, 0.0))
    at = about + Vector(lamp.at)
    if lamp.kind == "sun":
        data = bpy.data.lights.new("sun", "SUN")
        data.energy, data.angle, data.color = 1.5 * lamp.strength, math.radians(0.6), lamp.colour
        _put(data, at, about)
    elif lamp.kind in ("bulb", "candle"):
        data = bpy.data.lights.new(lamp.kind, "POINT")
        data.energy = lamp.strength * 4 * math.pi * (at - about).length_squared
        data.shadow_soft_size, data.color = lamp.size_cm / 2, lamp.colour
        _put(data, at, about)
    elif lamp.kind == "ring":
        for n in range(LEDS):
            angle = 2 * math.pi * n / LEDS
            off = Vector((math.cos(angle), math.sin(angle), 0)) * lamp.size_cm
            _area(at + off, about + off, (1.2, 1.2), lamp.colour, lamp.strength / LEDS)
    elif lamp.kind == "window":
        panes = 1 + scene.seed % 4
        side = Vector((0, 0, 1)).cross(at - about).normalized()
        wide = lamp.size_cm / panes
        for n in range(panes):
            off = side * (n - (panes - 1) / 2) * wide
            _area(at + off, about + off, (0.9 * wide, lamp.size_cm), lamp.colour, lamp.strength / panes)
    elif lamp.kind == "strips":
        second = (lamp.colour[2], lamp.colour[0], lamp.colour[1])
        for n, hue in enumerate((lamp.colour, lamp.colour if scene.seed % 2 else second)):
            spot = at if n == 0 else about + Vector((-lamp.at[0], lamp.at[1], lamp.at[2]))
            _area(spot, about, (lamp.size_cm, 1.5), hue, 0.5 * lamp.strength)
    elif lamp.kind == "mirror":
        back = -placed(scene.camera)[1][2]
        spot = about + Vector((-back[0], -back[1], back[2])) * scene.camera.distance_cm * 1.15
        _area(spot, about, (lamp.size_cm, lamp.size_cm), lamp.colour, lamp.strength)
    else:
        _area(at, about, (lamp.size_cm, lamp.size_cm), lamp.colour, lamp.strength)


def _area(at: Vector, to: Vector, size: tuple[float, float], colour: RGB, strength: float) -> None:
    data = bpy.data.lights.new("area", "AREA")
    data.shape = "RECTANGLE"
    data.size, data.size_y = size
    data.energy = strength * math.pi * (at - to).length_squared
    data.color = colour
    _put(data, at, to)


def _put(data: bpy.types.Light, at: Vector, to: Vector) -> None:
    made = bpy.data.objects.new(data.name, data)
    bpy.context.scene.collection.objects.link(made)
    made.location = at
    made.rotation_euler = (to - at).to_track_quat("-Z", "Y").to_euler()
    made.visible_camera = False


def _holder(scene: TracedScene) -> None:
    """Add the phone that takes the picture; the camera does not see it, but its shadow and mirror image."""
    graph = Graph("holder")
    dark = graph.done(graph.principled(Base_Color=(0.02, 0.02, 0.02), Roughness=0.3))
    at, turn = placed(scene.camera)
    behind = at - turn[2] * 1.2 + turn[0] * 2.5
    made = block("holder", Block((0, 0, 0), HOLDER_CM), dark, 0.5)
    made.matrix_world = _matrix(behind, turn)
    made.visible_camera = False


def _matrix(at: np.ndarray, turn: np.ndarray) -> Matrix:
    whole = np.eye(4)
    whole[:3, :3] = np.stack([turn[0], -turn[1], -turn[2]], 1)
    whole[:3, 3] = at
    return Matrix(whole.tolist())
