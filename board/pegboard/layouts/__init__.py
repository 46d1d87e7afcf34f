"""Layouts: the boards as built, in TOML files, and their LEDs, lanes and places."""

from pegboard.layouts.layout import Lamp, Lane, Layout, spans
from pegboard.layouts.load import DEFAULT, layout_names, layout_text, load_layout, parse_layout, read_layout

__all__ = [
    "DEFAULT",
    "Lamp",
    "Lane",
    "Layout",
    "layout_names",
    "layout_text",
    "load_layout",
    "parse_layout",
    "read_layout",
    "spans",
]
