"""Find out which pins of the header have buttons and lamps: see which pin is pressed, and light one lamp."""

from functools import partial
from typing import Any

from pegboard.buttons.gpio_buttons import explained
from pegboard.errors import NoDeviceError
from pegboard.gpio import imported_gpiozero

FREE_PINS = (4, 5, 6, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27)
"""The pins (BCM) that may have a button: none of SPI, I2C and UART, nor GPIO12 of the buzzer."""


class PinFinder:
    """Watches pins for presses: a button closes its pin to ground against the Pi's own pull-up.

    A pin that another program uses is left out. gpiozero calls back on its own thread.
    """

    def __init__(self) -> None:
        """Open the pins of `FREE_PINS`.

        Raises `NoDeviceError` if there is no header, none of its pins is free, or gpiozero is missing.
        """
        self._pressed: list[int] = []
        self._contacts: dict[int, Any] = {}
        self._lamps: dict[int, Any] = {}
        wrong: Exception = ValueError("no pin to watch")
        with explained(NoDeviceError):
            with imported_gpiozero() as gpiozero:
                self._gpiozero = gpiozero
                for pin in FREE_PINS:
                    try:
                        contact = gpiozero.DigitalInputDevice(pin, pull_up=True, bounce_time=None)
                    except Exception as error:  # noqa: BLE001 - each back end of gpiozero has errors of its own
                        wrong = error
                        continue
                    self._contacts[pin] = contact
                    contact.when_activated = partial(self._pressed.append, pin)
            if not self._contacts:
                raise wrong

    def pressed(self) -> tuple[int, ...]:
        """Return the pins that were pressed since the last call, in order, each once."""
        count = len(self._pressed)
        found, self._pressed[:count] = self._pressed[:count], []
        return tuple(dict.fromkeys(found))

    def light(self, pin: int | None) -> None:
        """Light the lamp at a pin, and put out the one before; None lights none.

        Raises `DriverError` if the pin cannot be lit.
        """
        for lamp in self._lamps.values():
            lamp.off()
        if pin is None:
            return
        if contact := self._contacts.pop(pin, None):
            contact.close()
        with explained():
            if pin not in self._lamps:
                self._lamps[pin] = self._gpiozero.LED(pin)
            self._lamps[pin].on()

    def close(self) -> None:
        """Put the lamp out, and release the pins."""
        self.light(None)
        for device in (*self._lamps.values(), *self._contacts.values()):
            device.close()
        self._lamps.clear()
        self._contacts.clear()
