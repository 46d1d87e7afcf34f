"""Films of a tray that Chromium shows as a phone's camera, and the browser that shows them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import cv2

from companion.simulation.hands import SimulatedHands
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RATE, SHOWN_RATE = 15, 30
"""Pictures a second that are drawn, and those that Chromium shows of any MJPEG file."""

CHROMIUMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))

Act = Callable[[SimulatedHands], World]


def film(file: Path, seed: int, acts: Iterable[tuple[Act, float]]) -> Path:
    """Draw what hands do on the tray, each act with the seconds of rest after it, as an MJPEG file."""
    now_s = 0.0
    hands, source = SimulatedHands(seed), SyntheticSource(lambda: now_s, seed=seed)
    with file.open("wb") as opened:
        for act, rest_s in acts:
            source.set_world(world := act(hands))
            for _ in range(round((world.length_s + rest_s) * RATE)):
                frame = source.next(1.0)
                jpeg = cv2.imencode(".jpg", frame.pixels, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
                opened.write(jpeg * (SHOWN_RATE // RATE))
                now_s += 1 / RATE
    return file


@contextmanager
def phone(chromium: "Browser", shown: Path) -> "Iterator[Page]":
    """Give a page of another Chromium, whose camera shows a film, and which takes the table's certificate."""
    options = [
        *("--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"),
        f"--use-file-for-fake-video-capture={shown}",
    ]
    program = next(filter(Path.exists, CHROMIUMS))
    browser = chromium.browser_type.launch(executable_path=str(program), args=options)
    context = browser.new_context(
        viewport={"width": 390, "height": 664}, ignore_https_errors=True, permissions=["camera"]
    )
    yield context.new_page()
    browser.close()
