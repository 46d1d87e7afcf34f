"""Make solids as Blender's objects: dice, blocks, cylinders, rings and balls."""

import math
from itertools import pairwise
from typing import Any

import bmesh
import bpy
import numpy as np
from mathutils import Matrix

from traced.die_shape import Floats, Mesh
from traced.poses import Block, DiePose


def shown(name: str, data: Any, material: Any) -> Any:
    """Add an object with this mesh to the scene."""
    made = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(made)
    if material is not None:
        data.materials.clear()
        data.materials.append(material)
    return made


def die_data(mesh: Mesh, edge_cm: float, material: Any) -> Any:
    """Return Blender's mesh of a die."""
    data = bpy.data.meshes.new("die")
    count = len(mesh.squares)
    data.vertices.add(len(mesh.points))
    data.vertices.foreach_set("co", (mesh.points * edge_cm).astype(np.float32).ravel())
    data.loops.add(4 * count)
    data.loops.foreach_set("vertex_index", mesh.squares.ravel())
    data.polygons.add(count)
    data.polygons.foreach_set("loop_start", np.arange(0, 4 * count, 4, dtype=np.int32))
    data.uv_layers.new(name="atlas").data.foreach_set("uv", mesh.uv.ravel())
    data.update(calc_edges=True)
    data.polygons.foreach_set("use_smooth", np.ones(count, bool))
    data.materials.append(material)
    assert not data.validate(), "expected a closed surface of squares"
    return data


def matrix(pose: DiePose) -> Matrix:
    """Return a pose as Blender's matrix."""
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = pose.turn, pose.spot
    return Matrix(whole.tolist())


def _data(name: str, shape: bmesh.types.BMesh, *, smooth: bool) -> Any:
    data = bpy.data.meshes.new(name)
    shape.to_mesh(data)
    shape.free()
    for polygon in data.polygons:
        polygon.use_smooth = smooth
    return data


def block(name: str, box: Block, material: Any, bevel: float = 0.0) -> Any:
    """Add a block with rounded edges. Its picture coordinates lie on its upper side."""
    shape = bmesh.new()
    bmesh.ops.create_cube(shape, size=1.0)
    bmesh.ops.scale(shape, vec=box.size, verts=shape.verts)
    if bevel:
        width = min(bevel, 0.45 * min(box.size))
        bmesh.ops.bevel(shape, geom=shape.edges[:], offset=width, segments=3, affect="EDGES", profile=0.5)
    layer = shape.loops.layers.uv.new("atlas")
    for face in shape.faces:
        for loop in face.loops:
            x, y, _ = loop.vert.co
            loop[layer].uv = (x / box.size[0] + 0.5, y / box.size[1] + 0.5)
    made = shown(name, _data(name, shape, smooth=False), material)
    made.location = box.middle
    made.rotation_euler = (0, 0, math.radians(box.turn_deg))
    return made


def fence(name: str, inner: Floats, outer: Floats, low: float, high: float, material: Any) -> Any:
    """Add the walls of a tray, between their inner and outer corners (n, 2), with rounded upper edges."""
    shape = bmesh.new()
    rings = [
        [shape.verts.new((x, y, z)) for x, y in ring]
        for ring, z in ((inner, low), (inner, high), (outer, high), (outer, low))
    ]
    count = len(inner)
    for first, second in pairwise(rings):
        for n in range(count):
            shape.faces.new((first[n - 1], first[n], second[n], second[n - 1]))
    bmesh.ops.recalc_face_normals(shape, faces=shape.faces[:])
    upper = {*rings[1], *rings[2]}
    rims = [edge for edge in shape.edges if set(edge.verts) <= upper and len({*edge.verts} & {*rings[1]}) != 1]
    thick = float(np.linalg.norm(outer[0] - inner[0]))
    bmesh.ops.bevel(shape, geom=rims, offset=min(0.15, thick / 6), segments=2, affect="EDGES", profile=0.5)
    return shown(name, _data(name, shape, smooth=False), material)


def cylinder(
    name: str, radius: float, height: float, at: tuple[float, float, float], material: Any, top: float = 1.0
) -> Any:
    """Add an upright cylinder or cone, whose upper radius is `top` times the lower one."""
    shape = bmesh.new()
    bmesh.ops.create_cone(
        shape, cap_ends=True, segments=40, radius1=radius, radius2=max(1e-3, radius * top), depth=height
    )
    rims = [
        edge for edge in shape.edges if len(edge.link_faces) == 2 and max(len(f.verts) for f in edge.link_faces) > 4
    ]
    bmesh.ops.bevel(shape, geom=rims, offset=0.08 * min(radius, height), segments=2, affect="EDGES", profile=0.5)
    made = shown(name, _data(name, shape, smooth=False), material)
    made.location = at
    return made


def ball(name: str, radius: float, at: tuple[float, float, float], material: Any, *, facets: int = 3) -> Any:
    """Add a ball, or with few facets a polyhedron of 20 faces (1)."""
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=facets, radius=radius)
    made = shown(name, _data(name, shape, smooth=facets > 1), material)
    made.location = at
    return made


def ring(name: str, radius: float, thick: float, at: tuple[float, float, float], material: Any) -> Any:
    """Add a ring that lies flat."""
    bpy.ops.mesh.primitive_torus_add(
        major_radius=radius, minor_radius=thick, location=at, major_segments=40, minor_segments=10
    )
    made = bpy.context.object
    made.name = name
    made.data.materials.append(material)
    for polygon in made.data.polygons:
        polygon.use_smooth = True
    return made
