"""Installing as a service on fake roots of every model: asked before boot files change, the same when run again."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pi_trees import CMDLINE, CONFIG_TXT, MODELS, RELEASES, fresh_tree, pi_tree

from companion.config import config_from
from companion.doctor.pi_model import (
    CMDLINE_FILE,
    CONFIG_FILE,
    Family,
    cmdline_words,
    config_lines,
    missing_lines,
    missing_words,
)

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "systemd" / "install.py"
sys.path.insert(0, str(SCRIPT.parent))
import install  # noqa: E402 - a script that stands beside the unit


class Person:
    """Who runs the script: what it was told, what it was asked, which commands were run."""

    def __init__(self, root: Path, says: bool = True, dry: bool = False) -> None:
        self.told: list[str] = []
        self.asked: list[str] = []
        self.ran: list[Sequence[str]] = []
        self.says = says
        self.machine = install.Installation(root, self.ran.append, self._ask, self.told.append, dry)

    def _ask(self, question: str) -> bool:
        self.asked.append(question)
        return self.says

    def installs(self) -> "Person":
        install.install(self.machine)
        return self


def files(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("family", MODELS)
def test_it_installs_on_every_model_and_system(tmp_path: Path, family: Family, release: str) -> None:
    person = Person(fresh_tree(tmp_path, family, release)).installs()
    unit = (tmp_path / "etc/systemd/system/farklecrib.service").read_text(encoding="utf-8")
    assert unit == (ROOT / "systemd/farklecrib.service").read_text(encoding="utf-8")
    assert missing_lines((tmp_path / CONFIG_FILE).read_text(encoding="utf-8"), family) == ()
    assert missing_words((tmp_path / CMDLINE_FILE).read_text(encoding="utf-8"), family) == ()
    *locked, ours = [command for command in person.ran if "pip" in command]
    locks = ("build.txt", "pi5.txt" if family is Family.PI_5 else "pi.txt")
    assert [command[-1] for command in locked] == [str(ROOT / "requirements" / lock) for lock in locks]
    assert all("--require-hashes" in command and "--no-build-isolation" in command for command in locked)
    assert ours[-3:] == ["--no-build-isolation", "--no-deps", str(ROOT)]
    assert person.ran[-1] == ["/opt/farklecrib/bin/farklecrib", "doctor"]


@pytest.mark.parametrize("family", MODELS)
def test_run_again_it_changes_nothing_and_asks_nothing(tmp_path: Path, family: Family) -> None:
    Person(fresh_tree(tmp_path, family, "trixie")).installs()
    before = files(tmp_path)
    again = Person(tmp_path).installs()
    assert files(tmp_path) == before
    assert again.machine.changed == []
    assert again.asked == []


def test_the_boot_files_are_changed_only_when_a_person_says_so(tmp_path: Path) -> None:
    person = Person(fresh_tree(tmp_path, Family.PI_4, "trixie"), says=False).installs()
    assert (tmp_path / CONFIG_FILE).read_text(encoding="utf-8") == CONFIG_TXT
    assert (tmp_path / CMDLINE_FILE).read_text(encoding="utf-8") == f"{CMDLINE}\n"
    assert person.asked == ["change /boot/firmware/config.txt?", "change /boot/firmware/cmdline.txt?"]


def test_the_lines_are_shown_before_the_question(tmp_path: Path) -> None:
    person = Person(fresh_tree(tmp_path, Family.PI_4, "trixie"))
    shown: list[str] = []
    person.machine.ask = lambda question: (shown.extend(person.told), True)[1]
    person.installs()
    for line in (*config_lines(Family.PI_4), *cmdline_words(Family.PI_4)):
        assert f"    {line}" in shown


def test_a_pi_5_needs_no_line_and_is_not_asked(tmp_path: Path) -> None:
    assert Person(fresh_tree(tmp_path, Family.PI_5, "trixie")).installs().asked == []


def test_a_pi_that_is_set_up_is_not_asked(tmp_path: Path) -> None:
    assert Person(pi_tree(tmp_path, Family.ZERO_2_W, "bookworm")).installs().asked == []


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    before = files(fresh_tree(tmp_path, Family.PI_3, "trixie"))
    person = Person(tmp_path, dry=True).installs()
    assert files(tmp_path) == before
    assert person.asked == []
    assert "would write /etc/systemd/system/farklecrib.service" in person.told


def test_a_configuration_that_is_there_is_left_alone(tmp_path: Path) -> None:
    mine = fresh_tree(tmp_path, Family.PI_4, "trixie") / "etc/farklecrib/config.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text("[web]\nport = 81\n", encoding="utf-8")
    Person(tmp_path).installs()
    assert mine.read_text(encoding="utf-8") == "[web]\nport = 81\n"


def test_the_first_configuration_is_that_of_a_pi_with_every_key_explained(tmp_path: Path) -> None:
    Person(fresh_tree(tmp_path, Family.PI_4, "trixie")).installs()
    text = (tmp_path / "etc/farklecrib/config.toml").read_text(encoding="utf-8")
    config = config_from(tomllib.loads(text))
    assert config == config_from(tomllib.loads((ROOT / "systemd/pi.toml").read_text(encoding="utf-8")))
    assert (config.camera.source, config.leds.driver, config.buttons.driver) == ("picamera2", "neopixel", "gpio")
    assert text.count("#") == (ROOT / "firmware/companion/config.default.toml").read_text(encoding="utf-8").count("#")


def test_the_service_writes_only_where_the_unit_lets_it() -> None:
    config = tomllib.loads((ROOT / "systemd/pi.toml").read_text(encoding="utf-8"))
    assert config["table"]["data"] == "/var/lib/farklecrib"
    assert "StateDirectory=farklecrib\n" in (ROOT / "systemd/farklecrib.service").read_text(encoding="utf-8")


def test_a_boot_file_that_cannot_reach_the_card_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    person = Person(fresh_tree(tmp_path, Family.PI_4, "trixie"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        install.boot_files(person.machine, Family.PI_4)
    assert (tmp_path / CONFIG_FILE).read_text(encoding="utf-8") == CONFIG_TXT


def test_uninstalling_leaves_games_configuration_and_nothing_else(tmp_path: Path) -> None:
    before = files(fresh_tree(tmp_path, Family.PI_4, "trixie"))
    Person(tmp_path).installs()
    game = tmp_path / "var/lib/farklecrib/journal.db"
    game.parent.mkdir(parents=True)
    game.write_text("games", encoding="utf-8")
    person = Person(tmp_path)
    install.uninstall(person.machine)
    left = files(tmp_path)
    assert left.pop("var/lib/farklecrib/journal.db") == "games"
    assert "picamera2" in left.pop("etc/farklecrib/config.toml")
    assert left == before
    assert ["systemctl", "disable", "--now", "farklecrib.service"] in person.ran


def test_uninstalling_asks_before_it_changes_a_boot_file(tmp_path: Path) -> None:
    Person(fresh_tree(tmp_path, Family.PI_4, "trixie")).installs()
    boot = [(tmp_path / name).read_text(encoding="utf-8") for name in (CONFIG_FILE, CMDLINE_FILE)]
    person = Person(tmp_path, says=False)
    install.uninstall(person.machine)
    assert person.asked == ["change /boot/firmware/config.txt?", "change /boot/firmware/cmdline.txt?"]
    assert [(tmp_path / name).read_text(encoding="utf-8") for name in (CONFIG_FILE, CMDLINE_FILE)] == boot


def test_a_buffer_that_somebody_else_chose_stays(tmp_path: Path) -> None:
    cmdline = fresh_tree(tmp_path, Family.PI_4, "trixie") / CMDLINE_FILE
    cmdline.write_text("console=tty1 spidev.bufsiz=65536\n", encoding="utf-8")
    Person(tmp_path).installs()
    install.uninstall(Person(tmp_path).machine)
    assert cmdline.read_text(encoding="utf-8") == "console=tty1 spidev.bufsiz=65536\n"


@pytest.mark.parametrize(("release", "waits_longer"), [("bookworm", False), ("trixie", True)])
def test_a_restart_waits_longer_each_time_where_systemd_can(tmp_path: Path, release: str, waits_longer: bool) -> None:
    Person(fresh_tree(tmp_path, Family.PI_4, release)).installs()
    assert (tmp_path / install.RESTART).exists() is waits_longer


def test_uninstalling_what_is_not_there_is_no_mistake(tmp_path: Path) -> None:
    before = files(fresh_tree(tmp_path, Family.PI_4, "trixie"))
    install.uninstall(Person(tmp_path).machine)
    assert files(tmp_path) == before


def unknown_model(root: Path) -> None:
    (root / "proc/device-tree/model").write_text("Raspberry Pi Model B Rev 2\0", encoding="utf-8")


def no_model(root: Path) -> None:
    (root / "proc/device-tree/model").unlink()


def old_system(root: Path) -> None:
    (root / "etc/os-release").write_text("VERSION_CODENAME=bullseye\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (unknown_model, "expected a Raspberry Pi Zero 2 W, 3, 4, 5; got 'Raspberry Pi Model B Rev 2'"),
        (no_model, "got 'no Raspberry Pi'; elsewhere: make play"),
        (old_system, "expected Raspberry Pi OS on Debian bookworm or trixie, got 'bullseye'"),
    ],
)
def test_where_it_cannot_run_it_changes_nothing_and_says_why(
    tmp_path: Path, change: Callable[[Path], None], words: str
) -> None:
    change(fresh_tree(tmp_path, Family.PI_4, "trixie"))
    before = files(tmp_path)
    done = script("--root", str(tmp_path))
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.startswith("farklecrib: error: ")
    assert done.stderr.count("\n") == 1
    assert files(tmp_path) == before


def script(*options: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """The script by itself, with no library of ours and no site packages."""
    python = os.path.realpath(sys.executable)
    return subprocess.run(
        [python, "-I", "-S", str(SCRIPT), *options], input=given, capture_output=True, text=True, check=False
    )


def test_the_script_runs_without_any_library_and_runs_no_command_on_another_root(tmp_path: Path) -> None:
    done = script("--root", str(fresh_tree(tmp_path, Family.PI_4, "trixie")), given="y\nn\n")
    assert done.returncode == 0, done.stderr
    assert "to run there: systemctl enable farklecrib.service" in done.stdout
    assert "running: " not in done.stdout
    assert "core_freq=500" in (tmp_path / CONFIG_FILE).read_text(encoding="utf-8")
    assert "spidev.bufsiz" not in (tmp_path / CMDLINE_FILE).read_text(encoding="utf-8")


def test_an_old_python_is_told_in_one_line(tmp_path: Path) -> None:
    code = "import runpy, sys; sys.version_info = (3, 9); sys.version = '3.9.2 (old)'; runpy.run_path(sys.argv[1])"
    ended = subprocess.run([sys.executable, "-c", code, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert "expected Python 3.11 or newer" in ended.stderr
    assert "got 3.9.2" in ended.stderr


def test_a_card_that_is_not_running_is_told_which_pi_it_is_for(tmp_path: Path) -> None:
    no_model(fresh_tree(tmp_path, Family.ZERO_2_W, "trixie"))
    assert script("--root", str(tmp_path), "--family", "Zero 2 W", "--yes").returncode == 0
    assert "core_freq=250" in (tmp_path / CONFIG_FILE).read_text(encoding="utf-8")


def test_nobody_there_to_answer_means_no(tmp_path: Path) -> None:
    script("--root", str(fresh_tree(tmp_path, Family.PI_4, "trixie")))
    assert (tmp_path / CONFIG_FILE).read_text(encoding="utf-8") == CONFIG_TXT
