"""The values of `--camera`, and what of a camera's address may be shown and kept."""

from pathlib import Path

import pytest

from companion.calibration.store import calibration_file, load_calibration
from companion.cameras import CameraChoice, camera_named, camera_shown
from companion.errors import ConfigError
from dicereader.tray.calibration import Calibration, as_text

ADDRESS = "url:http://mia:hush@192.168.1.9:8080/video?key=sesame"
SHOWN = "url:http://192.168.1.9:8080/..."


def test_an_address_is_a_camera() -> None:
    assert camera_named(ADDRESS) == CameraChoice("url", ADDRESS.removeprefix("url:"))


@pytest.mark.parametrize("text", ["url", "url:", "url:192.168.1.9:8080", "url:file:///etc/passwd"])
def test_another_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="camera: expected http://, https://, rtsp:// or rtsps:// and the address"):
        camera_named(text)


def test_a_refused_address_is_shown_without_its_password() -> None:
    with pytest.raises(ConfigError) as refused:
        camera_named("url:ftp://mia:hush@camera/")
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(("text", "shown"), [(ADDRESS, SHOWN), ("usb:0", "usb:0"), ("recorded:a@b", "recorded:a@b")])
def test_only_an_address_is_shortened(text: str, shown: str) -> None:
    assert camera_shown(text) == shown


def test_a_calibration_belongs_to_the_address_without_its_password(tmp_path: Path) -> None:
    level = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    known = Calibration(640, 480, 500.0, level, (0.0, 0.0, 400.0), camera=SHOWN)
    calibration_file(tmp_path).write_text(as_text(known), encoding="utf-8")
    assert load_calibration(tmp_path, ADDRESS).calibration is not None
    assert load_calibration(tmp_path, ADDRESS.replace("hush", "other")).calibration is not None
    assert load_calibration(tmp_path, "url:http://192.168.1.10/").calibration is None
