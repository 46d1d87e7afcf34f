"""The text of each camera fault, and which faults may be false alarms."""

from companion.words import words
from dicereader.reading import CameraFault

CAMERA_FAULT_TEXTS: dict[CameraFault, str] = {
    CameraFault.BLACK: words("fault.black"),
    CameraFault.WHITE: words("fault.white"),
    CameraFault.FROZEN: words("fault.frozen"),
    CameraFault.BLURRED: words("fault.blurred"),
    CameraFault.COVERED: words("fault.covered"),
    CameraFault.TORN: words("fault.torn"),
    CameraFault.EXPOSURE: words("fault.exposure"),
    CameraFault.FLICKER: words("fault.flicker"),
}

MAYBE_FALSE_ALARMS = frozenset(CameraFault) - {CameraFault.BLACK, CameraFault.WHITE, CameraFault.FROZEN}
"""The eye detects these faults by comparison with an earlier good picture, so it may be wrong."""
