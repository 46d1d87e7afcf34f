"""The traced scenes that the networks learn from: their plans, their dice, and the labels that go with the pictures."""

import itertools
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench" / "training"))

from traced.dice import DieLook
from traced.die_paint import CELL, paint
from traced.die_shape import ATLAS, frame, mesh, upper, upright
from traced.labels import described, labels, lens_of
from traced.plan import THINGS, VERSION, plan
from traced.poses import Block, DiePose, about, astride, leaning, level
from traced.scene import TracedScene
from traced_scenes import MissingScenesError, files_of, is_made, traced_scene

ROOT = Path(__file__).parents[2]
BLENDER = ROOT / ".venv-scenes" / "bin" / "python"
UP = np.array([0.0, 0.0, 1.0])


SCENES = [plan(seed) for seed in range(400)]
LOOKS = [look for scene in SCENES for look in scene.looks]


def seen_labels(
    scene: TracedScene, looks: list[DieLook], poses: list[DiePose], grey: np.ndarray | None = None
) -> list[dict]:
    if grey is None:
        grey = np.full((scene.camera.height, scene.camera.width), 128, np.uint8)
    return labels(scene, looks, poses, lambda _, points: [True] * len(points), grey)


def from_above(tilt_deg: float = 5) -> TracedScene:
    return next(each for each in SCENES if each.looks and each.camera.tilt_deg < tilt_deg)


def test_the_same_seed_gives_the_same_scene_and_another_one_another() -> None:
    assert SCENES[:50] == [plan(seed) for seed in range(50)]
    assert len({scene.camera for scene in SCENES}) == len(SCENES)


def test_scenes_hold_every_kind_of_ground_lamp_material_pose_and_thing() -> None:
    from traced import plan as plans
    from traced.dice import MATERIALS, PIPS

    assert {scene.ground.kind for scene in SCENES} == set(plans.GROUNDS)
    assert {lamp.kind for scene in SCENES for lamp in scene.lamps} == {*plans.LAMPS, "sun"} - {"overcast"}
    assert any(len(scene.lamps) == 2 for scene in SCENES)
    assert {scene.gathering for scene in SCENES} == set(plans.GATHERINGS)
    assert {kind for scene in SCENES for kind in scene.odd} == set(plans.ODD)
    assert {thing.kind for scene in SCENES for thing in scene.things} == set(THINGS)
    assert {look.material for look in LOOKS} == set(MATERIALS)
    assert {look.pips for look in LOOKS} == set(PIPS)
    assert 0.05 < np.mean([look.eastern for look in LOOKS]) < 0.3


@pytest.mark.parametrize("face", range(1, 7))
def test_an_upright_die_shows_its_face_with_the_pips_along_its_axes_and_seven_less_it_below(face: int) -> None:
    for look in LOOKS[:40]:
        assert np.array_equal(frame(look, face).normal, -frame(look, 7 - face).normal)
        corner = np.linalg.det(np.stack([frame(look, each).normal for each in (1, 2, 3)]))
        assert corner == (-1 if look.eastern else 1), "seen from outside, counterclockwise on western dice"
        turn = upright(look, face)
        assert np.linalg.det(turn) == pytest.approx(1)
        assert upper(look, turn) == face
        assert np.allclose(turn @ frame(look, face).along, (1, 0, 0))
        assert len(look.places(face)) == face


def test_a_dies_surface_is_closed_and_its_pips_are_hollow_where_the_paint_is() -> None:
    plain = (each for each in LOOKS if not each.logo and each.mark == "dot" and not each.worn)
    look = next(each for each in plain if each.pips == "drilled")
    body = mesh(look, 24)
    sides = np.sort(np.concatenate([body.squares[:, [i, (i + 1) % 4]] for i in range(4)]), 1)
    _, times = np.unique(sides, axis=0, return_counts=True)
    assert (times == 2).all(), "each side belongs to two squares"
    a, b, c, _ = (body.points[body.squares[:, i]] for i in range(4))
    volume = np.einsum("ni,ni->n", a, np.cross(b, c)).sum() / 3  # half of each square, twice
    assert 0.6 < volume < 1.0, "its squares face outwards"
    painted = paint(look, np.random.default_rng(1)).max(2)
    for face, (column, row_at) in ATLAS.items():
        cell = painted[row_at * CELL : (row_at + 1) * CELL, column * CELL : (column + 1) * CELL]
        spots, _, found, _ = cv2.connectedComponentsWithStats((cell > 0.5).astype(np.uint8))
        assert spots - 1 == face
        assert found[1:, cv2.CC_STAT_AREA].min() > 20


def test_a_level_dies_label_is_the_projection_of_its_upper_face() -> None:
    for scene in [each for each in SCENES if each.looks][:60]:
        look, lens = scene.looks[0], lens_of(scene.camera)
        pose = level(look, 6, scene.camera.target, 0.4)
        (label,) = seen_labels(scene, [look], [pose])
        e = look.edge_cm
        ahead, out = np.array([np.cos(0.4), np.sin(0.4), 0]), np.array([-np.sin(0.4), np.cos(0.4), 0])
        middle = np.array([*scene.camera.target, e])
        corners = [middle + (i * ahead + j * out) * e / 2 for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        assert np.allclose(label["corners"], lens.see(np.array(corners)), atol=0.01)
        along = np.add(label["centre"], label["along"])
        assert np.allclose(along, lens.see((middle + ahead * e / 2)[None])[0], atol=0.01)
        assert label["face"] == 6
        assert label["lean_deg"] < 1e-3
        assert label["rests"] == "level"
        assert np.hypot(*label["slant"]) == pytest.approx(np.sin(np.radians(label["aslant_deg"])), abs=0.01)
        x, y, wide, high = label["box"]
        assert x < label["centre"][0] < x + wide
        assert y < label["centre"][1] < y + high


@pytest.mark.parametrize("degrees", [5, 12, 25, 44])
def test_a_leaning_die_touches_table_and_wall_and_says_how_much_it_leans(degrees: float) -> None:
    look = LOOKS[0]
    towards = np.array([0.6, 0.8])
    pose = leaning(level(look, 3, (0, 0), 0.3), np.radians(degrees), towards, np.array([2.0, 1.0]))
    cube = np.array(list(itertools.product((-1, 1), repeat=3)))
    corners = pose.spot + look.edge_cm / 2 * cube @ pose.turn.T
    assert corners[:, 2].min() == pytest.approx(0)
    assert (corners[:, :2] @ towards).max() == pytest.approx(np.array([2.0, 1.0]) @ towards)
    assert pose.lean_deg == pytest.approx(degrees)
    assert upper(look, pose.turn) == 3


def test_a_die_astride_a_rail_touches_the_table_and_the_rails_edge() -> None:
    look, rail = replace(LOOKS[0], edge_cm=1.6), Block((1.0, 2.0, 0.25), (10.0, 0.4, 0.5), 30.0)
    for side in (-1.0, 1.0):
        flat = level(look, 2, (0, 0), np.radians(30))
        pose = astride(flat, rail, 0.7, side, 1.5)
        assert pose.lowest_cm == pytest.approx(0)
        ahead, out = about(UP, np.pi / 6) @ [1.0, 0.0, 0.0], about(UP, np.pi / 6) @ [0.0, 1.0, 0.0]
        edge = np.array([1.0, 2.0, 0.5]) + 1.5 * ahead + side * 0.2 * out
        local = pose.turn.T @ (edge - pose.spot) / look.edge_cm
        assert np.abs(local).max() == pytest.approx(0.5), "the rail's edge lies on a face"
        assert pose.lean_deg == pytest.approx(np.degrees(np.arcsin(0.5 / 0.7 / look.edge_cm)))


def test_a_die_on_another_says_so_and_so_does_the_other() -> None:
    scene = from_above(20)
    look = scene.looks[0]
    below = level(look, 2, scene.camera.target, 0.0)
    above = level(look, 5, scene.camera.target, 0.3, below=look.edge_cm)
    low, high = seen_labels(scene, [look, look], [below, above])
    assert (low["on_top"], low["beneath"], low["rests"]) == (False, True, "level")
    assert (high["on_top"], high["beneath"], high["rests"]) == (True, False, "raised")


def test_a_die_that_the_edge_cuts_says_so_and_one_outside_is_left_out() -> None:
    scene = from_above()
    look, (x, y) = scene.looks[0], scene.camera.target
    right = lens_of(scene.camera).turn[0] * scene.camera.reach_cm[0]
    at_edge, outside = (level(look, 4, (float(x + n * right[0]), float(y + n * right[1])), 0.0) for n in (1, 3))
    (label,) = seen_labels(scene, [look, look], [at_edge, outside])
    assert label["cut"]
    assert 0 < label["visible"] < 1


def test_the_contrast_of_a_face_is_measured_in_the_picture() -> None:
    scene = from_above()
    look, lens = next(each for each in LOOKS if not each.logo and each.mark == "dot"), lens_of(scene.camera)
    pose, axes = level(look, 5, scene.camera.target, 0.0), frame(look, 5)
    grey = np.full((scene.camera.height, scene.camera.width), 200, np.uint8)
    for s, t in look.places(5):
        on_die = axes.normal / 2 + s * axes.along + t * axes.across
        ((x, y),) = lens.see((pose.spot + look.edge_cm * pose.turn @ on_die)[None])
        cv2.circle(grey, (round(x), round(y)), 1, 50, cv2.FILLED)
    (dark,) = seen_labels(scene, [look], [pose], grey)
    (white,) = seen_labels(scene, [look], [pose], np.full_like(grey, 255))
    assert dark["contrast"] > 100
    assert white["contrast"] == 0


def test_labels_are_read_as_drawn_dice(tmp_path: Path) -> None:
    scene = next(each for each in SCENES if each.looks)
    pose = level(scene.looks[0], 6, scene.camera.target, 0.4)
    found = seen_labels(scene, [scene.looks[0]], [pose])
    found[0]["contrast"] = 80.0
    picture, told = files_of(tmp_path, scene.seed)
    with pytest.raises(MissingScenesError, match=r"got none; make it with: make scenes"):
        traced_scene(scene.seed, tmp_path)
    told.write_text(json.dumps(described(scene, found, [])))
    assert not is_made(tmp_path, scene.seed), "labels alone are no scene"
    cv2.imwrite(str(picture), np.zeros((scene.camera.height, scene.camera.width, 3), np.uint8))
    pixels, (die,) = traced_scene(scene.seed, tmp_path)
    assert pixels.shape == (scene.camera.height, scene.camera.width, 3)
    assert (die.face, die.visible) == (6, 1.0)
    assert die.centre == tuple(found[0]["centre"])
    found[0]["contrast"] = 1.0
    told.write_text(json.dumps(described(scene, found, [])))
    assert traced_scene(scene.seed, tmp_path)[1][0].visible == 0.0, "nobody can read a face that is white all over"
    told.write_text(json.dumps({"version": VERSION - 1}))
    assert not is_made(tmp_path, scene.seed), "an earlier version's scene is made again"


@pytest.mark.exhaustive
@pytest.mark.timeout(1200)
def test_a_scene_is_traced_and_stays_when_the_program_runs_again(tmp_path: Path) -> None:
    if not BLENDER.exists():
        pytest.skip("needs Blender's module: make scenes ARGS=--help installs it into .venv-scenes")

    def run(folder: Path) -> subprocess.CompletedProcess[str]:
        script, options = ROOT / "bench" / "training" / "make_scenes.py", ("--first", "5", "--count", "1", "--to")
        return subprocess.run([BLENDER, script, *options, folder], capture_output=True, text=True)

    first, again = tmp_path / "first", tmp_path / "again"
    first.mkdir()
    (first / "00005.jpg.part").write_bytes(b"half a picture")
    assert "0 of 1 scenes" in run(first).stdout
    run(again)
    for file in files_of(first, 5):
        assert file.read_bytes() == (again / file.name).read_bytes(), "the same seed gives the same files"
    assert "1 of 1 scenes" in run(first).stdout
    pixels, _ = traced_scene(5, first)
    assert pixels.shape[:2] == (plan(5).camera.height, plan(5).camera.width)
    assert pixels.std() > 5
    refused = run(first / "00005.jpg")
    assert (refused.returncode, "expected a folder that can be written to" in refused.stderr) == (2, True)
