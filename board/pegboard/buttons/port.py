"""The port of all button drivers: gestures, the times that make them, and the pins of the header."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from pegboard.errors import DriverError


class Button(StrEnum):
    """The three buttons."""

    KEEP = "keep"
    ROLL = "roll"
    BANK = "bank"


@dataclass(frozen=True)
class Tap:
    """A short press of one button."""

    button: Button


@dataclass(frozen=True)
class Hold:
    """A long press of one button."""

    button: Button


@dataclass(frozen=True)
class LongHold:
    """A press of one button that goes on after its `Hold`."""

    button: Button


@dataclass(frozen=True)
class Chord:
    """A long press of two or more buttons together."""


@dataclass(frozen=True)
class Stuck:
    """A button that has been down too long and is ignored from now on, or (`stuck` False) has come up again."""

    button: Button
    stuck: bool


@dataclass(frozen=True)
class Key:
    """A key that is not a button: one character, to which the program may give a meaning."""

    char: str


Gesture = Tap | Hold | LongHold | Chord | Stuck | Key


class Buttons(Protocol):
    """The port of all button drivers. Polled from one thread only, at least every 50 ms."""

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        """Return the gestures since the last call, in order, without waiting.

        Raises `DriverError` if the device is lost; a later call may succeed.

        Args:
            now_s: the time of a monotonic clock, in seconds.
        """

    def close(self) -> None:
        """Release the device; a second call does nothing, and `poll` returns nothing afterwards."""


@runtime_checkable
class Lamps(Protocol):
    """The port of buttons with lamps."""

    def light(self, lit: Collection[Button]) -> None:
        """Light the lamps of these buttons and no others. Raises `DriverError` if a lamp is lost."""


@runtime_checkable
class BreathingLamps(Protocol):
    """Lamps that can be dimmed."""

    def breathe(self, button: Button) -> None:
        """Let the light of a lit button slowly rise and fall until the next call of `light`; it stays lit if it cannot.

        Raises `DriverError` if a lamp is lost.
        """


LAST_PIN = 27
NO_LAMP = -1


@dataclass(frozen=True)
class Pins:
    """GPIO numbers (BCM) on the Pi's header. Buttons close to ground; a lamp is -1 if the button has none."""

    keep: int = 6
    roll: int = 5
    bank: int = 16
    keep_lamp: int = 22
    roll_lamp: int = 17
    bank_lamp: int = 23

    def __post_init__(self) -> None:
        used = [*self.buttons.values(), *self.lamps.values()]
        for pin in used:
            if pin != NO_LAMP and not 0 <= pin <= LAST_PIN:
                raise DriverError(f"expected a GPIO from 0 to {LAST_PIN}, got {pin!r}")
        if NO_LAMP in self.buttons.values():
            raise DriverError(f"expected a GPIO for each button, got {NO_LAMP!r} (only lamps may be without)")
        twice = sorted(pin for pin, times in Counter(used).items() if times > 1)
        if twice:
            raise DriverError(f"expected a GPIO of its own for each button and lamp, got twice: {twice!r}")

    @property
    def buttons(self) -> dict[Button, int]:
        """The pin of each button."""
        return {Button.KEEP: self.keep, Button.ROLL: self.roll, Button.BANK: self.bank}

    @property
    def lamps(self) -> dict[Button, int]:
        """The pin of each lamp that exists."""
        lamps = {Button.KEEP: self.keep_lamp, Button.ROLL: self.roll_lamp, Button.BANK: self.bank_lamp}
        return {button: pin for button, pin in lamps.items() if pin != NO_LAMP}
