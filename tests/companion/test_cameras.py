"""The values of `--camera`, and what of a camera's address may be shown and kept."""

from itertools import product
from pathlib import Path

import pytest
from running import launched

from companion.calibration.store import calibration_file, camera_identity, is_same_camera, load_calibration
from companion.cameras import CameraChoice, camera_named, camera_shown
from companion.config import CameraConfig, Config
from companion.errors import ConfigError
from companion.words import english, message
from dicereader.tray.calibration import Calibration, as_text

ADDRESS = "url:http://mia:hush@192.168.1.9:8080/video?key=sesame"
SHOWN = "url:http://192.168.1.9:8080/..."


@pytest.mark.parametrize(
    "text", ["url", "url:", "url:192.168.1.9:8080", "url:file:///etc/passwd", "url:ftp://mia:hush@camera/"]
)
def test_another_address_is_refused_and_shown_without_its_password(text: str) -> None:
    with pytest.raises(ConfigError, match="expected http://, https://, rtsp:// or rtsps:// and the") as refused:
        camera_named(text)
    assert "hush" not in str(refused.value)
    assert camera_named(ADDRESS) == CameraChoice("url", ADDRESS.removeprefix("url:"))


@pytest.mark.parametrize(("text", "shown"), [(ADDRESS, SHOWN), ("usb:0", "usb:0"), ("recorded:a@b", "recorded:a@b")])
def test_only_an_address_is_shortened(text: str, shown: str) -> None:
    assert camera_shown(text) == shown


def stored(folder: Path, camera: str) -> None:
    """Store a calibration that keeps this camera."""
    level = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    known = Calibration(640, 480, 500.0, level, (0.0, 0.0, 400.0), camera=camera)
    calibration_file(folder).write_text(as_text(known), encoding="utf-8")


@pytest.mark.parametrize(
    ("kept", "camera"),
    [
        (SHOWN, ADDRESS),
        (SHOWN, ADDRESS.replace("hush", "other")),
        *product(("picamera2", "picamera2:0", "picamera2:0,50"), ("picamera2", "picamera2:0", "picamera2:0,60")),
    ],
)
def test_a_password_and_an_option_of_the_camera_keep_its_calibration(tmp_path: Path, kept: str, camera: str) -> None:
    stored(tmp_path, kept)
    assert load_calibration(tmp_path, camera).calibration is not None


@pytest.mark.parametrize("camera", ["url:http://192.168.1.10/", "usb:0", "picamera2", "phone", "simulated:3"])
def test_a_calibration_of_another_camera_is_named(tmp_path: Path, camera: str) -> None:
    stored(tmp_path, SHOWN)
    found = load_calibration(tmp_path, camera)
    assert (found.calibration, found.of_another) == (None, SHOWN)


@pytest.mark.parametrize(("camera", "said"), [("phone", True), ("simulated", False)])
def test_a_table_says_that_its_calibration_is_of_another_camera(tmp_path: Path, camera: str, said: bool) -> None:
    stored(tmp_path, "usb:Lens_Eye_7")
    with launched(tmp_path, config=Config(camera=CameraConfig(camera))) as made:
        words = english().text(message("fault.other_camera", camera="usb:Lens_Eye_7"))
        assert (words in map(english().text, made.feed.latest.view.degraded)) == said


def plugged(root: Path, cameras: dict[int, tuple[str, str]]) -> Path:
    """Make the devices of USB cameras: by number the name in by-id and the socket in by-path."""
    for folder in ("by-id", "by-path"):
        (root / "dev/v4l" / folder).mkdir(parents=True)
    for number, (name, socket) in cameras.items():
        (root / f"dev/video{number}").touch()
        for link in (f"by-id/usb-{name}-video-index0", f"by-path/pci-{socket}-video-index0"):
            (root / "dev/v4l" / link).unlink(missing_ok=True)
            (root / "dev/v4l" / link).symlink_to(f"../../video{number}")
    (root / "dev/v4l/by-path/platform-csi-video-index0").symlink_to("../../video19")  # a codec of a Pi
    return root


ONE, TWO, SOCKETS = ("Lens_Eye_7", "usb-0:1:1.0"), ("Acme_HD", "usb-0:2:1.0"), "pci-usb-0:{}:1.0"


def test_a_usb_camera_keeps_its_identity_when_its_number_changes(tmp_path: Path) -> None:
    before, after = plugged(tmp_path / "a", {0: ONE, 2: TWO}), plugged(tmp_path / "b", {0: TWO, 4: ONE})
    alone = plugged(tmp_path / "c", {6: ONE})
    assert camera_identity("usb:0", before) == camera_identity("usb:4", after) == "usb:Lens_Eye_7"
    assert camera_identity("usb:Lens_Eye_7", after) == camera_identity("usb", alone) == "usb:Lens_Eye_7"
    assert not is_same_camera("usb:Lens_Eye_7", "usb:0", after)


def test_usb_cameras_that_share_a_name_are_told_by_their_sockets(tmp_path: Path) -> None:
    root = plugged(tmp_path, {0: ONE, 2: (ONE[0], TWO[1])})
    assert [camera_identity(f"usb:{number}", root) for number in (0, 2)] == [
        f"usb:{SOCKETS.format(1)}",
        f"usb:{SOCKETS.format(2)}",
    ]
    assert camera_identity(f"usb:{SOCKETS.format(2)}", root) == f"usb:{SOCKETS.format(2)}"


def on_ribbons(root: Path, *ports: str) -> Path:
    """Make the kernel's files of cameras on a Pi's ribbons, each at a place of the device tree."""
    for bus, port in enumerate(ports, 4):
        device = root / f"sys/bus/i2c/devices/{bus}-001a"
        device.mkdir(parents=True)
        (device / "name").write_text("imx708\n", encoding="ascii")
        (device / "of_node").symlink_to(f"../../../../firmware/devicetree/base/axi/rp1/{port}/imx708@1a")
    return root


def test_a_ribbon_camera_is_its_sensor_and_port_numbered_as_picamera2_does(tmp_path: Path) -> None:
    root = on_ribbons(tmp_path, "i2c@80000", "i2c@88000")
    first = "picamera2:imx708@/base/axi/rp1/i2c@88000/imx708@1a"
    assert {camera_identity(text, root) for text in ("picamera2", "picamera2:0", "picamera2:0,60", first)} == {first}
    assert camera_identity("picamera2:1,60", root) == first.replace("88000", "80000")
    assert not is_same_camera("picamera2:1", "picamera2", root)


@pytest.mark.parametrize(("camera", "same"), [("usb", True), ("usb:3", True), ("usb:Other", False), ("phone", False)])
def test_a_camera_that_is_not_there_may_be_any_of_its_kind_unless_it_has_a_name(
    tmp_path: Path, camera: str, same: bool
) -> None:
    assert is_same_camera("usb:Lens_Eye_7", camera, tmp_path) == same


@pytest.mark.parametrize("text", [f"usb:{'9' * 5000}", "picamera2:x", "usb:a/b", "usb:0,x", "picamera2:1,2,3", ""])
def test_any_text_that_a_calibration_kept_is_a_camera(tmp_path: Path, text: str) -> None:
    assert camera_identity(text, tmp_path) == text
