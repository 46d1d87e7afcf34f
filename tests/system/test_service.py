"""The program in systemd's environment, and its unit file. The tests never start systemd itself."""

import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from running import PATIENCE_S, ended, systemd, table

from companion.app import Program
from companion.config import CameraConfig, Config, WebConfig
from companion.launch import Launch
from companion.runtime.systemd import NOT_AGAIN, POWER

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "systemd"
UNIT = UNITS / "farklecrib.service"
MOST_EXPOSURE = 1.5

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="needs systemd-analyze: apt install systemd"
)


def unit_value(key: str) -> str:
    """Return the value of a key that the unit has once."""
    (value,) = re.findall(rf"^{key}=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    return str(value)


@pytest.mark.exhaustive
def test_a_service_that_cannot_open_its_games_says_so_on_its_page_and_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "games" / "journal.db").mkdir(parents=True)
    with systemd(tmp_path, monkeypatch, WATCHDOG_USEC="900000") as until, table(tmp_path / "games") as running:
        running.says("journal.db' to be a file, got a folder; move it away, then start again. Nothing can be played")
        page = next(word for line in running.said for word in line.split() if word.startswith("http"))
        assert until("WATCHDOG=1", times=3)[0] == "READY=1"
        assert page_of(page) == page_of(f"{page}again") == page_of(f"{page}games")
        assert "journal.db&#39; to be a file, got a folder" in page_of(page)[1]
        assert page_of(f"{page}api/v1/state")[0] == 503
        (tmp_path / "games" / "journal.db").rmdir()
        assert page_of(f"{page}again")[0] == 200
        assert running.ready().get("state")["phase"] == "lobby"
        assert running.end() == 0


@pytest.mark.exhaustive
def test_a_service_that_lost_its_configuration_asks_before_it_begins_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = with_settings(tmp_path / "installed", f"[table]\ndata = '{tmp_path / 'games'}'\n")
    file = tmp_path / "config.toml"
    file.write_bytes(bytes(4096))
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(file))
    with table(tmp_path / "games", python=installed) as by_hand:
        assert by_hand.process.wait(PATIENCE_S) == 2
        by_hand.says(f"farklecrib: error: {file}: expected TOML")
    with systemd(tmp_path, monkeypatch):
        with table(tmp_path / "games", python=installed) as running:
            state = running.ready().get("state")
            assert (state["phase"], state["question"]["kind"]) == ("asking", "settings")
            lost = f"{file} cannot be used: it is not TOML. Until it is mended, the settings of the package hold"
            assert lost in state["degraded"][0]
            assert lost in page_of(running.address)[1]
            assert running.post("answer", {"answer": "no"})[1]["phase"] == "lobby"
            begun = running.post("game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})[1]
            assert (begun["phase"], begun["seq"]) == ("asking", 0)
            assert running.post("answer", {"answer": "yes"})[1]["players"][0]["name"] == "Ann"
            assert running.end() == 0
            running.says(f"warning table: fault: {file} cannot be used")
        with table(tmp_path / "games", python=installed) as again:  # the game goes on
            state = again.ready().get("state")
            assert (state["question"], state["to_move"]) == (None, "Ann")
            assert lost in state["degraded"][0]


def with_settings(folder: Path, text: str) -> str:
    """Return a Python with our packages that has a `share/config.toml`, as that of the Debian package has."""
    subprocess.run((sys.executable, "-m", "venv", "--without-pip", folder), check=True)
    (folder / "share").mkdir()
    (folder / "share/config.toml").write_text(text, encoding="utf-8")
    places = [path for path in sys.path if path.endswith("site-packages")]
    (site,) = folder.glob("lib/python*/site-packages")
    lines = [f"import site; site.addsitedir({path!r})" for path in places]
    (site / "ours.pth").write_text("\n".join(lines), encoding="utf-8")
    return str(folder / "bin/python")


def page_of(address: str) -> tuple[int, str]:
    """Return the status and the text of a page."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_table_that_is_ended_in_its_menu_is_not_started_again_and_has_not_failed() -> None:
    wrong_configuration = 2
    assert unit_value("RestartPreventExitStatus").split() == [str(wrong_configuration), str(NOT_AGAIN)]
    assert unit_value("SuccessExitStatus") == str(NOT_AGAIN)
    assert f"{POWER}=logind" in re.findall(r"^Environment=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)


def test_polkit_lets_the_units_user_switch_off_and_nothing_else() -> None:
    rules = (UNITS / "farklecrib.polkit").read_text(encoding="utf-8")
    assert f'subject.user == "{unit_value("User")}"' in rules
    actions = set(re.findall(r"org\.freedesktop\.[\w.-]+", rules))
    assert actions == {"org.freedesktop.login1.power-off", "org.freedesktop.login1.power-off-multiple-sessions"}


def test_a_device_that_comes_late_is_added_for_each_kind_that_the_unit_allows() -> None:
    rule = (UNITS / "60-farklecrib.rules").read_text(encoding="utf-8").split("ACTION==", 1)[1]
    added = re.search(r'SUBSYSTEM=="([^"]+)"', rule)
    kinds = {
        "char-gpiochip": "gpio", "char-spi": "spidev", "char-video4linux": "video4linux", "char-media": "media",
        "char-dma_heap": "dma_heap", "char-alsa": "sound", "/dev/gpiomem": "*-gpiomem", "/dev/pio0": "*-pio",
    }  # fmt: skip
    allowed = re.findall(r"^DeviceAllow=(\S+) rw$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert {kinds[each] for each in allowed} == set(added[1].split("|"))
    assert f"set-property {UNIT.name} 'DeviceAllow=$env{{DEVNAME}} rw'" in rule
    assert f'TEST=="/run/{unit_value("RuntimeDirectory")}"' in rule


@pytest.mark.exhaustive
def test_a_program_that_the_watchdog_ends_says_where_its_threads_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = (UNITS / "farklecrib.service").read_text(encoding="utf-8")
    assert "PYTHONFAULTHANDLER=1" in unit
    monkeypatch.setenv("PYTHONFAULTHANDLER", "1")
    with table(tmp_path) as running:
        running.ready().until(lambda state: state["reading"] is not None)
        children = running.children()
        assert children
        running.end(signal.SIGABRT)
        assert any("companion/runtime/host.py" in line for line in running.said)
        assert all(ended(child, PATIENCE_S) for child in children)  # the eye ends as well


@needs_systemd
def test_the_units_exposure_level_is_low() -> None:
    for unit in UNITS.glob("*.service"):
        said = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--no-pager", unit],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = re.search(r"Overall exposure level for \S+: ([\d.]+)", said)
        assert found is not None, said
        assert float(found[1]) <= MOST_EXPOSURE


@needs_systemd
def test_systemd_has_no_complaint_about_the_unit(tmp_path: Path) -> None:
    assert verified(tmp_path, "") == ""


@needs_systemd
def test_only_a_new_systemd_knows_the_keys_for_longer_restart_waits(tmp_path: Path) -> None:
    first = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    is_new = int(first.split()[1]) >= 254
    drop_in = (UNITS / "restart.conf").read_text(encoding="utf-8").partition("[Service]\n")[2]
    assert ("Unknown key" in verified(tmp_path, drop_in)) is not is_new


@needs_systemd
@pytest.mark.parametrize("name", ["own_leds", "own_buttons"])
def test_systemd_knows_the_permissions_for_a_driver_of_ones_own(tmp_path: Path, name: str) -> None:
    drop_in = (ROOT / "docs" / "examples" / "drivers" / f"{name}.conf").read_text(encoding="utf-8")
    assert "DeviceAllow=" in drop_in
    assert "SupplementaryGroups=" in drop_in
    assert verified(tmp_path, drop_in.partition("[Service]\n")[2]) == ""


@needs_systemd
def test_systemd_knows_what_opens_the_network_for_a_hook(tmp_path: Path) -> None:
    drop_in = (ROOT / "docs" / "examples" / "hooks" / "outside.conf").read_text(encoding="utf-8")
    assert "IPAddressAllow=" in drop_in
    assert verified(tmp_path, drop_in.partition("[Service]\n")[2]) == ""


def verified(folder: Path, more: str) -> str:
    """Run systemd-analyze on the unit, with the path of this machine's program, and return its output."""
    text = (UNITS / "farklecrib.service").read_text(encoding="utf-8")
    assert "\nExecStart=/usr/bin/farklecrib play\n" in text
    unit = folder / "farklecrib.service"
    text = text.replace("ExecStart=/usr/bin/farklecrib", f"ExecStart={sys.executable}")
    text = text.replace("[Service]\n", f"[Service]\n{more}")
    unit.write_text(text, encoding="utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="needs systemd-sysusers: apt install systemd")
def test_the_user_of_the_unit_is_made_with_the_groups_of_its_devices(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    subprocess.run(
        ["systemd-sysusers", f"--root={tmp_path}", UNITS / "farklecrib.sysusers"], capture_output=True, check=True
    )
    groups = (tmp_path / "etc/group").read_text(encoding="utf-8").splitlines()
    members = {line.split(":")[0] for line in groups if line.endswith(":farklecrib")}
    assert members == {"gpio", "spi", "video", "audio"}
    rules = (UNITS / "60-farklecrib.rules").read_text(encoding="utf-8")
    assert set(re.findall(r'GROUP="(\w+)"', rules)) <= members


@pytest.mark.parametrize(("camera", "simulated"), [("simulated", True), ("usb:97", False), ("picamera2", False)])
def test_only_a_drawn_tray_is_marked_as_simulated(tmp_path: Path, camera: str, simulated: bool) -> None:
    config = Config(camera=CameraConfig(camera), web=WebConfig(port=0))
    made = Program(Launch(config, tmp_path))
    try:
        assert made.opened.simulated is simulated
    finally:
        made.close()
