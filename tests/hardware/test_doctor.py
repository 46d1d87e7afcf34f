"""The doctor on trees of every model: all checks pass on a sound tree, and each one fails on a tree made for that."""

import json
import tarfile
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path

import pytest
from network_cameras import jpeg, said, serving
from pi_trees import HDMI_FIRST, HOSTNAME, MODELS, PLAYER, PYTHONS, RELEASES, ROUTER, ROUTES, pi_tree, put

from companion.cli.doctor import doctor, examine_machine
from companion.config import Config
from companion.config_files import config_from
from companion.doctor.bundle import contents, mask_secrets, write_bundle
from companion.doctor.camera import FETCH, LOOK
from companion.doctor.checks import examine
from companion.doctor.findings import Finding, Level, passed, warned
from companion.doctor.machine import Machine, PythonRun, log_lines, run_python
from companion.doctor.pi_model import Family
from companion.errors import CompanionError
from dicereader.data.camera_modules import CameraView
from dicereader.data.dataclass_json import from_plain
from dicereader.live.messages import Behind
from pegboard.buttons import Button
from pegboard.errors import NoDeviceError
from pegboard.installation import PI_5_STRIP, add
from pegboard.layouts.load import layout_text

NOW = 1_795_000_000.0
PI = config_from(
    {
        "table": {"data": "/var/lib/farklecrib", "players": ["Gwendolyn", "Ann"]},
        "camera": {"source": "picamera2"},
        "leds": {"driver": "neopixel", "layout": "long-board-3"},
        "buttons": {"driver": "gpio"},
        "sound": {"driver": "espeak"},
        "web": {"host": "0.0.0.0"},
    }
)
VIEW = CameraView("imx708", "2304 x 1296 of 4608 x 2592 pixels, 10 bit", 51.9, 41.0)
CROPPED = CameraView("imx708", "", 36.0, 28.0)
CLASH = "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88"
PASS, WARN, FAIL = Level.PASS, Level.WARN, Level.FAIL
ZERO, PI_3, PI_4, PI_5 = Family.ZERO_2_W, Family.PI_3, Family.PI_4, Family.PI_5

Change = Callable[[Path], object]


def libraries(code: str) -> PythonRun:
    """Return the answers of Python on a sound Pi."""
    answers = {
        "onnxruntime": "1.25.0",
        "cv2": "2.2.4 5.0.0",
        "open_source": json.dumps(asdict(VIEW)),
        "picamera2": "0.3.38",
    }
    return PythonRun(0, next((answer for word, answer in answers.items() if word in code), ""))


def answering(word: str, status: int, last_line: str) -> dict[str, object]:
    """Return the answers of Python on a Pi where code with this word ends so."""
    return {"run_python": lambda code: PythonRun(status, last_line) if word in code else libraries(code)}


def machine(root: Path, release: str = "trixie", **given: object) -> Machine:
    well = Machine(
        root=root,
        architecture="aarch64",
        python=PYTHONS[release],
        user=PLAYER,
        now=lambda: NOW,
        run_python=libraries,
        log_lines=str,
        free_bytes=lambda path: 20_000_000_000,
        buttons_down=lambda config: (),
        chip_labels=lambda: {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"},
    )
    return replace(well, **given)  # type: ignore[arg-type]


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """Return the tree of a Pi 4 without faults."""
    return pi_tree(tmp_path / "pi", PI_4, "trixie")


def found(seen: tuple[Finding, ...], name: str) -> Finding:
    return next(finding for finding in seen if finding.name == name)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("family", MODELS)
def test_a_pi_that_is_set_up_passes_everything(tmp_path: Path, family: Family, release: str) -> None:
    seen = examine(machine(pi_tree(tmp_path, family, release), release), PI)
    assert [finding.line() for finding in seen if finding.level is not PASS] == []
    own = "pio0 library spi" if family is PI_5 else "spidev bufsiz core_freq"
    common = "model system python networks gpiochip libraries picamera2 groups layout buttons camera view sound power"
    assert {finding.name for finding in seen} == {*f"{common} phones disk games clock {own}".split()}


@pytest.mark.parametrize("family", MODELS)
def test_a_pi_that_is_a_desk_needs_none_of_its_devices(tmp_path: Path, family: Family) -> None:
    root = pi_tree(tmp_path, family, "trixie")
    for name in (CONFIG, SENSOR, "etc/group"):
        (root / name).unlink()
    assert {finding.level for finding in examine(machine(root), Config())} == {PASS}


def edit(name: str, before: str, after: str) -> Change:
    def change(root: Path) -> None:
        text = (root / name).read_text(encoding="utf-8")
        assert before in text
        (root / name).write_text(text.replace(before, after), encoding="utf-8")

    return change


def without_file(name: str) -> Change:
    return lambda root: (root / name).unlink()


def written(name: str, text: str) -> Change:
    return lambda root: put(root, name, text)


def both(*changes: Change) -> Change:
    return lambda root: [change(root) for change in changes]


def holding(name: str, command: str = "", device: str = "video0") -> Change:
    """Add a process that has a device open."""

    def change(root: Path) -> None:
        put(root, "proc/4711/comm", f"{name}\n")
        put(root, "proc/4711/cmdline", command)
        (root / "proc/4711/fd").mkdir()
        (root / "proc/4711/fd/7").symlink_to(f"/dev/{device}")

    return change


def no_media(root: Path) -> None:
    for path in root.glob("dev/media*"):
        path.unlink()


def out_of_reach(config: object) -> tuple[Button, ...]:
    raise NoDeviceError("expected to open the Pi's pins, got: can not open gpiochip")


def in_use(config: object) -> tuple[Button, ...]:
    raise NoDeviceError("expected a free pin, got one that is in use: GPIO6")


SENSOR = "sys/bus/i2c/devices/10-001a/name"
CARDS = "proc/asound/cards"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
CONFIG, CMDLINE, BUFSIZ = "boot/firmware/config.txt", "boot/firmware/cmdline.txt", "sys/module/spidev/parameters/bufsiz"
MODEL = "proc/device-tree/model"
EYE = holding("python", "/usr/lib/farklecrib/current/bin/python3\0-m\0dicereader.live.eye\0--fd\x007\0")
NOT_IN_SPI = edit("etc/group", f"spi:x:23:{PLAYER},farklecrib", f"spi:x:23:{PLAYER}")
NOT_SEARCHED = both(edit(CONFIG, "camera_auto_detect=1", "camera_auto_detect=0"), without_file(SENSOR))
SHORT_BUFFER = both(written(BUFSIZ, "4096\n"), edit(CMDLINE, " spidev.bufsiz=32768", ""))
IN_MEMORY = edit("proc/mounts", "/dev/mmcblk0p2 / ext4 rw", "overlayroot / overlay rw")
NOT_ONE_FRAME = "expected frames of the camera 'imx708', got none within 5 s"

SICK: dict[str, tuple[Family, Change | dict[str, object], str, Level, str, str]] = {
    "an unknown model": (PI_4, written(MODEL, "Raspberry Pi 2 Model B Rev 1.1\0"), "model", FAIL, "Pi 2", "move"),
    "no Pi at all": (PI_4, without_file(MODEL), "model", FAIL, "no Raspberry Pi", "show"),
    "an old system": (PI_4, edit("etc/os-release", "=trixie", "=bullseye"), "system", WARN, "not one of", "card anew"),
    "32 bits": (PI_4, {"architecture": "armv7l"}, "system", FAIL, "no wheels for 32 bits", "64-bit"),
    "an old Python": (PI_4, {"python": (3, 9)}, "python", FAIL, "3.9; 3.11", "sudo apt install python3"),
    "too few groups": (PI_4, NOT_IN_SPI, "groups", FAIL, "'farklecrib' is not in spi", "sudo adduser farklecrib spi"),
    "no speech": (PI_4, without_file("usr/bin/espeak-ng"), "sound", FAIL, "not there", "espeak-ng"),
    "no player": (PI_4, without_file("usr/bin/aplay"), "sound", FAIL, "aplay is not there", "alsa-utils"),
    "no sound card": (ZERO, written(CARDS, "--- no soundcards ---\n"), "sound", FAIL, "no sound card", "USB"),
    "a loudspeaker behind HDMI": (PI_5, written(CARDS, HDMI_FIRST), "sound", WARN, "silent", 'sound.device = "Device"'),
    "HDMI alone": (PI_4, written(CARDS, HDMI_FIRST.split(" 1 ")[0]), "sound", WARN, "which is HDMI", "USB loudspeaker"),
    "SPI off": (PI_3, without_file("dev/spidev0.0"), "spidev", FAIL, "not there", "do_spi 0"),
    "a short buffer": (ZERO, SHORT_BUFFER, "bufsiz", FAIL, "4096 bytes, the strip needs 5520", "spidev.bufsiz=32768"),
    "a buffer before a restart": (PI_4, written(BUFSIZ, "4096\n"), "bufsiz", FAIL, "asks for more", "sudo reboot"),
    "a core clock that is free": (
        *(PI_4, edit(CONFIG, "core_freq_min=500", "core_freq_min=250")),
        *("core_freq", FAIL, "lacks core_freq_min=500", "farklecrib setup-pi"),
    ),
    "a core clock of another model": (
        *(PI_3, edit(CONFIG, "core_freq=250", "[pi4]\ncore_freq=250")),
        *("core_freq", FAIL, "lacks core_freq=250", "farklecrib setup-pi"),
    ),
    "no PIO": (PI_5, without_file("dev/pio0"), "pio0", FAIL, "not there", "rpi-eeprom-update -a"),
    "SPI on a Pi 5": (
        *(PI_5, edit(CONFIG, "max_framebuffers=2", "dtparam=spi=on")),
        *("spi", FAIL, "SPI is on and holds GPIO10", "take line 8 (dtparam=spi=on) out"),
    ),
    "no strip's library": (PI_5, answering("pi5_neopixel", 1, "No module"), "library", FAIL, "", add(*PI_5_STRIP)),
    "a camera not plugged in": (PI_5, without_file(SENSOR), "camera", FAIL, "no sensor", "push the cable in"),
    "a camera not looked for": (PI_4, NOT_SEARCHED, "camera", FAIL, "turns the search", "camera_auto_detect=1"),
    "a camera without a driver": (PI_4, no_media, "camera", FAIL, "/dev/media* is not there", "dmesg"),
    "a camera in use": (PI_4, holding("rpicam-vid"), "holder", FAIL, "rpicam-vid (process 4711)", "sudo kill 4711"),
    "a camera watched": (PI_4, holding("wireplumber"), "holder", WARN, "wireplumber (process 4711) watches", "Lite"),
    "no frames": (PI_4, answering("open_source", 1, NOT_ONE_FRAME), "view", FAIL, "none within 5 s", "push the cable"),
    "a part of the field": (
        *(PI_4, answering("open", 0, json.dumps(asdict(CROPPED)))),
        *("view", WARN, "the picture may be cropped", "full-upgrade"),
    ),
    "under-voltage now": (PI_4, written(THROTTLED, "50005\n"), "power", FAIL, "now (0x50005)", "supply"),
    "under-voltage before": (PI_4, written(THROTTLED, "50000\n"), "power", WARN, "since", "supply"),
    "heat": (PI_4, written(THROTTLED, "80008\n"), "power", WARN, "heat", "air"),
    "flags that are none": (PI_4, written(THROTTLED, "?\n"), "power", WARN, "say '?'", "vcgencmd"),
    "no flags": (PI_4, without_file(THROTTLED), "power", WARN, "cannot be read", "vcgencmd"),
    "games in memory": (PI_4, IN_MEMORY, "games", FAIL, "is in memory (overlay at /)", "read-only.md"),
    "read-only": (PI_4, edit("proc/mounts", "ext4 rw,", "ext4 ro,"), "games", FAIL, "is read-only", "remount,rw /"),
    "no network": (
        *(PI_4, written("proc/net/route", ROUTES.partition("\n")[0])),
        *("phones", WARN, "in no network", "hotspot"),
    ),
    "guests kept apart": (PI_4, written("proc/net/arp", ROUTER), "phones", WARN, "no other machine", "open a hotspot"),
    "a clock that nobody set": (
        *(PI_4, without_file("run/systemd/timesync/synchronized")),
        *("clock", WARN, "not set by the network", "network"),
    ),
    "a clock of 1970": (PI_4, {"now": lambda: 60.0}, "clock", WARN, "before this program was made", "set-time"),
    "no numpy": (PI_4, answering("cv2", 1, "No module named 'cv2'"), "libraries", FAIL, "'cv2'", "--no-deps numpy=="),
    "no networks": (PI_4, answering("onnxruntime", 1, "SIGILL"), "networks", FAIL, "SIGILL", "a newer computer"),
    "the clash of numpy": (
        *(PI_4, answering("simplejpeg", 1, CLASH)),
        *("numpy", FAIL, "simplejpeg and numpy do not fit", "pip install --force-reinstall --no-deps simplejpeg=="),
    ),
    "no picamera2": (
        *(PI_4, answering("import Picamera2", 1, "No module named 'picamera2'")),
        *("picamera2", FAIL, "does not load", "sudo apt install --no-install-recommends python3-picamera2"),
    ),
    "a nearly full disk": (PI_4, {"free_bytes": lambda path: 300_000_000}, "disk", WARN, "300 MB", "apt clean"),
    "a full disk": (PI_4, {"free_bytes": lambda path: 9_000_000}, "disk", FAIL, "9 MB free", "apt clean"),
    "a simulated chip": (
        *(PI_4, {"chip_labels": lambda: {0: "gpio-sim.0-node0"}}),
        *("gpiochip", WARN, "so gpiochip0 is used (gpiochip0 gpio-sim.0-node0)", "full-upgrade"),
    ),
    "no chip": (PI_4, {"chip_labels": lambda: {0: "", 10: ""}}, "gpiochip", FAIL, "gpiochip10", "adduser"),
    "a stuck button": (
        *(PI_4, {"buttons_down": lambda config: (Button.ROLL,)}),
        *("buttons", FAIL, "nobody should press now: ROLL (GPIO5)", "two wires"),
    ),
    "no pins": (PI_4, {"buttons_down": out_of_reach}, "buttons", FAIL, "can not open gpiochip", "selftest"),
}


@pytest.mark.parametrize("sickness", SICK)
def test_a_pi_made_to_fail_one_check_fails_only_that_check(tmp_path: Path, sickness: str) -> None:
    family, change, name, level, said, mend = SICK[sickness]
    root = pi_tree(tmp_path, family, "trixie")
    if callable(change):
        change(root)
    seen = examine(machine(root, **({} if callable(change) else change)), PI)
    finding = found(seen, name)
    assert (finding.level, said in finding.said, mend in finding.mend) == (level, True, True), finding
    assert [each.name for each in seen if each.level is not PASS] == [name]


@pytest.mark.parametrize("family", MODELS)
def test_every_check_has_a_pi_that_it_fails_on(tmp_path: Path, family: Family) -> None:
    names = {finding.name for finding in examine(machine(pi_tree(tmp_path, family, "trixie")), PI)}
    assert names <= {row[2] for row in SICK.values()} | {"layout"}


def test_a_container_is_not_taken_for_a_pi_with_its_games_in_memory(tmp_path: Path) -> None:
    root = put(tmp_path, "proc/mounts", "overlay / overlay rw,relatime 0 0\n").parents[1]
    assert found(examine(machine(root, architecture="x86_64"), Config()), "games").level is PASS


@pytest.mark.parametrize(
    ("device", "level", "said"),
    [
        ("Device", PASS, "speaks on the card 'Device'"),
        ("1", PASS, "speaks on the card 'Device'"),
        ("vc4hdmi0", WARN, "which is HDMI"),
        ("Loud", FAIL, "there is no card 'Loud'"),
        ("2", FAIL, "there is no card '2'"),
    ],
)
def test_the_configured_sound_card_is_checked(pi: Path, device: str, level: Level, said: str) -> None:
    put(pi, CARDS, HDMI_FIRST)
    finding = found(examine(machine(pi), replace(PI, sound=replace(PI.sound, device=device))), "sound")
    assert (finding.level, said in finding.said) == (level, True)


@pytest.mark.parametrize(
    ("change", "level", "said", "mend"),
    [
        ({"layout": "nowhere.toml"}, FAIL, "nowhere.toml", "farklecrib board check"),
        ({"budget_ma": 400.0}, FAIL, "460 dark LEDs draw 460 mA", "budget_ma"),
        ({"layout": "own"}, WARN, "LED 0", ""),
    ],
    ids=["none such", "too long for the budget", "a place for the first LED"],
)
def test_a_layout_that_cannot_be_lit_is_reported(pi: Path, change: dict, level: Level, said: str, mend: str) -> None:
    own = put(pi, "own.toml", layout_text("long-board-1").replace("status = { led = 149", "status = { led = 0"))
    if change.get("layout") == "own":
        change = {"layout": str(own)}
    finding = found(examine(machine(pi), replace(PI, leds=replace(PI.leds, **change))), "layout")
    assert (finding.level, said in finding.said, mend in finding.mend) == (level, True, True), finding


def test_buttons_in_use_by_a_running_table_are_not_checked(pi: Path) -> None:
    assert found(examine(machine(pi, buttons_down=in_use), PI), "buttons").level is PASS


def test_the_tables_own_eye_may_have_the_camera_which_is_not_opened_then(pi: Path) -> None:
    EYE(pi)
    seen = examine(machine(pi, **answering("open_source", 1, "never opened")), PI)
    assert (found(seen, "holder").level, "process 4711" in found(seen, "holder").said) == (PASS, True)
    assert found(seen, "view").said.startswith("the camera is in use; the log of the table names its mode")


def test_a_camera_that_a_table_of_another_user_has_is_in_use(pi: Path) -> None:
    said = "dicereader.errors.SourceError: expected the camera 'imx708' to be free, and it is not"
    finding = found(examine(machine(pi, **answering("open_source", 1, said)), PI), "view")
    assert finding.said.startswith("the camera is in use; the log of the table names its mode")


def test_a_process_that_uses_another_camera_is_ignored(pi: Path) -> None:
    holding("vlc", device="video10")(pi)
    seen = examine(machine(pi), replace(PI, camera=replace(PI.camera, source="usb:1")))
    assert [finding for finding in seen if finding.name == "holder"] == []


def test_the_sensors_mode_the_field_and_the_height_are_shown_if_they_are_known(pi: Path) -> None:
    assert found(examine(machine(pi), PI), "view").line() == (
        "PASS  view       imx708 (Camera Module 3), sensor mode 2304 x 1296 of 4608 x 2592 pixels, 10 bit, picture of "
        "51.9° across and 41.0° upright: lens at least 42 cm above the tray's floor"
    )
    other = json.dumps(asdict(CameraView("imx519", "2328 x 1748 of 4656 x 3496 pixels, 10 bit")))
    finding = found(examine(machine(pi, **answering("open_source", 0, other)), PI), "view")
    assert finding.said == "imx519, sensor mode 2328 x 1748 of 4656 x 3496 pixels, 10 bit, field of view unknown"


def test_the_code_that_opens_the_camera_prints_its_view(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Path(__file__).resolve().parent.parent / "vision" / "wire"
    monkeypatch.setenv("PYTHONPATH", str(wire))
    run = run_python(LOOK.format(arg=""))
    assert run.status == 0, run.last_line
    assert from_plain(CameraView, json.loads(run.last_line)).camera == "imx708"


def test_a_slow_eye_is_reported_with_its_newest_frame_rate_and_the_cure(pi: Path) -> None:
    log = "2026-12-24T20:00:00+0100 farklecrib[312]: eye: camera imx219"
    assert "eye" not in {finding.name for finding in examine(machine(pi, log_lines=lambda: log), PI)}
    for minute, looked in enumerate((12.4, 7.6), 1):
        log += (
            f"\n2026-12-24T20:{minute:02d}:00+0100 farklecrib[312]: eye: {Behind(looked, 30.0)}: the processor is slow"
        )
    eye = found(examine(machine(pi, log_lines=lambda: log), PI), "eye")
    assert (eye.level, "faster" in eye.mend) == (WARN, True)
    assert "20:02:00+0100: 8 of 30 frames a second" in eye.said


@pytest.mark.parametrize(
    ("names", "level", "said"),
    [
        ("0.2.0+deb13", PASS, "the package runs 0.2.0+deb13"),
        ("kept/0.1.0+deb13", WARN, "the package runs 0.1.0+deb13 from a copy, because an installation did not end"),
    ],
)
def test_a_package_that_runs_from_a_copy_is_told(pi: Path, names: str, level: Level, said: str) -> None:
    link = pi / "usr/lib/farklecrib/current"
    link.parent.mkdir(parents=True)
    link.symlink_to(names)
    finding = found(examine(machine(pi), PI), "version")
    assert (finding.level, finding.said) == (level, said)


@pytest.mark.parametrize(
    ("source", "run", "level", "said"),
    [
        ("usb:0", None, PASS, "HD Webcam C525"),
        ("usb:3", None, FAIL, "cameras here: usb:0, usb:1"),
        ("url", PythonRun(0, "1280 x 960 pixels"), PASS, "http://camera:8080/... gives pictures of 1280 x 960 pixels"),
        ("url", PythonRun(1, "dicereader.errors.SourceError: got 404 Not Found"), FAIL, "got 404 Not Found"),
        ("url", PythonRun(1, "no picture came within 12 s"), FAIL, "no picture came within 12 s"),
    ],
)
def test_a_camera_at_usb_or_in_the_network_is_tried(
    pi: Path, source: str, run: PythonRun | None, level: Level, said: str
) -> None:
    put(pi, "sys/class/video4linux/video0/name", "HD Webcam C525\n")
    source = "url:http://mia:hush@camera:8080/video" if source == "url" else source
    answers = answering("open_source", run.status, run.last_line) if run else {}
    finding = found(examine(machine(pi, **answers), replace(PI, camera=replace(PI.camera, source=source))), "camera")
    assert (finding.level, said in finding.said, "hush" in finding.said) == (level, True, False)


def test_the_code_that_tries_a_camera_in_the_network_prints_the_size_or_the_reason() -> None:
    with serving(said(200, "image/jpeg", jpeg())) as url:
        assert run_python(FETCH.format(arg=url)) == PythonRun(0, "320 x 240 pixels")
    with serving(said(404, "text/html")) as url:
        run = run_python(FETCH.format(arg=url))
        assert run.status
        assert "SourceError: expected pictures from" in run.last_line


def test_a_check_that_breaks_is_a_finding_and_the_others_go_on(pi: Path) -> None:
    def breaks(path: Path) -> int:
        raise RuntimeError("boom")

    seen = examine(machine(pi, free_bytes=breaks), PI)
    assert "could not be checked: RuntimeError('boom')" in found(seen, "disk").said
    assert found(seen, "clock").level is PASS


def test_every_finding_that_does_not_pass_names_its_cure() -> None:
    with pytest.raises(ValueError, match="expected a cure"):
        warned("x", "y", "")
    with pytest.raises(ValueError, match="expected a cure"):
        Finding("x", PASS, "y", "z")
    assert passed("x", "y").line() == "PASS  x          y"


def test_the_doctor_runs_on_this_machine_whatever_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor() == 0
    assert capsys.readouterr().out.endswith(" 0 fail\n")


def test_the_doctors_json_holds_the_same_findings_as_its_lines(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examine_machine(machine(pi), None)
    lines = capsys.readouterr().out.splitlines()[:-1]
    examine_machine(machine(pi), None, json_out=True)
    findings = json.loads(capsys.readouterr().out)
    assert [f"{each['level']}  {each['name']:10} {each['said']}" for each in findings] == lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[leds]\ndriv = 1", "mend: farklecrib config check --config "),
        (
            '[camera]\nsource = "usb:x/y"',
            "FAIL  config     camera.source: expected usb for the only camera, or usb:",
        ),
        ('[leds]\ndriver = "neopixle"', "FAIL  config     leds.driver: expected one of the LED drivers neopixel"),
        ('[buttons]\ndriver = "bogus"', "FAIL  config     buttons.driver: expected one of the button drivers gpio, "),
    ],
)
def test_a_configuration_that_cannot_be_used_is_a_finding(
    tmp_path: Path, pi: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    assert examine_machine(machine(pi), put(tmp_path, "mine.toml", text)) == 1
    shown = capsys.readouterr().out
    assert said in shown
    assert "could not be checked" not in shown


def test_a_damaged_configuration_of_the_machine_is_a_finding_with_the_command_that_puts_it_back(
    tmp_path: Path, pi: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packaged, file = put(tmp_path, "share.toml", "[leds]\ndriver = 'wled:lamp'\n"), tmp_path / "config.toml"
    file.write_bytes(bytes(4096))
    monkeypatch.setattr("companion.config_files.PACKAGED_FILE", packaged)
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(file))
    assert examine_machine(machine(pi), None) == 1
    said = capsys.readouterr().out
    assert f"FAIL  config     {file} cannot be used: it is not TOML" in said
    assert f"sudo cp {packaged} {file} && sudo systemctl restart farklecrib" in said
    assert "wled:lamp" in said  # what the service uses is examined
    file.write_text("[web]\nport = 8081\n", encoding="utf-8")
    examine_machine(machine(pi), None)
    assert "FAIL  config" not in capsys.readouterr().out


def test_a_python_process_that_fails_is_reported_with_its_end() -> None:
    assert run_python("print('a'); print('b')") == PythonRun(0, "b")
    assert run_python("raise ValueError('numpy.dtype')") == PythonRun(1, "ValueError: numpy.dtype")


SECRETS = (
    *(PLAYER, HOSTNAME, "Gwendolyn", "Ann's", "lamp-of-bob", "10.1.2.3", "192.168", "dc:a6", "4c4e106f", "deadbeef"),
    *("10.9.8.7", "Zoë", "Rivers", "hush", "eye-of-eve", "sesame"),
)


def test_the_bundle_holds_no_name_no_address_and_no_picture(tmp_path: Path, pi: Path) -> None:
    put(pi, CONFIG, f"# {PLAYER}'s pub, 192.168.1.7\ndtparam=spi=on\n")
    put(pi, "var/lib/farklecrib/journal.db", "Gwendolyn")
    put(pi, "var/lib/farklecrib/still.jpg", "picture")
    mine = replace(
        PI,
        leds=replace(PI.leds, driver="wled:lamp-of-bob", layout=f"/home/{PLAYER}/board.toml"),
        table=replace(PI.table, data=f"/home/{PLAYER}/games"),
        camera=replace(PI.camera, source="url:http://mia:hush@eye-of-eve:8080/video?key=sesame"),
    )
    file = tmp_path / "report.tar.gz"
    seen = (*examine(machine(pi), mine), warned("x", f"{HOSTNAME} at 10.1.2.3, dc:a6:32:01:02:03", "Ann's"))
    log = f"19:06:07 warning connections: refused a connection from 10.9.8.7, {HOSTNAME}.local: Ann, Zoë Rivers\n"
    with file.open("wb") as opened:
        write_bundle(opened, machine(pi), mine, seen, log, ["Zoë Rivers"])
    with tarfile.open(file) as bundle:
        names = sorted(Path(name).stem for name in bundle.getnames())
        text = "\n".join(bundle.extractfile(each).read().decode() for each in bundle)  # type: ignore[union-attr]
    assert names == ["cmdline", "config", "config", "devices", "doctor", "log", "versions"]
    assert [secret for secret in SECRETS if secret.lower() in text.lower()] == []
    for kept in ("spidev.bufsiz=32768", "Raspberry Pi 4 Model B Rev 1.4", '"host": "0.0.0.0"'):
        assert kept in text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("annika annikas Ann annex 5.0.0 1.2.3.4", "*** annikas *** annex 5.0.0 ***"),
        *((kept, kept) for kept in ("12:30:45", "::1", "[::]:8080", "dicereader.live.eye::run", "127.0.0.1")),
        *(
            (f"at {address}, at [{address}]:8080", "at ***, at [***]:8080")
            for address in ("fd00::12", "2001:db8:0:1:2:3:4:5", "fe80::", "FE80::1", "::f")
        ),
    ],
)
def test_whole_names_and_addresses_of_machines_are_removed_and_nothing_else(text: str, masked: str) -> None:
    assert mask_secrets(text, ["annika", "ann"]) == masked


def test_the_log_of_the_bundle_is_that_of_journalctl_or_empty() -> None:
    assert log_lines(["printf", "one\\ntwo\\n"]) == "one\ntwo\n"
    assert log_lines(["false"]) == log_lines(["/nowhere/journalctl"]) == ""


def test_versions_that_look_like_addresses_stay_in_the_bundle(pi: Path) -> None:
    versions = dict(contents(machine(pi), PI, ()))["versions.txt"]
    assert f"opencv-python-headless {version('opencv-python-headless')}\n" in versions


def test_a_bundle_that_cannot_be_written_is_one_clear_line(pi: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CompanionError, match="expected a file that can be written, got '/nowhere/x'"):
        examine_machine(machine(pi), None, Path("/nowhere/x"))
