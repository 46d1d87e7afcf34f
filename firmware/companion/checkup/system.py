"""Check the machine itself: model, system, Python, libraries, groups, power, network, disk, clock."""

import signal
from collections.abc import Iterator
from pathlib import Path

from companion.checkup.findings import Finding, failed, judged, passed, warned
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

HOTSPOT = "open the page on a phone; if there is no answer, open a hotspot on one phone, and let all others join it"
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
        yield passed("model", name)
    else:
        wrong = f"{name}; the configuration uses {', '.join(sorted(used))} of a Raspberry Pi {', '.join(Family)}"
        cure = "farklecrib config show, then choose drivers that this machine has; or move the card to one of those Pis"
        yield judged("model", not used, f"{name}; the configuration needs no Raspberry Pi", wrong, cure)


def system(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check that a Pi has a 64-bit Debian release with the libraries."""
    name = machine.release.get("PRETTY_NAME", "unknown")
    if machine.family is not None and machine.architecture not in {"aarch64", "arm64"}:
        wrong = f"{name}, {machine.architecture}: OpenCV has no wheels for 32 bits"
        yield failed("system", wrong, "write the card anew with Raspberry Pi OS (64-bit) by the Raspberry Pi Imager")
    elif machine.family is not None and machine.release.get("VERSION_CODENAME") not in RELEASES:
        yield warned("system", f"{name} is not one of {', '.join(RELEASES)}", "write the card anew with Trixie")
    else:
        yield passed("system", f"{name}, {machine.architecture}")


def version(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check that the last installation of the Debian package ended; else `current` names a copy of the old version."""
    link = machine.root / "usr/lib/farklecrib/current"
    if link.is_symlink():
        folder, _, name = str(link.readlink()).rpartition("/")
        if folder:
            said = f"the package runs {name} from a copy, because an installation did not end"
            yield warned("version", said, "sudo dpkg --configure -a, then install the package again")
        else:
            yield passed("version", f"the package runs {name}")


def python(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Report the version of Python; the program does not start with one that is too old."""
    yield passed("python", ".".join(map(str, machine.python)))


def libraries(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that the libraries load; apt's simplejpeg may have been built for another numpy than pip's."""
    arrays = machine.probe("modules", "numpy", "cv2")
    if arrays.status:
        cure = install_again("numpy", "opencv-python-headless")
        yield failed("libraries", f"numpy and OpenCV do not load: {arrays.last_line}", cure)
        return
    yield passed("libraries", "numpy {}, OpenCV {}".format(*arrays.last_line.split()))
    networks = machine.probe("networks")
    cure = install_again("onnxruntime")
    if signal.SIGILL.name in networks.last_line:
        cure += "; if that does not help, this processor is too old for the library: use a newer computer"
    wrong = f"the reader's networks do not run: {networks.last_line}"
    yield judged("networks", not networks.status, f"onnxruntime {networks.last_line}", wrong, cure)
    if "camera" not in uses(config):
        return
    jpeg = machine.probe("modules", "simplejpeg")
    if jpeg.status and "numpy" in jpeg.last_line:
        cure = install_again("simplejpeg", "numpy")
        yield failed("numpy", f"picamera2's simplejpeg and numpy do not fit: {jpeg.last_line}", cure)
        return
    library = machine.probe("modules", "picamera2")
    cure = "sudo apt install --no-install-recommends python3-picamera2"
    if not packaged_version():
        cure += "; in a checkout also: python3 -m venv --system-site-packages .venv"
    yield judged("picamera2", not library.status, library.last_line, f"it does not load: {library.last_line}", cure)


def groups(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that the user of the table may open the devices that the configuration uses."""
    wanted = {group for device in uses(config) for group in DEVICE_GROUPS[device]}
    if machine.family is Family.PI_5:
        wanted.discard("spi")  # a Pi 5 drives the strip by its PIO
    user = machine.table_user
    missing = sorted(wanted - machine.groups(user))
    if not wanted:
        yield passed("groups", "none needed")
    elif user == "root":
        yield passed("groups", "root may open everything")
    else:
        again = "sudo systemctl restart farklecrib" if user == SERVICE_USER else "log in again"
        cure = f"{' && '.join(f'sudo adduser {user} {group}' for group in missing)}, then {again}"
        wrong = f"{user!r} is not in {', '.join(missing)}"
        yield judged("groups", not missing, f"{user!r} is in {', '.join(sorted(wanted))}", wrong, cure)


def power(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check the firmware's flags of under-voltage and heat."""
    files = machine.find(THROTTLED)
    text = machine.text(files[0]) if files else ""
    flags = _flags(text)
    supply = "give the Pi its own 5 V supply with a short, thick cable; the strip's current never comes from its pins"
    if machine.family is None and not files:
        yield passed("power", "no Raspberry Pi, so no flags")
    elif flags is None:
        wrong = f"the firmware's flags say {text!r}" if files else "the firmware's flags cannot be read"
        yield warned("power", wrong, "vcgencmd get_throttled")
    elif flags & POWER_NOW:
        yield failed("power", f"under-voltage now (0x{flags:x})", supply)
    elif flags & POWER_ONCE:
        yield warned("power", f"under-voltage since the start (0x{flags:x})", supply)
    elif flags & (HOT_NOW | HOT_ONCE):
        yield warned("power", f"slowed down for heat (0x{flags:x})", "give the Pi air or a heat sink")
    else:
        yield passed("power", "no under-voltage, no heat since the start")


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
        yield passed("phones", "the page is for this machine alone (web.host)")
    elif not routes:
        yield warned("phones", "this machine is in no network", "join a Wi-Fi, or the hotspot of a phone")
    elif heard:
        yield passed("phones", f"heard {len(heard)} other machine{'s' if len(heard) > 1 else ''} of the network")
    else:
        alone = "no other machine of the network was heard yet; many pubs keep their guests apart"
        yield warned("phones", alone, HOTSPOT)


def disk(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the free space, and whether games can be written and are kept."""
    data = data_folder(config)
    free_mb = machine.free_bytes(data) // 1_000_000
    free = f"{free_mb} MB free at {str(data)!r}"
    cure = "sudo apt clean; farklecrib's games need little: look with sudo du -xh / | sort -h | tail"
    if FULL_DISK_MB <= free_mb < LOW_DISK_MB:
        yield warned("disk", free, cure)
    else:
        yield judged("disk", free_mb >= LOW_DISK_MB, free, free, cure)
    place, kind, options = _mount_of(machine, data)
    if machine.family is not None and kind in {"overlay", "tmpfs"}:  # a container is an overlay too
        wrong = f"{str(data)!r} is in memory ({kind} at {place}): games are lost when the power goes"
        yield failed("games", wrong, "give the games a place of their own: docs/read-only.md")
    else:
        cure = f"sudo mount -o remount,rw {place}; docs/read-only.md"
        writable = "ro" not in options.split(",")
        yield judged("games", writable, f"kept at {str(data)!r}", f"{str(data)!r} is read-only", cure)


def _mount_of(machine: Machine, path: Path) -> tuple[str, str, str]:
    """Return place, kind and options of the mount of a path in /proc/mounts; empty texts if it is unknown."""
    rows = [line.split() for line in machine.text("proc/mounts").splitlines()]
    mounts = [(row[1], row[2], row[3]) for row in rows if len(row) >= 4 and path.is_relative_to(row[1])]
    return mounts[-1] if mounts else ("", "", "")


def clock(machine: Machine, _config: Config) -> Iterator[Finding]:
    """Check that the clock has been set; only the dates of games depend on it."""
    if machine.now() < RELEASED_S:
        wrong = "its time is before this program was made; games keep their order, their dates are wrong"
        cure = "connect the Pi to a network once, or sudo timedatectl set-time '2026-12-31 20:00'"
        yield warned("clock", wrong, cure)
    elif machine.family is not None and not machine.find("run/systemd/timesync/synchronized"):
        cure = "connect the Pi to a network, or leave it: games play"
        yield warned("clock", "not set by the network since the start", cure)
    else:
        yield passed("clock", "set")
