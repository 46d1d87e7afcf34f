"""Render a scene: build it in Blender, let its dice fall, trace its light, and return the photograph and its labels."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from traced.arrange import BELOW_CM, corners_of, dropped, oddly, rail_of, walls_of
from traced.dice import DieLook
from traced.die_materials import die_material
from traced.die_paint import paint
from traced.die_shape import mesh
from traced.ground_materials import ground_material, wall_material
from traced.labels import described, labels, lens_of, placed
from traced.lamps import light
from traced.nodes import image
from traced.photograph import developed, shot
from traced.plan import plan
from traced.poses import Block, DiePose, about
from traced.scene import TracedScene
from traced.solids import block, die_data, fence, matrix, shown
from traced.things import corners, put
from traced.throws import settle

SAMPLES = 4
"""Paths through each pixel: the denoiser makes of 4 what it makes of 16, but for what a camera's own noise hides."""

MARGIN_PX = 4
"""A die that is set oddly has its middle at least so far inside the picture."""


def traced(seed: int) -> tuple[bytes, dict[str, Any]]:
    """Return a scene's photograph as JPEG, and its labels. The same seed gives the same on one machine."""
    scene = plan(seed)
    chance = Random(f"poses {seed}")
    _reset(seed)
    walls = _surroundings(scene)
    made = [(thing, *put(thing)) for thing in scene.things]
    boxes = [box for _, _, some in made for box in some]
    looks = [scene.looks[n] for n in scene.dice]
    poses = _lying(chance, scene, looks, walls, boxes)
    looks = looks[: len(poses)]
    dice = _dice(scene, looks, poses)
    light(scene)
    _camera(scene)
    if scene.moving and poses:
        poses[0] = _moving(chance, dice[0], poses[0])
    rays = _sight(scene, dice, poses)
    rendered = _light_of(scene)
    jpeg = developed(rendered, shot(seed, die_px=_die_px(scene), held=scene.camera.held), seed)
    grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    besides = [_beside(scene, thing.kind, objects) for thing, objects, _ in made]
    found = labels(scene, looks, poses, rays, np.asarray(grey, np.uint8))
    return jpeg, described(scene, found, [each for each in besides if each])


def _die_px(scene: TracedScene) -> float:
    edge = scene.looks[0].edge_cm if scene.looks else 1.6
    return scene.camera.focal_px * edge / scene.camera.distance_cm


def _reset(seed: int) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", SAMPLES, seed % (1 << 31)
    cycles.use_adaptive_sampling = cycles.use_light_tree = False  # slower for so few lamps and paths
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "BALANCED"
    cycles.max_bounces, cycles.transmission_bounces, cycles.transparent_max_bounces = 10, 10, 8
    cycles.diffuse_bounces, cycles.glossy_bounces = 3, 4
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 8.0
    scene.render.image_settings.file_format = "OPEN_EXR"


def _surroundings(scene: TracedScene) -> list[Block]:
    """Add the ground and the tray, and return the tray's walls and rail."""
    ground = ground_material(scene.ground, scene.seed)
    reach = 45.0 + 2 * max(scene.camera.reach_cm)
    x, y = scene.camera.target
    if scene.tray is None:
        block("table", Block((x, y, -2), (2 * reach, 2 * reach, 4)), ground).location = (x, y, -2)
        return []
    tray = scene.tray
    lining = wall_material(tray.kind, tray.colour, scene.ground.roughness)
    below = wall_material("wood" if scene.seed % 2 else "laminate", scene.ground.second, 0.4)
    block("table", Block((x, y, -2 - BELOW_CM), (2 * reach, 2 * reach, 4)), below)
    long = [tray.half[0] + 0.1, tray.half[1] + 0.1]
    if tray.sides == 4:
        block(
            "floor", Block((*tray.middle, -BELOW_CM / 2), (2 * long[0], 2 * long[1], BELOW_CM), tray.turn_deg), ground
        )
    else:
        for n in range(tray.sides // 2):  # blocks across that together fill the polygon
            out = sum(tray.half) / 2 + 0.1
            wide = 2 * out * np.tan(np.pi / tray.sides)
            size = (2 * out, float(wide), BELOW_CM - 0.002 * n)
            middle = (*tray.middle, -BELOW_CM / 2 - 0.001 * n)
            block("floor", Block(middle, size, tray.turn_deg + 360 * n / tray.sides), ground)
    inner, outer = corners_of(tray, 0.0), corners_of(tray, tray.thick_cm)
    fence("walls", inner, outer, -BELOW_CM, tray.wall_cm, lining)
    rail = rail_of(tray)
    if rail:
        block("rail", rail, lining, rail.size[1] / 4)
    return [*walls_of(tray), *([rail] if rail else [])]


def _lying(
    chance: Random, scene: TracedScene, looks: list[DieLook], walls: list[Block], boxes: list[Block]
) -> list[DiePose]:
    """Return where the dice lie in the end."""
    if not looks:
        return []
    lens = lens_of(scene.camera)

    def inside(spot: NDArray[np.float64]) -> bool:
        seen = lens.see(spot[None])[0]
        size = np.array([scene.camera.width, scene.camera.height])
        return bool(((seen > MARGIN_PX) & (seen < size - MARGIN_PX)).all())

    start = dropped(chance, scene, looks, boxes)
    rested = settle(start, [*walls, *boxes], chance.uniform(0.3, 0.8))
    return oddly(chance, scene, looks[: len(rested)], rested, boxes, inside)


def _dice(scene: TracedScene, looks: list[DieLook], poses: list[DiePose]) -> list[Any]:
    cells = 44 if _die_px(scene) < 30 else 84
    rng = np.random.default_rng([scene.seed, 10])
    data: dict[int, Any] = {}
    made = []
    for n, (look, pose) in enumerate(zip(looks, poses, strict=True)):
        kind = scene.dice[n]
        if kind not in data:
            material = die_material(look, image("paint", paint(look, rng), data=True))
            data[kind] = die_data(mesh(look, cells), look.edge_cm, material)
        one = shown(f"die {n}", data[kind], None)
        one.matrix_world = matrix(pose)
        made.append(one)
    return made


def _moving(chance: Random, die: Any, pose: DiePose) -> DiePose:
    """Let a die still roll or bounce: it moves while the shutter is open."""
    axis = np.array([chance.gauss(0, 1) for _ in range(3)])
    axis /= np.linalg.norm(axis)
    turn = about(axis, chance.uniform(0.2, 3)) @ pose.turn
    high = pose.edge / 2 * np.abs(turn[2]).sum() + chance.uniform(0, 0.8) * pose.edge
    middle = replace(pose, spot=np.array([*pose.spot[:2], high]), turn=turn, moves=True)
    step = np.array([chance.gauss(0, 0.25), chance.gauss(0, 0.25), 0.0]) * pose.edge
    spin = chance.uniform(-0.4, 0.4)
    die.rotation_mode = "QUATERNION"
    for frame, by in ((0, -1), (1, 0), (2, 1)):
        die.matrix_world = matrix(replace(middle, spot=middle.spot + by * step, turn=about(axis, by * spin) @ turn))
        die.keyframe_insert("location", frame=frame)
        die.keyframe_insert("rotation_quaternion", frame=frame)
    scene = bpy.context.scene
    scene.frame_set(1)
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 1.0
    return middle


def _camera(scene: TracedScene) -> None:
    camera = scene.camera
    data = bpy.data.cameras.new("camera")
    made = bpy.data.objects.new("camera", data)
    into = bpy.context.scene
    into.collection.objects.link(made)
    into.camera = made
    at, turn = placed(camera)
    whole = np.eye(4)
    whole[:3, :3] = np.stack([turn[0], -turn[1], -turn[2]], 1)
    whole[:3, 3] = at
    made.matrix_world = Matrix(whole.tolist())
    data.sensor_fit = "HORIZONTAL"
    data.angle = np.radians(camera.fov_deg)
    data.clip_start, data.clip_end = 0.1, 2000.0
    data.dof.use_dof = True
    data.dof.focus_distance = camera.distance_cm * camera.focus
    # Blender's aperture is the focal length over the f-number, in thousandths of a unit.
    data.dof.aperture_fstop = data.lens / 1000 / (2 * camera.aperture_cm)
    into.render.resolution_x, into.render.resolution_y = camera.width, camera.height


def _sight(scene: TracedScene, dice: list[Any], poses: list[DiePose]) -> Any:
    """Return the function that tells which points of a die the camera sees."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    at = Vector(placed(scene.camera)[0].tolist())
    into = bpy.context.scene

    def sight(n: int, points: NDArray[np.float64]) -> list[bool]:
        seen = []
        for point in points:
            way = Vector(point.tolist()) - at
            hit, there, _, _, what, _ = into.ray_cast(graph, at, way.normalized(), distance=way.length * 1.2)
            near = hit and (there - Vector(point.tolist())).length < 0.2 * poses[n].edge
            seen.append(bool(near and what.name == dice[n].name))
        return seen

    return sight


def _light_of(scene: TracedScene) -> NDArray[np.float32]:
    """Return the traced light (height, width, 3), linear red, green, blue."""
    into = bpy.context.scene
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "light.exr"
        into.render.filepath = str(file)
        with _quiet():
            bpy.ops.render.render(write_still=True)
        loaded = bpy.data.images.load(str(file))
        pixels = np.empty(scene.camera.width * scene.camera.height * 4, np.float32)
        loaded.pixels.foreach_get(pixels)
    return np.ascontiguousarray(pixels.reshape(scene.camera.height, scene.camera.width, 4)[::-1, :, :3])


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Blender's own lines, which it writes past Python, off the terminal."""
    kept = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(nothing)
        os.close(kept)


def _beside(scene: TracedScene, kind: str, objects: list[Any]) -> dict[str, Any] | None:
    """Return the box in the picture of a thing that is no die, or nothing if the picture does not show it."""
    lens = lens_of(scene.camera)
    points = corners(objects)
    if ((points - lens.at) @ lens.turn[2] < 0.5).any():
        return None
    seen = lens.see(points)
    size = np.array([scene.camera.width, scene.camera.height]) - 1
    low, high = np.clip(seen.min(0), 0, size), np.clip(seen.max(0), 0, size)
    if (high - low < 2).any():
        return None
    return {"kind": kind, "box": np.round([*low, *(high - low)], 1).tolist()}
