"""Reading one picture: our photorealistic trays, and trays drawn here with every face at every place."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from drawn_table import level, shown, world_of
from samples import sampled
from trays import FOLDER, reading_of

from dicereader import read
from dicereader.errors import PictureError
from dicereader.reading import Doubt, Zone
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.calibration import Calibration
from dicereader.tray.geometry import Tray

LEVEL = [
    (row["image"], sorted(die["pips"] for die in row["dice"]))
    for row in map(json.loads, (FOLDER / "truth.jsonl").read_text().splitlines())
    if not any(die["cocked"] or die["cut"] for die in row["dice"])
]


FOUR = (2, -60, 60), (3, 60, 50), (5, 0, 0), (6, 50, -50)


@cache
def tray(*dice: tuple[int, float, float]) -> tuple[np.ndarray, Calibration]:
    """Draw a tray with dice of one face at places in millimetres, once. Return it with its camera."""
    source = SyntheticSource(lambda: 100.0, seed=3)
    pixels = shown(source, world_of(level(dice, 0.5)))
    pixels.flags.writeable = False
    return pixels, source.camera


@pytest.mark.parametrize("every", sampled([3, 1], 3))
def test_most_level_trays_are_read_exactly_without_a_calibration_and_wrong_faces_are_in_doubt(every: int) -> None:
    trays = {name: (faces, reading_of(FOLDER / name)) for name, faces in LEVEL[::every]}
    wrong = [name for name, (faces, reading) in trays.items() if sorted(reading.faces) != faces]
    assert len(wrong) <= 0.3 * len(trays)
    assert [name for name in wrong if trays[name][1].sure] == []
    for faces, reading in trays.values():
        if len(reading.dice) == len(faces):
            assert not Counter(die.face for die in reading.dice if not die.doubts) - Counter(faces)


@pytest.mark.parametrize("face", sampled(range(1, 7), 2))
def test_every_face_is_read_at_every_place_of_a_calibrated_tray(face: int) -> None:
    places = [(-80.0, 80.0), (75.0, 75.0), (0.0, 10.0), (-70.0, -40.0), (80.0, -30.0), (10.0, -70.0)]
    pixels, camera = tray(*((face, x, y) for x, y in places))
    reading = read(pixels, calibration=camera, expect=6)
    assert (reading.faces, reading.sure) == ((face,) * 6, True)


def test_a_dim_picture_is_read_as_in_good_light() -> None:
    pixels, _ = tray(*FOUR)
    bare, _ = tray()
    dim, empty = (np.asarray(each * 0.05, np.uint8) for each in (pixels, bare))
    for reading in (read(dim), read(dim, empty=empty)):
        assert (sorted(reading.faces), reading.sure) == ([2, 3, 5, 6], True)


def test_with_a_calibration_shelf_and_throw_area_are_distinguished() -> None:
    pockets = [Tray().pocket_centre_mm(n) for n in (1, 2)]
    pixels, camera = tray((5, 0, 20), *((1, x, y) for x, y in pockets))
    reading = read(pixels, calibration=camera)
    assert {(die.face, die.zone) for die in reading.dice} == {(5, Zone.THROW), (1, Zone.SHELF)}
    assert read(pixels).dice[0].zone is None


def test_a_die_beside_the_tray_does_not_belong_to_the_throw() -> None:
    pixels, _ = tray(*FOUR, (4, -50, -40), (1, 150, 20))
    reading = read(pixels)
    assert (sorted(reading.faces), reading.sure) == ([2, 3, 4, 5, 6], True)
    hidden = pixels.copy()
    # A finger lies on one tag: the edge of the tray follows from the three others.
    hidden[:120, :260] = pixels[:120, 300:560]
    reading = read(hidden)
    assert (sorted(reading.faces), reading.sure) == ([2, 3, 4, 5, 6], True)
    hidden[-120:, :260] = pixels[-120:, 300:560]  # with two tags covered it is unknown
    assert 1 in read(hidden).faces


def test_an_object_in_the_empty_tray_is_no_die_and_a_calibration_of_another_size_is_refused() -> None:
    marked, camera = tray((4, 40, 40))
    pixels, _ = tray((4, 40, 40), (5, -30, 0))
    assert read(pixels, calibration=camera, empty=marked).faces == (5,)
    with pytest.raises(PictureError, match="expected a picture of 960 x 720 pixels"):
        read(pixels[:300, :400].copy(), calibration=camera)


@pytest.mark.parametrize(
    "shape", sampled([(16, 16), (17, 2000), (3000, 16), (480, 640), (2200, 2400)], (16, 16), (17, 2000))
)
def test_a_picture_of_any_shape_without_dice_is_read_without_dice(shape: tuple[int, int]) -> None:
    flat = np.full((*shape, 3), 110, np.uint8)
    striped = flat.copy()
    striped[:, ::24] = 60
    chance = np.random.default_rng(5)
    noise = chance.integers(0, 256, flat.shape).astype(np.uint8)
    grain = chance.normal(110, 12, flat.shape).clip(0, 255).astype(np.uint8)
    for pixels in (flat, 0 * flat, 0 * flat + 255, striped, noise, grain):
        assert read(pixels).dice == ()


@pytest.mark.parametrize(
    ("level", "doubts"), [(0, (Doubt.DARK,)), (20, (Doubt.DARK,)), (90, ()), (255, (Doubt.GLARE,))]
)
def test_a_picture_with_too_little_or_too_much_light_is_not_sure(level: int, doubts: tuple[Doubt, ...]) -> None:
    reading = read(np.full((480, 640, 3), level, np.uint8))
    assert (reading.dice, reading.doubts, reading.sure) == ((), doubts, not doubts)


def test_real_photographs_of_ivory_dice_are_read(shared: Path) -> None:
    folder = shared / "data" / "photos" / "DamianTab+DiceDetection"
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()][::8]
    exact = [sorted(read(folder / row["image"]).faces) == sorted(die["pips"] for die in row["dice"]) for row in rows]
    assert sum(exact) >= 0.7 * len(exact)


@pytest.mark.parametrize(
    ("name", "faces", "doubts"),
    [
        ("aslant-dark-felt.jpg", [3, 3, 3, 3, 4, 5], ()),
        ("aslant-side-clearer.jpg", [1, 2, 2, 2, 5, 6], ()),  # the side of one die is clearer than its face
        ("dice-like-pips.jpg", [1, 1, 3, 4, 4, 5], None),
    ],
)
def test_sides_of_dice_are_neither_dice_nor_hints_and_dice_no_pips(name: str, faces: list[int], doubts: object) -> None:
    reading = read(FOLDER.parent / name)
    assert sorted(reading.faces) == faces
    assert doubts is None or reading.doubts == doubts
