"""Check the machine itself: model, system, Python, groups, libraries, disk, clock."""

import signal
from collections.abc import Iterator
from pathlib import Path

from companion.config import Config
from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import SERVICE_USER, Machine
from companion.doctor.pi_model import Family
from pegboard.installation import install_again, packaged_version

RELEASES = ("trixie", "bookworm")
LEAST_PYTHON = (3, 11)
RELEASED_S = 1_793_000_000
"""Seconds since 1970 in October 2026: a clock with an earlier time was never set."""

LOW_DISK_MB, FULL_DISK_MB = 500, 50

RUN_NETWORKS = (
    "import numpy, onnxruntime; from dicereader.stages.shared import closeup, detector; "
    "from dicereader.stages.shared.network import run; "
    "run(detector.WEIGHTS_FILE, numpy.zeros((1, 3, 64, 64), numpy.float32)); "
    "run(closeup.WEIGHTS_FILE, numpy.zeros((1, 3, 32, 32), numpy.float32)); print(onnxruntime.__version__)"
)
"""Python that runs each network of the reader once, and prints the version of their library."""

DEVICE_GROUPS = {"leds": ("spi", "gpio"), "buttons": ("gpio",), "camera": ("video",)}


def model(machine: Machine, uses: frozenset[str]) -> Finding:
    """Check that the machine is a supported Pi, if the configuration uses devices of a Pi."""
    name = machine.model or f"no Raspberry Pi ({machine.architecture})"
    if machine.family is not None:
        return passed("model", name)
    if not uses:
        return passed("model", f"{name}; the configuration needs no Raspberry Pi")
    wrong = f"{name}; the configuration uses {', '.join(sorted(uses))} of a Raspberry Pi {', '.join(Family)}"
    cure = "farklecrib config show, then choose drivers that this machine has; or move the card to one of those Pis"
    return failed("model", wrong, cure)


def system(machine: Machine) -> Finding:
    """Check that a Pi has a 64-bit Debian release with the libraries."""
    name = machine.release.get("PRETTY_NAME", "unknown")
    if machine.family is not None and machine.architecture not in {"aarch64", "arm64"}:
        wrong = f"{name}, {machine.architecture}: OpenCV has no wheels for 32 bits"
        return failed("system", wrong, "write the card anew with Raspberry Pi OS (64-bit) by the Raspberry Pi Imager")
    if machine.family is not None and machine.release.get("VERSION_CODENAME") not in RELEASES:
        return warned("system", f"{name} is not one of {', '.join(RELEASES)}", "write the card anew with Trixie")
    return passed("system", f"{name}, {machine.architecture}")


def python(machine: Machine) -> Finding:
    """Check the version of Python."""
    version = ".".join(map(str, machine.python))
    if machine.python < LEAST_PYTHON:
        return failed("python", f"{version}; 3.11 at least is needed", "sudo apt install python3, on Bookworm or newer")
    return passed("python", version)


def groups(machine: Machine, uses: frozenset[str]) -> Finding:
    """Check that the user of the table may open the devices that the configuration uses."""
    wanted = {group for device in uses for group in DEVICE_GROUPS[device]}
    if machine.family is Family.PI_5:
        wanted.discard("spi")  # a Pi 5 drives the strip by its PIO
    if not wanted:
        return passed("groups", "none needed")
    user = machine.table_user
    if user == "root":
        return passed("groups", "root may open everything")
    missing = sorted(wanted - machine.groups(user))
    if missing:
        again = "sudo systemctl restart farklecrib" if user == SERVICE_USER else "log in again"
        cure = " && ".join(f"sudo adduser {user} {group}" for group in missing)
        return failed("groups", f"{user!r} is not in {', '.join(missing)}", f"{cure}, then {again}")
    return passed("groups", f"{user!r} is in {', '.join(sorted(wanted))}")


def version(machine: Machine) -> Iterator[Finding]:
    """Check that the last installation of the Debian package ended; else `current` names a copy of the old version."""
    link = machine.root / "usr/lib/farklecrib/current"
    if link.is_symlink():
        folder, _, name = str(link.readlink()).rpartition("/")
        if folder:
            said = f"the package runs {name} from a copy, because an installation did not end"
            yield warned("version", said, "sudo dpkg --configure -a, then install the package again")
        else:
            yield passed("version", f"the package runs {name}")


def libraries(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check that the libraries load; apt's simplejpeg may have been built for another numpy than pip's."""
    arrays = machine.run_python("import numpy, cv2; print(numpy.__version__, cv2.__version__)")
    if arrays.status:
        cure = install_again("numpy", "opencv-python-headless")
        yield failed("libraries", f"numpy and OpenCV do not load: {arrays.last_line}", cure)
        return
    yield passed("libraries", "numpy {}, OpenCV {}".format(*arrays.last_line.split()))
    networks = machine.run_python(RUN_NETWORKS)
    if networks.status:
        cure = install_again("onnxruntime")
        if signal.SIGILL.name in networks.last_line:
            cure += "; if that does not help, this processor is too old for the library: use a newer computer"
        yield failed("networks", f"the reader's networks do not run: {networks.last_line}", cure)
    else:
        yield passed("networks", f"onnxruntime {networks.last_line}")
    if not config.camera.source.startswith("picamera2"):
        return
    jpeg = machine.run_python("import simplejpeg")
    if jpeg.status and "numpy" in jpeg.last_line:
        cure = install_again("simplejpeg", "numpy")
        yield failed("numpy", f"picamera2's simplejpeg and numpy do not fit: {jpeg.last_line}", cure)
        return
    camera = machine.run_python(
        "from picamera2 import Picamera2; from importlib.metadata import version; print(version('picamera2'))"
    )
    if camera.status:
        cure = "sudo apt install --no-install-recommends python3-picamera2"
        if not packaged_version():
            cure += "; in a checkout also: python3 -m venv --system-site-packages .venv"
        yield failed("picamera2", f"it does not load: {camera.last_line}", cure)
    else:
        yield passed("picamera2", camera.last_line)


def disk(machine: Machine, data: Path) -> Iterator[Finding]:
    """Check the free space, and whether games can be written and are kept."""
    free_mb = machine.free_bytes(data) // 1_000_000
    free = f"{free_mb} MB free at {str(data)!r}"
    cure = "sudo apt clean; farklecrib's games need little: look with sudo du -xh / | sort -h | tail"
    if free_mb < FULL_DISK_MB:
        yield failed("disk", free, cure)
    elif free_mb < LOW_DISK_MB:
        yield warned("disk", free, cure)
    else:
        yield passed("disk", free)
    place, kind, options = _mount_of(machine, data)
    if machine.family is not None and kind in {"overlay", "tmpfs"}:  # a container is an overlay too
        wrong = f"{str(data)!r} is in memory ({kind} at {place}): games are lost when the power goes"
        yield failed("games", wrong, "give the games a place of their own: docs/read-only.md")
    elif "ro" in options.split(","):
        yield failed("games", f"{str(data)!r} is read-only", f"sudo mount -o remount,rw {place}; docs/read-only.md")
    else:
        yield passed("games", f"kept at {str(data)!r}")


def _mount_of(machine: Machine, path: Path) -> tuple[str, str, str]:
    """Return place, kind and options of the mount of a path in /proc/mounts; empty texts if it is unknown."""
    rows = [line.split() for line in machine.text("proc/mounts").splitlines()]
    mounts = [(row[1], row[2], row[3]) for row in rows if len(row) >= 4 and path.is_relative_to(row[1])]
    return mounts[-1] if mounts else ("", "", "")


def clock(machine: Machine) -> Finding:
    """Check that the clock has been set; only the dates of games depend on it."""
    if machine.now() < RELEASED_S:
        wrong = "its time is before this program was made; games keep their order, their dates are wrong"
        cure = "connect the Pi to a network once, or sudo timedatectl set-time '2026-12-31 20:00'"
        return warned("clock", wrong, cure)
    if machine.family is not None and not machine.find("run/systemd/timesync/synchronized"):
        cure = "connect the Pi to a network, or leave it: games play"
        return warned("clock", "not set by the network since the start", cure)
    return passed("clock", "set")
