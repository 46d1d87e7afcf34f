"""The text of each camera fault, and which faults may be false alarms."""

from companion.words import Message, message
from dicereader.reading import CameraFault

CAMERA_FAULT_TEXTS: dict[CameraFault, Message] = {
    CameraFault.BLACK: message("fault.black"),
    CameraFault.WHITE: message("fault.white"),
    CameraFault.FROZEN: message("fault.frozen"),
    CameraFault.BLURRED: message("fault.blurred"),
    CameraFault.COVERED: message("fault.covered"),
    CameraFault.TORN: message("fault.torn"),
    CameraFault.EXPOSURE: message("fault.exposure"),
    CameraFault.FLICKER: message("fault.flicker"),
}

MAYBE_FALSE_ALARMS = frozenset(CameraFault) - {CameraFault.BLACK, CameraFault.WHITE, CameraFault.FROZEN}
"""The eye detects these faults by comparison with an earlier good picture, so it may be wrong."""
