"""Which pin of the Pi's header is which button and which lamp."""

from collections import Counter
from dataclasses import dataclass

from pegboard.buttons.press import Button
from pegboard.errors import DriverError

LAST_PIN = 27
NONE = -1


@dataclass(frozen=True)
class Pins:
    """GPIO numbers (BCM). Buttons close to ground; a lamp is -1 where the button has none."""

    keep: int = 6
    roll: int = 5
    bank: int = 16
    keep_lamp: int = 22
    roll_lamp: int = 17
    bank_lamp: int = 23

    def __post_init__(self) -> None:
        buttons = (self.keep, self.roll, self.bank)
        lamps = (self.keep_lamp, self.roll_lamp, self.bank_lamp)
        used = [pin for pin in buttons + lamps if pin != NONE]
        for pin in used:
            if not 0 <= pin <= LAST_PIN:
                raise DriverError(f"expected a GPIO from 0 to {LAST_PIN}, got {pin!r}")
        if NONE in buttons:
            raise DriverError(f"expected a GPIO for each button, got {NONE!r} (only lamps may be without)")
        twice = sorted(pin for pin, times in Counter(used).items() if times > 1)
        if twice:
            raise DriverError(f"expected a GPIO of its own for each button and lamp {lamps!r}, got twice: {twice!r}")

    @property
    def buttons(self) -> dict[Button, int]:
        """The pin of each button."""
        return {Button.KEEP: self.keep, Button.ROLL: self.roll, Button.BANK: self.bank}

    @property
    def lamps(self) -> dict[Button, int]:
        """The pin of each lamp that there is."""
        lamps = {Button.KEEP: self.keep_lamp, Button.ROLL: self.roll_lamp, Button.BANK: self.bank_lamp}
        return {button: pin for button, pin in lamps.items() if pin != NONE}
