"""The board: track, pegs, LEDs, buttons and sound. It knows nothing of dice or rules.

    from pegboard import Board

    with Board("terminal") as board:
        board.place(0, 7, 13)
        board.show()

The names of `__all__` are stable; docs/pegboard.md describes them.
"""

from pegboard.animation.animator import LightSettings
from pegboard.board import Board
from pegboard.buttons.button_drivers import open_buttons
from pegboard.buttons.contacts import Contacts, Timing
from pegboard.buttons.port import (
    BreathingLamps,
    Button,
    Buttons,
    Chord,
    Gesture,
    Hold,
    Key,
    Lamps,
    Pins,
    Stuck,
    Tap,
)
from pegboard.errors import (
    DriverError,
    FrameError,
    LayoutError,
    NoDeviceError,
    PegboardError,
    TrackError,
    UnknownDriverError,
    ViewError,
)
from pegboard.layouts import Layout, layout_names, load_layout
from pegboard.ledframe import LedFrame, dark
from pegboard.leds.led_drivers import open_leds
from pegboard.leds.port import LedStrip, TextLines, check_frame
from pegboard.sound.port import Adjustable, Checkable, Loudness, Sound, Tone, WavPlayer
from pegboard.sound.sound_drivers import open_sound

__all__ = [
    "Adjustable",
    "Board",
    "BreathingLamps",
    "Button",
    "Buttons",
    "Checkable",
    "Chord",
    "Contacts",
    "DriverError",
    "FrameError",
    "Gesture",
    "Hold",
    "Key",
    "Lamps",
    "Layout",
    "LayoutError",
    "LedFrame",
    "LedStrip",
    "LightSettings",
    "Loudness",
    "NoDeviceError",
    "PegboardError",
    "Pins",
    "Sound",
    "Stuck",
    "Tap",
    "TextLines",
    "Timing",
    "Tone",
    "TrackError",
    "UnknownDriverError",
    "ViewError",
    "WavPlayer",
    "__version__",
    "check_frame",
    "dark",
    "layout_names",
    "load_layout",
    "open_buttons",
    "open_leds",
    "open_sound",
]

__version__ = "0.1.0"
