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


class Clock:
    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


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


def test_exposure_gain_white_balance_and_focus_are_locked(wire: Any) -> None:
    source, camera = opened(wire)
    assert source.next(1.0) is not None
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


def test_the_first_frame_is_taken_with_the_locked_values(wire: Any) -> None:
    source, camera = opened(wire)
    source.next(1.0)
    assert (camera.metadata()["ExposureTime"], camera.metadata()["AnalogueGain"]) == (20_000, 1.05)


def test_at_60_hertz_the_exposure_is_of_other_half_periods(wire: Any) -> None:
    source, _ = opened(wire, "0,60")
    assert source.locked["ExposureTime"] == 16_667


@pytest.mark.parametrize("sensor", MODES)
def test_the_sensor_runs_in_its_smallest_full_field_mode(wire: Any, sensor: str) -> None:
    _, camera = opened(wire, modes=tuple(listed(MODES[sensor])), array_px=ARRAYS[sensor])
    assert camera.sensor == {"output_size": FULL_FIELD[sensor], "bit_depth": 12 if sensor == "imx477" else 10}
    assert camera.configuration["main"]["size"] == (1280, 960)


def test_the_view_of_an_open_camera_says_mode_and_field(wire: Any) -> None:
    source, _ = opened(wire, modes=tuple(listed(MODES["imx708"])), scaler_crop=(576, 0, 3456, 2592))
    assert (source.view.camera, source.view.across_deg, source.view.upright_deg) == ("imx708", 51.9, 41.0)
    assert source.view.mode.startswith("2304 x 1296 of 4608 x 2592 pixels")


def test_the_eye_says_what_its_camera_shows_when_it_is_open(wire: Any) -> None:
    wire.Picamera2.modes = tuple(listed(MODES["imx708"]))
    sent: list[Any] = []
    eye = Eye(Setup("picamera2"), lambda message, payload: sent.append(message), Clock())
    eye.close()
    assert isinstance(sent[0], Hello)
    assert sent[0].view is not None
    assert sent[0].view.across_deg == 51.9


def test_a_camera_that_lists_no_modes_is_configured_without_one(wire: Any) -> None:
    source, camera = opened(wire)
    assert camera.sensor is None
    assert source.view.mode == ""


def test_a_camera_whose_lens_is_fixed_is_asked_for_no_focus(wire: Any) -> None:
    source, _ = opened(wire, lens=False)
    assert not {"AfMode", "LensPosition"} & source.locked.keys()


def test_a_camera_that_has_no_controls_is_used_as_it_is(wire: Any) -> None:
    source, _ = _bare(wire)
    assert source.locked == {}
    assert source.next(1.0) is not None


def _bare(wire: Any) -> tuple[PiCamera, Any]:
    """Return a camera like libcamera's virtual one: no controls of light, no time stamps."""
    wire.CONTROLS.clear()
    return opened(wire, lens=False, stamped=False, main_format="NV12", streams=1)


def test_a_camera_with_one_stream_in_another_format_gives_the_same_pictures(wire: Any) -> None:
    source, camera = _bare(wire)
    frame = source.next(1.0)
    assert frame is not None
    assert frame.small is None
    assert frame.size == (1280, 960)
    assert abs(int(frame.pixels[5, 5, 1]) - camera.frames) < 25  # a grey of video levels, in blue, green and red


def test_the_small_grey_copy_is_the_lores_stream_without_its_padding(wire: Any) -> None:
    source, _ = opened(wire)
    frame = source.next(1.0)
    assert frame is not None
    assert frame.small is not None
    assert frame.small.shape == (240, 320)
    assert int(frame.small.max()) == int(frame.small.min()) == int(frame.pixels[0, 0, 0])


def test_the_eye_compares_the_cameras_own_small_copy() -> None:
    still, small = np.full((960, 1280, 3), 90, np.uint8), np.full((240, 320), 90, np.uint8)
    changed = small.copy()
    changed[100:140, 100:140] = 200
    watch = MotionDetector()
    assert [watch.look(still, each).moved for each in (small, small, changed)] == [False, False, True]


def test_a_small_copy_of_another_size_is_left_alone() -> None:
    still, watch = np.full((960, 1280, 3), 90, np.uint8), MotionDetector()
    sizes = (100, 120), (120, 160)
    assert [watch.look(still, np.full(size, 9, np.uint8)).moved for size in sizes] == [False, False]


def test_every_buffer_is_returned(wire: Any) -> None:
    source, camera = opened(wire)
    for _ in range(3 * BUFFERS):
        source.next(1.0)
    assert camera.free == BUFFERS


def test_a_cancelled_wait_takes_no_buffer(wire: Any) -> None:
    source, camera = opened(wire)
    camera.gives = 0
    assert [source.next(0.1) for _ in range(2 * BUFFERS)] == [None] * (2 * BUFFERS)
    assert len(camera.jobs) == 1
    camera.gives = None
    frames = [source.next(0.1) for _ in range(2 * BUFFERS)]
    assert None not in frames
    assert camera.free == BUFFERS


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
    assert frame is not None
    assert 49.0 <= frame.at_s <= 49.98 + 1e-6


def test_times_increase_although_the_clock_stands_still(wire: Any) -> None:
    source, _ = opened(wire)
    times = [frame.at_s for frame in (source.next(1.0) for _ in range(5)) if frame]
    assert all(a < b for a, b in itertools.pairwise(times))


def test_closing_never_waits_behind_a_frame_that_does_not_come(wire: Any) -> None:
    source, camera = opened(wire)
    camera.gives = 0
    source.next(0.1)
    source.close()
    source.close()
    assert camera.closed


def test_a_closed_camera_gives_no_frames(wire: Any) -> None:
    source, _ = opened(wire)
    source.close()
    with pytest.raises(SourceError, match="camera 'imx708' to be open, and it is closed"):
        source.next(1.0)


def test_a_camera_that_fails_is_named(wire: Any) -> None:
    source, camera = opened(wire)

    def fails(job: Any, *, timeout: float) -> Any:
        raise RuntimeError("Camera in Error state")

    camera.wait = fails
    with pytest.raises(SourceError, match="frames of the camera 'imx708', got: Camera in Error state"):
        source.next(1.0)


def test_a_camera_without_a_first_frame_is_named_and_closed(wire: Any) -> None:
    with pytest.raises(SourceError, match="got none within 5 s: look at both ends of its cable"):
        opened(wire, wait=_never)


def _never(self: Any, job: Any, *, timeout: float) -> Any:
    raise TimeoutError


def test_a_camera_in_use_by_another_program_is_reported_as_such(wire: Any) -> None:
    with pytest.raises(SourceError, match=r"camera 'imx708' to be free.*does another program use it"):
        opened(wire, held_elsewhere=True)


def test_a_missing_camera_is_reported(wire: Any) -> None:
    wire.CAMERAS.clear()
    with pytest.raises(SourceError, match="got an empty list from libcamera: look at both ends of its cable"):
        opened(wire)


def test_an_unknown_camera_number_is_refused_with_the_list_of_cameras(wire: Any) -> None:
    with pytest.raises(SourceError, match="camera number 1, got 1 cameras: imx708"):
        opened(wire, "1")


@pytest.mark.parametrize("arg", ["front", "0,55", "-1", "0,50,1"])
def test_an_unknown_argument_is_refused(wire: Any, arg: str) -> None:
    with pytest.raises(SourceError, match="expected picamera2, picamera2:NUMBER or picamera2:NUMBER,60"):
        opened(wire, arg)


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
