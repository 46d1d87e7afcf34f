"""Buttons and lamps on the Pi's header, with gpiozero's mock pins and rpi-lgpio. None of this ran on a Pi."""

from collections.abc import Iterator

import pytest
from gpiozero import Device
from headers import HEADERS, Header
from samples import sampled

from pegboard.buttons.button_drivers import open_buttons
from pegboard.buttons.gpio_buttons import GpioButtons, buttons_down, explain
from pegboard.buttons.port import Button, Lamps, Pins, Stuck, Tap
from pegboard.errors import DriverError
from pegboard.installation import add_extra

KEEP, ROLL, BANK = Button
PINS = Pins()


class Bench:
    def __init__(self, header: Header) -> None:
        self.header = header
        self.now = 1000.0
        self.buttons = GpioButtons(PINS, clock=lambda: self.now)

    def wait(self, seconds: float) -> "Bench":
        self.now += seconds
        return self

    def press(self, button: Button) -> "Bench":
        self.header.drive(PINS.buttons[button], False)
        return self

    def release(self, button: Button) -> "Bench":
        self.header.drive(PINS.buttons[button], True)
        return self

    def poll(self):
        return self.buttons.poll(self.now)


@pytest.fixture(params=sampled(HEADERS, "mock", "lgpio"))
def header(request, monkeypatch) -> Iterator[Header]:
    with HEADERS[request.param](monkeypatch) as made:
        monkeypatch.setattr(Device, "pin_factory", made.factory)
        yield made


@pytest.fixture
def bench(header) -> Iterator[Bench]:
    made = Bench(header)
    yield made
    made.buttons.close()


def test_a_tap_is_given_when_the_button_opens_and_one_between_two_polls_is_not_lost(bench):
    assert bench.press(ROLL).wait(0.1).poll() == ()
    assert bench.release(ROLL).wait(0.6).poll() == (Tap(ROLL),)
    bench.press(KEEP).wait(0.06).release(KEEP).wait(0.6)
    bench.press(BANK).wait(0.06).release(BANK).wait(0.6)
    assert bench.poll() == (Tap(KEEP), Tap(BANK))


# A mock pin is pulled up when it is opened, whatever holds it down.
@pytest.mark.parametrize("header", sampled(("lgpio", "rpigpio"), "lgpio"), indirect=True)
def test_a_button_that_is_down_at_the_start_is_reported_at_once_and_does_nothing_until_it_was_up(header):
    header.drive(PINS.buttons[ROLL], False)
    bench = Bench(header)
    found = [bench.poll(), *(bench.wait(0.1).poll() for _ in range(60))]
    assert [each for each in found if each] == [(Stuck(ROLL, stuck=True),)]
    assert found[1]
    assert bench.release(ROLL).wait(0.1).poll() == (Stuck(ROLL, stuck=False),)
    bench.wait(1.0).press(ROLL).wait(0.1).poll()
    assert bench.release(ROLL).wait(0.1).poll() == (Tap(ROLL),)
    bench.buttons.close()


def test_lamps_are_lit_as_set_and_dark_after_the_close(bench):
    assert isinstance(bench.buttons, Lamps)
    for lit in ({KEEP, BANK}, set(), {ROLL}):
        bench.buttons.light(lit)
        assert {button for button, pin in PINS.lamps.items() if bench.header.level(pin)} == lit
    bench.buttons.close()
    assert not any(bench.header.level(pin) for pin in PINS.lamps.values())


def test_buttons_without_lamps_light_nothing_and_closed_ones_free_their_pins(header):
    for _ in range(2):
        buttons = GpioButtons(Pins(keep_lamp=-1, roll_lamp=-1, bank_lamp=-1))
        buttons.light({KEEP})
        buttons.close()


def test_a_pin_in_use_by_another_program_is_reported(header):
    header.take(PINS.roll)
    with pytest.raises(DriverError, match="expected a free pin, got one that is in use"):
        GpioButtons(PINS)


@pytest.mark.parametrize(
    ("pins", "says"),
    [
        ({"keep": 28}, "expected a GPIO from 0 to 27, got 28"),
        ({"keep": 5}, r"got twice: \[5\]"),
        ({"bank_lamp": 16}, r"got twice: \[16\]"),
        ({"roll": -1}, "only lamps may be without"),
    ],
)
def test_impossible_pins_are_refused(pins, says):
    with pytest.raises(DriverError, match=says):
        Pins(**pins)


def test_without_a_pi_one_line_names_the_other_drivers(monkeypatch):
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "")
    with pytest.raises(DriverError, match="use the buttons 'page' or 'keyboard'") as told:
        open_buttons("gpio")
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ModuleNotFoundError(name="gpiozero"), f"expected the library gpiozero, got none: {add_extra('pi')}"),
        (OSError("can not open gpiochip"), "expected to open the Pi's pins, got: can not open gpiochip; sudo adduser"),
        (ValueError(), "expected buttons on the Pi's pins, got: ValueError"),
    ],
)
def test_an_error_of_a_library_is_one_line_with_its_cure(error, told):
    assert explain(error).startswith(told)


def test_the_buttons_that_are_down_can_be_read_and_leave_the_lamps_to_others(header):
    header.take(PINS.bank_lamp)
    header.drive(PINS.roll, False)
    assert buttons_down(PINS) == buttons_down(PINS)
    assert KEEP not in buttons_down(PINS)
