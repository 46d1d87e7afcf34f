"""Check the machine itself: model, system, Python, libraries, groups, power, network, disk, clock."""

import signal
from collections.abc import Iterator
from pathlib import Path

from companion.checkup.findings import Finding, judged, told
from companion.checkup.machine import SERVICE_USER, Machine
from companion.checkup.raspberry_pi import Family
from companion.config import Config, data_folder, is_open
from pegboard.installation import install_again, packaged_version

RELEASES = ("trixie", "bookworm")
RELEASED_S = 1_793_000_000
"""Seconds since 1970 in October 2026: a clock with an earlier time was never set."""

LOW_DISK_MB, FULL_DISK_MB = 500, 50

DEVICE_GROUPS = {"leds": ("spi", "gpio"), "buttons": ("gpio",), "camera": ("video",)}

THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
POWER_NOW, HOT_NOW, POWER_ONCE, HOT_ONCE = 0x1, 0xC, 0x1_0000, 0xC_0000
"""Bits of get_throttled (Raspberry Pi's documentation of vcgencmd): under-voltage, and throttled for heat."""

MONITORS = "sys/class/hwmon/hwmon*/name"
VOLTAGE, ALARM = "rpi_volt", "in0_lcrit_alarm"
"""The kernel's monitor of a Pi's voltage (raspberrypi-hwmon.c), and its file that holds 1 while the voltage is too low.

The driver asks the firmware every two seconds, so the file also shows a dip of the last two.
"""

COMPLETE = 0x2
"""The flag of a neighbour that has answered (ATF_COM in linux/if_arp.h)."""


def uses(config: Config) -> frozenset[str]:
    """Return the devices of a Pi that the configuration uses."""
    wanted = {
        "leds": config.leds.driver.partition(":")[0] == "neopixel",
        "buttons": config.buttons.driver == "gpio",
        "camera": config.camera.source.partition(":")[0] == "picamera2",
    }
    return frozenset(name for name, used in wanted.items() if used)


def model(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that the machine is a supported Pi, if the configuration uses devices of a Pi."""
    name, used = machine.model or f"no Raspberry Pi ({machine.architecture})", uses(config)
    if machine.family is not None:
        yield told("model", "pi", name=name)
    else:
        yield judged("model", not used, name=name, used=", ".join(sorted(used)), known=", ".join(Family))


def system(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check that a Pi has a 64-bit Debian release with the libraries."""
    found = "good"
    if machine.family is not None and machine.architecture not in {"aarch64", "arm64"}:
        found = "short"
    elif machine.family is not None and machine.release.get("VERSION_CODENAME") not in RELEASES:
        found = "other"
    name = machine.release.get("PRETTY_NAME", "unknown")
    yield told("system", found, name=name, processor=machine.architecture, known=", ".join(RELEASES))


def version(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check that the last installation of the Debian package ended; else `current` names a copy of the old version."""
    link = machine.root / "usr/lib/farklecrib/current"
    if link.is_symlink():
        folder, _, name = str(link.readlink()).rpartition("/")
        yield judged("version", not folder, name=name)


def python(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Report the version of Python; the program does not start with one that is too old."""
    yield told("python", "good", version=".".join(map(str, machine.python)))


def libraries(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that the libraries load; apt's simplejpeg may have been built for another numpy than pip's."""
    arrays = machine.probe("modules", "numpy", "cv2")
    if arrays.status:
        install = install_again("numpy", "opencv-python-headless")
        yield told("libraries", "wrong", why=arrays.last_line, install=install)
        return
    numpy, cv2 = arrays.last_line.split()
    yield told("libraries", "good", numpy=numpy, cv2=cv2)
    networks = machine.probe("networks")
    found = "processor" if signal.SIGILL.name in networks.last_line else "wrong" if networks.status else "good"
    yield told("networks", found, told=networks.last_line, install=install_again("onnxruntime"))
    if "camera" not in uses(config):
        return
    jpeg = machine.probe("modules", "simplejpeg")
    if jpeg.status and "numpy" in jpeg.last_line:
        yield told("numpy", "wrong", why=jpeg.last_line, install=install_again("simplejpeg", "numpy"))
        return
    library = machine.probe("modules", "picamera2")
    broken = "packaged" if packaged_version() else "checkout"
    yield told("picamera2", broken if library.status else "good", told=library.last_line)


def groups(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that the user of the table may open the devices that the configuration uses."""
    wanted = {group for device in uses(config) for group in DEVICE_GROUPS[device]}
    if machine.family is Family.PI_5:
        wanted.discard("spi")  # a Pi 5 drives the strip by its PIO
    user = machine.table_user
    missing = sorted(wanted - machine.groups(user))
    adduser = " && ".join(f"sudo adduser {user} {group}" for group in missing)
    again = "sudo systemctl restart farklecrib" if user == SERVICE_USER else "log in again"
    named = {"wanted": ", ".join(sorted(wanted)), "missing": ", ".join(missing)}
    found = "none" if not wanted else "root" if user == "root" else "wrong" if missing else "good"
    yield told("groups", found, user=user, adduser=adduser, again=again, **named)


def power(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check the firmware's flags of under-voltage and heat."""
    files = machine.find(THROTTLED)
    text = machine.text(files[0]) if files else ""
    flags = _flags(text)
    if machine.family is None and not files:
        found = "none"
    elif flags is None:
        found = "other" if files else "unread"
    elif flags & POWER_NOW:
        found = "low"
    elif flags & POWER_ONCE:
        found = "was_low"
    else:
        found = "hot" if flags & (HOT_NOW | HOT_ONCE) else "good"
    yield told("power", found, text=text, flags=flags)


def under_voltage(machine: Machine) -> bool | None:
    """Return whether the voltage is too low now; None on a machine that does not say."""
    for name in machine.find(MONITORS):
        alarm = machine.text(name.with_name(ALARM))
        if alarm in {"0", "1"} and machine.text(name) == VOLTAGE:
            return alarm == "1"
    known = (flags for file in machine.find(THROTTLED) if (flags := _flags(machine.text(file))) is not None)
    return next((bool(flags & POWER_NOW) for flags in known), None)


def _flags(text: str) -> int | None:
    try:
        return int(text, 16)
    except ValueError:
        return None


def phones(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check whether phones reach the page: this machine is in a network, and has heard other machines there.

    Many public networks keep their guests apart: each reaches the router and nobody else. The kernel's table of
    neighbours (/proc/net/arp) then holds the router alone.
    """
    routes = [line.split() for line in machine.text("proc/net/route").splitlines()[1:]]
    # /proc/net/route writes an address in hexadecimal with its last byte first.
    routers = {".".join(map(str, reversed(bytes.fromhex(route[2])))) for route in routes if len(route) > 2}
    rows = [line.split() for line in machine.text("proc/net/arp").splitlines()[1:]]
    heard = {row[0] for row in rows if len(row) > 2 and int(row[2], 16) & COMPLETE} - routers
    if not is_open(config.web.host):
        found = "none"
    elif not routes:
        found = "offline"
    else:
        found = ("alone", "one", "good")[min(len(heard), 2)]
    yield told("phones", found, count=len(heard))


def disk(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the free space, and whether games can be written and are kept."""
    data = data_folder(config)
    free_mb = machine.free_bytes(data) // 1_000_000
    found = "full" if free_mb < FULL_DISK_MB else "low" if free_mb < LOW_DISK_MB else "good"
    yield told("disk", found, free_mb=free_mb, data=str(data))
    place, kind, options = _mount_of(machine, data)
    if machine.family is not None and kind in {"overlay", "tmpfs"}:  # a container is an overlay too
        yield told("games", "memory", data=str(data), kind=kind, place=place)
    else:
        yield judged("games", "ro" not in options.split(","), data=str(data), place=place)


def _mount_of(machine: Machine, path: Path) -> tuple[str, str, str]:
    """Return place, kind and options of the mount of a path in /proc/mounts; empty texts if it is unknown."""
    rows = [line.split() for line in machine.text("proc/mounts").splitlines()]
    mounts = [(row[1], row[2], row[3]) for row in rows if len(row) >= 4 and path.is_relative_to(row[1])]
    return mounts[-1] if mounts else ("", "", "")


def clock(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check that the clock has been set; only the dates of games depend on it."""
    if machine.now() < RELEASED_S:
        yield told("clock", "early")
    else:
        unset = machine.family is not None and not machine.find("run/systemd/timesync/synchronized")
        yield told("clock", "unset" if unset else "good")
