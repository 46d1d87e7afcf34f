"""The parts that the drawings of hardware.md share: the frame of an SVG file, and text."""

from collections.abc import Iterable
from html import escape


def svg(wide: float, high: float, parts: Iterable[str]) -> str:
    """Return an SVG file of this size in pixels, with a white background."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" height="{high:g}"'
    ground = f'<rect width="{wide:g}" height="{high:g}" fill="#fff"/>'
    return "\n".join([f'{head} font-family="sans-serif">', ground, *parts, "</svg>", ""])


def text(
    x: float, y: float, words: str, size: float, anchor: str = "start", colour: str = "#222", *, halo: bool = False
) -> str:
    """Return text as SVG; x and y are the place of its `anchor` on the base line, in pixels.

    With a halo the letters have a white edge, so that they can be read on any ground.
    """
    place = f'x="{x:.6g}" y="{y:.6g}" font-size="{size:g}"'
    edge = ' stroke="#fff" stroke-width="4" stroke-linejoin="round" paint-order="stroke"' if halo else ""
    return f'<text {place} text-anchor="{anchor}" fill="{colour}"{edge}>{escape(words)}</text>'
