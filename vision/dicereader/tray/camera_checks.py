"""Measure what a builder must know of tray, camera and light: dice left, focus, evenness, flicker, reflections, speed.

Each measure is a number with a limit. The reason of each limit is at its constant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import cv2
import numpy as np

from dicereader.data.arrays import Floats
from dicereader.data.frame import SATURATED, Pixels
from dicereader.reading import SURE, Box, DiceReading
from dicereader.tray.calibration import Calibration
from dicereader.tray.fitness import SOFT_EDGE, edge_width
from dicereader.tray.tags import Tags

LEAST_EVEN = 0.6
"""Brightness of the darkest part of the floor as a fraction of the brightest. Of 24 throws on drawn tables with a light
that falls to one side 24 are read surely at 0.73, 23 at 0.58, 15 at 0.48 and 12 at 0.4."""

MOST_FLICKER = 0.03
"""Change of a row's brightness from frame to frame, as a fraction. On a white die of grey level 200 it is 6 levels.
From there on motion detection sees motion, and the tray is never still."""

MOST_REFLECTION_MM2 = 8.0
"""Area of a saturated spot on the empty floor in mm2: that of a pip of 3.2 mm, for which a spot may be taken."""

MOST_SATURATED = 0.5
"""Saturated fraction of the tops of the dice. Drawn dice with black pips are read surely even at 0.8. The shading that
parts touching dice is lost, and so are pips that are not dark."""

LEAST_RATE = 15.0
"""Frames a second: the vote needs 5 frames of 0.35 s of a still tray."""

MOST_READING_MS = 500.0
"""Milliseconds of a reading: a vote of 5 frames then takes 2.5 s, after which players look up."""

ROWS_PX = 9
"""Rows over which brightness is averaged before frames are compared: a band of mains light is hundreds of rows high."""

FROM_WALL_MM = 20.0
"""Distance from walls and rail within which the floor is not measured: their shadow is no fault of the light."""

CELLS = 5
"""The floor is measured in this many parts in each direction."""

DICE_LEFT = "dice in the empty tray"
"""The name of the measure that says whether a tray is empty."""

NEEDS_TRAY = "needs all four tags in the picture, or a calibration"
"""What a measurement of the floor needs."""

TOP = 0.6
"""Fraction of a die's box, in each direction, that is its top for certain."""


@dataclass(frozen=True)
class Measure:
    """One figure of camera and light: good if it is at most its limit, or at least it where `at_least` is set.

    `value` is None if it could not be measured; `needs` says what the measurement needs then, and `cure` what helps
    against a figure beyond the limit. `place` bounds what was measured in the picture, where that is one spot.
    """

    name: str
    value: float | None
    limit: float
    unit: str
    cure: str
    needs: str = ""
    at_least: bool = False
    place: Box | None = None

    @property
    def good(self) -> bool | None:
        """Whether the figure keeps its limit, None if it was not measured."""
        if self.value is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def record(self) -> dict[str, object]:
        """Return the figure, its limit, the verdict, and the cure or the need, as JSON's types, to two decimals."""
        value, cure = (None, self.needs) if self.value is None else (round(self.value, 2), self.cure)
        shown = asdict(self) | {"value": value, "limit": round(self.limit, 2), "cure": cure, "good": self.good}
        hidden = {"needs"} if self.place is not None else {"needs", "place"}
        return {name: each for name, each in shown.items() if name not in hidden}

    def lines(self) -> Iterator[str]:
        """Yield the figure, its limit and the verdict, and on a second line the cure of a problem."""
        bound = f"{'at least' if self.at_least else 'at most'} {self.limit:g}{self.unit}"
        if self.value is None:
            yield f"{self.name + ':':26} not measured: {self.needs}"
            return
        yield f"{self.name + ':':26} {self.value:.1f}{self.unit}, {bound}: {'good' if self.good else 'WRONG'}"
        if not self.good:
            yield f"  cure: {self.cure}"


def dice_left(reading: DiceReading) -> Measure:
    """Return how many dice are surely seen in a picture that should show none, and the place of the first."""
    seen = [die for die in reading.dice if die.confidence >= SURE]
    place = seen[0].box if seen else None
    return Measure(DICE_LEFT, float(len(seen)), 0.0, "", "clear the tray, the shelf too", place=place)


def sharpness(pixels: Pixels, tags: Tags) -> Measure:
    """Return the width of the softest tag's edges from black to white, in percent of the tag's side."""
    grey = _grey(pixels)
    widths = [edge_width(grey, {number: corners}) for number, corners in tags.items()]
    widest = 100 * max(widths) if widths else None
    cure = "set the lens to the tray's distance; if only some tags are soft, hang the camera level"
    return Measure("edges of the softest tag", widest, 100 * SOFT_EDGE, " %", cure, "no tag is seen")


def evenness(pixels: Pixels, known: Calibration | None) -> Measure:
    """Return the brightness of the empty floor's darkest part, in percent of its brightest."""
    part = None
    if known is not None:
        levels = _floor_levels(pixels, known)
        part = 100 * float(levels.min()) / max(float(levels.max()), 1.0)
    cure = "hang the lamp over the tray's middle, or a second one on the other side, with paper before each"
    return Measure("evenness of the light", part, 100 * LEAST_EVEN, " %", cure, NEEDS_TRAY, at_least=True)


def flicker(frames: Sequence[Pixels], known: Calibration | None) -> Measure:
    """Return by how much a row's brightness changes from frame to frame, in percent: bands of a lamp on the mains.

    The exposure of a frame's rows begins one after the other, so a lamp that flickers makes bands, which wander unless
    the frame rate is a divisor of the mains frequency: such bands stand still and are not seen here. The frames show an
    empty tray at rest.
    """
    change = None
    if known is not None:
        left, top, right, bottom = _floor_box(known)
        rows = np.array([_grey(frame[top:bottom, left:right]).mean(1) for frame in frames], np.float64)
        smooth = cv2.blur(rows, (ROWS_PX, 1), borderType=cv2.BORDER_REPLICATE)
        usual = np.maximum(np.median(smooth, 0), 1.0)
        change = 100 * float(np.abs(smooth / usual - 1.0).max())
    cure = "set the mains frequency, camera.source = 'picamera2:0,60' for 60 Hz; or use a lamp that does not flicker"
    return Measure("flicker", change, 100 * MOST_FLICKER, " %", cure, NEEDS_TRAY)


def reflections(pixels: Pixels, known: Calibration | None) -> Measure:
    """Return the area of the largest saturated spot on the empty floor in mm2, and its place."""
    area_mm2 = place = None
    if known is not None:
        floor = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillConvexPoly(floor, np.rint(_floor_corners(known)).astype(np.int32), 255)
        bright = cv2.bitwise_and(np.asarray((_grey(pixels) > SATURATED) * 255, np.uint8), floor)
        _, _, boxes, _ = cv2.connectedComponentsWithStats(bright)
        spots = boxes[1:]
        px_mm = known.die_px(*known.project(0.0, 0.0, 0.0)) / known.tray.die_mm
        area_mm2 = float(spots[:, cv2.CC_STAT_AREA].max(initial=0)) / px_mm**2
        if len(spots):
            place = Box(*spots[spots[:, cv2.CC_STAT_AREA].argmax(), :4].tolist())
    cure = "a lamp is mirrored: move it to the side, put paper before it, or lay matt felt"
    return Measure("largest reflection", area_mm2, MOST_REFLECTION_MM2, " mm2", cure, NEEDS_TRAY, place=place)


def saturated_dice(pictures: Sequence[tuple[Pixels, Sequence[Box]]]) -> Measure:
    """Return the saturated part of the tops of the dice in some pictures, in percent.

    Args:
        pictures: each picture with the boxes of the dice that were read in it.
    """
    tops = [_top(pixels, box) for pixels, boxes in pictures for box in boxes]
    saturated = sum(int((top > SATURATED).sum()) for top in tops)
    area = sum(top.size for top in tops)
    part = 100 * saturated / area if area else None
    cure = "give the tray less light, or dim the lamp beside the lens; then restart the table, which sets the exposure"
    return Measure("saturated tops of dice", part, 100 * MOST_SATURATED, " %", cure, "no die was read")


def frame_rate(times_s: Sequence[float]) -> Measure:
    """Return the frames a second of frames that came at these times, in seconds."""
    span_s = times_s[-1] - times_s[0] if len(times_s) > 1 else 0.0
    rate = (len(times_s) - 1) / span_s if span_s > 0 else None
    cure = (
        "use a USB 3 socket and MJPEG, or a smaller picture; on a Pi look for heat and under-voltage: farklecrib doctor"
    )
    needs = "the frames of a simulated camera come as fast as they are asked for"
    return Measure("frames a second", rate, LEAST_RATE, "", cure, needs, at_least=True)


def reading_time(times_ms: Sequence[float]) -> Measure:
    """Return the median time of a reading in milliseconds."""
    median = float(np.median(times_ms)) if times_ms else None
    cure = "calibrate the table, which makes readings several times faster; end other programs on this machine"
    return Measure("time of a reading", median, MOST_READING_MS, " ms", cure, "no throw was read")


def _floor_span(known: Calibration) -> tuple[float, float, float]:
    """Return the floor of the throw area that is measured, in millimetres: half its width, its lowest and highest y.

    The floor of a sheet of paper is measured between the tags.
    """
    tray = known.tray
    away = tray.plate_mm if tray.paper else FROM_WALL_MM
    return tray.half_mm - away, tray.rail_y_mm + FROM_WALL_MM, tray.half_depth_mm - away


def _floor_corners(known: Calibration) -> Floats:
    """Return the corners of the floor that is measured in pixels, (4, 2), clockwise from the top left."""
    wide, low, high = _floor_span(known)
    return np.array([known.project(x, y, 0.0) for x, y in ((-wide, high), (wide, high), (wide, low), (-wide, low))])


def _floor_box(known: Calibration) -> tuple[int, int, int, int]:
    """Return the columns and rows that show the floor alone: left, top, right, bottom."""
    corners = _floor_corners(known)
    (left, right), (top, bottom) = np.sort(corners[:, 0])[1:3], np.sort(corners[:, 1])[1:3]
    left, top = max(left, 0), max(top, 0)
    return int(left), int(top), max(int(right), int(left) + 1), max(int(bottom), int(top) + 1)


def _floor_levels(pixels: Pixels, known: Calibration) -> Floats:
    """Return the median grey level of each part of the floor, (CELLS, CELLS)."""
    wide, low, high = _floor_span(known)
    per_cell = 12
    count = CELLS * per_cell
    grid = np.stack(np.meshgrid(np.linspace(-wide, wide, count), np.linspace(high, low, count)), -1).reshape(1, -1, 2)
    places = cv2.perspectiveTransform(grid, known.at_height(0.0))[0].astype(np.float32)
    seen = cv2.remap(_grey(pixels), places[None, :, 0], places[None, :, 1], cv2.INTER_LINEAR)[0].reshape(count, count)
    cells = seen.reshape(CELLS, per_cell, CELLS, per_cell).transpose(0, 2, 1, 3).reshape(CELLS, CELLS, -1)
    return np.asarray(np.median(cells, 2), np.float64)


def _top(pixels: Pixels, box: Box) -> Pixels:
    """Return the middle of a die's box in grey."""
    x, y = box.x + box.w * (1 - TOP) / 2, box.y + box.h * (1 - TOP) / 2
    left, above = max(round(x), 0), max(round(y), 0)
    return _grey(pixels[above : round(y + box.h * TOP), left : round(x + box.w * TOP)])


def _grey(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
