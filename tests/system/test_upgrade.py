"""The package's maintainer scripts on a tree: backups, the copy, the link, cuts after each command, an old checkout."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from journal_acts import filled

from companion.games.backup import read_backup

DEBIAN = Path(__file__).resolve().parents[2] / "systemd" / "debian"
sys.path.insert(0, str(DEBIAN))
import build  # noqa: E402 - a script that stands beside the maintainer scripts

OLD, NEW = "0.1.0+deb13", "0.2.0+deb13"
OURS = re.compile(r"(?<![\w.])/(?=(?:usr/lib/farklecrib|usr/local|opt|etc|var/lib|run|proc)\b)")
PROGRAM = f'#!/bin/sh\nexec {sys.executable} -m companion "$@"\n'
FAKES = {
    "runuser": 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    "df": 'printf "size\\n- - - %s\\n" "${FREE:-99999999}"',
    **dict.fromkeys(("sync", "systemd-sysusers", "install", "py3compile"), ""),
    **dict.fromkeys(("deb-systemd-helper", "deb-systemd-invoke", "dpkg-maintscript-helper"), ""),
}
"""What needs root or changes the machine; the rest is real."""


class Root:
    """A root folder into which versions are installed as dpkg does it."""

    def __init__(self, path: Path) -> None:
        self.path, self.home, self.user = path, path / "usr/lib/farklecrib", path / "var/lib/farklecrib"
        self.fakes = path / "fakes"
        for name, text in FAKES.items():
            write(self.fakes / name, f"#!/bin/sh\n{text}\n")

    def script(self, name: str, version: str) -> str:
        text = build.script(name, build.Target("trixie", "amd64", version), size=1000)
        return OURS.sub(f"{self.path}/", text)

    def run(self, name: str, version: str, *words: str, script: str = "", **given: str) -> subprocess.CompletedProcess:
        path = f"{self.fakes}:{os.environ['PATH']}"
        return subprocess.run(
            ["sh", "-c", script or self.script(name, version), name, *words],
            capture_output=True, text=True, check=False, env={"PATH": path, "HOME": os.environ["HOME"], **given},
        )  # fmt: skip

    def unpack(self, version: str) -> None:
        write(self.home / version / "bin/farklecrib", "#!/bin/sh\n")
        write(self.home / version / "share/version", version)

    def in_use(self) -> str:
        """Return the version that would start now, and check that it is whole."""
        assert os.access(self.home / "current/bin/farklecrib", os.X_OK)
        return (self.home / "current/share/version").read_text()

    def backups(self) -> dict[str, Path]:
        return {path.name: path for path in self.user.glob("games.*")}


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


@pytest.fixture
def root(tmp_path: Path) -> Root:
    made = Root(tmp_path)
    made.unpack(OLD)
    (made.home / "current").symlink_to(OLD)
    made.user.mkdir(parents=True)
    return made


def played(root: Root, program: Path | None = None) -> None:
    """Write a game, and install a program that can back it up."""
    write(program or root.home / OLD / "bin/farklecrib", PROGRAM)
    filled(root.user / ".local/share/farklecrib")  # the folder of the games without a configuration


def test_an_upgrade_keeps_a_copy_until_the_new_version_is_in_use(root: Root) -> None:
    assert root.run("prerm", OLD, "upgrade", NEW).returncode == 0
    assert root.in_use() == OLD
    shutil.rmtree(root.home / OLD)
    root.unpack(NEW)
    assert root.in_use() == OLD
    assert root.run("postinst", NEW, "configure", OLD).returncode == 0
    assert (root.in_use(), sorted(path.name for path in root.home.iterdir())) == (NEW, [NEW, "current"])


def test_the_copy_that_an_older_package_kept_is_removed(root: Root) -> None:
    (root.home / "kept").mkdir()
    (root.home / OLD).rename(root.home / "kept" / OLD)
    (root.home / "current").unlink()
    (root.home / "current").symlink_to(f"kept/{OLD}")
    root.unpack(NEW)
    assert root.run("prerm", NEW, "upgrade", "0.3.0").returncode == 0
    assert root.in_use() == OLD  # the newest version was never in use
    root.run("postinst", NEW, "abort-upgrade", "0.3.0")
    assert (root.in_use(), (root.home / "kept").exists()) == (NEW, False)


def test_an_upgrade_without_room_for_the_copy_is_stopped(root: Root) -> None:
    write(root.fakes / "cp", "#!/bin/sh\nexit 1\n")
    assert root.run("prerm", OLD, "upgrade", NEW).returncode == 1
    assert root.run("prerm", NEW, "failed-upgrade", OLD).returncode == 1  # else dpkg would unpack without a copy
    assert root.in_use() == OLD


@pytest.mark.parametrize(("name", "version", "words"), [("prerm", OLD, "upgrade"), ("postinst", NEW, "configure")])
def test_a_script_may_be_cut_after_each_of_its_commands(tmp_path: Path, name: str, version: str, words: str) -> None:
    commands = re.compile(r" *(sync|ln|mv|mkdir|rm|rmdir|cp|find|switch|install|py3compile)\b.*[^\\{]$")
    lines = Root(tmp_path / "0").script(name, version).splitlines()
    places = [number for number, line in enumerate(lines) if commands.match(line)]
    cuts = 0
    for place in places:
        root = Root(tmp_path / str(place))
        root.unpack(OLD)
        (root.home / "current").symlink_to(OLD)
        if name == "postinst":
            root.run("prerm", OLD, "upgrade", NEW)
            shutil.rmtree(root.home / OLD)
            root.unpack(NEW)
            checkout(root)
        script = root.script(name, version).splitlines()
        script.insert(place + 1, "kill -9 $$")
        cuts += root.run(name, version, words, script="\n".join(script)).returncode == -9
        assert root.in_use() in {OLD, NEW}
        assert root.run(name, version, words).returncode == 0
        assert root.in_use() == version
        assert not any(path.exists() for path in old_files(root))
    assert cuts >= {"prerm": 6, "postinst": 10}[name]


def test_the_games_are_backed_up_before_an_upgrade_and_the_newest_three_backups_stay(root: Root) -> None:
    played(root)
    write(root.user / "games.zip", "a person's own")
    for number, end in enumerate((".zip", ".2.zip", ".3.zip"), 1):
        write(root.user / f"games.{OLD}-to-{NEW}{end}", "an earlier backup")
        os.utime(root.user / f"games.{OLD}-to-{NEW}{end}", (number, number))
    done = root.run("preinst", NEW, "upgrade", OLD)
    assert (done.returncode, done.stderr) == (0, "")
    made = root.backups()[f"games.{OLD}-to-{NEW}.4.zip"]
    assert done.stdout == f"farklecrib: backup: 1 game and 0 images of throws, in {made}\n"
    assert len(read_backup(made).rows) > 12
    assert root.backups().keys() == {"games.zip", *(f"games.{OLD}-to-{NEW}.{number}.zip" for number in (2, 3, 4))}


@pytest.mark.exhaustive
def test_a_clock_that_was_set_back_does_not_cost_the_new_backup(root: Root) -> None:
    played(root)
    for number in range(3):
        write(root.user / f"games.0.0.{number}-to-{OLD}.zip", "")
        os.utime(root.user / f"games.0.0.{number}-to-{OLD}.zip", (4e9 + number, 4e9 + number))
    root.run("preinst", NEW, "upgrade", OLD)
    assert root.backups().keys() == {f"games.{OLD}-to-{NEW}.zip", *(f"games.0.0.{n}-to-{OLD}.zip" for n in (1, 2))}


@pytest.mark.exhaustive
def test_a_link_that_lies_under_the_backups_name_is_not_followed(root: Root, tmp_path: Path) -> None:
    played(root)
    (root.user / f"games.{OLD}-to-{NEW}.zip").symlink_to(tmp_path / "elsewhere")
    assert f"games.{OLD}-to-{NEW}.2.zip" in root.run("preinst", NEW, "upgrade", OLD).stdout
    assert not (tmp_path / "elsewhere").exists()


def test_the_services_user_gets_neither_roots_terminal_nor_its_environment(root: Root) -> None:
    program = root.home / OLD / "bin/farklecrib"
    write(program, "#!/bin/sh\n{ env; tty; cut -d' ' -f6 /proc/$$/stat; } >\"$HOME/got\"\necho '[]'\n")
    assert root.run("preinst", NEW, "upgrade", OLD, SECRET="s3cret").returncode == 0
    got = (root.user / "got").read_text()
    assert "HOME=" in got
    assert "s3cret" not in got
    assert "not a tty" in got
    assert got.split()[-1] != str(os.getsid(0))


@pytest.mark.exhaustive
def test_without_games_there_is_no_backup(root: Root) -> None:
    write(root.home / OLD / "bin/farklecrib", PROGRAM)
    done = root.run("preinst", NEW, "upgrade", OLD)
    assert (done.returncode, done.stdout, done.stderr, root.backups()) == (0, "", "", {})


def test_a_failed_backup_stops_the_install_and_prints_the_command_without_one(root: Root) -> None:
    write(root.home / OLD / "bin/farklecrib", "#!/bin/sh\necho 'farklecrib: error: expected \033[2Jroom' >&2\nexit 2\n")
    done = root.run("preinst", NEW, "upgrade", OLD)
    assert done.returncode == 1
    reason, way = done.stderr.splitlines()
    assert reason == "farklecrib: error: expected a backup of the games, got: farklecrib: error: expected [2Jroom"
    assert way.endswith(f"sudo env FARKLECRIB_BACKUP=no apt install --allow-downgrades ./farklecrib_{NEW}_amd64.deb")
    assert root.run("preinst", NEW, "upgrade", OLD, FARKLECRIB_BACKUP="no").returncode == 0


def test_a_version_that_does_not_fit_is_refused_before_it_is_unpacked(root: Root) -> None:
    done = root.run("preinst", NEW, "upgrade", OLD, FREE="1200")
    assert done.returncode == 1
    assert done.stderr.startswith("farklecrib: error: expected 1 MiB free in ")


def old_files(root: Root) -> list[Path]:
    etc = root.path / "etc/systemd/system"
    return [
        *(etc / name for name in ("farklecrib.service", "farklecrib.service.d/restart.conf")),
        *(root.path / "etc" / name for name in ("udev/rules.d/60-farklecrib.rules", "sysusers.d/farklecrib.conf")),
        *(root.path / name for name in ("usr/local/bin/farklecrib", "opt/farklecrib")),
    ]


def checkout(root: Root) -> Path:
    """Lay out the files that earlier versions installed from a checkout. Return a person's drop-in beside them."""
    for file in old_files(root)[:-1]:
        write(file, "")
    write(root.path / "opt/farklecrib/bin/farklecrib", "#!/bin/sh\n")
    write(root.path / "opt/farklecrib/pyvenv.cfg", "")
    drop_in = root.path / "etc/systemd/system/farklecrib.service.d/mine.conf"
    write(drop_in, "")
    return drop_in


@pytest.mark.exhaustive
def test_the_games_of_a_checkout_are_backed_up_and_it_is_removed_but_drop_ins_stay(tmp_path: Path) -> None:
    root = Root(tmp_path)
    drop_in = checkout(root)
    played(root, tmp_path / "opt/farklecrib/bin/farklecrib")
    assert f"games.checkout-to-{NEW}.zip" in root.run("preinst", NEW, "install").stdout
    root.unpack(NEW)
    assert root.run("postinst", NEW, "configure").returncode == 0
    assert root.in_use() == NEW
    assert not any(path.exists() for path in old_files(root))
    assert drop_in.exists()


def test_a_folder_in_opt_that_is_not_our_installation_stays(root: Root) -> None:
    write(root.path / "opt/farklecrib/README.md", "a clone")
    unit = root.path / "etc/systemd/system/farklecrib.service"
    write(unit, "a person's own")
    root.run("postinst", OLD, "configure")
    assert (root.path / "opt/farklecrib/README.md").exists()
    assert unit.exists()


def test_the_doctors_output_is_printed_and_never_fails_the_installation(root: Root) -> None:
    write(root.home / OLD / "bin/farklecrib", "#!/bin/sh\nprintf 'PASS  a\\nFAIL  disk\\n  mend: it\\n'; exit 1\n")
    done = root.run("postinst", OLD, "configure")
    assert (done.returncode, done.stderr) == (0, "FAIL  disk\n  mend: it\n")
