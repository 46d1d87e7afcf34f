"""A phone as the camera, the whole way: a browser's camera, TLS, the eye, the reader, the score."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest
from running import PATIENCE_S, table

from companion.simulation.hands import SimulatedHands
from dicereader.sources.synthetic.source import SyntheticSource

RATE = 15
SEED = 3
REST_S = 1.5


def film(file: Path, thrown: list[int]) -> Path:
    """Draw a throw from the shelf and the way back, as the MJPEG file that Chromium shows in a loop as a camera."""
    now_s = 0.0
    source = SyntheticSource(lambda: now_s, seed=SEED)
    hands = SimulatedHands(SEED)
    shelf = range(len(thrown))
    hands.throw(thrown)
    hands.shelve(shelf)
    with file.open("wb") as opened:
        for act in (hands.still, lambda: hands.throw(thrown), lambda: hands.shelve(shelf)):
            source.set_world(world := act())
            for _ in range(round((world.length_s + REST_S) * RATE)):
                frame = source.next(1.0)
                assert frame is not None
                opened.write(cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes())
                now_s += 1 / RATE
    return file


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[object]:
    """Return a page of a Chromium whose camera shows a film of a throw, and which takes the table's certificate."""
    sync_api = pytest.importorskip("playwright.sync_api")
    chromium = Path("/usr/bin/chromium")
    if not chromium.exists():
        pytest.skip(f"needs Chromium at {chromium}: apt install chromium")
    options = [
        *("--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"),
        f"--use-file-for-fake-video-capture={film(tmp_path / 'throw.mjpeg', [1, 1, 5, 2, 3, 4])}",
    ]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium), args=options)
        context = browser.new_context(
            viewport={"width": 390, "height": 664}, ignore_https_errors=True, permissions=["camera"]
        )
        yield context.new_page()
        browser.close()


@pytest.mark.browser
def test_a_throw_before_a_phones_camera_is_read_and_scored(phone, tmp_path: Path) -> None:
    options = ("--camera", "phone", "--host", "127.0.0.1", "--tls-port", "0", "--players", "Ann,Ben")
    with table(tmp_path / "table", *options) as running:
        running.ready().says("HTTPS, for phones that play: ")
        secure = next(line for line in running.said if line.startswith("HTTPS, for")).rpartition(" ")[2]
        phone.goto(f"{secure}camera")
        phone.get_by_role("button", name="Be the camera").click()
        state = running.until(lambda state: state["phase"] == "choosing")
        assert sorted(state["roll"]) == [1, 1, 2, 3, 4, 5]
        assert {"dice": [2, 1, 1], "points": 4} in [
            {name: each[name] for name in ("dice", "points")} for each in state["selections"]
        ]
        phone.get_by_text("pictures a second").wait_for(timeout=1000 * PATIENCE_S)
        assert phone.evaluate("document.getElementById('picture').videoWidth") == 960
        phone.get_by_role("button", name="Stop").click()
        phone.get_by_role("button", name="Be the camera").wait_for()
        running.end()
