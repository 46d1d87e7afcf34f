"""What a known lens and a good picture are worth: `python bench/camera_bench.py [--tables N]`.

Drawn tables are calibrated with an unknown lens and with a known one, and the camera's place is compared with the true
one. Then tables are calibrated and throws are read in pictures that get softer, more unevenly lit and brighter: the
limits of `dicereader.tray.camera_checks` are where sure readings are lost.
"""

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable

import cv2
import numpy as np
from figures import share, spread

from companion.calibration.samples import DICE, draw_samples, draw_throw
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.learn import learn
from dicereader.reader import read_pixels
from dicereader.sources.synthetic.camera import FOV_DEG, camera_for
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.calibration import Calibration
from dicereader.tray.camera_checks import evenness, saturated_dice, sharpness
from dicereader.tray.geometry import Tray
from dicereader.tray.tags import common_tags, find_tags, posed_by_tags

THROWS = 6
BLURS_PX = (0.0, 1.0, 1.5, 2.0, 3.0)
SLOPES = (0.0, 0.3, 0.6, 0.8, 1.0, 1.4)
"""Change of the light across the floor, as a fraction of its mean."""

FACTORS = (1.0, 1.2, 1.6, 2.2)
PLACES_MM = [(x, y, z) for x in (-80, 0, 80) for y in (-60, 0, 90) for z in (8, 16)]

Spoil = Callable[[Pixels], Pixels]


def table_of(seed: int) -> tuple[SyntheticSource, Pixels, list[Pixels]]:
    """A drawn table, its empty tray, and the throws to calibrate from."""
    empty, throws = draw_samples(seed, THROWS, random.Random(seed))
    return SyntheticSource(lambda: 100.0, seed=seed), empty, throws


def learnt(empty: Pixels, throws: list[Pixels], known_fov_deg: float | None = None) -> Calibration:
    """The calibration that the throws give."""
    return learn(empty, throws, posed_by_tags(empty.shape, common_tags([empty, *throws])), 16.0, known_fov_deg)


def lenses(tables: Iterable[int]) -> None:
    """Print how far the camera's height and the places of dice are off."""
    for name, fov in (("unknown lens", None), ("known lens", FOV_DEG)):
        heights, places = [], []
        for seed in tables:
            _, empty, throws = table_of(seed)
            known, truth = learnt(empty, throws, fov), camera_for(seed, Tray())
            heights.append(abs(known.position_mm[2] - truth.position_mm[2]))
            places += [math.dist(known.project(*place), truth.project(*place)) for place in PLACES_MM]
        sys.stdout.write(f"{name}: camera's height off by mm: {spread(heights, 0)}\n")
        sys.stdout.write(f"{name}: places of dice off by pixels: {spread(places, 2)}\n")


def fault(name: str, spoil: Spoil, tables: Iterable[int]) -> None:
    """Print the measures of spoiled pictures, and how many throws are read exactly and surely in them."""
    exact = sure = n = 0
    measures = []
    for seed in tables:
        source, empty, throws = table_of(seed)
        spoiled = spoil(empty)
        try:
            known = learnt(spoiled, [spoil(throw) for throw in throws])
        except CalibrationError:  # it cannot be calibrated in such a picture
            known = learnt(empty, throws)
        chance, tops = random.Random(seed), []
        for _ in range(THROWS):
            faces = [chance.randint(1, 6) for _ in range(DICE)]
            pixels = spoil(draw_throw(source, seed, faces, chance))
            reading = read_pixels(pixels, calibration=known, empty=spoiled, expect=DICE)
            tops.append((pixels, [die.box for die in reading.dice]))
            exact += Counter(reading.faces) == Counter(faces)
            sure += reading.sure
            n += 1
        checks = sharpness(spoiled, find_tags(empty)), evenness(spoiled, known), saturated_dice(tops)
        measures.append([each.value or 0.0 for each in checks])
    edge, even, saturated = np.mean(measures, 0)
    sys.stdout.write(
        f"{name}: edges {edge:.1f} %, evenness {even:.0f} %, saturated {saturated:.0f} %: exact {share(exact, n)}, "
        f"sure {share(sure, n)}\n"
    )


def blurred(pixels: Pixels, blur_px: float) -> Pixels:
    """The picture out of focus."""
    return cv2.GaussianBlur(pixels, (0, 0), blur_px) if blur_px else pixels


def lit(pixels: Pixels, factor: float, slope: float = 0.0) -> Pixels:
    """The picture in light of that factor, which rises from left to right by `slope` across the floor."""
    width = pixels.shape[1]
    across = (np.arange(width) / width - 0.5) * slope * width / (2 * 213)  # the floor is 426 pixels wide
    light = np.clip(1 + across, 0.02, None)[None, :, None]
    return np.clip(pixels * (factor * light / light.max() if slope else factor), 0, 255).astype(np.uint8)


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="What a known lens and a good picture are worth.")
    parser.add_argument("--tables", type=int, default=4)
    tables = range(parser.parse_args().tables)
    cv2.setNumThreads(1)
    lenses(tables)
    for blur_px in BLURS_PX:
        fault(f"blur of {blur_px:g} pixels", lambda pixels, by=blur_px: blurred(pixels, by), tables)
    for slope in SLOPES:
        fault(f"light that changes by {slope:.0%}", lambda pixels, by=slope: lit(pixels, 1.2, by), tables)
    for factor in FACTORS:
        fault(f"light of {factor:g}", lambda pixels, by=factor: lit(pixels, by), tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
