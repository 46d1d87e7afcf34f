"""A stand-in for the C++ module of the Pi 5's PIO: it writes the wire's bytes of each frame to `PEGBOARD_WIRE`."""

import os

PIN = 10


def neopixel_write(gpio, buffer):
    if os.environ.get("PEGBOARD_INIT", "0") != "0":
        raise RuntimeError("Failed to open PIO device (error -13)")
    assert gpio._pin.id == PIN  # noqa: SLF001 - as the real module reads it
    with open(os.environ["PEGBOARD_WIRE"], "a", encoding="ascii") as file:
        file.write(bytes(buffer).hex() + "\n")


def free_pio():
    """Do nothing."""
