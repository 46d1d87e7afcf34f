"""Make a drawn picture look taken by a camera."""

import cv2
import numpy as np
from numpy.typing import NDArray


def photographed(rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float) -> NDArray[np.uint8]:
    """Uneven light, exposure, blur, noise and JPEG."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    slope = 1 + rng.normal(0, 0.25) * (x / width - 0.5) + rng.normal(0, 0.25) * (y / height - 0.5)
    seen = canvas * slope[..., None] * np.exp(rng.normal(-0.15, 0.35))
    seen = seen * np.exp(rng.normal(0, 0.06, 3))
    blur = abs(rng.normal(0, 0.012)) * edge + rng.uniform(0.3, 0.9)
    seen = cv2.GaussianBlur(np.clip(seen, 0, 255).astype(np.float32), (0, 0), blur)
    seen = seen + rng.normal(0, 1, seen.shape) * rng.uniform(0.5, 6)
    _, data = cv2.imencode(
        ".jpg", seen.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 97))]
    )
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
