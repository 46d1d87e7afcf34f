#!/usr/bin/env python3
"""Build farklecrib's Debian packages: `make deb`, one for each Debian release and processor.

The package holds a virtual environment in /usr/lib/farklecrib/VERSION: our program and the wheels of
requirements/pi.txt, fetched here and checked by their hashes. The same commit gives the same bytes, on any number of
cores. The build needs requirements/build.txt and binutils; for arm64 also a native or a cross compiler.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
sys.path.insert(0, str(HERE))
from wheels import (  # noqa: E402
    GLIBCS,
    HOME,
    NUMBERS,
    PROCESSORS,
    PYTHONS,
    BuildError,
    Target,
    fetch,
    run,
    say,
    thin,
    unpack,
    write,
)

MAINTAINER = "The Farkle Crib makers <farklecrib@example.org>"
BYTECODE = 1.35
"""The installed size of a package, with bytecode, divided by its unpacked size: arm64 1.28, amd64 1.19 (by du)."""

ADDED = "/usr/local/lib/farklecrib"
"""The folder for Python packages that a person adds for every version: a Pi 5's LED library, imports of own drivers."""

LIBRARIES = {
    r"lib(c|m|dl|pthread|rt|util|resolv)\.so\.\d|ld-linux.*": "libc6 (>= 2.{glibc})",
    r"libstdc\+\+\.so\.6": "libstdc++6",
    r"libgcc_s\.so\.1": "libgcc-s1",
    r"libz\.so\.1": "zlib1g",
}
"""The Debian packages of the shared libraries that wheels need and do not bundle."""


def debian_version(release: str, version: str | None = None) -> str:
    """Return a Debian version, such as 0.2.0~rc1+deb13, for a version of pyproject.toml or the one given."""
    ours = version or tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    return re.sub(r"\.?(a|b|rc|dev)(\d+)", r"~\1\2", ours) + f"+deb{NUMBERS[release]}"


def stage(target: Target, root: Path) -> None:
    """Write all files of the package below `root`."""
    site, version = root / target.site, root / HOME / target.version
    site.mkdir(parents=True)
    wheels = root.with_name("wheels")
    wheels.mkdir()
    fetch(target, wheels)
    for wheel in sorted(wheels.glob("*.whl")):
        unpack(wheel, site)
        wheel.unlink()
    thin(site)
    write(site / "farklecrib.pth", f"{ADDED}/python{target.python}\n")
    (version / "bin").mkdir()
    (version / "bin/python3").symlink_to(f"/usr/bin/python{target.python}")
    (version / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n", encoding="utf-8")
    write(version / "bin/farklecrib", script("launcher", target), 0o755)
    write(version / "share/config.toml", configuration(target))
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/farklecrib").symlink_to("../lib/farklecrib/current/bin/farklecrib")
    for name, place in files(target).items():
        write(root / place, (HERE.parent / name).read_text(encoding="utf-8"))
    # In a process of its own, which imports the packaged program and its libraries in place of this machine's.
    run(sys.executable, HERE / "documents.py", root, target.site, target.version, target.release, MAINTAINER,
        PYTHONPATH=str(site), PYTHONDONTWRITEBYTECODE="1")  # fmt: skip


def files(target: Target) -> dict[str, str]:
    """Return where each file of systemd/ is installed."""
    drop_in = f"{target.units}/systemd/system/farklecrib.service.d/restart.conf"
    return {
        "farklecrib.service": f"{target.units}/systemd/system/farklecrib.service",
        "60-farklecrib.rules": f"{target.units}/udev/rules.d/60-farklecrib.rules",
        "farklecrib.sysusers": "usr/lib/sysusers.d/farklecrib.conf",
        "farklecrib.polkit": "usr/share/polkit-1/rules.d/farklecrib.rules",
        "debian/lintian-overrides": "usr/share/lintian/overrides/farklecrib",
        "kiosk.sh": "usr/share/farklecrib/kiosk.sh",
        "README.md": "usr/share/doc/farklecrib/README.md",
        **({} if target.release == "bookworm" else {"restart.conf": drop_in}),
    }


def script(name: str, target: Target, size: int = 0) -> str:
    """Return a script of this folder with version and disk space filled in, for a package of `size` KiB."""
    text = (HERE / name).read_text(encoding="utf-8")
    text = text.replace("@FUNCTIONS@\n", (HERE / "functions").read_text(encoding="utf-8"))
    return text.replace("@VERSION@", target.version).replace("@SIZE@", str(int(size * BYTECODE)))


def configuration(target: Target) -> str:
    """Return the first configuration, with each key explained: a Pi's for arm64, a simulated table's for others."""
    text = (REPO / "firmware/companion/config.default.toml").read_text(encoding="utf-8")
    values = tomllib.loads((HERE.parent / "pi.toml").read_text(encoding="utf-8"))
    if target.arch != "arm64":
        values = {"table": values["table"]}
    section, lines = "", []
    for line in text.splitlines():
        section = line.strip("[]") if line.startswith("[") else section
        key = line.partition(" = ")[0] if re.match(r"\w+ = ", line) else None
        given = values.get(section, {}).get(key)
        lines.append(line if given is None else f"{key} = {json.dumps(given)}")  # which TOML reads, too
    return "\n".join(lines) + "\n"


def shared_libraries(root: Path, target: Target) -> str:
    """Return the Depends entries for the shared libraries that the payload needs and does not bundle.

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
    """Build one package into `out` and return its path. A file of that name is always complete."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.resolve(), prefix=".building-") as folder:  # /tmp may be memory
        os.environ["TMPDIR"] = folder  # for pip, the compiler and dpkg-deb
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
        for name in ("preinst", "postinst", "prerm", "postrm"):
            write(root / "DEBIAN" / name, script(name, target, size), 0o755)
        (root / "DEBIAN").chmod(0o755)
        name = f"farklecrib_{target.version}_{target.arch}.deb"
        say(f"packing {size / 1024:.0f} MiB into {name}")
        # Level 19 takes nine times as long for a tenth less. One thread gives other bytes than any number of more.
        packing = ("-Zzstd", "-z12", f"--threads-max={max(2, os.cpu_count() or 2)}")
        run("dpkg-deb", "--root-owner-group", *(packing if compression == "zstd" else ("-Znone",)), "--build", root,
            root.with_name(name))  # fmt: skip
        file = root.with_name(name).replace(out / name)
    with file.open("rb") as made:
        digest = hashlib.file_digest(made, "sha256").hexdigest()
    print(f"{file}: {file.stat().st_size / 2**20:.1f} MiB, installed {size / 1024:.0f} MiB, sha256 {digest}")
    return file


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the requested packages and return the exit status: 2, with one line of text, if a build fails."""
    parser = argparse.ArgumentParser(description="Build farklecrib's Debian packages.")
    parser.add_argument("--release", choices=PYTHONS, action="append", help="a Debian release; else all")
    parser.add_argument("--arch", choices=PROCESSORS, action="append", help="a processor; else all")
    parser.add_argument("--version", help="another version than pyproject.toml's, to test an upgrade")
    parser.add_argument("--out", type=Path, default=REPO / "dist")
    parser.add_argument("--compression", choices=("zstd", "none"), default="zstd")
    parser.add_argument("--print-version", action="store_true", help="print the version and build nothing")
    given = parser.parse_args(arguments)
    try:
        for release in given.release or PYTHONS:
            if given.print_version:
                print(debian_version(release, given.version))
                continue
            log = ("git", "-c", f"safe.directory={REPO}", "-C", REPO, "log", "-1", "--format=%ct")
            os.environ.setdefault("SOURCE_DATE_EPOCH", run(*log).strip())
            for arch in given.arch or PROCESSORS:
                build(Target(release, arch, debian_version(release, given.version)), given.out, given.compression)
    except (BuildError, OSError) as error:
        sys.stderr.write(f"farklecrib: error: {' '.join(str(error).split())}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
