"""The USB cameras of this machine, by number and name."""

from pathlib import Path


def cameras(devices: Path = Path("/dev")) -> dict[int, str]:
    """Return the USB cameras by number, each with its name.

    udev names a camera's pictures `usb-NAME-video-index0` in `/dev/v4l/by-id`; a higher index is its metadata. Without
    udev every `/dev/videoN` counts, without a name.
    """
    found = {}
    for link in (devices / "v4l" / "by-id").glob("usb-*-video-index0"):
        number = link.resolve().name.removeprefix("video")
        if number.isdecimal():
            found[int(number)] = link.name.removeprefix("usb-").removesuffix("-video-index0").replace("_", " ")
    numbers = (path.name.removeprefix("video") for path in devices.glob("video*"))
    return dict(sorted(found.items())) or dict.fromkeys(sorted(map(int, filter(str.isdecimal, numbers))), "")


def listed(known: dict[int, str]) -> str:
    """Return cameras as text: `usb:0 (NAME), usb:2 (NAME)`, or `none`."""
    return ", ".join(f"usb:{number} ({name})" if name else f"usb:{number}" for number, name in known.items()) or "none"
