"""Our camera driver on the real picamera2, on libcamera's virtual camera, which shows pictures of this test.

`make test-pi` runs this in a Debian Trixie root (root.sh). libcamera 0.4's virtual camera differs from a Pi's in four
ways, and only these have substitutes: it needs a dma-buf heap (udmabuf_shim.c), it lacks the raw stream that picamera2
requests, its frames carry no status, and they come without a frame rate. The preview's DRM module is missing.
"""

import itertools
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
CONFIG = Path("/usr/share/libcamera/pipeline/virtual")
SHADES = (40, 80, 120, 160, 200)
SIZE = 1280, 960
SHOWN = {shade: (shade - 16) * 255 / 219 for shade in SHADES}
"""The virtual camera writes NV12 of the full range, which is read as NV12 is: of the range that video has."""

PHOTOGRAPH, FACES = HERE / "00104.jpg", [1, 2, 2, 4, 5, 5]

VIRTUAL = """\
"{name}":
  supported_formats:
    - width: {width}
      height: {height}
      frame_rates:
        - 30
        - 60
  frames:
    path: "{folder}/"
  location: "CameraLocationFront"
  model: "{name}"
"""


def lay_pictures(folder: Path) -> None:
    """Write pictures 0.jpg, 1.jpg, ..., each in another grey, with a bright square that moves to the right."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, shade in enumerate(SHADES):
        picture = np.full((SIZE[1], SIZE[0], 3), shade, np.uint8)
        picture[400:560, 200 * number : 200 * number + 160] = 255
        cv2.imwrite(str(folder / f"{number}.jpg"), picture)


def lay_photograph(folder: Path) -> None:
    """Write a photograph of six dice, in the middle of a picture of the camera's size."""
    folder.mkdir(parents=True, exist_ok=True)
    photograph = cv2.imread(str(PHOTOGRAPH))
    scale = min(SIZE[0] / photograph.shape[1], SIZE[1] / photograph.shape[0])
    fitted = cv2.resize(photograph, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    right, below = SIZE[0] - fitted.shape[1], SIZE[1] - fitted.shape[0]
    cv2.imwrite(str(folder / "0.jpg"), cv2.copyMakeBorder(fitted, 0, below, 0, right, cv2.BORDER_REPLICATE))


FOLDERS = {"Virtual0": Path("/opt/frames"), "Virtual1": Path("/opt/trays")}
lay_pictures(FOLDERS["Virtual0"])
lay_photograph(FOLDERS["Virtual1"])
CONFIG.mkdir(parents=True, exist_ok=True)
(CONFIG / "virtual.yaml").write_text(
    "".join(VIRTUAL.format(name=name, width=SIZE[0], height=SIZE[1], folder=path) for name, path in FOLDERS.items()),
    encoding="utf-8",
)

kms = types.ModuleType("pykms")  # only picamera2's preview on a screen needs it
kms.PixelFormat = type("PixelFormat", (), {"__getattr__": lambda self, name: name})()  # type: ignore[attr-defined]
sys.modules["pykms"] = sys.modules["kms"] = kms

import picamera2 as library  # noqa: E402
import picamera2.picamera2 as inner  # noqa: E402
from picamera2.allocators import LibcameraAllocator  # noqa: E402

from dicereader import read  # noqa: E402
from dicereader.errors import SourceError  # noqa: E402
from dicereader.sources import open_source  # noqa: E402
from dicereader.sources.pi_camera import BUFFERS, PiCamera  # noqa: E402

inner.DmaAllocator = lambda: None


class Virtual(library.Picamera2):
    """picamera2 with substitutes for the features that libcamera 0.4's virtual camera lacks."""

    def __init__(self, number: int = 0) -> None:
        allocator = LibcameraAllocator(None)
        super().__init__(number, allocator=allocator)
        allocator.camera = self.camera

    def _get_raw_modes(self):
        return [{"format": "SRGGB10", "size": (640, 480)}]

    def process_requests(self, display) -> None:
        with self._requestslock:
            new, self._requests = self._requests, []
        done = []
        with self.lock:
            self.frames += len(new)
            for request in new:
                request.acquire()
            self.completed_requests += new
            while self._job_list and self._job_list[0].execute():
                done.append(self._job_list.pop(0))
            for request in new:
                request.release()
            while len(self.completed_requests) > self._max_queue_len:
                self.completed_requests.pop(0).release()
        for job in done:
            job.signal()
        time.sleep(0.02)


def number_of(model: str) -> str:
    return str([each["Model"] for each in library.Picamera2.global_camera_info()].index(model))


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Iterator[PiCamera]:
    monkeypatch.setattr(library, "Picamera2", Virtual)
    source = open_source("picamera2", number_of("Virtual0"), time.monotonic)
    assert isinstance(source, PiCamera)
    yield source
    source.close()


def frames(camera: PiCamera, count: int):
    taken = [camera.next(2.0) for _ in range(count)]
    assert None not in taken
    return taken


def test_libcamera_shows_its_virtual_cameras() -> None:
    assert {each["Model"] for each in library.Picamera2.global_camera_info()} == set(FOLDERS)


def test_frames_come_in_blue_green_red_at_the_size_that_is_read(camera: PiCamera) -> None:
    for frame in frames(camera, 5):
        assert frame.size == SIZE
        assert frame.pixels.shape == (960, 1280, 3)
        assert frame.pixels.dtype == np.uint8


def test_the_pictures_are_those_that_were_laid_before_the_camera(camera: PiCamera) -> None:
    seen = set()
    for frame in frames(camera, 30):
        grey = int(np.median(frame.pixels))
        nearest = min(SHADES, key=lambda shade: abs(SHOWN[shade] - grey))
        assert abs(grey - SHOWN[nearest]) <= 4, grey
        row = frame.pixels[480].mean(axis=1)
        bright = np.flatnonzero(row > SHOWN[nearest] + 20)
        assert bright.min() == pytest.approx(200 * SHADES.index(nearest), abs=8)
        seen.add(nearest)
    assert len(seen) >= 3


def test_numbers_and_times_go_on(camera: PiCamera) -> None:
    taken = frames(camera, 10)
    assert all(a.at_s < b.at_s for a, b in itertools.pairwise(taken))
    assert abs(taken[-1].at_s - time.monotonic()) < 2.0


def test_no_control_is_set_that_the_camera_has_not(camera: PiCamera) -> None:
    assert frames(camera, 1)  # picamera2 refuses a control that the camera does not list
    assert "ExposureTime" not in camera.locked


def test_a_wait_of_zero_seconds_gives_no_frame_and_loses_no_buffer(camera: PiCamera) -> None:
    hurried = [camera.next(0.0) for _ in range(5 * BUFFERS)]
    assert None in hurried
    assert None not in frames(camera, 3 * BUFFERS)


def test_two_programs_cannot_have_one_camera(camera: PiCamera) -> None:
    with pytest.raises(SourceError, match="to be free"):
        open_source("picamera2", number_of("Virtual0"), time.monotonic)
    frames(camera, 3)


def test_a_closed_camera_opens_again(camera: PiCamera) -> None:
    frames(camera, 3)
    camera.close()
    again = open_source("picamera2", number_of("Virtual0"), time.monotonic)
    assert again.next(2.0) is not None
    again.close()


def test_a_number_beyond_the_cameras_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "Picamera2", Virtual)
    with pytest.raises(SourceError, match="camera number 3, got 2 cameras: Virtual"):
        open_source("picamera2", "3", time.monotonic)


def test_a_real_photograph_before_the_camera_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "Picamera2", Virtual)
    source = open_source("picamera2", number_of("Virtual1"), time.monotonic)
    frame = source.next(2.0)
    source.close()
    assert frame is not None
    assert sorted(die.face for die in read(frame.pixels).dice) == FACES
