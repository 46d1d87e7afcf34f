"""The cameras on the Pi's ribbons, as the kernel has found them; none is opened."""

from dataclasses import dataclass
from pathlib import Path

from dicereader.data.camera_modules import modules


@dataclass(frozen=True)
class RibbonCamera:
    """A camera: the name of its sensor, such as `imx219`, and the port at which it is."""

    sensor: str
    port: str


def ribbon_cameras(root: Path = Path("/")) -> tuple[RibbonCamera, ...]:
    """Return the cameras by the numbers that picamera2 gives them.

    picamera2 sorts cameras backwards by libcamera's identifiers, which are their places in the device tree
    (`Picamera2.global_camera_info`).

    Args:
        root: the root of the file system.
    """
    found = []
    for file in root.glob("sys/bus/i2c/devices/*/name"):
        sensor = file.read_text(encoding="ascii", errors="replace").strip().partition("_")[0]
        if sensor in modules():
            node = file.with_name("of_node")
            place = str(node.readlink()).rpartition("/devicetree")[2] if node.is_symlink() else f"/{file.parent.name}"
            found.append(RibbonCamera(sensor, place))
    return tuple(sorted(found, key=lambda camera: camera.port, reverse=True))
