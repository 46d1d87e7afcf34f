"""Buttons: their gestures, the port of their drivers, and the drivers by name."""

from pegboard.buttons.drivers import open_buttons
from pegboard.buttons.port import Button, Buttons, Gesture, Hold, Pins, Tap, Timing

__all__ = ["Button", "Buttons", "Gesture", "Hold", "Pins", "Tap", "Timing", "open_buttons"]
