"""Reading the file systems of disk images on this machine without a mount."""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path


class DiskError(RuntimeError):
    """A file system cannot be repaired, or lacks a file that must be on it."""


def call(*words: object) -> str:
    """Run a program of this machine and return its output."""
    done = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
    return done.stdout


def mend(disk: Path) -> None:
    """Replay the file system's journal and repair the rest.

    Raises:
        DiskError: if e2fsck cannot.
    """
    done = subprocess.run(["e2fsck", "-fy", disk], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise DiskError(f"expected a file system that e2fsck mends, got {done.stdout[-300:]!r}")


def link(disk: Path, path: str) -> str:
    """Return the target of a symbolic link.

    Raises:
        DiskError: if there is no link of at most 59 bytes.
    """
    found = re.search(r'^Fast link dest: "(.*)"$', call("debugfs", "-R", f"stat {path}", disk), re.MULTILINE)
    if found is None:
        raise DiskError(f"expected a link {path}, got none")
    return found[1]


def files(disk: Path, path: str) -> dict[str, str]:
    """Return the MD5 sum of each file below a folder, and the target of each symbolic link, by their paths in it.

    The folder may be a file, whose path is then ".".
    """
    with tempfile.TemporaryDirectory() as name:
        call("debugfs", "-R", f"rdump {path} {name}", disk)
        root = Path(name) / Path(path).name
        if not root.is_dir() or root.is_symlink():
            return {".": digest(root)} if root.is_file() else {}
        return {
            str(each.relative_to(root)): digest(each) for each in root.rglob("*") if each.is_symlink() or each.is_file()
        }


def digest(file: Path) -> str:
    """Return a file's MD5 sum, or the target of a symbolic link."""
    if file.is_symlink():
        return f"-> {file.readlink()}"
    return hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()


def written_game(disk: Path, folder: str) -> str:
    """Return the written game of the journal in a folder of a repaired disk, or the error if it cannot be folded."""
    with tempfile.TemporaryDirectory() as name:
        call("debugfs", "-R", f"rdump {folder} {name}", disk)
        data = Path(name) / Path(folder).name
        done = subprocess.run(
            [sys.executable, "-m", "companion", "games", "export", "--format", "notation", "--data", data],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    return done.stdout or done.stderr


def package_sums(package: Path) -> tuple[str, dict[str, str]]:
    """Return a Debian package's version, and the MD5 sum of each of its files by its path."""
    with tempfile.TemporaryDirectory() as name:
        call("dpkg-deb", "--control", package, name)
        lines = (Path(name) / "md5sums").read_text(encoding="utf-8").splitlines()
    version = call("dpkg-deb", "--field", package, "Version").strip()
    return version, {path: md5 for md5, path in (line.split("  ", 1) for line in lines)}
