"""Frames that show no tray: the reader never fails on them, and is never sure of dice in them."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from dicereader import read
from dicereader.data.frame import Pixels

HEIGHT, WIDTH = 240, 320


def bad_frames(seed: int) -> Iterator[Pixels]:
    """Yield noise, flat frames, ramps, stripes, torn and smeared halves, blocks and specks, a new one for each seed."""
    chance = np.random.default_rng(seed)
    noise = chance.integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    yield noise
    yield np.full((HEIGHT, WIDTH, 3), chance.integers(0, 256, 3), np.uint8)
    ramp = np.linspace(chance.integers(0, 120), chance.integers(120, 256), WIDTH).astype(np.uint8)
    yield np.broadcast_to(ramp[None, :, None], (HEIGHT, WIDTH, 3)).copy()
    stripes = ((np.arange(HEIGHT) // chance.integers(1, 30)) % 2 * 255).astype(np.uint8)
    yield np.broadcast_to(stripes[:, None, None], (HEIGHT, WIDTH, 3)).copy()
    torn = np.full((HEIGHT, WIDTH, 3), 60, np.uint8)
    torn[chance.integers(20, HEIGHT - 20) :] = noise[:1]
    yield torn
    yield cv2.GaussianBlur(noise, (0, 0), float(chance.uniform(2, 12)))
    blocks = chance.integers(0, 256, (HEIGHT // 16, WIDTH // 16, 3), np.uint8)
    yield cv2.resize(blocks, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    specks = np.full((HEIGHT, WIDTH, 3), 50, np.uint8)
    for x, y in chance.integers(0, min(HEIGHT, WIDTH), (60, 2)):
        cv2.circle(specks, (int(x), int(y)), int(chance.integers(1, 4)), (250, 250, 250), -1)
    yield specks


def outcome(seeds: range) -> tuple[int, int]:
    """Return the number of frames read, and of those with dice that the reader was sure of."""
    read_, sure = 0, 0
    for seed in seeds:
        for frame in bad_frames(seed):
            found = read(frame)
            read_ += 1
            sure += found.sure and bool(found.dice)
    return read_, sure


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 6), marks=pytest.mark.exhaustive)])
def test_no_bad_frame_is_read_as_sure_dice(seeds: range) -> None:
    assert outcome(seeds) == (8 * len(seeds), 0)


@pytest.mark.soak
def test_ten_thousand_bad_frames_are_never_read_as_sure_dice() -> None:
    assert outcome(range(1250)) == (10_000, 0)
