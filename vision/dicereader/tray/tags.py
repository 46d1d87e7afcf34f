"""Find the four printed tags on the tray's corners, and tell the tray from them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from dicereader.data.arrays import Bools, Floats
from dicereader.data.frame import Pixels
from dicereader.tray.geometry import PAPER, Tray

Tags = Mapping[int, Floats]
"""Tags by number, each as its corners in pixels, shape (4, 2), clockwise from the printed top left."""

MARGIN_PX = 20
"""Pixels of border added around a picture before tags are searched for."""

HALVED_PX = 400_000
"""Pixels above which a quick search looks at half the picture's size."""

WINDOWS, QUICK_WINDOWS = (3, 23, 10), (15, 15, 10)
"""Pixels of the windows in which dark is told from light: the smallest, the largest, and the step between. The quick
search takes a single one."""

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
"""The dictionary of the tags, of which a tray has the first four."""

CELLS = 6
"""Squares along a tag's side: four of the pattern and a black one at each end."""

ENLARGED = 4.0, 3.0, 2.0
"""Factors by which the surroundings of a tag are enlarged that was not seen where the others say it is. The far tags
of a tray seen aslant are small: all of 7 with sides of 20 by 29 pixels are found so, and each factor alone finds 4 to
6."""

MOST_ENLARGED_PX = 300
"""Pixels of the longer side of the surroundings up to which they are enlarged: larger tags need it not."""

WITH_BORDER = 1.4
"""Size of a tag's plate as a multiple of its black square."""

APART = 5.0
"""Distance of two tags on a tray's corners, in sides of a tag, at least; on the printed sheet it is less."""

SIZE_STEP, SIZE_STEPS, MOST_STEP = 0.01, 3, 0.2
"""Fraction by which a tray's size is varied to see how the errors change, the number of corrections, and the most that
one of them may change."""

CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")
"""The corners of the tray by the number of their tags."""

_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
"""A square's corners, y down: the tags' places by number, and each tag's own corners."""

_PAPER_APART = (2 * PAPER.tag_centre_mm(1)[0] / PAPER.tag_mm, 2 * PAPER.tag_centre_mm(1)[1] / PAPER.tag_mm)
"""Distances of the middles of the paper tray's tags to the right and up, in sides of a tag."""


def find_tags(pixels: Pixels, *, quick: bool = False) -> dict[int, Floats]:
    """Return the tags in a picture: ArUco 4x4_50, numbers 0 to 3.

    A quick search looks at half the size of a large picture, in a third of the time, and refines the corners at its
    full size. Only if it finds some of the four tags it looks at the full size, too. It misses four tags if all have
    sides of less than 20 pixels.
    """
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    height, width = grey.shape
    if quick and height * width > HALVED_PX:
        even = grey[: height // 2 * 2, : width // 2 * 2]  # (x + 0.5) / 2 - 0.5 is exact
        half = cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        found = _detected(np.asarray(half, np.uint8), QUICK_WINDOWS)
        if len(found) in (0, 4):
            return {number: _refined(grey, (corners + 0.5) * 2 - 0.5) for number, corners in found.items()}
    found = _detected(grey)
    if 1 < len(found) < 4:
        hidden = {number: place for number, place in with_hidden(found).items() if number not in found}
        for number, place in hidden.items():
            enlarged = (_in_window(pixels, number, place, 1.5, factor) for factor in ENLARGED)
            if (seen := next((each for each in enlarged if each is not None), None)) is not None:
                found[number] = seen
    return found


def find_tags_near(pixels: Pixels, places: Tags) -> dict[int, Floats]:
    """Return those tags that are within half a side of where they were, found in windows of the picture."""
    near = {number: _in_window(pixels, number, place, 0.5) for number, place in places.items()}
    return {number: corners for number, corners in near.items() if corners is not None}


def _in_window(pixels: Pixels, number: int, place: Floats, around: float, factor: float = 1.0) -> Floats | None:
    """Return the corners of a tag that is seen in a window of the picture, enlarged by a factor; None if it is not.

    The window reaches beyond the tag's place by `around` sides.
    """
    reach = around * _sides(place).max()
    left, top = np.maximum(place.min(0) - reach, 0).astype(int)
    right, bottom = np.maximum(place.max(0) + reach, 0).astype(int)
    window = pixels[top:bottom, left:right]
    if min(window.shape[:2]) < reach or (factor > 1 and max(window.shape) > MOST_ENLARGED_PX):
        return None
    grey = cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)
    large = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
    seen = _detected(np.asarray(large, np.uint8)).get(number)
    return None if seen is None else (seen + 0.5) / factor - 0.5 + (left, top)


def _detected(grey: NDArray[np.uint8], windows: tuple[int, int, int] = WINDOWS) -> dict[int, Floats]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax, settings.adaptiveThreshWinSizeStep = windows
    detector = cv2.aruco.ArucoDetector(DICTIONARY, settings)
    # Without a margin a tag whose border touches the picture's edge is missed.
    framed = cv2.copyMakeBorder(grey, MARGIN_PX, MARGIN_PX, MARGIN_PX, MARGIN_PX, cv2.BORDER_REPLICATE)
    corners, numbers, _ = detector.detectMarkers(framed)
    found = zip(() if numbers is None else np.ravel(numbers), corners, strict=True)
    return {int(n): np.asarray(c, np.float64).reshape(4, 2) - MARGIN_PX for n, c in found if int(n) < 4}


def _refined(grey: NDArray[np.uint8], corners: Floats) -> Floats:
    """Return corners (4, 2) to a fraction of a pixel, by the rules that the detector itself follows."""
    settings = cv2.aruco.DetectorParameters()
    cell = float(_sides(corners).mean()) / CELLS
    reach = int(np.clip(round(settings.relativeCornerRefinmentWinSize * cell), 1, settings.cornerRefinementWinSize))
    until = settings.cornerRefinementMaxIterations, settings.cornerRefinementMinAccuracy
    stop = cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, *until
    found = cv2.cornerSubPix(grey, corners.astype(np.float32).reshape(4, 1, 2), (reach, reach), (-1, -1), stop)
    return np.asarray(found, np.float64).reshape(4, 2)


def on_tags(tags: Tags, points: Floats) -> Bools:
    """Return which points (n, 2) are on a printed tag or its border, whose squares look like pips."""
    found = np.zeros(len(points), np.bool_)
    for corners in tags.values():
        middle = corners.mean(0)
        found |= inside(middle + WITH_BORDER * (corners - middle), points)
    return found


def outside_tags(tags: Tags, points: Floats) -> Bools:
    """Return which points (n, 2) are outside the rectangle of the four tags, and so outside the tray.

    Paper ends at the tags' outer corners. No point is outside unless three or four tags are seen, placed as on a tray's
    corners.
    """
    if len(tags) > 2 and len(tags := with_hidden(tags)) == 4:
        paper = tray_of(tags).paper
        corners = np.array([tags[n][n] if paper else tags[n].mean(0) for n in range(4)])
        tag_px = float(np.mean([_sides(tag) for tag in tags.values()]))
        if _sides(corners).min() > APART * tag_px and cv2.isContourConvex(corners.astype(np.float32)):
            return ~inside(corners, points)
    return np.zeros(len(points), np.bool_)


def inside(corners: Floats, points: Floats) -> Bools:
    """Return which points (n, 2) are inside a convex quadrangle (4, 2) or on its outline."""
    quad = corners.astype(np.float32)
    return np.array([cv2.pointPolygonTest(quad, (float(x), float(y)), False) >= 0 for x, y in points], np.bool_)


def _sides(corners: Floats) -> Floats:
    """Return the lengths of the four sides of a quadrangle (4, 2)."""
    return np.asarray(np.hypot(*(corners - np.roll(corners, 1, 0)).T), np.float64)


def with_hidden(tags: Tags) -> dict[int, Floats]:
    """Return the tags, and if two or three are seen, the estimated corners of the hidden or cut ones."""
    if not 2 <= len(tags) <= 3:
        return dict(tags)
    found = _layout(tags)
    if found is None:
        return dict(tags)
    apart, to_picture = found
    every = cv2.perspectiveTransform(_plates(apart, range(4)).reshape(1, -1, 2), to_picture).reshape(4, 4, 2)
    return {n: np.asarray(every[n], np.float64) for n in range(4)} | dict(tags)


def tray_of(tags: Tags) -> Tray:
    """Return the tray on which two or more tags are: the paper tray, or a square one with walls, of the size they tell.

    A sheet that is printed smaller or larger has the same measures: its own millimetres.
    """
    found = _layout(tags)
    usual = Tray()
    if found is None:
        return usual
    apart, _ = found
    if apart == _PAPER_APART:
        return PAPER
    outside = usual.tag_centre_mm(1)[0] - usual.half_mm
    return replace(usual, inner_mm=round(apart[0] * usual.tag_mm - 2 * outside, 1))


def _layout(tags: Tags) -> tuple[tuple[float, float], Floats] | None:
    """Return the distances of the middles of tags to the right and up, in sides of a tag, and how the plane is seen.

    The tags are those of the paper tray, whose distances are known, or of a square tray, whose width is measured: the
    homography between the plane, whose unit is half a side, and the picture fits best. None for points on one line.
    """
    numbers = list(tags)
    seen = np.array([tags[n] for n in numbers])
    middles, edges = seen.mean(1), np.array([_sides(corners).mean() for corners in seen])
    widths = [
        2 * away / np.sqrt(edges[a] * edges[b]) / math.dist(_SQUARE[numbers[a]], _SQUARE[numbers[b]])
        for a, b in combinations(range(len(numbers)), 2)
        if (away := math.dist(middles[a], middles[b])) > 0
    ]
    apart = float(np.mean(widths)) if widths else APART
    square = _seen_so(seen, numbers, (apart, apart))
    for _ in range(SIZE_STEPS):
        beside = _seen_so(seen, numbers, (apart * (1 + SIZE_STEP), apart * (1 + SIZE_STEP)))
        if square is None or beside is None:
            break
        change = beside[1] - square[1]
        by = -SIZE_STEP * float((change * square[1]).sum() / max(float((change * change).sum()), 1e-12))
        nearer = apart * (1 + min(max(by, -MOST_STEP), MOST_STEP))
        better = _seen_so(seen, numbers, (nearer, nearer))
        if better is None or (better[1] ** 2).sum() >= (square[1] ** 2).sum():
            break
        apart, square = nearer, better
    paper = _seen_so(seen, numbers, _PAPER_APART)
    if square is None or paper is None:
        return None
    if (paper[1] ** 2).sum() < (square[1] ** 2).sum():
        return _PAPER_APART, paper[0]
    return (apart, apart), square[0]


def _seen_so(seen: Floats, numbers: Sequence[int], apart: tuple[float, float]) -> tuple[Floats, Floats] | None:
    """Return the homography from tags at these distances to those seen (n, 4, 2), and the errors in pixels."""
    plane = _plates(apart, numbers).reshape(-1, 2)
    to_picture, _ = cv2.findHomography(plane, seen.reshape(-1, 2))
    if np.shape(to_picture) != (3, 3):
        return None
    found = np.asarray(to_picture, np.float64)
    return found, np.asarray(cv2.perspectiveTransform(plane[None], found)[0] - seen.reshape(-1, 2), np.float64)


def _plates(apart: tuple[float, float], numbers: Iterable[int]) -> Floats:
    """Return the corners (n, 4, 2), y down, of tags at these distances; the unit is half a side of a tag."""
    return np.asarray(_SQUARE[list(numbers), None] * np.array(apart) + _SQUARE, np.float64)


def common_tags(pictures: Iterable[Pixels]) -> dict[int, Floats]:
    """Return the tags of several pictures of a tray that did not move: the median place of each."""
    seen: dict[int, list[Floats]] = {}
    for picture in pictures:
        for number, corners in find_tags(picture).items():
            seen.setdefault(number, []).append(corners)
    return {number: np.asarray(np.median(places, 0), np.float64) for number, places in seen.items()}


def missing_tags(tags: Iterable[int]) -> str:
    """Return the names of the missing tags, such as "0 (top left), 3 (bottom left)"."""
    return ", ".join(f"{n} ({name})" for n, name in enumerate(CORNER_NAMES) if n not in tags)
