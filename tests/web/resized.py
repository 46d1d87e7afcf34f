"""Another size of a browser's window, the moment at which a page has laid itself out anew, and its texts' contrast."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

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


def check_fingers(page: "Page", controls: str, height: float = 43.5, width: float = 0) -> None:
    """Check that each of these controls that is shown is large enough for a finger, in pixels."""
    small = """(all, [height, width]) => all.filter((one) => one.checkVisibility())
      .filter((one) => one.getBoundingClientRect().height < height || one.getBoundingClientRect().width < width)
      .map((one) => one.outerHTML)"""
    assert page.locator(controls).evaluate_all(small, [height, width]) == [], page.url


def laid_out(page: "Page") -> None:
    """Wait two frames: a page that measures itself in one of them draws the result in the next."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


CONTRAST = r"""() => {
  const parse = (color) => {
    const parts = color.match(/[\d.]+/g).map(Number);
    return color.startsWith("color(") ? [...parts.slice(0, 3).map((c) => c * 255), ...parts.slice(3)] : parts;
  };
  const hex = (name) => getComputedStyle(document.documentElement).getPropertyValue(name)
    .match(/[0-9a-f]{2}/gi).map((pair) => parseInt(pair, 16));
  const light = (color) => color.slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const behind = (node) => {
    for (let one = node; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== "none") return [];
      const color = parse(style.backgroundColor);
      if (color.length < 4 || color[3] === 1) return [color];
    }
    return [hex("--paper"), hex("--paper-far")];
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *")) {
    const text = [...node.childNodes].some((one) => one.nodeType === 3 && one.textContent.trim());
    if (!text || !node.checkVisibility() || node.closest("svg, script, noscript, option")) continue;
    const ink = light(parse(getComputedStyle(node).color));
    const least = Math.min(...behind(node).map((color) => ratio(ink, light(color))));
    if (least < 4.5) poor.push(`${least.toFixed(2)} ${node.tagName} ${node.textContent.trim().slice(0, 30)}`);
  }
  return poor;
}"""
"""Gives the texts below 4.5 to 1, the least of WCAG AA for small print. The page's own gradient counts at both its
ends; texts on the gradients of lit buttons are not judged."""
