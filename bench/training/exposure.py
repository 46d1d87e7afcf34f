"""Make a drawn picture look taken by a camera."""

import cv2
import numpy as np
from numpy.typing import NDArray


def photographed(rng: np.random.Generator, canvas: NDArray[np.uint8], edge: float) -> NDArray[np.uint8]:
    """Uneven light, exposure, blur, noise and JPEG."""
    height, width = canvas.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    across, down = (np.float32(n) for n in rng.normal(0, 0.25, 2))
    slope = 1 + across * (x / width - 0.5) + down * (y / height - 0.5)
    gain = np.exp(rng.normal(-0.15, 0.35)) * np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    if rng.random() < 0.1:  # little light
        gain *= rng.uniform(0.3, 1.0)
    seen = canvas * (slope[..., None] * gain).astype(np.float32)
    blur = abs(rng.normal(0, 0.012)) * edge + rng.uniform(0.3, 0.9)
    seen = cv2.GaussianBlur(np.minimum(seen, 255), (0, 0), blur)
    seen = seen + rng.standard_normal(seen.shape, np.float32) * np.float32(rng.uniform(0.5, 6))
    _, data = cv2.imencode(
        ".jpg", seen.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 97))]
    )
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
