"""Measure a picture of the empty tray: dice left in it, focus, light, flicker, reflections and frame rate."""

from dataclasses import dataclass

from dicereader import read as read_pixels
from dicereader.data.camera_modules import CameraView
from dicereader.data.frame import Pixels
from dicereader.errors import CalibrationError
from dicereader.tray import camera_checks
from dicereader.tray.calibration import DEFAULT_FOV_DEG, Calibration
from dicereader.tray.camera_checks import Measure
from dicereader.tray.pose import from_tags
from dicereader.tray.tags import find_tags


@dataclass(frozen=True)
class ShownTray:
    """Frames of the empty tray, their times in seconds, and the camera's view, None if that is unknown."""

    frames: tuple[Pixels, ...]
    times_s: tuple[float, ...]
    view: CameraView | None = None


def tray_of(shown: ShownTray, calibration: Calibration | None) -> Calibration | None:
    """Locate the tray by the table's calibration, else by the tags; return None if neither locates it."""
    empty = shown.frames[0]
    if calibration is not None and calibration.fits(empty):
        return calibration
    known_deg = shown.view.known_across_deg if shown.view is not None else None
    try:
        return from_tags(empty, fov_deg=known_deg or DEFAULT_FOV_DEG)
    except CalibrationError:
        return None


def check_empty(shown: ShownTray, tray: Calibration | None) -> list[Measure]:
    """Return the measures of the empty tray: dice left in it, sharpness, light, flicker, reflections, frame rate."""
    empty = shown.frames[0]
    return [
        camera_checks.dice_left(read_pixels(empty)),
        camera_checks.sharpness(empty, find_tags(empty)),
        camera_checks.evenness(empty, tray),
        camera_checks.flicker(shown.frames, tray),
        camera_checks.reflections(empty, tray),
        camera_checks.frame_rate(shown.times_s),
    ]
