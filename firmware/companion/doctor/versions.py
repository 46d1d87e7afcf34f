"""The versions of the program that the Debian package keeps side by side in /usr/lib/farklecrib.

A folder named by its version belongs to dpkg; `kept/VERSION` is a former one; the link `current` names the one in use.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from companion.doctor.findings import Finding, passed, warned

HOME = "usr/lib/farklecrib"
KEPT = "kept"


@dataclass(frozen=True)
class Versions:
    """The versions below `home`, each by its path from there, such as 0.2.0+deb13 or kept/0.1.0+deb13."""

    home: Path

    @property
    def current(self) -> str:
        """The version in use."""
        return str((self.home / "current").readlink())

    @property
    def installed(self) -> str | None:
        """The version that dpkg has installed."""
        return self._newest(self.home)

    @property
    def former(self) -> str | None:
        """The version that was used before the one in use, None if none is kept."""
        return self._newest(self.home / KEPT, besides=self.current)

    def _newest(self, folder: Path, besides: str = "") -> str | None:
        found = [path.parent.parent for path in folder.glob("*/bin/farklecrib") if not path.parent.parent.is_symlink()]
        whole = [path for path in found if path.suffix != ".new" and str(path.relative_to(self.home)) != besides]
        newest = max(whole, key=lambda path: path.stat().st_ctime_ns, default=None)
        return None if newest is None else str(newest.relative_to(self.home))


def number(version: str) -> str:
    """Return a version without the folder it is kept in."""
    return version.rpartition("/")[2]


def versions(root: Path = Path("/"), program: Path = Path(sys.prefix)) -> Versions | None:
    """Return the versions that this program is one of; None if it is none of a package's."""
    home = root / HOME
    return Versions(home) if program.is_relative_to(home) and (home / "current").is_symlink() else None


def taken_back(found: Versions) -> str | None:
    """Return in words that the version in use is not the installed one, None if it is."""
    installed = found.installed
    if installed is None or number(installed) == number(found.current):
        return None
    return f"{number(found.current)} runs; the installed {installed} was taken back or not yet tried"


def version(found: Versions | None) -> tuple[Finding, ...]:
    """Check that the installed version is the one in use, if a package brought this program."""
    if found is None:
        return ()
    if said := taken_back(found):
        return (warned("version", said, "sudo farklecrib update FILE.deb with that package or a newer one"),)
    former = f"; kept: {number(found.former)}" if found.former else ""
    return (passed("version", f"{number(found.current)}{former}"),)
