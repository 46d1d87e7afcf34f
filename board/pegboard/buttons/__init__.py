"""Buttons: their gestures, the port of their drivers, and the drivers by name."""
