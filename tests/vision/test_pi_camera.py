"""The Pi's camera: its locked controls, waits that end, buffers that are returned, and the messages of failures."""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_modes import ARRAYS, FULL_FIELD, MODES, listed
from test_recorded import Clock

from dicereader.data.frame import Frame
from dicereader.errors import SourceError
from dicereader.live.eye import Eye
from dicereader.live.messages import Hello, Setup
from dicereader.live.motion import MotionDetector
from dicereader.sources import open_source
from dicereader.sources.pi_camera import BUFFERS, PAUSE_S, PiCamera
from dicereader.sources.pi_controls import LOW_GAIN, MOST_EXPOSURE_US, exposure


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Import the stand-in for picamera2 as this process would import the library on a Pi."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "wire")
    sys.modules.pop("picamera2", None)
    import picamera2

    yield picamera2
    sys.modules.pop("picamera2", None)


def opened(wire: Any, arg: str = "", **camera: Any) -> tuple[PiCamera, Any]:
    """Return the source and the camera below it."""
    made: list[Any] = []

    class Known(wire.Picamera2):
        def __init__(self, number: int = 0) -> None:
            super().__init__(number)
            made.append(self)

    for name, value in camera.items():
        setattr(Known, name, value)
    wire.Picamera2 = Known
    clock = Clock()
    source = open_source("picamera2", arg, clock)
    assert isinstance(source, PiCamera)
    made[0].clock = clock
    return source, made[0]


def test_exposure_gain_white_balance_and_focus_are_locked_from_the_first_frame_on(wire: Any) -> None:
    source, camera = opened(wire)
    assert source.next(1.0) is not None
    assert (camera.metadata()["ExposureTime"], camera.metadata()["AnalogueGain"]) == (20_000, 1.05)
    assert camera.effective | dict(source.locked) == camera.effective
    assert source.locked == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": 1.05,
        "AwbEnable": False,
        "ColourGains": (1.5, 2.25),
        "AfMode": 0,
        "LensPosition": 3.1,
    }
    source, _ = opened(wire, "0,60", lens=False)
    assert source.locked["ExposureTime"] == 16_667, "other half periods at 60 Hz"
    assert not {"AfMode", "LensPosition"} & source.locked.keys()


@pytest.mark.parametrize("sensor", ["imx477", "imx708"])
def test_the_sensor_runs_in_its_smallest_full_field_mode(wire: Any, sensor: str) -> None:
    _, camera = opened(wire, modes=tuple(listed(MODES[sensor])), array_px=ARRAYS[sensor])
    assert camera.sensor == {"output_size": FULL_FIELD[sensor], "bit_depth": 12 if sensor == "imx477" else 10}
    assert camera.configuration["main"]["size"] == (1280, 960)


def test_the_view_of_an_open_camera_says_mode_and_field(wire: Any) -> None:
    source, _ = opened(wire, modes=tuple(listed(MODES["imx708"])), scaler_crop=(576, 0, 3456, 2592))
    assert (source.view.camera, source.view.across_deg, source.view.upright_deg) == ("imx708", 51.9, 41.0)
    assert source.view.mode.startswith("2304 x 1296 of 4608 x 2592 pixels")
    sent: list[Any] = []
    Eye(Setup("picamera2"), lambda message, payload: sent.append(message), Clock()).close()
    assert (type(sent[0]), sent[0].view.across_deg) == (Hello, 51.9)


def test_a_camera_like_the_virtual_one_without_controls_modes_stamps_and_second_stream_is_used_as_it_is(
    wire: Any,
) -> None:
    wire.CONTROLS.clear()
    source, camera = opened(wire, lens=False, stamped=False, main_format="NV12", streams=1)
    assert (source.locked, camera.sensor, source.view.mode) == ({}, None, "")
    frame = source.next(1.0)
    assert (frame.small, frame.size) == (None, (1280, 960))
    assert abs(int(frame.pixels[5, 5, 1]) - camera.frames) < 25  # a grey of video levels, in blue, green and red


def test_the_small_grey_copy_is_the_lores_stream_without_its_padding(wire: Any) -> None:
    source, _ = opened(wire)
    frame = source.next(1.0)
    assert frame.small.shape == (240, 320)
    assert int(frame.small.max()) == int(frame.small.min()) == int(frame.pixels[0, 0, 0])


def test_the_eye_compares_the_cameras_own_small_copy_if_it_is_large_enough() -> None:
    still, small = np.full((960, 1280, 3), 90, np.uint8), np.full((240, 320), 90, np.uint8)
    changed = small.copy()
    changed[100:140, 100:140] = 200
    watch, other = MotionDetector(), MotionDetector()
    frames = [Frame(still, 0.0, small=each) for each in (small, small, changed)]
    assert [watch.look(frame).moved for frame in frames] == [False, False, True]
    too_small = [Frame(still, 0.0, small=np.full((120, 160), grey, np.uint8)) for grey in (9, 99)]
    assert [other.look(frame).moved for frame in too_small] == [False, False]


def test_a_cancelled_wait_takes_no_buffer(wire: Any) -> None:
    source, camera = opened(wire)
    camera.gives = 0
    assert [source.next(0.1) for _ in range(2 * BUFFERS)] == [None] * (2 * BUFFERS)
    assert len(camera.jobs) == 1
    camera.gives = None
    frames = [source.next(0.1) for _ in range(2 * BUFFERS)]
    assert None not in frames
    assert camera.free == BUFFERS, "every buffer is returned"
    assert all(a.at_s < b.at_s for a, b in itertools.pairwise(frames)), "although the clock stands still"


def test_after_a_pause_no_frame_from_before_is_given(wire: Any) -> None:
    source, camera = opened(wire)
    clock = camera.clock
    asked: list[Any] = []
    capture = camera.capture_request
    camera.capture_request = lambda *, wait, flush=None: (asked.append(flush), capture(wait=wait, flush=flush))[1]
    for pause_s in (0.03, PAUSE_S + 0.1, 0.03):
        clock.now += pause_s
        source.next(0.1)
    assert asked == [True, True, None]  # the very first frame, and the one after the pause


def test_a_frame_carries_the_time_at_which_it_was_exposed(wire: Any) -> None:
    source, _ = opened(wire)
    frame = source.next(1.0)
    assert 49.0 <= frame.at_s <= 49.98 + 1e-6


def test_closing_never_waits_behind_a_frame_that_does_not_come(wire: Any) -> None:
    source, camera = opened(wire)
    camera.gives = 0
    source.next(0.1)
    source.close()
    source.close()
    assert camera.closed
    with pytest.raises(SourceError, match="camera 'imx708' to be open, and it is closed"):
        source.next(1.0)


ENDS = "look at both ends of its cable"


@pytest.mark.parametrize(
    ("arg", "camera", "says"),
    [
        ("", {"held_elsewhere": True}, "camera 'imx708' to be free.*does another program use it"),
        ("", {"cameras": []}, f"got an empty list from libcamera: {ENDS}"),
        ("", {"gives": 0}, f"got none within 5 s: {ENDS}"),
        ("1", {}, "camera number 1, got 1 cameras: imx708"),
        *((arg, {}, "expected picamera2, picamera2:NUMBER or picamera2:NUMBER,60") for arg in ("front", "0,55", "-1")),
    ],
)
def test_a_camera_that_cannot_be_opened_is_named(
    wire: Any, monkeypatch: pytest.MonkeyPatch, arg: str, camera: dict[str, Any], says: str
) -> None:
    monkeypatch.setattr(wire, "CAMERAS", camera.pop("cameras", wire.CAMERAS))
    if camera.pop("gives", None) is not None:
        monkeypatch.setattr(wire.Picamera2, "wait", _never)
    with pytest.raises(SourceError, match=says):
        opened(wire, arg, **camera)


def _never(self: Any, job: Any, *, timeout: float) -> Any:
    raise TimeoutError


def test_a_camera_that_fails_is_named(wire: Any) -> None:
    source, camera = opened(wire)

    def fails(job: Any, *, timeout: float) -> Any:
        raise RuntimeError("Camera in Error state")

    camera.wait = fails
    with pytest.raises(SourceError, match="frames of the camera 'imx708', got: Camera in Error state"):
        source.next(1.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ModuleNotFoundError(\"No module named 'picamera2'\", name='picamera2')", "sudo apt install"),
        ("raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')", "requirements/pi.txt"),
        ("raise ImportError('libcamera.so.0.4: cannot open shared object file')", "libcamera.so.0.4"),
    ],
)
def test_the_error_about_a_missing_library_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    (tmp_path / "picamera2.py").write_text(text + "\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("picamera2", None)
    with pytest.raises(SourceError, match=words):
        open_source("picamera2", "", Clock())


@given(
    st.floats(20, 200_000),
    st.floats(1.0, 16.0),
    st.sampled_from([50, 60]),
)
def test_the_locked_light_is_that_of_the_settled_frame_in_whole_half_periods(
    time_us: float, gain: float, hz: int
) -> None:
    locked_us, locked_gain = exposure(time_us, gain, hz)
    half_us = 1e6 / (2 * hz)
    light = max(1.0, time_us) * gain
    assert 1.0 <= locked_gain <= 8.0
    assert locked_us <= MOST_EXPOSURE_US
    if light >= half_us:
        assert abs(locked_us / half_us - round(locked_us / half_us)) < 1e-3
    if light <= 8.0 * (MOST_EXPOSURE_US // half_us) * half_us:
        assert locked_us * locked_gain == pytest.approx(light, rel=0.01, abs=1)
    if locked_gain > LOW_GAIN * 1.001:
        assert locked_us + half_us > MOST_EXPOSURE_US
