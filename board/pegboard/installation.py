"""The commands that install or mend a library for this program, by how the program itself was installed.

The Debian package has its locked libraries in its own folder, and finds others in `ADDED`, by the version of Python.
Any other program runs in a virtual environment, of a checkout or of a wheel, whose own pip installs into it. The
system's pip refuses to install beside apt, and no index of packages has `farklecrib`.
"""

import json
import platform
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

HOME = Path("/usr/lib/farklecrib")
"""The folder of the Debian package's versions."""

ADDED = Path("/usr/local/lib/farklecrib")
"""The folder of the modules that a person adds to the Debian package; upgrades keep them."""

ARCHITECTURES = {"aarch64": "arm64", "x86_64": "amd64"}
"""Debian's names of processors."""


PI_5_STRIP = ("--no-deps", "Adafruit-Blinka-Raspberry-Pi5-Neopixel>=1.0.0rc2")
"""What `add` is given for the strip on a Pi 5: the library is under GPL-2, so neither way of installing brings it."""


def packaged_version(prefix: str = sys.prefix) -> str:
    """Return the version of the Debian package that runs, such as `0.1.0+deb13`; empty if none does."""
    return Path(prefix).name if Path(prefix).parent == HOME else ""


def pip(prefix: str = sys.prefix) -> str:
    """Return the command of pip that installs modules for this program, without their names."""
    if not packaged_version(prefix):
        return shlex.join([sys.executable, "-m", "pip", "install"])
    folder = ADDED / f"python{sys.version_info.major}.{sys.version_info.minor}"
    return f"sudo apt install python3-pip && sudo python3 -m pip install --target {folder}"


def add(*requirements: str, prefix: str = sys.prefix) -> str:
    """Return the command that adds modules that the program does not come with, such as those of a driver."""
    return f"{pip(prefix)} {shlex.join(requirements)}"


def add_extra(*extras: str, prefix: str = sys.prefix) -> str:
    """Return the command that installs the libraries of extras; the Debian package has those of `pi` and `mqtt`."""
    if packaged_version(prefix):
        return install_again(prefix=prefix)
    origin = json.loads(distribution("farklecrib").read_text("direct_url.json") or "{}")
    url, names = str(origin.get("url", "")), ",".join(extras)
    if origin.get("dir_info", {}).get("editable"):
        folder = url.removeprefix("file://")
        return f"{pip(prefix)} --editable {shlex.quote(f'{folder}[{names}]')}"
    return f"{pip(prefix)} {shlex.quote(f'farklecrib[{names}] @ {url}')}"


def upgrade(*libraries: str, prefix: str = sys.prefix) -> str:
    """Return the way to newer libraries of the program. The Debian package finds its own before added ones."""
    if packaged_version(prefix):
        return "install a newer package of farklecrib"
    return add("--upgrade", *libraries, prefix=prefix)


def install_again(*libraries: str, prefix: str = sys.prefix) -> str:
    """Return the command that installs broken or missing libraries of the program again."""
    if debian := packaged_version(prefix):
        processor = ARCHITECTURES.get(platform.machine(), platform.machine())
        return f"sudo apt install --reinstall ./farklecrib_{debian}_{processor}.deb"
    try:
        pinned = shlex.join(f"{name}=={version(name)}" for name in libraries)
    except PackageNotFoundError:  # one is missing, perhaps with libraries that it needs itself
        return add(*libraries, prefix=prefix)
    return f"{pip(prefix)} --force-reinstall --no-deps {pinned}"
