"""A Debian package file that is to be installed: what it is, and whether it fits this machine."""

import shutil
from pathlib import Path
from typing import NamedTuple

from companion.doctor.versions import Versions, number
from companion.errors import CompanionError
from companion.update.machine import Machine

BYTECODE = 1.3
"""How many times its own size a package takes once it is installed and compiled: arm64 1.24, amd64 1.17 (by du)."""


class Package(NamedTuple):
    """A package file, its version such as 0.2.0+deb13, and what it needs in bytes."""

    file: Path
    version: str
    needs: int


def read_package(machine: Machine, found: Versions, file: Path) -> Package:
    """Return the package in a file if it can replace the version in use.

    Raises:
        CompanionError: if it cannot; the text says what was expected.
    """
    if not file.is_file():
        raise CompanionError(f"expected a farklecrib package, a .deb file, got {str(file)!r}")
    fields = ("Package", "Version", "Architecture", "Installed-Size")
    told = machine.root_runs("dpkg-deb", "--field", str(file), *fields)
    if told.status:
        raise CompanionError(f"expected a farklecrib package, a .deb file, got {str(file)!r}: {told.reason}")
    given = dict(line.split(": ", 1) for line in told.out.splitlines() if ": " in line)
    if given.get("Package") != "farklecrib":
        raise CompanionError(f"expected a package of farklecrib, got one of {given.get('Package')!r} in {str(file)!r}")
    version, in_use = given.get("Version", ""), number(found.current)
    processor = machine.root_runs("dpkg", "--print-architecture").out.strip()
    if given.get("Architecture") != processor:
        raise CompanionError(f"expected a package for {processor}, got one for {given.get('Architecture')!r}")
    release = in_use.rpartition("+")[2]
    if version.rpartition("+")[2] != release:
        raise CompanionError(f"expected a package for this system, with a version of +{release}, got {version!r}")
    if machine.root_runs("dpkg", "--compare-versions", version, "gt", in_use).status:
        back = "; sudo farklecrib update --back returns to it" if number(found.former or "") == version else ""
        raise CompanionError(f"expected a version newer than {in_use}, which is in use, got {version}{back}")
    needs = int(int(given.get("Installed-Size", "0")) * 1024 * BYTECODE)
    free = shutil.disk_usage(found.home).free
    if free < needs:
        raise CompanionError(
            f"expected {needs >> 20} MiB free in {str(found.home)!r}, got {free >> 20}; sudo apt clean may help"
        )
    return Package(file, version, needs)
