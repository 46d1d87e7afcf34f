"""LED strips: the port of their drivers, and the drivers by name."""

from pegboard.leds.drivers import open_leds
from pegboard.leds.port import LedStrip, TextLines

__all__ = ["LedStrip", "TextLines", "open_leds"]
