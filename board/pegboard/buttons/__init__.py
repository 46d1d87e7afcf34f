"""Buttons: presses with their gestures, one port, one table of drivers by name."""

from pegboard.buttons.pins import Pins
from pegboard.buttons.port import Buttons, Lamps
from pegboard.buttons.press import Button, Chord, DeskSlide, DeskThrow, Gesture, Press, Stuck
from pegboard.buttons.table import button_drivers, open_buttons
from pegboard.buttons.timing import Timing

__all__ = [
    "Button",
    "Buttons",
    "Chord",
    "DeskSlide",
    "DeskThrow",
    "Gesture",
    "Lamps",
    "Pins",
    "Press",
    "Stuck",
    "Timing",
    "button_drivers",
    "open_buttons",
]
