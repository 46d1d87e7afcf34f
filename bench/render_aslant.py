"""Render trays as a phone sees them, aslant and with other things about: `python bench/render_aslant.py OUT [TOOL]`.

TOOL is the shared renderer (`../shared/tools/render_trays.py` where it is not given), which says what it needs; this
takes its scenes and has the camera look from 10 to 50 degrees off, half of the time without walls, with counters, boxes
and cards beside the dice. Measured by `python bench/read_bench.py OUT`. What another die hides is in the truth all the
same: such a picture cannot be read exactly.
"""

import argparse
import importlib.util
import math
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from picture_sets import SHARED

TOOL = SHARED.with_name("tools") / "render_trays.py"

TILT_DEG = 10, 50
DISTANCE_CM = 30, 60
IN_VIEW = 1.1, 1.7
"""Half of what the camera sees in height at the tray, in half trays."""

FEWEST_THINGS, MOST_THINGS = 0, 6


def load(tool: Path) -> ModuleType:
    """The renderer as a module."""
    spec = importlib.util.spec_from_file_location("render_trays", tool)
    if spec is None or spec.loader is None or not tool.is_file():
        raise SystemExit(f"render_aslant: expected the shared renderer, got no {tool}")
    found = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(found)
    except ImportError as missing:
        raise SystemExit(f"render_aslant: expected what {tool.name} says it needs, got: {missing}") from None
    return found


def aslant(trays: ModuleType, chance: random.Random, camera: Any, about: dict) -> None:
    """Have the camera look at the tray's middle from beside it."""
    from mathutils import Vector

    tilt, turn = math.radians(chance.uniform(*TILT_DEG)), chance.uniform(0, 2 * math.pi)
    away = chance.uniform(*DISTANCE_CM)
    middle = Vector((chance.uniform(-2, 2), chance.uniform(-2, 2), trays.SIDE / 2))
    flat = math.sin(tilt)
    camera.location = middle + away * Vector((flat * math.cos(turn), flat * math.sin(turn), math.cos(tilt)))
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.rotation_euler.rotate_axis("Z", chance.gauss(0, 0.15))
    camera.data.angle = 2 * math.atan(about["half_cm"] * chance.uniform(*IN_VIEW) * 4 / 3 / away)
    about["tilt"] = round(math.degrees(tilt), 1)


def thing(trays: ModuleType, chance: random.Random, number: int) -> None:
    """Lay a counter, a cap, a box or a card somewhere."""
    import bpy

    x, y = chance.uniform(-14, 14), chance.uniform(-14, 14)
    width, depth, height = chance.choice([(1.2, 1.2, 0.2), (2.6, 2.6, 0.6), (4.0, 1.2, 0.8), (6.0, 9.0, 0.03)])
    if width == depth:
        bpy.ops.mesh.primitive_cylinder_add(radius=width / 2 * chance.uniform(0.8, 1.2), depth=height)
    else:
        bpy.ops.mesh.primitive_cube_add(size=1)
        bpy.context.object.scale = width * chance.uniform(0.3, 1.5), depth * chance.uniform(0.6, 1.2), height
    made = bpy.context.object
    made.location, made.rotation_euler = (x, y, height / 2), (0, 0, chance.uniform(0, 6))
    colour = tuple(chance.uniform(0.02, 0.8) for _ in range(3))
    made.data.materials.append(trays.material(f"thing {number}", colour, chance.uniform(0.1, 0.7)))


def main() -> int:
    """Render."""
    parser = argparse.ArgumentParser(description="Render trays as a phone sees them.")
    parser.add_argument("out")
    parser.add_argument("tool", nargs="?", type=Path, default=TOOL)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    arguments = parser.parse_args()
    trays = load(arguments.tool)
    import bpy

    straight_down = trays.build

    def build(seed: int, frames: int, rig: int | None = None) -> tuple:
        made = straight_down(seed, frames, rig)
        chance = random.Random(seed * 31 + 7)
        aslant(trays, chance, made[3], made[4])
        if chance.random() < 0.5:
            for part in bpy.data.objects:
                part.hide_render |= part.name.startswith(("wall", "rail"))
        for number in range(chance.randint(FEWEST_THINGS, MOST_THINGS)):
            thing(trays, chance, number)
        return made

    trays.build = build
    sys.argv = ["render_trays", arguments.out, f"--seed={arguments.seed}", f"--count={arguments.count}"]
    trays.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
