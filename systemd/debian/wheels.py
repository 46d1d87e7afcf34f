"""The payload's wheels: locked ones fetched for a target, rpi_ws281x built for it, and our own."""

import os
import pickle
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
HOME = "usr/lib/farklecrib"
PYTHONS = {"bookworm": "3.11", "trixie": "3.13"}
NUMBERS = {"bookworm": 12, "trixie": 13}
GLIBCS = {"bookworm": 36, "trixie": 41}
PROCESSORS = {"amd64": "x86_64", "arm64": "aarch64"}
BUILT = "rpi-ws281x"
"""The one locked package without a wheel, which is built for arm64."""

DROPPED = "|".join((
    r"[^/]+\.data/",  # installers' files
    r".*\.dist-info/(RECORD|direct_url\.json)$",
    r"(.*/)?__pycache__/",
    r"numpy/(.*/)?tests/",
    r"farkleague/",  # a league's server is another machine
    r".*/libgpiod_pulsein",  # Blinka's binaries for sensors
    r"cv2/data/.*\.xml$",  # OpenCV's classifiers of faces
    r"onnxruntime/(quantization|tools|transformers)/",  # they make models
    r"onnxruntime/capi/libonnxruntime\.so\.",  # for programs in C: Python's module holds the same code
))  # fmt: skip
"""The names left out of the payload, because the program needs none of them."""

UNSPOKEN = re.compile("currenc|date_fields|interval|language|script|skeleton|territor|unit|variant|zone")
"""The names of the parts of Babel's locale data that no sentence needs; plurals, numbers and dates stay."""


class BuildError(Exception):
    """A package that cannot be built; the text says what was expected."""


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


def locked(target: Target, lock: str) -> dict[str, str]:
    """Return the lock's packages for a target, by name: each a requirement with its hashes and without markers."""
    from packaging.requirements import Requirement  # imported here: `--print-version` must work without it

    found = {}
    for entry in re.sub(r"\s*\\\n\s*", " ", lock).splitlines():
        if entry and not entry.lstrip().startswith("#"):
            text, *hashes = entry.split(" --hash=")
            wanted = Requirement(text)
            if wanted.marker is None or wanted.marker.evaluate(target.markers):
                found[wanted.name] = " --hash=".join([f"{wanted.name}{wanted.specifier}", *hashes])
    return found


def say(words: str) -> None:
    """Print the next step of the build."""
    print(f"farklecrib: {words}", flush=True)


def write(path: Path, text: str | bytes, mode: int = 0o644) -> None:
    """Write a file and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    path.chmod(mode)


def run(*command: str | Path, **environment: str) -> str:
    """Run a command and return its output.

    Raises:
        BuildError: if the command fails; the text has its last lines.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if done.returncode:
        raise BuildError(f"expected {command[0]} to succeed, got status {done.returncode}: {done.stderr[-800:]}")
    return done.stdout


def fetch(target: Target, wheels: Path) -> None:
    """Download the locked wheels, build rpi_ws281x if it is locked, and build our own wheel."""
    needed = locked(target, (REPO / "requirements/pi.txt").read_text(encoding="utf-8"))
    source = needed.pop(BUILT, None)
    if target.arch == "amd64" and target.release == "trixie":
        needed.pop("lgpio", None)
    list_file = wheels / "wanted.txt"
    list_file.write_text("\n".join(needed.values()) + "\n", encoding="utf-8")
    say(f"fetching {len(needed)} wheels for {target.release} {target.arch}")
    machine = PROCESSORS[target.arch]
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(5, GLIBCS[target.release] + 1)]
    platforms = [each for tag in (*tags, f"manylinux2014_{machine}") for each in ("--platform", tag)]
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "download", "--no-deps", "--require-hashes", "--only-binary=:all:", "--implementation=cp",
        f"--python-version={target.python}", *platforms, f"--dest={wheels}", f"--requirement={list_file}")  # fmt: skip
    say("building our own wheel")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={wheels}", REPO)
    if source is not None:
        say(f"compiling {BUILT}")
        list_file.write_text(f"{source}\n", encoding="utf-8")
        # Without pip's cache, which could return a wheel built for another Python.
        run(*pip, "wheel", "--no-cache-dir", "--no-deps", "--no-build-isolation", "--require-hashes",
            f"--wheel-dir={wheels}",
            f"--requirement={list_file}", **compiler(target, wheels))  # fmt: skip


def compiler(target: Target, folder: Path) -> dict[str, str]:
    """Return the environment in which setuptools builds an extension for an arm64 target, in a folder beside `folder`.

    Raises:
        BuildError: if the compiler is missing.
    """
    native = platform.machine() == "aarch64" and sys.version.startswith(f"{target.python}.")
    command = "gcc" if native else "aarch64-linux-gnu-gcc"
    if shutil.which(command) is None:
        packages = "gcc python3-dev" if native else "gcc-aarch64-linux-gnu mmdebstrap"
        raise BuildError(f"expected {command}, got none; sudo apt install {packages}")
    flags = f"-g0 -O2 -ffile-prefix-map={folder.parent}=."
    if native:
        return {"CC": command, "CFLAGS": flags, "LDSHARED": f"{command} -shared -s -Wl,--build-id=none"}
    root = headers(target)  # with the release's C library, too, in place of this machine's for cross compilers
    return {
        "CC": f"{command} --sysroot={root}",
        "CFLAGS": f"{flags} -I{root}/usr/include/python{target.python}",
        "LDSHARED": f"{command} --sysroot={root} -shared -s -Wl,--build-id=none",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-{target.python.replace('.', '')}-aarch64-linux-gnu.so",
        "_PYTHON_HOST_PLATFORM": "linux-aarch64",
    }


def headers(target: Target) -> Path:
    """Return an unpacked arm64 root of the release with the headers of C and Python; fetch it once."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "farklecrib/deb"
    root = cache / f"arm64-{target.release}"
    if not (root / f"usr/include/python{target.python}").exists():
        cache.mkdir(parents=True, exist_ok=True)
        packages = f"libpython{target.python}-dev,libc6-dev,python3,libstdc++6,zlib1g"
        say(f"fetching Debian's headers for {target.release} arm64")
        run("mmdebstrap", "--variant=extract", "--architectures=arm64", f"--include={packages}", target.release, root)
        if not (root / "lib").exists():  # Debian 13's packages do not contain this link
            (root / "lib").symlink_to("usr/lib")
    return root


def unpack(wheel: Path, site: Path) -> None:
    """Unpack a wheel as pip does, without the names in `DROPPED`.

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


def thin(site: Path) -> None:
    """Reduce Babel's locale data to the languages of the program, with their countries, and to what sentences need."""
    languages = {re.split("[-_]", path.stem)[0] for path in site.glob("companion/words/languages/*.toml")}
    for path in sorted(site.glob("babel/locale-data/*.dat")):
        if path.stem.partition("_")[0] not in {"root", *languages}:
            path.unlink()
            continue
        kept = {name: part for name, part in pickle.loads(path.read_bytes()).items() if not UNSPOKEN.search(name)}  # noqa: S301 - of a wheel with a known hash
        path.write_bytes(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL))
