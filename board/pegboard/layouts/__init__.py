"""Layouts: the boards in TOML files, with their LEDs, lanes and places."""

from pegboard.layouts.layout import Layout
from pegboard.layouts.load import DEFAULT, layout_names, load_layout

__all__ = ["DEFAULT", "Layout", "layout_names", "load_layout"]
