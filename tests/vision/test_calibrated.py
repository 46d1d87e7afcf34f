"""A known tray with known dice: learning from its empty picture and a few throws, and reading with that."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from drawn_table import THROWS, Dice, Table, learnt
from samples import sampled

from dicereader import read
from dicereader.data.arrays import Floats
from dicereader.data.pictures import load
from dicereader.errors import CalibrationError
from dicereader.learn import learn
from dicereader.reading import Box, DiceReading, Doubt, ReadDie, Zone
from dicereader.sources.synthetic.camera import FOV_DEG, camera_aslant
from dicereader.sources.synthetic.world import Pose, TableColours, multiply, turn, upright
from dicereader.stages.known import judge_level
from dicereader.stages.known.bodies import find_bodies
from dicereader.stages.known.level_dice import LevelDice, expected_slants, find_known_dice
from dicereader.stages.known.plane import TopPlane
from dicereader.stages.shared.scoring import LIKELY, logistic, odds
from dicereader.stages.unknown.second_reading import decided
from dicereader.tray.calibration import Calibration, DiceSet, rim_corners_mm
from dicereader.tray.geometry import Tray
from dicereader.tray.pose import posed_by_corners, posed_by_tags
from dicereader.tray.tags import common_tags, find_tags


def seen(table: Table, known: Calibration, pixels: np.ndarray, expect: int | None = None) -> DiceReading:
    return read(pixels, calibration=known, empty=table.empty, expect=expect)


def test_a_table_is_learnt_from_a_few_throws(table: Table) -> None:
    known = learnt(table)
    dice = known.dice
    assert dice.corner_mm == pytest.approx(4.0, abs=0.2)
    assert dice.six_mm == pytest.approx(dice.corner_mm, abs=0.1)
    assert dice.pip_mm == pytest.approx(1.55, abs=0.2)
    assert min(dice.body) > 180 > 60 > max(dice.pip)
    assert known.tray.inner_mm == pytest.approx(230.0, abs=3.0)
    assert seen(table, known, table.throw(THROWS[1], 2.0)).sure
    with pytest.raises(CalibrationError, match="expected pips of another colour than the dice"):
        replace(dice, pip=dice.body)


@pytest.mark.parametrize("throw", sampled(THROWS, THROWS[0]))
def test_level_dice_are_read_surely_and_in_their_places(table: Table, known: Calibration, throw: Dice) -> None:
    pixels = table.throw(throw, 1.1)
    reading = seen(table, known, pixels, expect=6)
    assert reading.sure
    assert seen(table, known, pixels, expect=5).doubts == (Doubt.COUNT,)
    assert sorted(read(pixels, calibration=known).faces) == [1, 2, 3, 4, 5, 6]  # without the empty tray
    for die in reading.dice:
        face, gap = min(((f, math.dist(die.place, (x, y))) for f, x, y in throw), key=lambda each: each[1])
        assert (face, gap < 1.5) == (die.face, True)


def test_a_scrap_in_the_tray_is_no_doubt_if_the_picture_alone_is_plain(table: Table, known: Calibration) -> None:
    pixels = table.throw(THROWS[0], 1.1)
    x, y = map(round, known.project(-20.0, -45.0, 0.0))
    pixels[y - 12 : y + 12, x - 7 : x + 7] = (190, 200, 205)
    plane, level = find_known_dice(pixels, known, known.dice, table.empty)
    assert judge_level.judge_level(plane, level, known, known.dice, None).doubts == (Doubt.COUNT,)
    reading = seen(table, known, pixels)
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)
    assert {die.zone for die in reading.dice} == {Zone.THROW}
    elsewhere = replace(known, position_mm=(30.0, *known.position_mm[1:]))
    assert not seen(table, elsewhere, pixels).sure  # every place would be wrong


@pytest.mark.parametrize(
    ("confidence", "doubts", "counts"),
    [
        (0.99, (), True),
        (0.99, (Doubt.COCKED,), False),
        (0.4, (Doubt.FACE,), True),
        (0.4, (Doubt.COCKED, Doubt.GLARE), True),
        (0.6, (Doubt.FACE,), False),
    ],
    ids=["only the count", "a leaning die", "a face that is hardly one", "a poor guess", "another clear face"],
)
def test_a_sure_second_reading_decides_unless_the_geometry_knows_better(
    confidence: float, doubts: tuple[Doubt, ...], counts: bool
) -> None:
    five, six = (ReadDie(face, Box(10 * face, 10, 8, 8), 0.99) for face in (5, 6))
    face = 6 if confidence == 0.99 else 2
    level = DiceReading((five, replace(six, face=face, confidence=confidence, doubts=doubts)), False, (Doubt.COUNT,))
    alone = DiceReading((five, six), True)
    assert decided(level, alone) is (alone if counts else level)
    assert decided(level, DiceReading((five,), True)) is level


@pytest.mark.parametrize("off_body", [0.3, 0.9])
def test_a_guessed_face_decides_only_if_the_dice_differ_from_the_ground(
    table: Table, known: Calibration, off_body: float
) -> None:
    pixels = table.throw(THROWS[0], 1.1)
    face, x, y = THROWS[0][-1]
    across, down = map(round, known.project(x, y, known.tray.die_mm))
    part = np.s_[down - 18 : down + 18, across - 18 : across + 18]
    pixels[part] = 0.96 * pixels[part].max((0, 1)) + 0.04 * pixels[part]  # pips that are hardly to be seen
    plane, level = find_known_dice(pixels, known, known.dice, table.empty)
    reading = judge_level.judge_level(plane, level, known, replace(known.dice, off_body=off_body), None)
    guessed = [die for die in reading.dice if math.dist(die.place, (x, y)) < 5]
    assert [(die.face, die.confidence >= LIKELY, *die.doubts) for die in guessed] == [
        (face, off_body < 0.5, Doubt.COCKED)
    ]


@pytest.mark.exhaustive
def test_dice_of_the_felt_s_colour_are_read_surely_though_the_camera_sees_their_sides() -> None:
    aslant = camera_aslant(np.random.default_rng(5), Tray(), 30.0, 70.0)
    blue = Table(4, aslant, TableColours(die=(30, 52, 168), pip=(238, 238, 240), felt=(22, 40, 92)))
    known = learnt(blue)
    assert known.dice.off_body > 0.9
    reading = seen(blue, known, blue.throw(THROWS[1], 0.1))
    assert (sorted(reading.faces), reading.sure) == ([1, 2, 3, 4, 5, 6], True)


@pytest.mark.exhaustive
def test_the_cameras_height_is_found_from_a_known_field_of_view(table: Table) -> None:
    throws = [table.throw(dice) for dice in THROWS[:1]]
    posed = posed_by_tags(table.empty.shape, common_tags([table.empty, *throws]))
    truth = table.source.camera.position_mm[2]
    again = learn(table.empty, throws, posed, known_fov_deg=FOV_DEG)
    assert abs(again.position_mm[2] - truth) < abs(learnt(table).position_mm[2] - truth)


def test_dice_in_the_shelf_s_pockets_lie_on_the_shelf(table: Table, known: Calibration) -> None:
    pockets = [Tray().pocket_centre_mm(n) for n in (0, 3, 5)]
    pixels = table.throw([(5, 0.0, 20.0), *((n + 1, x, y) for n, (x, y) in enumerate(pockets))])
    found = {(die.face, die.zone) for die in seen(table, known, pixels).dice}
    assert found == {(5, Zone.THROW), (1, Zone.SHELF), (2, Zone.SHELF), (3, Zone.SHELF)}


def test_a_tray_that_was_pushed_by_a_pixel_makes_no_die_on_the_shelf_lean(table: Table, known: Calibration) -> None:
    pixels = table.throw([(1, -98.0, -101.0), (5, -58.0, -100.0), (6, 20.0, -100.0)])
    for shift in ((1, 0), (2, 0), (3, 0), (0, 2)):
        reading = seen(table, known, np.roll(pixels, shift, (0, 1)))
        assert [die.doubts for die in reading.dice] == [()] * 3, shift


def test_touching_dice_are_two_dice_and_sure(table: Table, known: Calibration) -> None:
    reading = seen(table, known, table.throw([(6, 0.0, 0.0), (1, 16.1, 0.0)], turn=0.0), expect=2)
    assert (sorted(reading.faces), reading.sure) == ([1, 6], True)


LEANING = [
    *((face, 25) for face in (1, 3, 4, 5, 6)),
    (2, 30),  # at 25 degrees two pips show it on most tables, not on all
    *((face, 40) for face in range(1, 7)),
]


@pytest.mark.parametrize("leaning", sampled(LEANING, (5, 25), (2, 30), (1, 40)))
def test_a_die_that_leans_is_never_sure(table: Table, known: Calibration, leaning: tuple[int, int]) -> None:
    face, lean = leaning
    tilted = multiply(turn((0.0, 1.0, 0.0), math.radians(-lean)), upright(face, 0.0))
    reach = 8 * (math.cos(math.radians(lean)) + math.sin(math.radians(lean)))
    level = [Pose(x, y, 8.0, upright(f, 0.7)) for f, x, y in THROWS[0][:3]]
    reading = seen(table, known, table.laid([*level, Pose(115.0 - reach, -20.0, reach, tilted)]))
    assert not reading.sure
    assert [die.face for die in reading.dice if not die.doubts and die.place and die.place[1] > 30]


EXACTLY = (-30.0, 20.0)
ON_ANOTHER = [(1, *EXACTLY, 0.2), *((face, -28.0, 23.0, 1.0) for face in range(1, 7))]


@pytest.mark.parametrize("upper", sampled(ON_ANOTHER, *ON_ANOTHER[:2], ON_ANOTHER[5]))
def test_a_die_on_another_is_never_sure(
    table: Table, known: Calibration, upper: tuple[int, float, float, float]
) -> None:
    face, x, y, turn = upper
    lower, higher = Pose(-30.0, 20.0, 8.0, upright(3, 0.2)), Pose(x, y, 24.0, upright(face, turn))
    reading = seen(table, known, table.laid([lower, higher, Pose(50.0, -40.0, 8.0, upright(6, 0.3))]))
    assert not reading.sure
    if (x, y) == EXACTLY:  # only its outline is larger
        assert {die.face: bool(die.doubts) for die in reading.dice} == {1: True, 6: False}


def test_an_empty_tray_is_surely_empty_and_brighter_light_is_no_die(table: Table, known: Calibration) -> None:
    reading = seen(table, known, table.empty)
    assert (reading.dice, reading.sure) == ((), True)
    brighter = (table.throw(THROWS[1]) * 1.12).clip(0, 255).astype(np.uint8)
    reading = seen(table, known, brighter)
    assert sorted(reading.faces) == [1, 2, 3, 4, 5, 6]


def test_an_object_that_is_no_die_is_in_doubt(table: Table, known: Calibration) -> None:
    pixels = table.throw(THROWS[1][:2])
    x, y = known.project(0.0, 0.0, 16.0)
    pixels[int(y) - 30 : int(y) + 30, int(x) - 30 : int(x) + 30] = (200, 230, 240)
    assert not seen(table, known, pixels).sure


def test_four_corners_can_replace_the_tags(table: Table) -> None:
    camera = table.source.camera
    corners = np.array([camera.project(*place) for place in rim_corners_mm(Tray())])
    known = posed_by_corners(table.empty.shape, corners, 230.0)(FOV_DEG, 30.0, 16.0)
    for place in ((0.0, 0.0, 0.0), (90.0, -100.0, 16.0)):
        assert known.project(*place) == pytest.approx(camera.project(*place), abs=0.01)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("rig", "learnt_from", "level", "leaning"),
    [("11", 2, 1, 1), *(pytest.param(rig, 6, 8, 5, marks=pytest.mark.exhaustive) for rig in ("11", "12"))],
)
def test_photorealistic_rigs_are_read_exactly_and_dice_that_are_not_level_are_never_sure(
    shared: Path, rig: str, learnt_from: int, level: int, leaning: int
) -> None:
    folder = shared / "data" / "rigs" / rig
    rows = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    empty, *throws = (load(folder / row["image"]) for row in rows[: 1 + learnt_from])
    known = learn(empty, throws, posed_by_tags(empty.shape, common_tags([empty, *throws])))
    for row in [*rows[7 : 7 + level], *rows[-leaning:]]:
        reading = read(load(folder / row["image"]), calibration=known, empty=empty)
        if any(die["cocked"] for die in row["dice"]):
            assert not reading.sure, row["image"]
        else:
            assert sorted(reading.faces) == sorted(die["pips"] for die in row["dice"]), row["image"]


def test_nothing_is_learnt_from_throws_without_dice_or_of_another_size(table: Table) -> None:
    posed = posed_by_tags(table.empty.shape, find_tags(table.empty))
    with pytest.raises(CalibrationError, match="expected throws that show at least 6 dice clearly, got 0 in 1"):
        learn(table.empty, [table.empty], posed)
    with pytest.raises(CalibrationError, match="expected all pictures to have the size of the empty tray's, 960 x 720"):
        learn(table.empty, [table.empty[:500]], posed)


def test_a_hidden_tag_is_found_in_another_picture_of_the_same_table(table: Table) -> None:
    hidden = table.empty.copy()
    hidden[:200, :300] = 90
    assert sorted(find_tags(hidden)) == [1, 2, 3]
    assert sorted(common_tags([hidden, table.empty])) == [0, 1, 2, 3]


def test_a_tag_at_the_picture_s_edge_is_found(table: Table) -> None:
    corners = find_tags(table.empty)[0]
    left, top = (int(value) - 5 for value in corners.min(0))
    assert 0 in find_tags(np.ascontiguousarray(table.empty[top:, left:]))


def not_level(plane: TopPlane, level: LevelDice, dice: DiceSet) -> Floats:
    return logistic("not_level", judge_level.features_of_level(plane, level, dice))


def test_pips_that_fit_poorly_are_evidence_of_a_die_that_is_not_level(table: Table, known: Calibration) -> None:
    plane, level = find_known_dice(table.throw(THROWS[0]), known, known.dice, table.empty)
    poor = replace(level, faces=replace(level.faces, fit=np.full(len(level.faces), 0.6)))
    clear = not_level(plane, level, known.dice)
    assert (clear < LIKELY).all()
    assert (not_level(plane, poor, known.dice) > 10 * clear).all()


def test_the_same_slant_is_weaker_evidence_where_its_error_may_be_larger(table: Table, known: Calibration) -> None:
    plane, level = find_known_dice(table.throw([(4, -40.0, 40.0), (5, 40.0, 40.0)]), known, known.dice, table.empty)
    right, error = known.dice.slant_factor * expected_slants(plane, level.faces.centre), np.array([0.1, 0.05])
    usual, off = (
        replace(level, whole=replace(level.whole, slant=slant, error=error))
        for slant in (right, right + np.array([0.2, 0.0]))
    )
    against = odds(not_level(plane, off, known.dice)) - odds(not_level(plane, usual, known.dice))
    assert 0 < against[0] < against[1]


def test_a_hard_shadow_is_no_object_though_it_is_darker_than_soft_ones(known: Calibration) -> None:
    dice = replace(known.dice, body=(141.0, 141.0, 144.0), pip=(245.0, 245.0, 248.0))
    empty = np.full((120, 160, 3), (60, 92, 127), np.uint8)
    now = empty.copy()
    now[40:60, 40:60], now[40:60, 61:85] = (140, 140, 142), (5, 14, 26)
    mask = find_bodies(now, empty, dice).mask > 0
    assert mask[42:58, 42:58].all()
    assert not mask[42:58, 64:].any()


def test_the_deepest_shadow_of_a_light_die_on_a_grey_print_is_no_object(known: Calibration) -> None:
    dice = replace(known.dice, body=(128.0, 151.0, 169.0), pip=(22.0, 25.0, 32.0))
    empty = np.full((120, 160, 3), (103, 103, 109), np.uint8)
    now = empty.copy()
    now[40:60, 40:60], now[40:60, 61:85], now[48:51, 48:51] = dice.body, (22, 25, 27), dice.pip
    bodies = find_bodies(now, empty, dice, ground=empty[0, 0].astype(np.float32), pip_px=1.5)
    assert (bodies.mask > 0)[42:58, 42:58].all()
    assert not (bodies.mask > 0)[42:58, 64:].any()
    assert (bodies.possible > 0)[42:58, 64:82].all()  # the dark side of a die may look so


@pytest.mark.parametrize(("area", "doubts"), [(0.1, ()), (0.2, (Doubt.COUNT,))])
def test_a_body_without_a_die_is_an_object_from_a_seventh_of_a_top(
    table: Table, known: Calibration, area: float, doubts: tuple[Doubt, ...]
) -> None:
    plane, level = find_known_dice(table.throw(THROWS[0]), known, known.dice, table.empty)
    other = replace(level, coverage=replace(level.coverage, rest=((40.0, 40.0, area),)))
    assert judge_level.judge_level(plane, other, known, known.dice, None).doubts == doubts
