"""Makes the README's screenshots: plays a few seeded turns with the real program and photographs its page in Chromium.

Run `.venv/bin/python docs/screenshot.py`. The tray in the picture is drawn by the synthetic source and read by the
reader; nothing on the page is prepared by hand. Needs Debian's Chromium and the `dev` extra.
"""

import sys
import tempfile
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, expect, sync_playwright

from companion.app import Program
from companion.table.state.inputs import Button, ChooseSelection, Press

TESTS = Path(__file__).parent.parent / "tests"
sys.path[:0] = [str(TESTS / folder) for folder in ("companion", "system", "table")]
from running import program, throw, until  # noqa: E402 - the tests' table in this process

CHROMIUM = "/usr/bin/chromium"
ARGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
PICTURES = Path(__file__).parent / "pictures"
SEED = 7
QUALITY = 86

SIZES = {"page": (1366, 768, 1.0), "phone": (390, 844, 2.0)}
"""Width, height and device pixels per pixel, by the picture's name."""

TURNS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("112346", "11"), ("1444", "1444"), ("111256", "111")),
    (("233346", "3332"), ("15", "1")),
    (("555236", "555"), ("126", "12")),
    (("666134", "666"), ("112", "112")),
    (("111346", "111"), ("256", "2")),
    (("111416", "111"), ("134", "1")),
)
"""Turns that end with BANK: each throw's faces, and the dice kept."""

LAST = ("433326", "333")
"""The throw under way, and those of its dice that are slid onto the shelf."""


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, program(Path(folder), "Ann", "Ben", "Cy", seed=SEED) as made:
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
    until(made, lambda later: len(later.view.shelf) == before + len(dice) and later.view.phase == "choosing")


def photograph(browser: Browser, address: str, name: str) -> None:
    """Open the page at its size, wait until it no longer changes, and save it as a JPEG."""
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
