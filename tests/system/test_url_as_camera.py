"""A camera in the network, the whole way: its faults are said with words, and it comes back."""

import itertools
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import cv2
import pytest
from network_cameras import serving
from running import table

from companion.simulation.hands import SimulatedHands
from dicereader.sources.synthetic.source import SyntheticSource

HEAD = b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n"


def pictures(thrown: list[int], size: tuple[int, int]) -> list[bytes]:
    """Draw a throw at rest; each picture has its own noise."""
    source, hands = SyntheticSource(lambda: 0.0, seed=3), SimulatedHands(3)
    source.set_world(hands.throw(thrown).at_rest())
    frames = [source.next(1.0) for _ in range(4)]
    sized = [cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA) for frame in frames if frame is not None]
    return [cv2.imencode(".jpg", each)[1].tobytes() for each in sized]


class Camera:
    """An MJPEG stream that shows `shown`; it stalls while that is empty, and breaks off when `broken` is set."""

    def __init__(self, shown: list[bytes]) -> None:
        self.shown = shown
        self.broken = threading.Event()
        self.ended = threading.Event()
        self.opened = 0

    def __call__(self, request: BaseHTTPRequestHandler) -> None:
        self.opened += 1
        request.send_response(200)
        request.send_header("content-type", "multipart/x-mixed-replace; boundary=frame")
        request.end_headers()
        for number in itertools.count():
            if self.shown:
                picture = self.shown[number % len(self.shown)]
                request.wfile.write(HEAD % len(picture) + picture + b"\r\n")
            if self.broken.is_set() or self.ended.wait(0.1):
                self.broken.clear()
                return


@pytest.mark.exhaustive
def test_a_network_camera_that_stalls_breaks_off_and_changes_its_size_is_said_and_comes_back(tmp_path: Path) -> None:
    large, small = pictures([1, 1, 5, 2, 3, 4], (960, 720)), pictures([2, 2, 2, 6, 6, 4], (640, 480))
    camera = Camera(large)
    with serving(camera) as url, table(tmp_path, "--camera", f"url:{url}", "--players", "Ann,Ben") as running:
        running.ready()

        def reads(thrown: str) -> dict:
            def fits(state: dict) -> bool:
                seen = sorted(die["face"] for die in (state["reading"] or {"dice": []})["dice"])
                return seen == [int(face) for face in thrown] and not state["degraded"]

            return running.until(fits)

        def says(words: str) -> None:
            running.until(lambda state: any(words in told for told in state["degraded"]))

        assert reads("112345")["picture_size"] == [960, 720]
        camera.shown = []
        says("no picture comes from the camera in the network")
        camera.shown = large
        reads("112345")
        before = camera.opened
        camera.broken.set()
        says("and they have stopped: opening the camera again")
        reads("112345")
        assert camera.opened > before
        camera.shown = small
        assert reads("222466")["picture_size"] == [640, 480]
        assert running.process.poll() is None
        camera.ended.set()
        assert running.end() == 0
