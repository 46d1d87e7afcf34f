"""The doctor on trees of every model: all checks pass on a sound tree, and each one fails on a tree made for that."""

import json
import os
import re
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest
from network_cameras import jpeg, said, serving
from pi_trees import HDMI_FIRST, HOSTNAME, MODELS, PLAYER, PYTHONS, RELEASES, ROUTER, ROUTES, pi_tree, put

from companion.checkup.all_checks import examine
from companion.checkup.bundle import mask_secrets, write_bundle
from companion.checkup.findings import Finding, Level
from companion.checkup.leds import PI_5_LIBRARY
from companion.checkup.machine import Machine, ProbeResult, log_lines, run_probe
from companion.checkup.probe import PROBES
from companion.checkup.raspberry_pi import Family
from companion.cli.checkup import doctor
from companion.config import Config, HookConfig, LeagueConfig, MqttConfig
from companion.config_files import config_from
from dicereader.data.camera_modules import CameraView
from dicereader.data.dataclass_json import from_plain
from dicereader.errors import SourceError
from dicereader.live.messages import Behind
from pegboard.buttons.port import Button
from pegboard.errors import NoDeviceError
from pegboard.installation import PI_5_STRIP, add

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


WELL = {
    ("modules", "numpy", "cv2"): "2.2.4 5.0.0",
    ("networks",): "1.25.0",
    ("modules", "picamera2"): "0.3.38",
    ("view", ""): json.dumps(asdict(VIEW)),
}


def well(*words: str) -> ProbeResult:
    """Return the answers of the probes on a sound Pi."""
    return ProbeResult(0, WELL.get(words, ""))


def machine(root: Path, release: str = "trixie", **given: object) -> Machine:
    sound = Machine(
        root=root,
        architecture="aarch64",
        python=PYTHONS[release],
        user=PLAYER,
        now=lambda: NOW,
        probe=well,
        log_lines=str,
        free_bytes=lambda path: 20_000_000_000,
        buttons_down=lambda config: (),
        chip_labels=lambda: {0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"},
    )
    return replace(sound, **given)  # type: ignore[arg-type]


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """Return the tree of a Pi 4 without faults."""
    return pi_tree(tmp_path / "pi", Family.PI_4, "trixie")


@pytest.fixture
def on_pi(pi: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command run on that Pi."""
    monkeypatch.setattr("companion.checkup.machine.this_machine", lambda: machine(pi))


def found(seen: tuple[Finding, ...], name: str) -> Finding:
    return next(finding for finding in seen if finding.name == name)


COMMON = (
    "model system python networks gpiochip libraries picamera2 groups layout buttons camera view sound power phones "
    "disk games clock"
)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("family", MODELS)
def test_a_pi_that_is_set_up_passes_everything(tmp_path: Path, family: Family, release: str) -> None:
    seen = examine(machine(pi_tree(tmp_path, family, release), release), PI)
    assert [finding.line() for finding in seen if finding.level is not Level.PASS] == []
    names = {finding.name for finding in seen}
    own = {"pio0", "library", "spi"} if family is Family.PI_5 else {"spidev", "bufsiz", "core_freq"}
    assert names == own | set(COMMON.split())


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("family", MODELS)
def test_a_pi_that_is_a_desk_needs_none_of_its_devices(tmp_path: Path, family: Family, release: str) -> None:
    root = pi_tree(tmp_path, family, release)
    for name in ("boot/firmware/config.txt", SENSOR, "etc/group"):
        (root / name).unlink()
    seen = examine(machine(root, release), Config())
    assert {finding.level for finding in seen} == {Level.PASS}


def edit(name: str, before: str, after: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        text = (root / name).read_text(encoding="utf-8")
        assert before in text
        (root / name).write_text(text.replace(before, after), encoding="utf-8")

    return change


def without_file(name: str) -> Callable[[Path], None]:
    return lambda root: (root / name).unlink()


def written(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: put(root, name, text)


def both(*changes: Callable[[Path], object]) -> Callable[[Path], object]:
    return lambda root: [change(root) for change in changes]


def holding(name: str, command: str = "", device: str = "/dev/video0") -> Callable[[Path], None]:
    """Add a process that has a device open."""

    def change(root: Path) -> None:
        put(root, "proc/4711/comm", f"{name}\n")
        put(root, "proc/4711/cmdline", command)
        (root / "proc/4711/fd").mkdir()
        (root / "proc/4711/fd/7").symlink_to(device)

    return change


def packaged(names: str) -> Callable[[Path], None]:
    """Add the Debian package, whose link names this version."""

    def change(root: Path) -> None:
        link = root / "usr/lib/farklecrib/current"
        link.parent.mkdir(parents=True)
        link.symlink_to(names)

    return change


def no_media(root: Path) -> None:
    for path in root.glob("dev/media*"):
        path.unlink()


SENSOR = "sys/bus/i2c/devices/10-001a/name"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
CONFIG, CMDLINE, BUFSIZ = "boot/firmware/config.txt", "boot/firmware/cmdline.txt", "sys/module/spidev/parameters/bufsiz"
OLD_MODEL = "Raspberry Pi 2 Model B Rev 1.1\0"
MODEL = "proc/device-tree/model"


def probing(words: str, status: int, said: str) -> dict[str, object]:
    """Return the machine's probes, of which the one with these words ends with a status and a last line."""
    return {"probe": lambda *given: ProbeResult(status, said) if " ".join(given).strip() == words else well(*given)}


def out_of_reach(config: object) -> tuple[Button, ...]:
    raise NoDeviceError("expected to open the Pi's pins, got: can not open gpiochip")


def in_use(config: object) -> tuple[Button, ...]:
    raise NoDeviceError("expected a free pin, got one that is in use: GPIO6")


class Sick(NamedTuple):
    """A Pi with one change, and what a check finds then: `LEVEL name: words -> words of the cure`."""

    finding: str
    change: Callable[[Path], object] | dict[str, object] | None = None
    family: Family = Family.PI_4
    config: Config = PI


EYE = holding("python", "/usr/lib/farklecrib/current/bin/python3\0-m\0dicereader.live.eye\0--fd\x007\0")
IN_USE = "the camera is in use; the log of the table names its mode"
BUSY = "dicereader.errors.SourceError: expected the camera 'imx708' to be free, and it is not"
UNKNOWN_FIELD = json.dumps(asdict(CameraView("imx519", "2328 x 1748")))


def log_of(*frames_a_second: float) -> Callable[[], str]:
    """Return a log in `journalctl`'s form, with a line for each of these low frame rates of the eye."""
    lines = ["2026-12-24T20:00:00+0100 farklecrib[312]: eye: camera imx219"]
    for minute, looked in enumerate(frames_a_second, 1):
        said = f"{Behind(looked, 30.0)}: the processor is slow or busy. Scores stay right but come later"
        lines.append(f"2026-12-24T20:{minute:02d}:00+0100 farklecrib[312]: eye: {said}")
    return lambda: "\n".join(lines)


NETWORK = "url:http://mia:hush@camera:8080/video"
ASKED = "picture http://mia:hush@camera:8080/video"


def pi_with(section: str, **given: object) -> Config:
    """Return the configuration of the Pi with other values in a section."""
    return replace(PI, **{section: replace(getattr(PI, section), **given)})  # type: ignore[arg-type]


HDMI = written("proc/asound/cards", HDMI_FIRST)
RELEASE, MOUNTS, ROOT_DISK, V4L = "etc/os-release", "proc/mounts", "/dev/mmcblk0p2 / ext4 rw", "sys/class/video4linux"
NOT_IN_SPI = edit("etc/group", f"spi:x:23:{PLAYER},farklecrib", f"spi:x:23:{PLAYER}")
SHORT_BUFFER = both(written(BUFSIZ, "4096\n"), edit(CMDLINE, " spidev.bufsiz=32768", ""))
NOT_LOOKED_FOR = both(edit(CONFIG, "camera_auto_detect=1", "camera_auto_detect=0"), without_file(SENSOR))
NO_LIBRARY = probing(f"modules {PI_5_LIBRARY}", 1, "No module")
NO_PICAMERA2 = probing("modules picamera2", 1, "No module")
NINE_PIXELS = probing(ASKED, 0, "9 pixels")
SIMULATED_CHIP = {"chip_labels": lambda: {0: "gpio-sim.0-node0"}}
TABLE = [
    Sick("FAIL model: Pi 2 -> move", written(MODEL, OLD_MODEL)),
    Sick("WARN system: is not one of trixie, bookworm -> write the card anew", edit(RELEASE, "=trixie", "=bullseye")),
    Sick("FAIL system: no wheels for 32 bits -> 64-bit", {"architecture": "armv7l"}),
    Sick("FAIL groups: 'farklecrib' is not in spi -> sudo adduser farklecrib spi, then sudo systemctl", NOT_IN_SPI),
    Sick("FAIL sound: not there -> espeak-ng", without_file("usr/bin/espeak-ng")),
    Sick("FAIL sound: no voice 'en', so the language 'en' -> another language", probing("voice en", 1, "none")),
    Sick("FAIL sound: aplay is not there -> alsa-utils", without_file("usr/bin/aplay")),
    Sick("WARN sound: is HDMI -> USB", HDMI, config=pi_with("sound", device="vc4hdmi0")),
    Sick("FAIL sound: there is no card 'Loud' -> vc4hdmi0, Device", HDMI, config=pi_with("sound", device="Loud")),
    Sick("FAIL sound: no sound card -> USB loudspeaker", written("proc/asound/cards", "--- no soundcards ---\n")),
    Sick("WARN sound: so the USB loudspeaker 'Device' stays silent -> set sound.device =", HDMI, Family.PI_5),
    Sick("WARN sound: which is HDMI -> USB loudspeaker", written("proc/asound/cards", HDMI_FIRST.split(" 1 ")[0])),
    Sick("PASS sound: on the card 'Device'", HDMI, config=pi_with("sound", device="Device")),
    Sick("FAIL spidev: not there -> do_spi 0", without_file("dev/spidev0.0"), Family.PI_3),
    Sick("FAIL bufsiz: the strip needs 5520 -> it adds spidev.bufsiz=32768 to", SHORT_BUFFER, Family.ZERO_2_W),
    Sick("FAIL bufsiz: though /boot/firmware/cmdline.txt asks for more -> sudo reboot", written(BUFSIZ, "4096\n")),
    Sick("FAIL core_freq: lacks core_freq_min=500 -> farklecrib setup-pi", edit(CONFIG, "min=500", "min=250")),
    Sick("FAIL layout: nowhere.toml -> farklecrib board check", config=pi_with("leds", layout="nowhere.toml")),
    Sick("FAIL layout: 460 dark LEDs draw 460 mA -> budget_ma", config=pi_with("leds", budget_ma=400.0)),
    Sick(f"FAIL library: does not load -> {add(*PI_5_STRIP)}", NO_LIBRARY, Family.PI_5),
    Sick("FAIL pio0: not there -> rpi-eeprom-update -a", without_file("dev/pio0"), Family.PI_5),
    Sick("FAIL spi: holds GPIO10 -> take line 8", edit(CONFIG, "max_framebuffers=2", "dtparam=spi=on"), Family.PI_5),
    Sick("FAIL camera: no sensor on the ribbon -> push the cable in", without_file(SENSOR), Family.PI_5),
    Sick("FAIL camera: turns the search for cameras off -> camera_auto_detect=1", NOT_LOOKED_FOR),
    Sick("FAIL camera: /dev/media* is not there -> dmesg", no_media),
    Sick("FAIL camera: cameras here: usb:0, usb:1 -> plug the camera in", config=pi_with("camera", source="usb:3")),
    Sick(
        "PASS camera: Webcam at /dev/video0",
        written(f"{V4L}/video0/name", "Webcam\n"),
        config=pi_with("camera", source="usb:0"),
    ),
    Sick("PASS camera: /dev/video1", holding("vlc", device="/dev/video10"), config=pi_with("camera", source="usb:1")),
    Sick(
        "FAIL camera: none came -> in the same network",
        probing(ASKED, 1, "none came"),
        config=pi_with("camera", source=NETWORK),
    ),
    Sick(
        "PASS camera: http://camera:8080/... gives pictures of 9 pixels",
        NINE_PIXELS,
        config=pi_with("camera", source=NETWORK),
    ),
    Sick(
        "FAIL view: got none within 5 s -> push the cable in",
        probing("view", 1, "expected frames, got none within 5 s"),
    ),
    Sick("FAIL view: cannot be opened -> the finding picamera2", probing("view", 1, "the library picamera2 is not")),
    Sick("WARN view: the picture may be cropped -> full-upgrade", probing("view", 0, json.dumps(asdict(CROPPED)))),
    Sick("PASS view: 51.9° across and 41.0° upright: lens at least 42 cm above the tray's floor"),
    Sick("PASS view: imx519, sensor mode 2328 x 1748, field of view unknown", probing("view", 0, UNKNOWN_FIELD)),
    Sick(f"PASS view: {IN_USE}", EYE),
    Sick(f"PASS view: {IN_USE}", probing("view", 1, BUSY)),
    Sick("PASS holder: (process 4711) has the camera: a running table's eye", EYE),
    Sick("FAIL holder: rpicam-vid (process 4711) has the camera -> sudo kill 4711", holding("rpicam-vid")),
    Sick("WARN holder: wireplumber (process 4711) watches -> Lite", holding("wireplumber")),
    Sick("FAIL power: now (0x50005) -> supply", written(THROTTLED, "50005\n")),
    Sick("WARN power: since -> supply", written(THROTTLED, "50000\n")),
    Sick("WARN power: heat -> air", written(THROTTLED, "80008\n")),
    Sick("WARN power: flags say 'odd' -> vcgencmd", written(THROTTLED, "odd\n")),
    Sick("WARN power: cannot be read -> vcgencmd", without_file(THROTTLED)),
    Sick("FAIL games: is in memory (overlay at /) -> read-only.md", edit(MOUNTS, ROOT_DISK, "overlay / overlay rw")),
    Sick("FAIL games: is read-only -> mount -o remount,rw /", edit(MOUNTS, "ext4 rw,", "ext4 ro,")),
    Sick("WARN phones: in no network -> hotspot", written("proc/net/route", ROUTES.partition("\n")[0])),
    Sick("WARN phones: no other machine of the network was heard -> open a hotspot", written("proc/net/arp", ROUTER)),
    Sick("WARN clock: not set by the network -> network", without_file("run/systemd/timesync/synchronized")),
    Sick("WARN clock: before this program was made -> set-time", {"now": lambda: 60.0}),
    Sick("FAIL libraries: no cv2 -> --force-reinstall --no-deps numpy==", probing("modules numpy cv2", 1, "no cv2")),
    Sick("FAIL networks: do not run: SIGILL (illegal -> a newer computer", probing("networks", 1, "SIGILL (illegal")),
    Sick("FAIL numpy: do not fit -> --force-reinstall --no-deps simplejpeg==", probing("modules simplejpeg", 1, CLASH)),
    Sick("FAIL picamera2: does not load -> --no-install-recommends python3-picamera2", NO_PICAMERA2),
    Sick("WARN disk: 300 MB -> apt clean", {"free_bytes": lambda path: 300_000_000}),
    Sick("FAIL disk: 9 MB free -> apt clean", {"free_bytes": lambda path: 9_000_000}),
    Sick("WARN gpiochip: so gpiochip0 is used (gpiochip0 gpio-sim.0-node0) -> full-upgrade", SIMULATED_CHIP),
    Sick("FAIL gpiochip: gpiochip10 -> adduser", {"chip_labels": lambda: {0: "", 10: ""}}),
    Sick("FAIL buttons: should press now: ROLL (GPIO5) -> two wires", {"buttons_down": lambda config: (Button.ROLL,)}),
    Sick("FAIL buttons: can not open gpiochip -> selftest", {"buttons_down": out_of_reach}),
    Sick("PASS buttons: a running table has them", {"buttons_down": in_use}),
    Sick("WARN eye: 20:02:00+0100: 8 of 30 frames a second -> faster", {"log_lines": log_of(12.4, 7.6)}),
    Sick("WARN version: runs 0.1.0+deb13 from a copy -> dpkg --configure -a", packaged("kept/0.1.0+deb13")),
    Sick("PASS version: the package runs 0.2.0+deb13", packaged("0.2.0+deb13")),
]


@pytest.mark.parametrize("sick", TABLE, ids=lambda sick: sick.finding)
def test_a_machine_made_to_fail_one_check_fails_only_that_check(tmp_path: Path, sick: Sick) -> None:
    level, name, said, _, cure = re.fullmatch(r"(\w+) (\w+): (.*?)( -> (.*))?", sick.finding).groups()
    root = pi_tree(tmp_path, sick.family, "trixie")
    if callable(sick.change):
        sick.change(root)
    seen = examine(machine(root, **(sick.change if isinstance(sick.change, dict) else {})), sick.config)
    (finding,) = [each for each in seen if each.level is not Level.PASS] or [found(seen, name)]
    assert (finding.level, finding.name) == (level, name)
    assert said in finding.said
    assert (cure or "") in finding.mend


def test_a_container_is_not_taken_for_a_pi_with_its_games_in_memory(tmp_path: Path) -> None:
    root = put(tmp_path, "proc/mounts", "overlay / overlay rw,relatime 0 0\n").parents[1]
    assert found(examine(machine(root, architecture="x86_64"), Config()), "games").level is Level.PASS


def test_a_layout_whose_first_led_has_a_place_is_warned_of(pi: Path, tmp_path: Path) -> None:
    from pegboard.layouts.load import layout_text

    text = layout_text("long-board-1").replace("status = { led = ", "status = { led = 0, was = ")
    text = re.sub(r", was = \d+", "", text)
    own = tmp_path / "own.toml"
    own.write_text(text, encoding="utf-8")
    finding = found(examine(machine(pi), pi_with("leds", layout=str(own))), "layout")
    assert finding.level is Level.WARN, finding
    assert "LED 0" in finding.said


def test_the_code_that_opens_the_camera_prints_its_view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = Path(__file__).resolve().parent.parent / "vision" / "wire"
    monkeypatch.setenv("PYTHONPATH", str(wire))
    run = run_probe("view", "")
    assert run.status == 0, run.last_line
    assert from_plain(CameraView, json.loads(run.last_line)).camera == "imx708"


def test_the_code_that_tries_a_camera_in_the_network_returns_the_size_or_raises_the_reason() -> None:
    with serving(said(200, "image/jpeg", jpeg())) as url:
        assert PROBES["picture"](url) == "320 x 240 pixels"
    with serving(said(404, "text/html")) as url, pytest.raises(SourceError, match="expected pictures from"):
        PROBES["picture"](url)


def test_a_check_that_breaks_is_a_finding_and_the_others_go_on(pi: Path) -> None:
    def breaks(path: Path) -> int:
        raise RuntimeError("boom")

    seen = examine(machine(pi, free_bytes=breaks), PI)
    assert "could not be checked: RuntimeError('boom')" in found(seen, "disk").said
    assert found(seen, "clock").level is Level.PASS


def test_every_finding_that_does_not_pass_names_its_cure() -> None:
    with pytest.raises(ValueError, match="expected a cure"):
        Finding("x", Level.WARN, "y")
    with pytest.raises(ValueError, match="expected a cure"):
        Finding("x", Level.PASS, "y", "z")
    assert Finding("x", Level.PASS, "y").line() == "PASS  x          y"


def test_the_doctor_runs_on_this_machine_whatever_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor() == 0
    said = capsys.readouterr().out
    assert re.search(r"\d+ pass, \d+ warn, 0 fail\n$", said), said


def test_the_doctors_json_holds_the_same_findings_as_its_lines(on_pi: None, capsys: pytest.CaptureFixture[str]) -> None:
    doctor()
    lines = capsys.readouterr().out.splitlines()[:-1]
    doctor(json_out=True)
    assert [
        f"{each['level']}  {each['name']:10} {each['said']}" for each in json.loads(capsys.readouterr().out)
    ] == lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[leds]\ndriv = 1\n", "mend: farklecrib config check --config "),
        ('[leds]\ndriver = "neopixle"', "FAIL  config     leds.driver: expected one of the LED drivers neopixel"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_a_finding(
    on_pi: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    assert doctor(file) == 1
    shown = capsys.readouterr().out
    assert said in shown
    assert "could not be checked" not in shown


def test_a_voice_is_there_if_espeak_loads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "espeak-ng", '#!/bin/sh\n[ "$*" = "-q -v de -- " ]\n').chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    PROBES["voice"]("de")
    with pytest.raises(subprocess.CalledProcessError):
        PROBES["voice"]("qpl")


def test_a_probe_tells_versions_or_how_it_failed() -> None:
    assert run_probe("modules", "json", "numpy", "typer").last_line.split() == [
        json.__version__,
        version("numpy"),
        version("typer"),
    ]
    assert PROBES["networks"]() == version("onnxruntime")
    assert run_probe("modules", "no_such") == ProbeResult(1, "ModuleNotFoundError: No module named 'no_such'")


def test_the_bundle_holds_no_name_no_address_and_no_picture(pi: Path, tmp_path: Path) -> None:
    put(pi, "boot/firmware/config.txt", f"# {PLAYER}'s pub, 192.168.1.7\ndtparam=spi=on\n")
    put(pi, "var/lib/farklecrib/journal.db", "Gwendolyn")
    put(pi, "var/lib/farklecrib/still.jpg", "picture")
    put(pi, "var/lib/farklecrib/league.json", "sesame")
    mine = replace(
        PI,
        leds=replace(PI.leds, driver="wled:lamp-of-bob", layout=f"/home/{PLAYER}/board.toml"),
        table=replace(PI.table, data=f"/home/{PLAYER}/games"),
        camera=replace(PI.camera, source="url:http://mia:hush@eye-of-eve:8080/video?key=sesame"),
        mqtt=MqttConfig(host="broker-of-ida", user="mia", password_file="/etc/farklecrib/sesame"),
        league=LeagueConfig(host="league-of-zoe", user="mia", password_file="/etc/farklecrib/sesame"),
        hook=(
            HookConfig(url="https://mia:hush@lamp-of-bob/sesame", headers=("Authorization: sesame",), body="sesame"),
            HookConfig(command=("curl", "sesame"), kinds=("farkle",), secret_file="/etc/farklecrib/sesame"),
        ),
    )
    file = tmp_path / "report.tar.gz"
    seen = (
        *examine(machine(pi), mine),
        Finding("x", Level.WARN, f"{HOSTNAME} at 10.1.2.3, dc:a6:32:01:02:03", "Ann's"),
    )
    log = f"19:06:07 warning connections: refused a connection from 10.9.8.7, {HOSTNAME}.local: Ann, Zoë Rivers\n"
    with file.open("wb") as opened:
        write_bundle(opened, machine(pi), mine, seen, log, ["Zoë Rivers"])
    with tarfile.open(file) as bundle:
        names = [Path(name).name for name in bundle.getnames()]
        text = "\n".join(bundle.extractfile(each).read().decode() for each in bundle)  # type: ignore[union-attr]
    assert " ".join(sorted(names)) == (
        "cmdline.txt config.json config.txt devices.txt doctor.json log.txt versions.txt"
    )
    secrets = "Gwendolyn Ann's lamp-of-bob 10.1.2.3 192.168 dc:a6 4c4e106f deadbeef 10.9.8.7 Zoë Rivers hush eye-of-eve"
    for secret in (PLAYER, HOSTNAME, "sesame", "broker-of-ida", "league-of-zoe", "curl", *secrets.split()):
        assert secret.lower() not in text.lower(), secret
    assert f"opencv-python-headless {version('opencv-python-headless')}\n" in text, "a version looks like an address"
    assert "spidev.bufsiz=32768" in text
    assert "Raspberry Pi 4 Model B Rev 1.4" in text
    assert '"host": "0.0.0.0"' in text
    assert '"kinds": [ "farkle" ]' in " ".join(text.split())


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
def test_names_and_addresses_are_masked_and_what_only_looks_like_one_stays(text: str, masked: str) -> None:
    assert mask_secrets(text, ["annika", "ann"]) == masked


def test_the_log_of_the_bundle_is_that_of_journalctl_or_empty() -> None:
    assert log_lines(["printf", "one\\ntwo\\n"]) == "one\ntwo\n"
    assert log_lines(["false"]) == log_lines(["/nowhere/journalctl"]) == ""


def test_a_damaged_configuration_of_the_machine_is_a_finding_with_the_command_that_puts_it_back(
    on_pi: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    packaged, file = tmp_path / "share.toml", tmp_path / "config.toml"
    packaged.write_text("[leds]\ndriver = 'wled:lamp'\n", encoding="utf-8")
    file.write_bytes(bytes(4096))
    monkeypatch.setattr("companion.config_files.PACKAGED_FILE", packaged)
    monkeypatch.setenv("FARKLECRIB_CONFIG", str(file))
    assert doctor() == 1
    said = capsys.readouterr().out
    assert f"FAIL  config     {file} cannot be used: it is not TOML" in said
    assert f"sudo cp {packaged} {file} && sudo systemctl restart farklecrib" in said
    assert "wled:lamp" in said  # what the service uses is examined
    file.write_text("[web]\nport = 8081\n", encoding="utf-8")
    doctor()
    assert "FAIL  config" not in capsys.readouterr().out
