"""LED strips: one port, one table of drivers by name."""

from pegboard.leds.port import LedStrip, TextLines
from pegboard.leds.table import led_drivers, open_leds

__all__ = ["LedStrip", "TextLines", "led_drivers", "open_leds"]
