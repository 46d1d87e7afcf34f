"""The machine itself: model, system, Python, groups, libraries, power, disk, clock."""

from collections.abc import Iterator
from pathlib import Path

from companion.config import Config
from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import SERVICE_USER, Machine
from companion.doctor.pi_model import Family

RELEASES = ("trixie", "bookworm")
LEAST_PYTHON = (3, 11)
MADE_IN = 1_793_000_000
"""Seconds since 1970 in October 2026: a clock that says less was never set."""

SCARCE_MB, TOO_LITTLE_MB = 500, 50

THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
POWER_NOW, HOT_NOW, POWER_ONCE, HOT_ONCE = 0x1, 0xC, 0x1_0000, 0xC_0000
"""Bits of get_throttled (Raspberry Pi's documentation of vcgencmd): under-voltage, and throttled for heat."""

GROUPS = {"leds": ("spi", "gpio"), "buttons": ("gpio",), "camera": ("video",)}

CLASH = "sudo make install-pi in the clone, which installs the versions that fit (constraints-bookworm.txt on Bookworm)"


def model(machine: Machine, uses: frozenset[str]) -> Finding:
    """Which Pi it is; another machine is none only where the configuration needs one."""
    said = machine.model or f"no Raspberry Pi ({machine.architecture})"
    if machine.family is not None:
        return passed("model", said)
    known = f"a Raspberry Pi {', '.join(Family)}"
    if uses:
        return failed(
            "model",
            f"{said}; the configuration uses {', '.join(sorted(uses))} of {known}",
            "farklecrib config show, then choose drivers that this machine has; or move the card to one of those Pis",
        )
    return passed("model", f"{said}; the configuration needs none")


def system(machine: Machine) -> Finding:
    """Which Debian it is; a Pi's must be one that has the libraries."""
    release = machine.release
    name, said = release.get("VERSION_CODENAME", ""), release.get("PRETTY_NAME", "unknown")
    if machine.family is not None and machine.architecture not in {"aarch64", "arm64"}:
        return failed(
            "system",
            f"{said}, {machine.architecture}: OpenCV has no wheels for 32 bits",
            "write the card anew with Raspberry Pi OS (64-bit) by the Raspberry Pi Imager",
        )
    if machine.family is not None and name not in RELEASES:
        return warned("system", f"{said} is not one of {', '.join(RELEASES)}", "write the card anew with Trixie")
    return passed("system", f"{said}, {machine.architecture}")


def python(machine: Machine) -> Finding:
    """Which Python runs this."""
    said = ".".join(str(part) for part in machine.python)
    if machine.python < LEAST_PYTHON:
        return failed("python", f"{said}; 3.11 at least is needed", "sudo apt install python3, on Bookworm or newer")
    return passed("python", said)


def groups(machine: Machine, uses: frozenset[str]) -> Finding:
    """Whether the table's user may open the devices that it uses."""
    wanted = {group for device in uses for group in GROUPS[device]}
    if machine.family is Family.PI_5:
        wanted.discard("spi")  # the strip hangs on the PIO there
    if not wanted:
        return passed("groups", "none needed")
    user = machine.player
    if user == "root":
        return passed("groups", "root may open everything")
    missing = sorted(wanted - machine.groups(user))
    if missing:
        again = "sudo systemctl restart farklecrib" if user == SERVICE_USER else "log in again"
        mend = " && ".join(f"sudo adduser {user} {group}" for group in missing)
        return failed("groups", f"{user!r} is not in {', '.join(missing)}", f"{mend}, then {again}")
    return passed("groups", f"{user!r} is in {', '.join(sorted(wanted))}")


def libraries(machine: Machine, config: Config) -> Iterator[Finding]:
    """Whether the libraries load; the known clash of apt's simplejpeg with pip's numpy is named."""
    arrays = machine.try_python("import numpy, cv2; print(numpy.__version__, cv2.__version__)")
    if arrays.status:
        mend = "sudo make install-pi in the clone, which installs numpy and OpenCV"
        yield failed("libraries", f"numpy and OpenCV do not load: {arrays.said}", mend)
        return
    yield passed("libraries", "numpy {}, OpenCV {}".format(*arrays.said.split()))
    if not config.camera.source.startswith("picamera2"):
        return
    jpeg = machine.try_python("import simplejpeg")
    if jpeg.status and "numpy" in jpeg.said:
        yield failed("numpy", f"picamera2's simplejpeg and numpy do not fit: {jpeg.said}", CLASH)
        return
    camera = machine.try_python(
        "from picamera2 import Picamera2; from importlib.metadata import version; print(version('picamera2'))"
    )
    if camera.status:
        mend = "sudo apt install --no-install-recommends python3-picamera2 (and a venv with --system-site-packages)"
        yield failed("picamera2", f"it does not load: {camera.said}", mend)
        return
    yield passed("picamera2", camera.said)


def power(machine: Machine) -> Finding:
    """Whether the supply holds, by the firmware's own flags."""
    files = machine.found(THROTTLED)
    if not files:
        if machine.family is None:
            return passed("power", "no Raspberry Pi, so no flags")
        return warned("power", "the firmware's flags are not to be read", "vcgencmd get_throttled")
    said = files[0].read_text(encoding="ascii", errors="replace").strip()
    try:
        flags = int(said, 16)
    except ValueError:
        return warned("power", f"the firmware's flags say {said!r}", "vcgencmd get_throttled")
    supply = "give the Pi its own 5 V supply with a short, thick cable; the strip's current never comes from its pins"
    if flags & POWER_NOW:
        return failed("power", f"under-voltage now (0x{flags:x})", supply)
    if flags & POWER_ONCE:
        return warned("power", f"under-voltage since the start (0x{flags:x})", supply)
    if flags & (HOT_NOW | HOT_ONCE):
        return warned("power", f"slowed down for heat (0x{flags:x})", "give the Pi air or a heat sink")
    return passed("power", "no under-voltage, no heat since the start")


def disk(machine: Machine, data: Path) -> Iterator[Finding]:
    """Room for the games, and whether they can be written."""
    free_mb = machine.free_bytes(data) // 1_000_000
    mend = "sudo apt clean; farklecrib's games need little: look with sudo du -xh / | sort -h | tail"
    if free_mb < TOO_LITTLE_MB:
        yield failed("disk", f"{free_mb} MB free at {str(data)!r}", mend)
    elif free_mb < SCARCE_MB:
        yield warned("disk", f"{free_mb} MB free at {str(data)!r}", mend)
    else:
        yield passed("disk", f"{free_mb} MB free at {str(data)!r}")
    at = _mount_of(machine, data)
    if machine.family is not None and at is not None and at[1] in {"overlay", "tmpfs"}:  # a container is an overlay too
        yield failed(
            "games",
            f"{str(data)!r} lies in memory ({at[1]} at {at[0]}): games are gone at the plug",
            "give the games a place of their own: docs/read-only.md",
        )
    elif at is not None and "ro" in at[2].split(","):
        yield failed("games", f"{str(data)!r} is read-only", f"sudo mount -o remount,rw {at[0]}; docs/read-only.md")
    else:
        yield passed("games", f"kept at {str(data)!r}")


def _mount_of(machine: Machine, path: Path) -> tuple[str, str, str] | None:
    """The mount that a path lies on, by /proc/mounts: place, kind, options."""
    rows = [line.split() for line in machine.text("proc/mounts").splitlines()]
    fitting = [row for row in rows if len(row) >= 4 and path.is_relative_to(row[1])]
    return (fitting[-1][1], fitting[-1][2], fitting[-1][3]) if fitting else None


def clock(machine: Machine) -> Finding:
    """Whether the clock has been set; a game does not mind, its dates do."""
    if machine.now() < MADE_IN:
        return warned(
            "clock",
            "it says a time before this program was made; games keep their order, their dates are wrong",
            "connect the Pi to a network once, or sudo timedatectl set-time '2026-12-31 20:00'",
        )
    if machine.family is not None and not machine.there("run/systemd/timesync/synchronized"):
        return warned(
            "clock", "not set by the network since the start", "connect the Pi to a network, or leave it: games play"
        )
    return passed("clock", "set")
