"""The text of each camera fault, and which faults may be false alarms."""

from dicereader.reading import CameraFault

CAMERA_FAULT_TEXTS: dict[CameraFault, str] = {
    CameraFault.BLACK: "The camera sees only black: is it covered, or the light off?",
    CameraFault.WHITE: "The camera sees only white: there is too much light.",
    CameraFault.FROZEN: "The camera shows the same picture again and again.",
    CameraFault.BLURRED: "The camera's picture is blurred: wipe or focus its lens.",
    CameraFault.COVERED: "Part of the tray is covered.",
    CameraFault.TORN: "The camera's pictures are torn: look at its cable.",
    CameraFault.EXPOSURE: "The camera's brightness jumps: lock its exposure.",
    CameraFault.FLICKER: "The light flickers: use another lamp, or set the camera to your mains.",
}

MAYBE_FALSE_ALARMS = frozenset(CameraFault) - {CameraFault.BLACK, CameraFault.WHITE, CameraFault.FROZEN}
"""The eye detects these faults by comparison with an earlier good picture, so it may be wrong."""
