"""Makes the README's screenshots: plays a few seeded turns with the real program and photographs its page in Chromium.

Run `.venv/bin/python docs/screenshot.py`. The tray in the picture is drawn by the synthetic source and read by the
vision; nothing of the page is canned. Needs Debian's Chromium and the `dev` extra.
"""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, expect, sync_playwright

from companion.app import Program
from companion.config import Config
from companion.runtime.feed import Update
from companion.runtime.host import Clock
from companion.table.state.inputs import Button, ChooseSelection, NewGame, Press
from companion.table.view import View

CHROMIUM = "/usr/bin/chromium"
ARGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
PICTURES = Path(__file__).parent / "pictures"
SEED = 7
SPEED = 6.0
PATIENCE_S = 40.0
QUALITY = 86

SIZES = {"page": (1366, 768, 1.0), "phone": (390, 844, 2.0)}
"""Width, height and device pixels a pixel, by the picture's name."""

TURNS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("112346", "11"), ("1444", "1444"), ("111256", "111")),
    (("233346", "3332"), ("15", "1")),
    (("555236", "555"), ("126", "12")),
    (("666134", "666"), ("112", "112")),
    (("111346", "111"), ("256", "2")),
    (("111416", "111"), ("134", "1")),
)
"""Turns that end with BANK: each throw's faces, and what is kept of it."""

LAST = ("433326", "333")
"""The throw under way, and the dice of it that are slid onto the shelf."""


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, table(Path(folder)) as made:
        for turn in TURNS:
            for faces, kept in turn:
                throw(made, faces)
                keep(made, kept)
            made.host.submit(Press(Button.BANK)).result(10)
        faces, aside = LAST
        throw(made, faces)
        shelve(made, aside)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
            for name in SIZES:
                photograph(browser, made.address, name)
            browser.close()


@contextmanager
def table(folder: Path) -> Iterator[Program]:
    """Build a whole table with a game of three and a fast clock."""
    config = replace(Config(), web=replace(Config().web, port=0))
    game = NewGame("farkle-cribbage", ("Ann", "Ben", "Cy"))
    began = time.monotonic()
    clock = Clock(lambda: began + (time.monotonic() - began) * SPEED, speed=SPEED)
    made = Program(config, data=folder, clock=clock, game=game, chance=random.Random(SEED))
    try:
        made.start()
        until(made, lambda view: view.reading is not None)
        yield made
    finally:
        made.close()


def until(made: Program, fits: Callable[[View], bool]) -> None:
    """Wait until the table's view fits.

    Raises:
        SystemExit: if the table takes too long.
    """

    def seen(update: Update) -> bool:
        return fits(update.view)

    if not made.feed.wait(seen, PATIENCE_S):
        view = made.feed.latest.view
        raise SystemExit(f"expected the table to go on, got {view.phase}: {view.message.text!r}")


def throw(made: Program, faces: str) -> None:
    """Throw these faces and wait until the eye has read them."""
    before = made.feed.latest.view.seq
    made.hands.throw(tuple(int(face) for face in faces))
    until(made, lambda view: view.seq > before and view.phase == "choosing")


def keep(made: Program, dice: str) -> None:
    """Choose dice of the roll."""
    made.host.submit(ChooseSelection(tuple(int(face) for face in dice))).result(10)


def shelve(made: Program, dice: str) -> None:
    """Slide dice of the roll onto the shelf and wait until they are seen there."""
    view = made.feed.latest.view
    before = len(view.shelf)
    left = list(enumerate(view.roll))
    found = [left.pop(next(i for i, (_, face) in enumerate(left) if face == int(wanted))) for wanted in dice]
    made.hands.shelve(tuple(index for index, _ in found))
    until(made, lambda later: len(later.shelf) == before + len(dice) and later.phase == "choosing")


def photograph(browser: Browser, address: str, name: str) -> None:
    """Open the page at its size, wait until it stands still, and keep it as a JPEG."""
    width, height, density = SIZES[name]
    options = {"viewport": {"width": width, "height": height}, "device_scale_factor": density}
    context = browser.new_context(**options, reduced_motion="reduce", color_scheme="light")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#room[data-seq] .peg-layer[aria-label]")).to_be_visible()
    page.wait_for_timeout(800)
    shot = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shot is not None
    cv2.imwrite(str(PICTURES / f"{name}.jpg"), shot, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    context.close()


if __name__ == "__main__":
    main()
