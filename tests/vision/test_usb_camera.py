"""A USB camera: the errors if it is missing, hangs or is pulled out, and the controls that are locked."""

import queue
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from dicereader.errors import PictureError, SourceError
from dicereader.sources.usb_camera import FAILS, LOCK_AFTER, UsbCamera, open_usb


class Device:
    """A camera in OpenCV's form. It hangs until the test lets it give a frame."""

    def __init__(self, has: tuple[int, ...] = (), is_open: bool = True) -> None:
        self.gives: queue.Queue[bool] = queue.Queue()
        self.has, self.is_open = has, is_open
        self.was_set: dict[int, float] = {}
        self.asked = False
        self.grabbed = self.decoded = 0
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802
        return self.is_open

    def grab(self) -> bool:
        if self.asked:
            self.gives.task_done()  # the camera is through with the frame before
        self.asked = True
        given = self.gives.get()
        self.grabbed += given
        return given

    def give(self, frames: int) -> None:
        """Give frames, and wait until the last one has been dealt with."""
        for _ in range(frames):
            self.gives.put(True)
        self.gives.join()

    def retrieve(self):
        self.decoded += 1
        return True, np.full((480, 640, 3), self.grabbed, np.uint8)

    def get(self, prop: int) -> float:
        return 156.0 if prop in self.has else -1.0

    def set(self, prop: int, value: float) -> bool:
        self.was_set[prop] = value
        return prop in self.has

    def release(self) -> None:
        self.released.set()


def opened(device: Device, **given: float) -> UsbCamera:
    return UsbCamera(lambda: device, lambda: 7.0, "/dev/video0", **given)


def test_a_frame_is_the_newest_and_carries_the_clock_s_time():
    device = Device()
    camera = opened(device)
    for number in range(2):
        assert camera.next(0.01) is None, "it hangs; from now on it wants a frame"
        device.gives.put(True)
        frame = camera.next(60.0)
        seen = frame.at_s, frame.size, int(frame.pixels[0, 0, 0])
        assert seen == (7.0, (640, 480), number + 1)


def test_only_frames_that_are_asked_for_are_decoded():
    device = Device()
    camera = opened(device)
    device.give(20)
    assert camera.next(0.01) is None
    device.gives.put(True)
    assert camera.next(60.0) is not None
    assert device.decoded == 1


def test_a_camera_that_is_pulled_out_is_named():
    device = Device()
    camera = opened(device)
    for _ in range(FAILS):
        device.gives.put(False)
    with pytest.raises(SourceError, match="frames from '/dev/video0', and they have stopped"):
        camera.next(60.0)
    assert device.released.wait(60.0)


def test_a_camera_that_another_program_holds_or_that_does_not_open_in_time_is_named():
    with pytest.raises(SourceError, match="does another program use it"):
        opened(Device(is_open=False))
    never = threading.Event()
    with pytest.raises(SourceError, match=r"to open within 0\.05 s, and it does not answer"):
        UsbCamera(lambda: Device(is_open=not never.wait()), lambda: 0.0, "/dev/video0", open_s=0.05)
    never.set()


@pytest.mark.parametrize("has", [(), (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE)])
def test_exposure_is_locked_if_the_camera_supports_it_and_a_closed_camera_is_released(has):
    device = Device(has)
    camera = opened(device)
    device.give(LOCK_AFTER)
    camera.close()
    camera.close()
    device.gives.put(True)
    assert device.released.wait(60.0)
    assert device.was_set[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert (device.was_set.get(cv2.CAP_PROP_EXPOSURE) == 156.0) is bool(has)


def plug_in(devices: Path, number: int, name: str) -> None:
    """Make a camera's device, its metadata's, and the names that udev gives them."""
    by_id = devices / "v4l" / "by-id"
    by_id.mkdir(parents=True, exist_ok=True)
    for index in (0, 1):
        (devices / f"video{number + index}").touch()
        (by_id / f"usb-{name}-video-index{index}").symlink_to(f"../../video{number + index}")


def test_a_missing_camera_is_named_with_the_existing_ones(tmp_path: Path):
    def refused(arg: str) -> str:
        with pytest.raises(SourceError) as error:
            open_usb(arg, lambda: 0.0, tmp_path)
        return str(error.value)

    assert "video0', and it cannot be opened: No such file or directory; cameras here: none" in refused("0")
    (tmp_path / "video2").touch()
    assert refused("0").endswith("cameras here: usb:2")
    plug_in(tmp_path, 4, "Lens_Co._Eye")
    assert refused("0").endswith("cameras here: usb:Lens_Co._Eye")
    plug_in(tmp_path, 6, "Acme")
    assert "the name of a camera, got none; cameras here: usb:Lens_Co._Eye, usb:Acme" in refused("")
    assert "the USB camera 'front', got none" in refused("front")
    (tmp_path / "video0").mkdir()
    assert "video0', and it cannot be opened: Is a directory" in refused("0")


@pytest.mark.parametrize("arg", ["", "Lens_Co._Eye", "2"])
def test_without_a_number_the_only_camera_is_taken_and_by_its_name_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arg: str
):
    taken: list[str] = []
    monkeypatch.setattr("dicereader.sources.usb_camera.UsbCamera", lambda _, __, name: taken.append(name))
    (tmp_path / "video0").touch()  # no camera by udev, like the codecs of a Raspberry Pi
    plug_in(tmp_path, 2, "Lens_Co._Eye")
    open_usb(arg, lambda: 0.0, tmp_path)
    assert taken == [str(tmp_path / "video2")]


class JpegDevice(Device):
    """A camera that sends these JPEGs one after the other, a thousand a second, and repeats the last one."""

    def __init__(self, *jpegs: bytes) -> None:
        super().__init__()
        self.jpegs = list(jpegs)

    def get(self, prop: int) -> float:
        return float(cv2.VideoWriter.fourcc(*"MJPG")) if prop == cv2.CAP_PROP_FOURCC else super().get(prop)

    def grab(self) -> bool:
        return not self.released.wait(0.001)

    def retrieve(self):
        assert self.was_set[cv2.CAP_PROP_CONVERT_RGB] == 0.0
        self.decoded += 1
        data = self.jpegs.pop(0) if len(self.jpegs) > 1 else self.jpegs[0]
        return True, np.frombuffer(data, np.uint8)[None]


WHOLE = cv2.imencode(".jpg", np.random.default_rng(1).integers(0, 256, (240, 320, 3), np.uint8))[1].tobytes()
MIDDLE = len(WHOLE) // 2
CUT = WHOLE[:MIDDLE] + WHOLE[MIDDLE + 1000 :]
PADDED = WHOLE[:-2] + b"\x12\x34\x56" * 4 + WHOLE[-2:]


def streaming(*jpegs: bytes) -> tuple[JpegDevice, UsbCamera]:
    device = JpegDevice(*jpegs)
    return device, opened(device)


def test_a_damaged_frame_is_skipped():
    spoiled = CUT, PADDED, WHOLE[:MIDDLE], b"\xff\xd8\xff"
    device, camera = streaming(*spoiled, WHOLE)
    frame = camera.next(60.0)
    assert np.array_equal(frame.pixels, cv2.imdecode(np.frombuffer(WHOLE, np.uint8), cv2.IMREAD_COLOR))
    assert device.decoded == len(spoiled) + 1
    assert streaming(PADDED)[1].next(60.0).size == (320, 240), "a camera that always sends extra bytes is read"


def test_a_camera_whose_frames_are_all_damaged_is_named():
    with pytest.raises(PictureError, match=r"picture in '/dev/video0', got"):
        streaming(CUT)[1].next(60.0)
