"""The Debian packages' definition, without building one; `make test-deb` builds and installs them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path

import pytest
from babel import Locale, localedata
from babel.dates import format_datetime
from babel.numbers import format_decimal

from companion.config import Config
from companion.config_files import config_from, explained

ROOT = Path(__file__).resolve().parents[2]
DEBIAN = ROOT / "systemd" / "debian"
sys.path.insert(0, str(DEBIAN))
import build  # noqa: E402 - scripts that stand beside the maintainer scripts
import documents  # noqa: E402
import wheels  # noqa: E402

LOCK = (ROOT / "requirements/pi.txt").read_text(encoding="utf-8")
SCRIPTS = ("preinst", "postinst", "prerm", "postrm", "launcher", "test.sh", "inside.sh")
TARGETS = [
    build.Target(release, arch, build.debian_version(release)) for release in build.PYTHONS for arch in build.PROCESSORS
]


needs_dpkg = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb: apt install dpkg")


@pytest.fixture(params=TARGETS, ids=lambda target: f"{target.release}-{target.arch}")
def target(request: pytest.FixtureRequest) -> build.Target:
    found: build.Target = request.param
    return found


def fields(target: build.Target) -> dict[str, str]:
    text = build.control(target, 1, "libc6")
    return dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE))


def test_the_version_is_that_of_the_project_and_a_newer_release_of_debian_is_an_upgrade(target: build.Target) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert fields(target)["Version"].startswith(version)
    assert build.debian_version("bookworm", "1.0") == "1.0+deb12"
    assert build.debian_version("trixie", "1.0rc2") == "1.0~rc2+deb13"


def test_the_package_depends_on_just_the_python_that_its_wheels_are_for(target: build.Target) -> None:
    least, below = re.findall(r"python3 \((?:>=|<<) 3\.(\d+)~\)", fields(target)["Depends"])
    assert target.python == f"3.{least}"
    assert int(below) == int(least) + 1
    assert target.site.endswith(f"/{target.version}/lib/python{target.python}/site-packages")


def test_every_target_takes_the_locks_versions_with_their_hashes(target: build.Target) -> None:
    taken = wheels.locked(target, LOCK)
    assert all("==" in each and " --hash=sha256:" in each and ";" not in each for each in taken.values())
    assert {"fastapi", "gpiozero", "opencv-python-headless"} <= taken.keys()
    assert "colorama" not in taken  # of Windows alone
    assert (wheels.BUILT in taken) is (target.arch == "arm64")
    assert taken["numpy"].startswith("numpy==1." if target.release == "bookworm" else "numpy==2.")


def test_a_pi_starts_with_its_drivers_and_a_desk_with_a_simulated_table(target: build.Target) -> None:
    text = build.configuration(target)
    config = config_from(tomllib.loads(text))
    pi = tomllib.loads((ROOT / "systemd/pi.toml").read_text(encoding="utf-8"))
    assert config == config_from(pi if target.arch == "arm64" else {"table": pi["table"]})
    assert text.count("#") == explained(Config()).count("#")


def test_all_files_of_the_service_are_packaged(target: build.Target) -> None:
    named = build.files(target)
    assert all((ROOT / "systemd" / name).is_file() for name in named)
    assert named["farklecrib.service"].removeprefix("usr/") == "lib/systemd/system/farklecrib.service"
    assert ("restart.conf" in named) is (target.release == "trixie")  # an older systemd does not know its keys
    assert (target.units == "lib") is (target.release == "bookworm")


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_scripts_are_posix_shell(name: str) -> None:
    text = build.script(name, TARGETS[0])
    assert text.startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n"], input=text, text=True, check=True)
    if shutil.which("shellcheck"):
        # All scripts begin with the same lines, of which not each uses every variable.
        command = ["shellcheck", "--severity=warning", "--exclude=SC2034", "-"]
        said = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert said.stdout == ""


@pytest.mark.parametrize("kind", ["a folder", "a partition", "a link"])
def test_purge_empties_the_folders_whatever_they_are(tmp_path: Path, kind: str) -> None:
    games, target = tmp_path / "games", tmp_path / "elsewhere"
    games.mkdir()
    mounted = kind == "a partition"
    if mounted and subprocess.run(["mount", "-t", "tmpfs", "games", games], check=False).returncode:
        pytest.skip("needs root, to mount a file system")
    if kind == "a link":
        games.rename(target)
        games.symlink_to(target)
    try:
        (games / "stills").mkdir()
        (games / "stills/1.jpg").write_text("one")
        (games / ".hidden").write_text("two")
        text = build.script("postrm", TARGETS[0]).replace("/etc/farklecrib", str(tmp_path / "etc"))
        for name in ("dpkg-maintscript-helper", "deb-systemd-helper"):  # they only run below dpkg
            (tmp_path / name).write_text("#!/bin/sh\n")
            (tmp_path / name).chmod(0o755)
        path = f"{tmp_path}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-s", "purge"], input=text.replace("/var/lib/farklecrib", str(games)),
            capture_output=True, text=True, check=False, env={"PATH": path, "HOME": os.environ["HOME"]},
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert list(games.iterdir()) == [] if mounted else not os.path.lexists(games)
        assert not target.exists() or list(target.iterdir()) == []
    finally:
        if mounted:
            subprocess.run(["umount", games], check=True)


def small(monkeypatch: pytest.MonkeyPatch, size: int) -> build.Target:
    """Replace the program in the package by one small file."""

    def stage(target: build.Target, root: Path) -> None:
        wheels.write(root / wheels.HOME / target.version / "one", bytes(size))

    monkeypatch.setattr(build, "stage", stage)
    monkeypatch.setattr(build, "shared_libraries", lambda *_: "libc6")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    monkeypatch.setenv("TMPDIR", "")
    return TARGETS[0]


@pytest.mark.exhaustive
@needs_dpkg
def test_a_package_has_the_same_bytes_on_any_number_of_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = small(monkeypatch, 30 << 20)  # more than one job of zstd
    made = []
    for cores in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        made.append(build.build(target, tmp_path / str(cores), "zstd").read_bytes())
    assert made[0] == made[1]


@needs_dpkg
def test_a_failed_build_leaves_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = small(monkeypatch, 9)
    build.build(target, tmp_path, "none")
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    fake = tmp_path.parent / f"{tmp_path.name}-bin" / "dpkg-deb"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\nfor file; do :; done\necho half >"$file"\nexit 1\n', encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    with pytest.raises(build.BuildError, match="expected dpkg-deb to succeed"):
        build.build(target, tmp_path, "none")
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == whole


def test_a_wheel_is_unpacked_without_installers_files_and_never_outside(tmp_path: Path) -> None:
    wheel = tmp_path / "one-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as file:
        for name in ("one/a.py", "one-1.dist-info/RECORD", "one-1.data/scripts/one", "one-1.data/purelib/two.py"):
            file.writestr(name, "")
    build.unpack(wheel, tmp_path / "site")
    assert {path.name for path in (tmp_path / "site").rglob("*.*") if path.is_file()} == {"a.py", "two.py"}
    with zipfile.ZipFile(wheel, "a") as file:
        file.writestr("../three.py", "")
    with pytest.raises(build.BuildError, match=r"got '\.\./three\.py'"):
        build.unpack(wheel, tmp_path / "site")


def test_what_no_table_needs_is_left_out_of_the_payload() -> None:
    for left_out in ("onnxruntime/tools/check.py", "onnxruntime/capi/libonnxruntime.so.1.32.0", "cv2/data/eye.xml"):
        assert re.match(wheels.DROPPED, left_out), left_out
    for needed in (
        "onnxruntime/capi/onnxruntime_pybind11_state.so",
        "cv2/data/__init__.py",
        "babel/locale-data/de.dat",
    ):
        assert not re.match(wheels.DROPPED, needed), needed
    assert {"fpdf2", "fonttools", "pillow"} & wheels.locked(TARGETS[0], LOCK).keys() == set()


def test_the_locale_data_keeps_plurals_numbers_and_dates_of_the_programs_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said() -> list[object]:
        monkeypatch.setattr(localedata, "_cache", {})
        return [
            (locale.plural_form(3), locale.plural_form.tags, format_decimal(-1234.5, "#,##0.0", locale),
             format_datetime(datetime(2026, 11, 29, 18, 5, tzinfo=UTC), "EEEE d MMM y, H:mm a G", locale=locale))
            for locale in map(Locale.parse, ("en", "de", "pl", "ar", "pt_BR"))
        ]  # fmt: skip

    whole = said()
    data, words = tmp_path / "babel/locale-data", tmp_path / "companion/words/languages"
    data.mkdir(parents=True)
    words.mkdir(parents=True)
    for code in ("en", "de", "pl", "ar", "pt-BR"):
        (words / f"{code}.toml").touch()
    needed = {"root", "en", "de", "pl", "ar", "pt", "pt_BR"}
    for path in Path(localedata.__file__).parent.glob("locale-data/*.dat"):
        if path.stem in needed | {"tr", "nl_BE"}:
            shutil.copy(path, data)
    before = sum((data / f"{name}.dat").stat().st_size for name in needed)
    wheels.thin(tmp_path)
    assert {path.stem for path in data.iterdir()} == needed
    assert 10 * sum(path.stat().st_size for path in data.iterdir()) < before
    monkeypatch.setattr(localedata, "_dirname", data)
    assert said() == whole


def test_the_manual_lists_every_command_and_escapes_what_roff_would_obey() -> None:
    import typer

    from companion.cli.main import app

    page = documents.manual(typer.main.get_command(app), "1.0")
    for command in ("play", "setup-pi", "games list", "selftest leds"):
        assert f"\n.SS farklecrib {command}\n" in page
    assert documents.roff(".a -b") == r"\&.a \-b"


def test_the_copyright_names_each_bundled_package_with_its_licence(tmp_path: Path) -> None:
    site = next(Path(path) for path in sys.path if (Path(path) / "typer").is_dir())
    text = documents.copyright_text(site.parent, site.name)
    names = {each.metadata["Name"] for each in distributions(path=[str(site)])} - {"farklecrib"}
    assert all(f"the bundled package {name} " in text for name in names)
    assert text.count("\nLicense: ") == len(names) + 1
