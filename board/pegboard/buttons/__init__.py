"""Buttons: presses with their gestures, one port, one table of drivers by name."""

from pegboard.buttons.port import Buttons
from pegboard.buttons.press import Button, Chord, DeskSlide, DeskThrow, Gesture, Press
from pegboard.buttons.table import button_drivers, open_buttons

__all__ = [
    "Button",
    "Buttons",
    "Chord",
    "DeskSlide",
    "DeskThrow",
    "Gesture",
    "Press",
    "button_drivers",
    "open_buttons",
]
