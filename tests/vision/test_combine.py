"""A second look at a picture in doubt: which doubts it may settle, and which not."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from dicereader.reading import Box, DiceReading, Doubt, ReadDie
from dicereader.stages.shared.rectify import PictureView, rectify
from dicereader.stages.unknown.combine import combine
from dicereader.stages.unknown.variants import equalised

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
