"""A stand-in for lgpio: one chip of 58 lines whose levels a test drives, with the module's rules of claiming."""

import contextlib
import threading

SET_ACTIVE_LOW, SET_OPEN_DRAIN, SET_OPEN_SOURCE = 4, 8, 16
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
GPIO_BUSY, GPIO_NOT_ALLOCATED = -78, -77
INPUT, OUTPUT, ALERT = 0x100, 0x202, 0x400  # bit 1 is the kernel's flag of an output

error = RuntimeError
exceptions = True
"""Whether errors are raised and not returned; rpi-lgpio turns this off."""

LEVELS: dict[int, int] = {}
MODES: dict[int, int] = {}
EDGES: dict[int, int] = {}
PWM: dict[int, tuple[float, float]] = {}
TAKEN: set[int] = set()
CALLS: list["callback"] = []
OPENED: list[int] = []
"""The numbers of the chips that were opened."""

_lock = threading.RLock()


def reset():
    for store in (LEVELS, MODES, EDGES, PWM, TAKEN, CALLS, OPENED):
        store.clear()


def drive(gpio, level):
    """Change the level of a pin and call its callbacks."""
    with _lock:
        before = gpio_read(0, gpio)
        LEVELS[gpio] = level
        edge = {(0, 1): RISING_EDGE, (1, 0): FALLING_EDGE}.get((before, level), 0)
        told = [call for call in CALLS if call.gpio == gpio and EDGES.get(gpio, 0) & edge]
    for call in told:
        call.func(0, gpio, level, 0)


def error_text(code):
    return {GPIO_BUSY: "GPIO busy", GPIO_NOT_ALLOCATED: "GPIO not allocated"}.get(code, f"error {code}")


def gpiochip_open(number):
    OPENED.append(number)
    return 0


def gpiochip_close(_chip):
    return 0


def gpio_get_chip_info(_chip):
    return [0, 58, "gpiochip0", "pinctrl-bcm2711"]


def gpio_get_line_info(_chip, gpio):
    return [0, gpio, MODES.get(gpio, 0), f"GPIO{gpio}", ""]


def gpio_get_mode(_chip, gpio):
    return MODES.get(gpio, 0)


def _claim(gpio, mode, flags):
    if gpio in TAKEN:
        if exceptions:
            raise error(error_text(GPIO_BUSY))
        return GPIO_BUSY
    MODES[gpio] = mode | flags & 0xE0
    return 0


def gpio_claim_input(_chip, gpio, flags=0):
    EDGES.pop(gpio, None)
    return _claim(gpio, INPUT, flags)


def gpio_claim_output(_chip, gpio, level=0, flags=0):
    LEVELS[gpio] = level
    return _claim(gpio, OUTPUT, flags)


def gpio_claim_alert(_chip, gpio, edges, flags=0, _notify=-1):
    EDGES[gpio] = edges
    return _claim(gpio, INPUT | ALERT, flags)


def gpio_free(_chip, gpio):
    if gpio not in MODES:
        raise error("GPIO not allocated")
    del MODES[gpio]
    return 0


def gpio_read(_chip, gpio):
    return LEVELS.get(gpio, 1 if MODES.get(gpio, 0) & SET_PULL_UP else 0)


def gpio_write(_chip, gpio, level):
    assert MODES[gpio] & OUTPUT
    LEVELS[gpio] = level
    return 0


def gpio_set_debounce_micros(_chip, _gpio, micros):
    assert micros == 0, "expected no debouncing but ours"
    return 0


def tx_pwm(_chip, gpio, frequency, duty, _offset=0, _cycles=0):
    PWM[gpio] = (frequency, duty)
    return 0


class callback:  # noqa: N801 - the module's own name
    def __init__(self, _chip, gpio, _edge=RISING_EDGE, func=None):
        self.gpio, self.func = gpio, func
        CALLS.append(self)

    def cancel(self):
        with contextlib.suppress(ValueError):
            CALLS.remove(self)
