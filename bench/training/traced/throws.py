"""Let dice fall and come to rest, by Blender's rigid bodies."""

import bpy
import numpy as np

from traced.poses import Block, DiePose
from traced.solids import block, matrix

FRAMES = 90
"""Frames until dice rest, 60 a second."""

STEPS = 24
"""Steps of the simulation in a frame."""

TABLE_CM = 400.0
MARGIN_CM = 0.004


def settle(poses: list[DiePose], boxes: list[Block], rough: float) -> list[DiePose]:
    """Return where dice lie after they fell on a table with blocks. `rough` is their friction."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.substeps_per_frame, world.solver_iterations = STEPS, 20
    scene.gravity = (0, 0, -981)
    scene.render.fps = 60
    scene.frame_start, scene.frame_end = 1, FRAMES
    world.point_cache.frame_end = FRAMES
    floor = Block((0, 0, -1), (TABLE_CM, TABLE_CM, 2))
    still = [block("still", box, None) for box in (floor, *boxes)]
    falling = [block("falling", Block((0, 0, 0), (pose.edge,) * 3), None) for pose in poses]
    for made in still:
        _body(made, "PASSIVE", 0.9)
    for made, pose in zip(falling, poses, strict=True):
        made.rotation_mode = "QUATERNION"
        made.matrix_world = matrix(pose)
        _body(made, "ACTIVE", rough)
    for frame in range(1, FRAMES):
        scene.frame_set(frame)
    nearly = _places(falling)
    scene.frame_set(FRAMES)
    rested = []
    for pose, whole, before in zip(poses, _places(falling), nearly, strict=True):
        off = float(np.abs(whole - before).max())
        axes, _, others = np.linalg.svd(whole[:3, :3])
        rested.append(DiePose(whole[:3, 3], axes @ others, pose.edge, moves=off > 0.02 * pose.edge))
    bpy.ops.rigidbody.world_remove()
    for made in (*still, *falling):
        bpy.data.objects.remove(made, do_unlink=True)
    scene.frame_set(1)
    return rested


def _places(falling: list[bpy.types.Object]) -> list[np.ndarray]:
    """Return the matrices (4, 4) of bodies at this moment."""
    graph = bpy.context.evaluated_depsgraph_get()
    return [np.array(made.evaluated_get(graph).matrix_world) for made in falling]


def _body(made: bpy.types.Object, kind: str, friction: float) -> None:
    bpy.context.view_layer.objects.active = made
    made.select_set(True)
    bpy.ops.rigidbody.object_add(type=kind)
    made.select_set(False)
    body = made.rigid_body
    body.collision_shape = "BOX"
    body.mass = 0.004
    body.friction, body.restitution = friction, 0.25
    body.use_margin, body.collision_margin = True, MARGIN_CM
    body.linear_damping, body.angular_damping = 0.05, 0.15
