"""The steps of the reader one by one: candidates, the classifier, patterns, choice, confidence."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from trays import FOLDER

from dicereader.data.pictures import load
from dicereader.stages.pips import Variant, best_variant, variants_of
from dicereader.stages.shared.classify import CLASSES, IN_PLACE, Classified, classify, classify_all_round, classify_once
from dicereader.stages.shared.crops import FACE, find_crops
from dicereader.stages.shared.detector import Candidates, find_candidates, levels_of, shape_of, side_vectors
from dicereader.stages.shared.rectify import PictureView, rectify
from dicereader.stages.shared.scoring import LIKELY, logistic
from dicereader.stages.shared.whole_die import SHARE, WholeDice, see_whole, told_by_both
from dicereader.stages.unknown import search
from dicereader.stages.unknown.choose import choose
from dicereader.stages.unknown.judge import least_sure
from dicereader.stages.unknown.slant import leaning_features, relative_flatness

TRAY = FOLDER / "00104.jpg"


@pytest.fixture(scope="module")
def view() -> PictureView:
    return rectify(load(TRAY))


@pytest.fixture(scope="module")
def seen(view) -> Classified:
    return classify(view, find_candidates(view))


def drawn_face(variant: Variant) -> np.ndarray:
    """Return a grey crop of a dark face with light pips."""
    crop = np.zeros((FACE.side * 8, FACE.side * 8), np.float32)
    for x, y in (variant.pips / FACE.reach + 1) / 2 * FACE.side * 8:
        cv2.circle(crop, (round(x), round(y)), 16, 1.0, cv2.FILLED)
    return cv2.resize(crop, (FACE.side, FACE.side), interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("sides", [((10, 0), (0, 10)), ((7, 7), (-7, 7)), ((9, 3), (-2, 12)), ((0, -8), (14, 0))])
def test_a_faces_sides_and_its_one_shape_follow_from_each_other(sides) -> None:
    u, v = np.array([sides[0]], float), np.array([sides[1]], float)
    for a, b in ((v, -u), (-u, -v), (v, u), (-u, v)):
        assert np.allclose(shape_of(a, b), shape_of(u, v))
    again = side_vectors(shape_of(u, v))
    there = {tuple(np.round(side, 6)) for side in (u[0], -u[0], v[0], -v[0])}
    assert {tuple(np.round(side, 6)) for pair in again for side in (pair[0], -pair[0])} == there


def test_each_place_is_found_once_and_every_die_is_among_them(view, seen) -> None:
    assert (seen.probability > 0.5).sum() >= 6
    assert np.allclose(seen.classes.sum(1), 1)
    places = find_candidates(view)
    gap = np.hypot(*(places.centre[:, None] - places.centre).transpose(2, 0, 1)) + 1e9 * np.eye(len(places))
    alike = np.abs(np.log(places.half[:, None] / places.half)) < 0.5
    assert (gap[alike] > 0.5 * places.half.min()).all()
    nowhere = places.take(np.zeros(0, np.intp))
    assert classify(view, nowhere).classes.shape == (0, 7)


def test_classified_all_round_a_face_gets_the_same_result_for_each_first_side(view, seen) -> None:
    some = seen.take(np.flatnonzero(seen.probability > 0.9)[:5])
    u, v = some.candidates.u, some.candidates.v
    turned = classify_once(view, replace(some.candidates, u=-v, v=u), IN_PLACE)
    assert not np.allclose(turned.classes, some.classes, atol=1e-3)
    first, second = (
        classify_all_round(each, find_crops(view, each.candidates))
        for each in (classify_once(view, some.candidates, IN_PLACE), turned)
    )
    assert np.allclose(first.classes, second.classes, atol=1e-4)
    assert np.allclose(first.classes.sum(1), 1)


def test_a_place_slightly_beside_a_die_is_corrected(view, seen) -> None:
    best = seen.take(seen.probability.argmax(keepdims=True)).candidates
    off = Candidates(best.centre + 0.15 * best.u, 1.08 * best.u, 1.08 * best.v, best.probability)
    again = classify(view, off).candidates
    assert np.hypot(*(again.centre - best.centre).T) < 0.1 * best.half
    assert again.half == pytest.approx(best.half, rel=0.07)


@pytest.mark.parametrize("face", range(1, 7))
def test_the_variant_of_a_faces_layout_follows_from_its_pips(face: int) -> None:
    for variant in variants_of(face):
        found = best_variant(drawn_face(variant), face)
        assert found.layout == variant.layout
        assert found.turned == variant.turned or variant.aspect * found.aspect == 1
        assert found.pitch == pytest.approx(variant.pitch, abs=0.05), variant
        assert found.aspect == pytest.approx(variant.aspect, abs=0.2), variant


@pytest.mark.parametrize(("seen_whole", "read", "hints"), [(0.99, 1, 0), (0.024, 0, 1), (0.016, 0, 0)])
def test_an_object_that_looks_like_a_face_from_one_side_only_is_a_die_or_a_hint_if_it_resembles_a_whole_die(
    view: PictureView, monkeypatch: pytest.MonkeyPatch, seen_whole: float, read: int, hints: int
) -> None:
    def with_a_face(classes: np.ndarray, places: Candidates, probability: float) -> np.ndarray:
        at_place = np.hypot(*(places.centre - place).T) < 5
        told = classes.copy()
        told[at_place, 1:] *= probability / told[at_place, 1:].sum(1, keepdims=True)
        told[at_place, 0] = 1 - probability
        return told

    def refusing(some: Classified, crops: np.ndarray) -> Classified:
        told = classify_all_round(some, crops)
        return replace(told, classes=with_a_face(told.classes, told.candidates, 0.015))

    def doubting(picture: PictureView, places: Candidates) -> WholeDice:
        told = see_whole(picture, places)
        return replace(told, classes=with_a_face(told.classes, places, seen_whole))

    before = choose(view, *search.search(view, lambda candidates: candidates))
    place = before.dice.places.centre[0]
    monkeypatch.setattr("dicereader.stages.unknown.choose.classify_all_round", refusing)
    monkeypatch.setattr("dicereader.stages.unknown.choose.see_whole", doubting)
    less = choose(view, *search.search(view, lambda candidates: candidates))
    assert len(less.dice) == len(before.dice) - 1 + read
    assert (np.hypot(*(less.dice.places.centre - place).T).min() < 5) == bool(read)
    assert less.hints == before.hints + hints


def test_a_face_is_told_by_both_networks_unless_the_die_fills_the_picture(view: PictureView, seen: Classified) -> None:
    some = seen.take(np.flatnonzero(seen.probability > 0.9)[:1])
    large = replace(some.candidates, u=9 * some.candidates.u, v=9 * some.candidates.v)
    found = some.join(replace(some, candidates=large))
    two, six = np.full((2, 7), 0.01), np.full((2, 7), 0.01)
    two[:, 2], six[:, 6] = 0.94, 0.94
    both = told_by_both(view, replace(found, classes=two), WholeDice(np.zeros((2, 2)), np.zeros(2), six))
    assert both.face.tolist() == [6, 2]
    assert both.classes.sum(1) == pytest.approx([1, 1])
    odds = np.log(both.classes[0, 6] / both.classes[0, 2])
    assert odds == pytest.approx((2 * SHARE - 1) * np.log(0.94 / 0.01))
    assert both.classes[1] == pytest.approx(two[1])


@pytest.mark.parametrize(
    ("confidence", "doubted"),
    [
        *(([], []), ([0.84], [0]), ([0.86], []), ([0.999, 0.87, 0.999], [])),
        *(([0.99, 0.89, 0.96], [1]), ([0.95, 0.5, 0.95, 0.95, 0.95], [1, 0])),
    ],
)
def test_the_fewest_dice_are_doubted_so_that_the_rest_is_sure_together(confidence, doubted) -> None:
    assert least_sure(np.array(confidence)).tolist() == doubted


def lean(view: PictureView, places: np.ndarray, slants: np.ndarray, error: float, flat: np.ndarray) -> list[bool]:
    """Return which dice with these slants lean."""
    measured = WholeDice(slants, np.full(len(slants), error), np.zeros((len(slants), CLASSES)))
    return (logistic("leans", leaning_features(view, places, measured, flat)) > LIKELY).tolist()


def test_strongly_leaning_dice_are_found_unless_their_slant_is_measured_poorly(view) -> None:
    places = np.array([(200.0, 200.0), (600.0, 200.0), (200.0, 600.0), (600.0, 600.0)])
    slants = np.array([(0.0, 0.0), (0.02, 0.0), (0.55, 0.0), (-0.55, 0.1)])
    assert lean(view, places, slants, 0.05, np.ones(4)) == [False, False, True, True]
    places = np.tile(np.array(view.size) / 2, (10, 1))  # where the camera sees level dice straight from above
    slants = np.zeros((10, 2))
    slants[9, 0] = 0.33
    for error, leans in ((0.05, True), (0.15, False)):
        assert lean(view, places, slants, error, np.ones(10)) == [*[False] * 9, leans]


def test_a_measured_slant_turns_with_the_crop(view, seen) -> None:
    some = seen.take(np.flatnonzero(seen.probability > 0.9)[:5]).candidates
    first, second = (see_whole(view, each).slant for each in (some, replace(some, u=-some.u, v=-some.v)))
    assert np.allclose(first, second, atol=1e-4)
    assert np.hypot(*(first - see_whole(view, replace(some, u=-some.v, v=some.u)).slant).T).max() < 0.1


def test_a_face_flatter_than_the_others_counts_as_leaning_at_a_small_slant(view) -> None:
    places, slants = np.tile(np.array(view.size) / 2, (4, 1)), np.zeros((4, 2))
    slants[3, 0] = 0.3
    turned = np.array([(np.cos(a), np.sin(a)) for a in (0.0, 0.5, 1.1, 0.3)])
    u, v = 30 * turned, 30 * turned @ [[0, 1], [-1, 0]]
    v[3] *= 0.8
    assert relative_flatness(u, v) == pytest.approx([1, 1, 1, 0.8], abs=0.01)
    aslant = np.diag([1.0, 0.9])  # the view of a camera that does not look straight down
    assert (relative_flatness(u @ aslant, v @ aslant)[:3] > 0.99).all()
    assert relative_flatness(u @ aslant, v @ aslant)[3] < 0.9
    beside = np.diag([1.0, 0.7])  # outlines seen from the side give no information
    assert relative_flatness(u @ beside, v @ beside).tolist() == [1, 1, 1, 1]
    assert relative_flatness(u[2:], v[2:]).tolist() == [1, 1]  # with two dice it is unknown which one is flat
    for flat, leans in ((relative_flatness(u, v), True), (np.ones(4), False)):
        assert lean(view, places, slants, 0.06, flat) == [False, False, False, leans]


def levels_searched(pixels: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    asked: list[list[int]] = []

    def find(view: PictureView, levels: list[int], *known: Candidates) -> Candidates:
        asked.append(list(levels))
        return find_candidates(view, levels, *known)

    monkeypatch.setattr(search, "find_candidates", find)
    search.search(rectify(pixels), lambda candidates: candidates)
    return asked


def test_the_finest_level_is_searched_only_where_dice_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    near = load(TRAY)
    height, width = near.shape[:2]
    part = near[height // 6 : -height // 6, width // 6 : -width // 6]
    large = cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)
    small = cv2.resize(near, None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    empty, mixed = np.full_like(near, 90), large.copy()
    smaller = cv2.resize(near, None, fx=0.88, fy=0.88, interpolation=cv2.INTER_AREA)
    mixed[: len(smaller), : width // 2] = smaller[:, : width // 2]  # as from low: some dice are nearer than others
    for pixels, finely in ((large, False), (small, True), (empty, True), (mixed, True)):
        levels = levels_of(rectify(pixels))
        asked = levels_searched(pixels, monkeypatch)
        assert asked == [levels[1:], levels[:1]][: 1 + finely]
