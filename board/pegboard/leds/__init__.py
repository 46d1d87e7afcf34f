"""LED strips: the port of their drivers, and the drivers by name."""

from pegboard.leds.drivers import led_drivers, open_leds
from pegboard.leds.port import LedStrip, TextLines

__all__ = ["LedStrip", "TextLines", "led_drivers", "open_leds"]
