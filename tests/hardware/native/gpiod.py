"""A stand-in for libgpiod's Python module (version 2) and for the kernel's chip of the header."""

import enum
import os
import pathlib
import types

__version__ = "2.5.0"

line = types.SimpleNamespace(
    Value=enum.Enum("Value", "INACTIVE ACTIVE"),
    Direction=enum.Enum("Direction", "INPUT OUTPUT"),
    Bias=enum.Enum("Bias", "DISABLED PULL_UP PULL_DOWN"),
)


class LineSettings:
    direction = bias = output_value = None


class Request:
    def __init__(self, lines):
        self.lines = dict.fromkeys(lines, line.Value.INACTIVE)

    def reconfigure_lines(self, config):
        assert set(config) <= set(self.lines)

    def set_value(self, number, value):
        self.lines[number] = value

    def get_value(self, number):
        return self.lines[number]

    def release(self):
        self.lines = {}


class Chip:
    def __init__(self, path):
        assert path == "/dev/gpiochip0"

    def get_info(self):
        return types.SimpleNamespace(label="pinctrl-bcm2711", num_lines=58)

    def request_lines(self, config, consumer):
        if os.environ.get("PEGBOARD_BUSY"):
            raise OSError(16, "Device or resource busy")
        return Request(config)

    def close(self):
        """Do nothing."""


_glob = pathlib.Path.glob


def _with_the_chip(folder, pattern, *more, **options):
    if str(folder) == "/dev" and pattern == "gpiochip*":
        return iter([pathlib.Path("/dev/gpiochip0")])
    return _glob(folder, pattern, *more, **options)


pathlib.Path.glob = _with_the_chip
