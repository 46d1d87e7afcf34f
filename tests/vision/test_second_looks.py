"""Second looks at what is in doubt: places cut out and changed, and which doubts the readings may settle."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from trays import FOLDER

from dicereader import read
from dicereader.data.pictures import load
from dicereader.reading import Box, DiceReading, Doubt, ReadDie
from dicereader.stages.shared.rectify import PictureView, rectify
from dicereader.stages.unknown.combine import combine
from dicereader.stages.unknown.looks import PLACE_REACH, cut_out, look_again
from dicereader.stages.unknown.uncalibrated import ReadingPass, first_pass
from dicereader.stages.unknown.variants import MIDDLE, MOST_STRETCH, STRETCHED, VARIANTS, equalised, is_pale, stretched


@pytest.fixture(scope="module")
def clear() -> ReadingPass:
    """A tray without a die in doubt."""
    return first_pass(load(FOLDER / "00107.jpg"))


@pytest.mark.parametrize("half", [9.0, 15.0, 25.0, 60.0])
def test_a_cutout_shows_the_same_part_and_its_points_map_back(half: float) -> None:
    rough = np.random.default_rng(1).integers(0, 256, (24, 32, 3)).astype(np.uint8)
    view = rectify(np.asarray(cv2.resize(rough, (1280, 960), interpolation=cv2.INTER_CUBIC)))
    points = np.array([[640.0, 480.0], [3.0, 2.0], [1279.0, 959.0], [200.0, 700.0], [900.0, 100.0]])
    cut = cut_out(view, points, half)
    assert cut.there(cut.middle) == pytest.approx(points)
    around = points[:, None] + 0.9 * PLACE_REACH * half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    assert cut.there(cut.here(around, np.arange(5))) == pytest.approx(around)
    for (x, y), (left, top) in zip(np.rint(cut.middle).astype(int), cut.origin, strict=True):
        assert (left <= x < left + cut.side, top <= y < top + cut.side) == (True, True)
    for at, middle in zip(points[[0, 3, 4]], cut.middle[[0, 3, 4]], strict=True):
        source = view.levels[cut.level]
        x, y = np.rint((at + 0.5) / 2**cut.level - 0.5).astype(int)
        u, v = np.rint(middle).astype(int)
        assert (
            np.abs(cut.view.levels[0][v, u].astype(int) - source[y, x]).max() <= 24
        )  # the rounding may give the neighbouring pixel


def test_a_second_look_reads_the_same_dice_at_the_same_places(clear: ReadingPass) -> None:
    faces, middles = clear.chosen.dice.face, clear.view.in_picture(clear.chosen.dice.places.centre)
    poor = np.full(len(faces), 0.01)
    places = replace(clear.chosen.dice.places, probability=poor)
    doubtful = replace(clear.chosen.dice, places=places, probability=poor, score=poor)
    looks = list(look_again(clear.view, replace(clear.chosen, dice=doubtful), [], None, len(faces)))
    assert len(looks) == len(VARIANTS) + 1
    for reading in looks:
        found = {die.face: die.top.centre for die in reading.dice}
        assert sorted(reading.faces) == sorted(faces.tolist())
        for face, middle in zip(faces.tolist(), middles, strict=True):
            if (faces == face).sum() == 1:
                assert found[face] == pytest.approx(middle, abs=2.5)
    *others, last = looks
    assert any(reading.sure for reading in others)
    assert Doubt.COUNT in last.doubts  # a stretched face proves nothing


def test_places_beyond_the_limit_of_second_looks_stay_in_doubt(clear: ReadingPass) -> None:
    bodies = [corners + 150.0 for corners in clear.chosen.dice.places.corners[:3]]
    assert not list(look_again(clear.view, clear.chosen, bodies, None, 2))
    assert list(look_again(clear.view, clear.chosen, bodies, None, 3))
    assert not list(look_again(clear.view, clear.chosen, [], None, 3))


def test_a_body_is_read_if_it_shows_a_face_and_else_stays_in_doubt(clear: ReadingPass) -> None:
    dice = clear.chosen.dice
    body = dice.places.corners[0]
    rest = replace(clear.chosen, dice=dice.take(np.arange(1, len(dice))))
    faces = sorted(dice.face.tolist())
    read = next(look_again(clear.view, rest, [body], None, 5))
    assert (sorted(read.faces), read.sure) == (faces, True)
    for missed in look_again(clear.view, rest, [body, body + 150.0], None, 5):
        assert (missed.sure, missed.doubts) == (False, (Doubt.COUNT,))


BLEACHED = 240.0

THING = np.array([[20.0, 20.0], [60.0, 20.0], [60.0, 60.0], [20.0, 60.0]])


def patch(step: float, ground: float = 100.0) -> np.ndarray:
    """Return a square brighter than its ground by `step`, with a spot in its middle brighter by another half `step`."""
    pixels = np.full((80, 80, 3), ground)
    pixels[20:61, 20:61] = ground + step
    pixels[36:45, 36:45] += step / 2
    return np.rint(pixels).astype(np.uint8)


def bleached(pixels: np.ndarray, reading: DiceReading, *left: float) -> np.ndarray:
    """Return the picture with the first dice bleached: each keeps the fraction in `left` of its face's contrast."""
    found = pixels.copy()
    for die, share in zip(reading.dice, left, strict=False):
        mask = cv2.fillConvexPoly(np.zeros(pixels.shape[:2], np.uint8), np.rint(die.outline).astype(np.int32), 1) > 0
        grey = pixels[mask].mean(1)
        found[mask] = np.rint(BLEACHED + share * (grey - np.median(grey)))[:, None]
    return found


def test_contrast_is_stretched_on_an_object_and_nowhere_else() -> None:
    view = rectify(patch(20.0))
    seen = stretched(view, [THING]).levels[0]
    assert seen[30, 30].tolist() == [MIDDLE] * 3
    assert seen[40, 40].tolist() == [MIDDLE + 10 * MOST_STRETCH] * 3
    outside = np.ones((80, 80), bool)
    outside[20:61, 20:61] = False
    assert (seen[outside] == view.levels[0][outside]).all()


def test_the_stretched_contrast_has_a_limit_and_enough_contrast_stays_as_it_is() -> None:
    pixels = patch(30.0)
    pixels[44:53, 44:53] -= 15
    seen = stretched(rectify(pixels), [THING]).levels[0]
    assert (seen[40, 40, 0], seen[48, 48, 0]) == (MIDDLE + STRETCHED / 2, MIDDLE - STRETCHED / 2)
    pixels = patch(20.0, 10.0)
    pixels[44:53, 44:53] = 250
    view = rectify(pixels)
    assert (stretched(view, [THING]).levels[0] == view.levels[0]).all()
    for off in ((-45.0, 0.0), (0.0, 45.0), (-300.0, 300.0)):  # partly or wholly outside the picture
        assert stretched(view, [THING + off]).levels[0].shape == view.levels[0].shape


def test_an_object_that_needs_more_than_twice_the_contrast_is_pale() -> None:
    clear = patch(20.0)
    clear[36:45, 36:45] = 250
    assert [is_pale(rectify(pixels), THING) for pixels in (patch(0.0), patch(90.0), clear)] == [True, True, False]
    assert not is_pale(rectify(patch(20.0)), THING + 300)


@pytest.mark.parametrize("share", [0.08, -0.07])
def test_a_die_that_is_nearly_bleached_is_read(share: float) -> None:
    pixels = load(FOLDER / "00107.jpg")
    reading = read(pixels)
    assert read(bleached(pixels, reading, share)).faces == reading.faces


def test_beside_a_bleached_die_that_is_read_one_that_is_not_is_missed() -> None:
    pixels = load(FOLDER / "00107.jpg")
    reading = read(pixels)
    seen = read(bleached(pixels, reading, 0.1, 0.0))
    assert (len(seen.dice), seen.sure, Doubt.COUNT in seen.doubts) == (len(reading.dice) - 1, False, True)


COUNT = (Doubt.COUNT,)


def die(face: int, x: int, confidence: float = 0.99, *doubts: Doubt) -> ReadDie:
    return ReadDie(face, Box(x, 100, 40, 40), confidence, doubts=doubts)


def sure(*dice: ReadDie) -> DiceReading:
    return DiceReading(dice, True)


UNCLEAR = DiceReading((die(2, 0), die(5, 100, 0.8, Doubt.FACE)), False)
HINT = DiceReading((die(2, 0), die(5, 100)), False, COUNT)


def never() -> Iterator[DiceReading]:
    raise AssertionError("asked for without need")
    yield


@pytest.mark.parametrize(
    "first",
    [
        sure(die(2, 0)),
        DiceReading((), False, COUNT),
        *(
            DiceReading((die(2, 0), die(5, 100, 0.99, doubt)), False)
            for doubt in (Doubt.COCKED, Doubt.STACKED, Doubt.CUT)
        ),
    ],
)
def test_nothing_sure_nothing_empty_and_no_doubt_about_a_pose_is_looked_at_again(first: DiceReading) -> None:
    assert combine(first, never()) is first


MISSED = DiceReading(HINT.dice[:1], False, COUNT)


@pytest.mark.parametrize("before", [[], [sure(die(2, 0))], [MISSED, MISSED]])
def test_a_sure_later_look_that_agrees_makes_the_reading_sure(before: list[DiceReading]) -> None:
    found = combine(UNCLEAR, iter([*before, sure(die(2, 1), die(5, 103))]))
    assert (found.sure, found.doubts) == (True, ())
    # 0.8 and 0.99 are odds of 4 and 99, whose geometric mean is 19.9
    assert found.dice[1].confidence == pytest.approx(0.952, abs=0.001)


def test_a_second_look_that_is_barely_sure_is_not_enough() -> None:
    poor = DiceReading((die(2, 0), die(5, 100, 0.5, Doubt.FACE)), False, ())
    assert combine(poor, iter([sure(die(2, 0), die(5, 100, 0.93))])) == poor


@pytest.mark.parametrize("other", [sure(die(2, 0), die(6, 100)), sure(die(2, 0)), sure(die(2, 0), die(5, 160))])
def test_a_look_with_another_face_or_fewer_dice_confirms_nothing(other: DiceReading) -> None:
    assert combine(UNCLEAR, iter([other, other])) == UNCLEAR


def test_a_hinted_die_is_sure_only_if_two_looks_read_it() -> None:
    more, without = sure(die(2, 0), die(5, 100), die(6, 200)), sure(die(2, 0), die(5, 100))
    other = sure(die(2, 0), die(5, 100), die(4, 200))
    for looks, all_sure in (
        ([more, more], True),
        ([more, without, more], True),
        ([more, without], False),
        ([more, other], False),
    ):
        found = combine(HINT, iter(looks))
        assert (found.sure, [one.face for one in found.dice]) == (all_sure, [2, 5, 6])


def test_a_hint_is_dropped_only_if_all_looks_that_lose_no_dice_agree() -> None:
    without = sure(die(2, 0), die(5, 100))
    assert combine(HINT, iter([without, without])).sure
    assert combine(HINT, iter([without, HINT, without, without])) == HINT


def test_pale_dice_are_read_by_the_last_look_alone() -> None:
    more, without = sure(die(2, 0), die(5, 100), die(6, 200)), sure(die(2, 0), die(5, 100))
    assert not combine(HINT, iter([HINT, HINT, more, HINT])).sure
    assert combine(HINT, iter([HINT, HINT, HINT, more])).sure
    assert not combine(HINT, iter([HINT, HINT, HINT, without])).sure


def test_a_die_that_only_a_second_look_reads_clearly_is_added_in_doubt() -> None:
    more = DiceReading((die(2, 0), die(6, 50, 0.93), die(5, 100, 0.7, Doubt.FACE)), False, COUNT)
    found = combine(UNCLEAR, iter([more]))
    assert (found.faces, found.sure, found.doubts) == ((2, 6, 5), False, COUNT)
    assert [one.doubts for one in found.dice] == [(), (Doubt.FACE,), (Doubt.FACE,)]
    assert [one.confidence for one in found.dice] == [0.99, 0.93, 0.8]  # of the first look and of the added die


def test_a_die_that_several_looks_read_clearly_is_added_once() -> None:
    one = DiceReading((die(2, 0), die(5, 100), die(6, 200, 0.95), die(1, 300, 0.85)), False, COUNT)
    other = DiceReading((die(2, 0), die(5, 100), die(6, 203, 0.95), die(4, 400, 0.95)), False, COUNT)
    found = combine(HINT, iter([one, other, one]))
    assert (found.faces, found.sure) == ((2, 5, 6, 4), False)


@pytest.mark.parametrize(
    "other",
    [
        (die(2, 0), die(5, 100), die(6, 200, 0.85, Doubt.FACE)),
        (die(2, 0), die(6, 200, 0.95)),
        (die(3, 0), die(5, 100), die(6, 200, 0.95)),
    ],
    ids=["not clear", "without one of the first", "with another face"],
)
def test_if_all_readings_are_in_doubt_the_first_one_is_returned(other: tuple[ReadDie, ...]) -> None:
    assert combine(HINT, iter([DiceReading(other, False, COUNT)] * 4)) == HINT


def test_a_clear_face_of_a_second_look_replaces_a_poor_one_in_doubt() -> None:
    poor = DiceReading((die(2, 0), die(1, 100, 0.3, Doubt.GLARE)), False, ())
    found = combine(poor, iter([sure(die(2, 0), die(5, 103, 0.95)), sure(die(2, 0), die(6, 100))]))
    assert [(one.face, one.doubts) for one in found.dice] == [(2, ()), (5, (Doubt.GLARE,))]
    assert (found.sure, found.doubts) == (False, ())
    assert combine(UNCLEAR, iter([sure(die(2, 0), die(6, 100))])) == UNCLEAR  # that face was likely
    found = combine(replace(poor, doubts=COUNT), iter([sure(die(2, 0), die(6, 200))]))
    assert (found.faces, found.sure) == ((2, 1, 6), False)  # added, although the look lost the poor face


def test_evening_out_the_light_raises_the_contrast_of_objects_like_the_ground() -> None:
    def stands_out(view: PictureView) -> float:
        light = view.levels[0].mean(2)
        return float(light[120:136, 120:136].mean() - light[80:100, 80:100].mean())

    light = np.random.default_rng(1).normal(110, 4, (256, 256, 1))
    light[120:136, 120:136] += 15  # a patch that is hardly brighter than its ground
    view = rectify(np.rint(np.repeat(light, 3, axis=2)).clip(0, 255).astype(np.uint8))
    assert stands_out(equalised(view)) > 2 * stands_out(view)
