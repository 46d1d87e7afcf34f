"""The controls that lock the Pi's camera: exposure, gain, white balance and focus, from a settled frame's metadata.

Control names and meanings are libcamera's (control_ids_core.yaml).
"""

from collections.abc import Mapping
from typing import Any

MOST_EXPOSURE_US = 30_000
"""Microseconds of the longest exposure: longer ones would slow the camera below 30 frames a second."""

LOW_GAIN, MOST_GAIN = 2.0, 8.0
"""Gain above which the exposure is made longer, and the largest gain in the dark."""

AF_MANUAL, AF_AUTO, AF_START = 0, 1, 0
AF_FOCUSED, AF_FAILED = 2, 3
FOCUS = {"AfMode": AF_AUTO, "AfTrigger": AF_START}
"""The controls that start one search for focus."""

USUAL_DIOPTRES = 1 / 0.35
"""Focus for a camera 35 cm above the tray, if the lens finds no focus on dark felt."""


def settled(metadata: Mapping[str, Any]) -> bool:
    """Return whether the camera reports that its exposure has settled."""
    return metadata.get("AeState") == 2 or bool(metadata.get("AeLocked"))


def focused(metadata: Mapping[str, Any]) -> bool:
    """Return whether the search for focus has ended, well or not."""
    return metadata.get("AfState") in (AF_FOCUSED, AF_FAILED)


def exposure(exposure_us: float, gain: float, mains_hz: int) -> tuple[int, float]:
    """Return the exposure in microseconds and the gain that gather as much light as these, without flicker."""
    half_us = 1_000_000 / (2 * mains_hz)
    light = max(1.0, exposure_us) * max(1.0, gain)
    if light < half_us:  # daylight does not flicker
        return round(light), 1.0
    most = int(MOST_EXPOSURE_US // half_us)
    halves = next((n for n in range(1, most + 1) if light / (n * half_us) <= LOW_GAIN), most)
    return round(halves * half_us), round(min(MOST_GAIN, max(1.0, light / (halves * half_us))), 3)


def locked(metadata: Mapping[str, Any], mains_hz: int) -> dict[str, Any]:
    """Return the controls that lock what a settled frame's metadata reports."""
    controls: dict[str, Any] = {}
    if "ExposureTime" in metadata:
        time_us, gain = exposure(metadata["ExposureTime"], metadata.get("AnalogueGain", 1.0), mains_hz)
        controls |= {"AeEnable": False, "ExposureTime": time_us, "AnalogueGain": gain}
    if "ColourGains" in metadata:
        controls |= {"AwbEnable": False, "ColourGains": tuple(metadata["ColourGains"])}
    if "AfState" in metadata or "LensPosition" in metadata:
        sharp = metadata.get("AfState") == AF_FOCUSED and "LensPosition" in metadata
        controls |= {"AfMode": AF_MANUAL, "LensPosition": metadata["LensPosition"] if sharp else USUAL_DIOPTRES}
    return controls


def has_values(wanted: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Return whether a frame was taken with the locked values: controls take three frames or more to arrive."""
    return all(
        abs(float(metadata[name]) - float(wanted[name])) <= 0.1 * float(wanted[name])
        for name in ("ExposureTime", "AnalogueGain")
        if name in wanted and name in metadata
    )
