"""Another size of a browser's window, and the moment at which a page has laid itself out anew."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from contrast import CONTRAST

if TYPE_CHECKING:
    from playwright.sync_api import Page


def resize(page: "Page", width: int, height: int) -> None:
    """Set the size of the window, and wait until the page is laid out by it."""
    page.set_viewport_size({"width": width, "height": height})
    laid_out(page)


def check_fit(page: "Page", sizes: Iterable[tuple[int, int]]) -> None:
    """Check that the page does not scroll sideways in these sizes of the window, and that all its text can be read."""
    for width, height in sizes:
        resize(page, width, height)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (page.url, width)
    assert page.evaluate(CONTRAST) == [], page.url


def laid_out(page: "Page") -> None:
    """Wait two frames: a page that measures itself in one of them draws the result in the next."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
