"""The stuff a table is made of, as flat pictures of shape (rows, columns, 3), BGR, 0-255: felt, wood, planks, tags."""

import cv2
import numpy as np

from dicereader.sources.synthetic.camera import Floats

PX_PER_MM = 4.0


def _noise(rng: np.random.Generator, shape: tuple[int, int], grain: tuple[float, float]) -> Floats:
    """Smooth noise of mean 0 and deviation 1 whose spots are `grain` (rows, columns) pixels large."""
    rows, columns = (max(2, round(n / g)) for n, g in zip(shape, grain, strict=True))
    small = rng.normal(size=(rows, columns)).astype(np.float32)
    large = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray((large - large.mean()) / max(1e-6, float(large.std())), np.float32)


def _px(length_mm: float) -> int:
    return max(4, round(length_mm * PX_PER_MM))


def felt(rng: np.random.Generator, side_mm: float, colour: Floats) -> Floats:
    """A square of matt felt: fibres, a soft mottle, the pile brushed a little one way."""
    n = _px(side_mm)
    fibre = _noise(rng, (n, n), (1.6, 2.2)) * 0.050 + _noise(rng, (n, n), (5, 3)) * 0.030
    mottle = _noise(rng, (n, n), (60, 45)) * 0.022 + _noise(rng, (n, n), (300, 260)) * 0.030
    strands = (_noise(rng, (n, n), (1.2, 9)) > 2.1).astype(np.float32) * 0.16
    tone = np.asarray(1.0 + fibre + mottle + cv2.GaussianBlur(strands, (0, 0), 0.8), np.float32)
    return tone[..., None] * colour


def wood(rng: np.random.Generator, length_mm: float, width_mm: float, colour: Floats) -> Floats:
    """A board of oiled wood, its grain along the columns."""
    shape = _px(width_mm), _px(length_mm)
    rows = np.linspace(0, width_mm, shape[0], dtype=np.float32)[:, None]
    wander = _noise(rng, shape, (shape[0] / 1.5, 420)) * 2.2
    rings = np.sin((rows + wander) * rng.uniform(1.5, 2.2)) * 0.055
    grain = _noise(rng, shape, (1.6, 90)) * 0.045 + _noise(rng, shape, (4, 260)) * 0.06
    pores = (_noise(rng, shape, (1.2, 26)) > 2.2).astype(np.float32) * -0.18
    tone = (1.0 + rings + grain + pores)[..., None]
    # Dark grain is redder than light grain.
    texture: Floats = colour * tone ** np.array([1.25, 1.1, 0.95], np.float32)
    return texture


def planks(rng: np.random.Generator, side_mm: float, colour: Floats) -> Floats:
    """The pub's table under the tray: planks along the columns with dark seams; half as fine as the rest."""
    boards: list[Floats] = []
    total = 0.0
    while total < side_mm:
        width = float(rng.uniform(85, 120))
        board = wood(rng, side_mm / 2, width / 2, colour * np.float32(rng.uniform(0.85, 1.12)))
        board[:2] *= 0.4
        board[-1:] *= 0.7
        boards.append(board)
        total += width
    return np.concatenate(boards)[: _px(side_mm / 2)]


def tag(number: int, size_mm: float, border_mm: float) -> Floats:
    """Printed tag `number` (ArUco 4x4_50) with its white border, on paper."""
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 240)
    border = round(240 * border_mm / size_mm)
    printed = cv2.copyMakeBorder(marker, border, border, border, border, cv2.BORDER_CONSTANT, value=255.0)
    tone = 26.0 + np.asarray(printed, np.float32) * ((232.0 - 26.0) / 255.0)
    return np.repeat(tone[..., None], 3, axis=2) * np.array([0.97, 1.0, 1.0], np.float32)
