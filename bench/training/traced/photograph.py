"""Take a photograph of a scene's light: exposure, white balance, lens, sensor noise, the camera's processing, JPEG."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]


@dataclass(frozen=True)
class Shot:
    """What a camera does to a scene's light. Lengths are pixels.

    `key` is the brightness aimed at, `stops` the error of exposure, `balance` how much of the light's colour is taken
    out, `off` the error of the white balance, `shake` how far the camera moves in the direction `shake_deg`, `noise`
    that of a grey of 0.2, `smooth` how much the camera smears noise, `fewer` the factor of enlargement, 1 for none.
    """

    key: float
    stops: float
    balance: float
    off: tuple[float, float, float]
    vignette: float
    bloom: float
    soft: float
    shake: float
    shake_deg: float
    noise: float
    smooth: float
    contrast: float
    saturation: float
    sharpen: float
    fewer: float
    quality: int


def shot(seed: int, *, die_px: float, held: bool) -> Shot:
    """Return the camera and its errors for a scene. Blurs are bounded by the size of dice."""
    rng = np.random.default_rng([seed, 8])
    stops = rng.normal(0, 0.35)
    draw = rng.random()
    if draw < 0.08:
        stops = rng.uniform(0.8, 1.8)
    elif draw < 0.16:
        stops = rng.uniform(-2.6, -0.9)
    shake = abs(rng.normal(0, 0.04)) * die_px if held and rng.random() < 0.4 else 0.0
    return Shot(
        key=float(rng.uniform(0.13, 0.25)),
        stops=float(stops),
        balance=float(rng.uniform(0.5, 1.0) if rng.random() < 0.75 else rng.uniform(0, 0.5)),
        off=tuple(float(n) for n in np.exp(rng.normal(0, 0.035, 3))),  # type: ignore[arg-type]
        vignette=float(rng.uniform(0, 0.5)),
        bloom=float(rng.uniform(0, 0.05)),
        soft=float(rng.uniform(0.2, 0.65) + abs(rng.normal(0, 0.012)) * die_px),
        shake=float(min(shake, 5.0)),
        shake_deg=float(rng.uniform(0, 180)),
        noise=float(np.exp(rng.uniform(np.log(0.002), np.log(0.035)))),
        smooth=float(rng.uniform(0, 1) if rng.random() < 0.5 else 0.0),
        contrast=float(rng.uniform(0.0, 0.5)),
        saturation=float(rng.uniform(0.85, 1.25) if rng.random() > 0.04 else 0.0),
        sharpen=float(rng.uniform(0.3, 1.3) if rng.random() < 0.45 else 0.0),
        fewer=float(rng.uniform(1.1, max(1.15, min(2.0, die_px / 14)))) if rng.random() < 0.15 else 1.0,
        quality=int(rng.integers(45, 97)),
    )


def developed(light: Light, shot: Shot, seed: int) -> bytes:
    """Return the JPEG of a scene's light, (height, width, 3) linear red, green, blue."""
    rng = np.random.default_rng([seed, 9])
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    away = ((x - width / 2) ** 2 + (y - height / 2) ** 2) / (width / 2) ** 2
    light = light / (1 + shot.vignette * away[..., None]) ** 2
    if shot.bloom:
        wide = cv2.GaussianBlur(np.minimum(light, np.float32(np.quantile(light, 0.5) * 40)), (0, 0), 0.03 * width)
        light = light + shot.bloom * (wide - light)
    if shot.shake > 0.4:
        light = cv2.filter2D(light, -1, _streak(shot.shake, shot.shake_deg), borderType=cv2.BORDER_REPLICATE)
    light = cv2.GaussianBlur(light, (0, 0), shot.soft)
    mean = light.mean((0, 1)) + 1e-6
    light = light * (mean.mean() / mean) ** shot.balance * np.array(shot.off, np.float32)
    grey = light.mean(2)
    gain = shot.key / max(float(grey.mean()), 1e-6)
    gain = min(gain, 1.8 / max(float(np.quantile(grey, 0.985)), 1e-6))  # bright parts may burn out, not all of them
    seen = (light * gain * 2.0**shot.stops).astype(np.float32)
    seen = _noisy(seen, shot, rng)
    if shot.saturation != 1.0:
        mono = seen.mean(2, keepdims=True)
        seen = mono + shot.saturation * (seen - mono)
    seen = _toned(np.clip(seen, 0, None), shot.contrast)
    if shot.sharpen:
        seen = seen + shot.sharpen * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
    out = np.rint(np.clip(seen, 0, 1) * 255).astype(np.uint8)[..., ::-1]
    if shot.fewer > 1:
        small = cv2.resize(out, None, fx=1 / shot.fewer, fy=1 / shot.fewer, interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    done, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, shot.quality])
    assert done
    return bytes(data)


def _noisy(seen: Light, shot: Shot, rng: np.random.Generator) -> Light:
    """Return the light with a sensor's noise: its photons' and its own, coarser in colour than in brightness."""
    fine = rng.standard_normal(seen.shape, np.float32)
    coarse = cv2.GaussianBlur(rng.standard_normal(seen.shape, np.float32), (0, 0), 1.0) * 2.0
    grain = 0.75 * fine + 0.5 * coarse
    noisy = seen + grain * (shot.noise * np.sqrt(np.maximum(seen, 0) / 0.2 + 0.04))
    if shot.smooth and shot.noise > 0.006:
        root = np.sqrt(np.maximum(noisy, 0)).astype(np.float32)
        calm = cv2.bilateralFilter(root, 5, 6 * shot.noise, 2.0) ** 2
        noisy = noisy + shot.smooth * (calm - noisy)
    return np.asarray(noisy, np.float32)


def _toned(seen: Light, contrast: float) -> Light:
    """Return display values of linear ones: the curve of sRGB with a shoulder, and more contrast."""
    over = np.maximum(seen - 0.8, 0)
    seen = np.minimum(seen, 0.8) + 0.2 * (1 - np.exp(-over / 0.2))
    curve = np.where(seen < 0.0031308, 12.92 * seen, 1.055 * np.maximum(seen, 1e-6) ** (1 / 2.4) - 0.055)
    smooth = curve * curve * (3 - 2 * np.clip(curve, 0, 1))
    return np.asarray(curve + contrast * (smooth - curve), np.float32)


def _streak(length: float, angle: float) -> Light:
    side = 2 * int(np.ceil(length / 2)) + 3
    middle = side // 2
    end = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * length / 2
    streak = np.zeros((side, side), np.float32)
    for by in np.linspace(-1, 1, 4 * side):
        px, py = middle + by * end
        i, j = int(np.floor(py)), int(np.floor(px))
        u, v = py - i, px - j
        streak[i : i + 2, j : j + 2] += np.array([[(1 - u) * (1 - v), (1 - u) * v], [u * (1 - v), u * v]], np.float32)
    return streak / streak.sum()
