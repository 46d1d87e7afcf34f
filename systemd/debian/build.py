#!/usr/bin/env python3
"""Build farklecrib's Debian packages: `make deb`, one for each Debian release and processor.

The package holds a virtual environment in /usr/lib/farklecrib/VERSION: our program and the wheels of
requirements/pi.txt, fetched here and checked by their hashes. The same commit gives the same bytes.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]
from documents import write, write_documents  # noqa: E402

import install  # noqa: E402 - the script beside the unit writes the same configuration

HOME = "usr/lib/farklecrib"
MAINTAINER = "The Farkle Crib makers <farklecrib@example.org>"
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
NUMBERS = {"bookworm": 12, "trixie": 13}
GLIBCS = {"bookworm": 36, "trixie": 41}
PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}
BUILT = "rpi-ws281x"
"""The one locked package without a wheel; the cross compiler builds it."""

DROPPED = (
    r"[^/]+\.data/|.*\.dist-info/(RECORD|direct_url\.json)$|(.*/)?__pycache__/|numpy/(.*/)?tests/|.*/libgpiod_pulsein"
)
"""What stays out of the payload: installers' files, numpy's tests, and Blinka's binaries for sensors that we lack."""

LIBRARIES = {
    r"lib(c|m|dl|pthread|rt|util|resolv)\.so\.\d|ld-linux.*": "libc6 (>= 2.{glibc})",
    r"libstdc\+\+\.so\.6": "libstdc++6",
    r"libgcc_s\.so\.1": "libgcc-s1",
    r"libz\.so\.1": "zlib1g",
}
"""The Debian packages of the shared libraries that wheels need and do not bring."""


class BuildError(Exception):
    """The package cannot be built; the text says what was expected."""


@dataclass(frozen=True)
class Target:
    """A Debian release, a processor, and the package's version."""

    release: str
    arch: str
    version: str

    @property
    def python(self) -> str:
        """Return the version of the release's python3, such as 3.11."""
        return PYTHONS[self.release]

    @property
    def site(self) -> str:
        """Return the folder of the Python packages, from the root."""
        return f"{HOME}/{self.version}/lib/python{self.python}/site-packages"

    @property
    def units(self) -> str:
        """Return the parent of systemd/ and udev/: Debian 12 has files in /lib, Debian 13 only in /usr/lib."""
        return "lib" if self.release == "bookworm" else "usr/lib"

    @property
    def markers(self) -> dict[str, str]:
        """Return the environment for which the lock's markers are evaluated."""
        return {
            "python_version": self.python,
            "python_full_version": f"{self.python}.2",
            "sys_platform": "linux",
            "platform_system": "Linux",
            "platform_machine": PROCESSORS[self.arch],
        }


def debian_version(release: str, version: str | None = None) -> str:
    """Return a Debian version, such as 0.2.0~rc1+deb13, for a version of pyproject.toml or the one given."""
    ours = version or tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return re.sub(r"\.?(a|b|rc|dev)(\d+)", r"~\1\2", ours) + f"+deb{NUMBERS[release]}"


def locked(target: Target, lock: str) -> dict[str, str]:
    """Return the lock's packages for a target, by name: each a requirement with its hashes and without markers."""
    found = {}
    for entry in re.sub(r"\s*\\\n\s*", " ", lock).splitlines():
        if entry and not entry.lstrip().startswith("#"):
            text, *hashes = entry.split(" --hash=")
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate(target.markers):
                found[wanted.name] = " --hash=".join([f"{wanted.name}{wanted.specifier}", *hashes])
    return found


def run(*command: str | Path, **environment: str) -> str:
    """Run a command and return its output.

    Raises:
        BuildError: if it fails; the text has its last lines.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if done.returncode:
        raise BuildError(f"expected {command[0]} to succeed, got status {done.returncode}: {done.stderr[-800:]}")
    return done.stdout


def fetch(target: Target, wheels: Path) -> None:
    """Download the locked wheels, build rpi_ws281x where it is locked, and build our own wheel."""
    needed = locked(target, (REPO / "requirements/pi.txt").read_text(encoding="utf-8"))
    source = needed.pop(BUILT, None)
    if target.arch == "amd64" and target.release == "trixie":
        needed.pop("lgpio", None)
    list_file = wheels / "wanted.txt"
    list_file.write_text("\n".join(needed.values()) + "\n", encoding="utf-8")
    machine = PROCESSORS[target.arch]
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(5, GLIBCS[target.release] + 1)]
    platforms = [each for tag in (*tags, f"manylinux2014_{machine}") for each in ("--platform", tag)]
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "download", "--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=cp",
        f"--python-version={target.python}", *platforms, f"--dest={wheels}", f"--requirement={list_file}")  # fmt: skip
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={wheels}", REPO)
    if source is not None:
        list_file.write_text(f"{source}\n", encoding="utf-8")
        # Without pip's cache, which would give the wheel of another Python.
        run(*pip, "wheel", "--no-cache-dir", "--no-deps", "--no-build-isolation", "--require-hashes",
            f"--wheel-dir={wheels}",
            f"--requirement={list_file}", **cross_compiler(target))  # fmt: skip


def cross_compiler(target: Target) -> dict[str, str]:
    """Return the environment in which setuptools builds an extension for an arm64 target.

    Raises:
        BuildError: if the cross compiler is missing.
    """
    if shutil.which("aarch64-linux-gnu-gcc") is None:
        raise BuildError("expected aarch64-linux-gnu-gcc, got none; sudo apt install gcc-aarch64-linux-gnu")
    include = headers(target) / "usr/include"
    flags = f"-g0 -O2 -I{include}/python{target.python} -I{include}"
    return {
        "CC": "aarch64-linux-gnu-gcc",
        "CFLAGS": f"{flags} -ffile-prefix-map={tempfile.gettempdir()}=.",
        "LDSHARED": "aarch64-linux-gnu-gcc -shared -s -Wl,--build-id=none",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-{target.python.replace('.', '')}-aarch64-linux-gnu.so",
        "_PYTHON_HOST_PLATFORM": "linux-aarch64",
    }


def headers(target: Target) -> Path:
    """Return an unpacked arm64 root of the release with Python and its headers; fetch it once."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "farklecrib/deb"
    root = cache / f"arm64-{target.release}"
    if not (root / f"usr/include/python{target.python}").exists():
        cache.mkdir(parents=True, exist_ok=True)
        packages = f"libpython{target.python}-dev,python3,libstdc++6,zlib1g"
        run("mmdebstrap", "--variant=extract", "--architectures=arm64", f"--include={packages}", target.release, root)
        if not (root / "lib").exists():  # Debian 13's packages leave this link to whoever makes the root
            (root / "lib").symlink_to("usr/lib")
    return root


def stage(target: Target, root: Path) -> None:
    """Write all files of the package below `root`."""
    site, version = root / target.site, root / HOME / target.version
    site.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        fetch(target, Path(folder))
        for wheel in sorted(Path(folder).glob("*.whl")):
            unpack(wheel, site)
    (version / "bin").mkdir()
    (version / "bin/python3").symlink_to(f"/usr/bin/python{target.python}")
    (version / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n", encoding="utf-8")
    write(version / "bin/farklecrib", script("launcher", target), 0o755)
    write(version / "share/config.toml", configuration(target))
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/farklecrib").symlink_to("../lib/farklecrib/current/bin/farklecrib")
    for name, place in files(target).items():
        write(root / place, (HERE.parent / name).read_text(encoding="utf-8"))
    write_documents(root, target.site, target.version, target.release, MAINTAINER)


def files(target: Target) -> dict[str, str]:
    """Return where each file of systemd/ is installed."""
    drop_in = f"{target.units}/systemd/system/farklecrib.service.d/restart.conf"
    return {
        "farklecrib.service": f"{target.units}/systemd/system/farklecrib.service",
        "60-farklecrib.rules": f"{target.units}/udev/rules.d/60-farklecrib.rules",
        "farklecrib.sysusers": "usr/lib/sysusers.d/farklecrib.conf",
        "debian/farklecrib.avahi": "etc/avahi/services/farklecrib.service",
        "debian/lintian-overrides": "usr/share/lintian/overrides/farklecrib",
        "README.md": "usr/share/doc/farklecrib/README.md",
        **({} if target.release == "bookworm" else {"restart.conf": drop_in}),
    }


def unpack(wheel: Path, site: Path) -> None:
    """Unpack a wheel as pip does, without what is in `DROPPED`.

    Raises:
        BuildError: if a name points outside the folder.
    """
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            inner = re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", name)
            if not re.match(DROPPED, inner) and name[-1] != "/":
                if ".." in Path(inner).parts:
                    raise BuildError(f"expected names inside the wheel {wheel.name}, got {inner!r}")
                (site / inner).parent.mkdir(parents=True, exist_ok=True)
                (site / inner).write_bytes(packed.read(name))


def script(name: str, target: Target) -> str:
    """Return a script of this folder with the version in place."""
    return (HERE / name).read_text(encoding="utf-8").replace("@VERSION@", target.version)


def configuration(target: Target) -> str:
    """Return the first configuration: that of a Pi for arm64, a simulated table elsewhere."""
    if target.arch == "arm64":
        return install.pi_configuration()
    text = (REPO / "firmware/companion/config.default.toml").read_text(encoding="utf-8")
    return re.sub(r'^data = ".*"$', 'data = "/var/lib/farklecrib"', text, flags=re.MULTILINE)


def shared_libraries(root: Path, target: Target) -> str:
    """Return the Depends entries for the shared libraries that the payload needs and does not bring.

    Raises:
        BuildError: if a library belongs to no known package, or a file is for another processor.
    """
    found = [path for path in sorted((root / HOME).rglob("*")) if re.search(r"\.so(\.|$)", path.name)]
    said = run("readelf", "--file-header", "--dynamic", *found)
    machines = set(re.findall(r"Machine:\s+(.+)", said))
    expected = {"amd64": "Advanced Micro Devices X86-64", "arm64": "AArch64"}[target.arch]
    if machines != {expected}:
        raise BuildError(f"expected native code for {expected} alone, got {sorted(machines)}")
    needed = set(re.findall(r"NEEDED.*\[(.+)\]", said)) - {path.name for path in found}
    packages = set()
    for library in needed:
        package = next((value for key, value in LIBRARIES.items() if re.fullmatch(key, library)), None)
        if package is None:
            raise BuildError(f"expected a shared library of {sorted(LIBRARIES.values())}, got {library}")
        packages.add(package.format(glibc=GLIBCS[target.release]))
    return ", ".join(sorted(packages))


def control(target: Target, size: int, libraries: str) -> str:
    """Return the control file; size in KiB."""
    major, minor = target.python.split(".")
    lgpio = ", python3-lgpio" if (target.release, target.arch) == ("trixie", "amd64") else ""
    return (HERE / "control").read_text(encoding="utf-8").format(
        version=target.version, arch=target.arch, maintainer=MAINTAINER, size=size, libraries=libraries,
        python=target.python, next_python=f"{major}.{int(minor) + 1}", recommends=lgpio,
    )  # fmt: skip


def build(target: Target, out: Path, compression: str) -> Path:
    """Build one package into `out` and return its path."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        stage(target, root)
        for path in (root, *root.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        payload = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
        size = sum(-(-path.stat().st_size // 1024) for path in payload) + sum(1 for _ in root.rglob("*/"))
        sums = "".join(
            f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n"
            for path in payload
        )
        write(root / "DEBIAN/control", control(target, size, shared_libraries(root, target)))
        write(root / "DEBIAN/md5sums", sums)
        write(root / "DEBIAN/conffiles", "/etc/avahi/services/farklecrib.service\n")
        for name in ("postinst", "prerm", "postrm"):
            write(root / "DEBIAN" / name, script(name, target), 0o755)
        (root / "DEBIAN").chmod(0o755)
        out.mkdir(parents=True, exist_ok=True)
        file = out / f"farklecrib_{target.version}_{target.arch}.deb"
        run("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--threads-max=1", "--build", root, file)
    print(f"{file}: {file.stat().st_size / 2**20:.1f} MiB, installed {size / 1024:.0f} MiB, "
          f"sha256 {hashlib.sha256(file.read_bytes()).hexdigest()}")  # fmt: skip
    return file


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the wanted packages, and return the exit status: 2 with one line if that is not possible."""
    parser = argparse.ArgumentParser(description="Build farklecrib's Debian packages.")
    parser.add_argument("--release", choices=PYTHONS, action="append", help="a Debian release; else all")
    parser.add_argument("--arch", choices=PROCESSORS, action="append", help="a processor; else all")
    parser.add_argument("--version", help="another version than pyproject.toml's, to test an upgrade")
    parser.add_argument("--out", type=Path, default=REPO / "dist")
    parser.add_argument("--compression", choices=("xz", "gzip", "none"), default="xz")
    parser.add_argument("--print-version", action="store_true", help="print the version and build nothing")
    given = parser.parse_args(arguments)
    try:
        os.environ.setdefault("SOURCE_DATE_EPOCH", run("git", "-C", REPO, "log", "-1", "--format=%ct").strip())
        for release in given.release or PYTHONS:
            if given.print_version:
                print(debian_version(release, given.version))
                continue
            for arch in given.arch or PROCESSORS:
                build(Target(release, arch, debian_version(release, given.version)), given.out, given.compression)
    except (BuildError, OSError) as error:
        sys.stderr.write(f"farklecrib: error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
