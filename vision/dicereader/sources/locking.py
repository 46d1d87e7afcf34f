"""The values that a camera is locked to: whole half-periods of the mains, little gain, a lens that stays. Pure.

Names and meanings are libcamera's (control_ids_core.yaml). A lamp on the mains flickers at twice its frequency: an
exposure of whole half-periods gathers the same light in every frame.
"""

from collections.abc import Mapping
from typing import Any

MAINS_HZ = ("50", "60")
MOST_EXPOSURE_US = 30_000
"""Longer would slow the camera below 30 frames a second."""

LOW_GAIN, MOST_GAIN = 2.0, 8.0
"""Exposure is made longer until no more gain than LOW_GAIN is needed; in the dark up to MOST_GAIN."""

AF_MANUAL, AF_AUTO, AF_START = 0, 1, 0
AF_FOCUSED, AF_FAILED = 2, 3
USUAL_DIOPTRES = 1 / 0.35
"""A lens that finds no focus on dark felt is set to a camera 35 cm above the tray."""


def autofocus(has: Mapping[str, Any]) -> Mapping[str, Any]:
    """What starts one search for focus, where the lens can move."""
    return {"AfMode": AF_AUTO, "AfTrigger": AF_START} if "AfMode" in has else {}


def settled(metadata: Mapping[str, Any]) -> bool:
    """Whether the camera says that its exposure has settled; one that never says is given the time it takes."""
    return metadata.get("AeState") == 2 or bool(metadata.get("AeLocked"))


def focused(metadata: Mapping[str, Any]) -> bool:
    """Whether the search for focus has ended, well or not."""
    return metadata.get("AfState") in (AF_FOCUSED, AF_FAILED)


def exposure(exposure_us: float, gain: float, mains_hz: int) -> tuple[int, float]:
    """The exposure in microseconds and the gain that give as much light as these, without the mains' flicker."""
    half_us = 1_000_000 / (2 * mains_hz)
    light = max(1.0, exposure_us) * max(1.0, gain)
    if light < half_us:  # so bright that there is no lamp to flicker
        return round(light), 1.0
    most = int(MOST_EXPOSURE_US // half_us)
    halves = next((n for n in range(1, most + 1) if light / (n * half_us) <= LOW_GAIN), most)
    return round(halves * half_us), round(min(MOST_GAIN, max(1.0, light / (halves * half_us))), 3)


def locked(metadata: Mapping[str, Any], mains_hz: int) -> dict[str, Any]:
    """The controls that keep what a settled frame's metadata tells."""
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


def level(wanted: Mapping[str, Any], metadata: Mapping[str, Any]) -> bool:
    """Whether a frame was taken with the locked values: controls take three frames or more to arrive."""
    return all(
        abs(float(metadata[name]) - float(wanted[name])) <= 0.1 * float(wanted[name])
        for name in ("ExposureTime", "AnalogueGain")
        if name in wanted and name in metadata
    )
