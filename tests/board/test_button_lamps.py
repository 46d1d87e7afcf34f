"""The lamps of buttons on gpiozero's mock pins: dimmed by its real PWM, and at pins that are only on or off."""

import threading

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from pegboard.buttons.gpio_buttons import GpioButtons
from pegboard.buttons.port import BreathingLamps, Button, Pins

PATIENCE_S = 60.0
LAMP = Pins().bank_lamp


class WatchedPin(MockPWMPin):
    """A pin that tells when its light has been strong and weak."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)
        self.levels: set[str] = set()
        self.breathed = threading.Event()

    def _set_state(self, value: float) -> None:
        super()._set_state(value)
        if self.frequency:
            self.levels |= {"weak"} if 0 < value < 0.3 else {"strong"} if 0.7 < value < 1 else set()
            if len(self.levels) == 2:
                self.breathed.set()


def test_the_lamp_of_the_better_button_rises_and_falls_and_the_others_stay_lit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pegboard.buttons.gpio_buttons.BREATH_S", 0.2)
    header = MockFactory(pin_class=WatchedPin)
    monkeypatch.setattr("gpiozero.Device.pin_factory", header)
    buttons = GpioButtons(Pins())
    assert isinstance(buttons, BreathingLamps)
    buttons.light({Button.ROLL, Button.BANK})
    assert header.pin(LAMP).frequency is None  # steady lamps are not switched
    buttons.breathe(Button.BANK)
    assert header.pin(LAMP).breathed.wait(PATIENCE_S)
    assert (header.pin(Pins().roll_lamp).state, header.pin(Pins().keep_lamp).state) == (1, 0)
    assert header.pin(Pins().roll_lamp).frequency is None
    buttons.light({Button.BANK})
    assert (header.pin(LAMP).frequency, header.pin(LAMP).state) == (None, 1)
    buttons.breathe(Button.BANK)
    buttons.close()
    assert header.pin(LAMP).frequency is None
    buttons.breathe(Button.BANK)


@pytest.mark.parametrize("pins", [Pins(), Pins(bank_lamp=-1)])
def test_a_lamp_that_is_only_on_or_off_stays_lit_and_a_missing_one_is_no_error(
    pins: Pins, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = MockFactory(pin_class=MockPin)
    monkeypatch.setattr("gpiozero.Device.pin_factory", header)
    buttons = GpioButtons(pins)
    buttons.light({Button.BANK, Button.ROLL})
    buttons.breathe(Button.BANK)
    assert header.pin(pins.roll_lamp).state
    if pins.bank_lamp != -1:
        assert header.pin(LAMP).state
    buttons.light(set())
    assert not header.pin(pins.roll_lamp).state
    buttons.close()
