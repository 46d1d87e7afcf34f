"""Finding the pins of buttons and lamps, on gpiozero's own mock of a header."""

from collections.abc import Iterator

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from pegboard.buttons.pin_finder import FREE_PINS, PinFinder
from pegboard.errors import DriverError, NoDeviceError


@pytest.fixture
def header(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    yield factory
    factory.reset()


def test_every_pin_is_watched_but_those_of_buses_and_of_the_buzzer() -> None:
    i2c, spi, uart, buzzer = {0, 1, 2, 3}, {7, 8, 9, 10, 11}, {14, 15}, {12}
    assert set(FREE_PINS) == set(range(28)) - i2c - spi - uart - buzzer


def test_a_pin_that_is_pressed_is_found_once_even_if_it_was_released_before_the_look(header: MockFactory) -> None:
    finder = PinFinder()
    for pin in (6, 5, 6):
        header.pin(pin).drive_low()
        header.pin(pin).drive_high()
    assert finder.pressed() == (6, 5)
    assert finder.pressed() == ()
    finder.close()


def test_one_lamp_is_lit_at_a_time(header: MockFactory) -> None:
    finder = PinFinder()
    finder.light(22)
    assert header.pin(22).state
    finder.light(17)
    assert (bool(header.pin(22).state), bool(header.pin(17).state)) == (False, True)
    finder.light(None)
    assert not header.pin(17).state
    finder.close()


def test_a_pin_that_another_part_uses_is_left_out(header: MockFactory) -> None:
    other = gpiozero.LED(6)
    finder = PinFinder()
    with pytest.raises(DriverError, match="expected a free pin"):
        finder.light(6)
    finder.close()
    other.close()


def test_without_a_free_pin_the_reason_is_told(header: MockFactory) -> None:
    taken = [gpiozero.LED(pin) for pin in FREE_PINS]
    with pytest.raises(NoDeviceError, match="expected a free pin"):
        PinFinder()
    for each in taken:
        each.close()


def test_after_the_end_all_pins_are_free_again(header: MockFactory) -> None:
    PinFinder().close()
    finder = PinFinder()
    header.pin(16).drive_low()
    assert finder.pressed() == (16,)
    finder.close()
