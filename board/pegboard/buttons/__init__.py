"""Buttons: their gestures, the port of their drivers, and the drivers by name."""

from pegboard.buttons.button_drivers import open_buttons
from pegboard.buttons.port import (
    BreathingLamps,
    Button,
    Buttons,
    Chord,
    Gesture,
    Hold,
    Key,
    Lamps,
    LongHold,
    Pins,
    Stuck,
    Tap,
)
from pegboard.buttons.timing import Timing

__all__ = [
    "BreathingLamps",
    "Button",
    "Buttons",
    "Chord",
    "Gesture",
    "Hold",
    "Key",
    "Lamps",
    "LongHold",
    "Pins",
    "Stuck",
    "Tap",
    "Timing",
    "open_buttons",
]
