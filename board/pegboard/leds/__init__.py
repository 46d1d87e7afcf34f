"""LED strips: the port of their drivers, and the drivers by name."""

from pegboard.leds.led_drivers import open_leds
from pegboard.leds.port import LedStrip, TextLines, check_frame

__all__ = ["LedStrip", "TextLines", "check_frame", "open_leds"]
