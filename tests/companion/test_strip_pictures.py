"""What a strip shows to a person who checks it, and the order of its colours from what is seen."""

from itertools import permutations

import pytest

from companion.checkup.leds import HELD_S, STEP_S, order_seen, picture_of
from companion.errors import RefusedError
from pegboard.layouts import load_layout
from pegboard.power import current_ma

LAYOUT = load_layout("short-board-2")
NAMES = {"R": "red", "G": "green", "B": "blue"}


def test_a_lane_is_walked_led_by_led_and_its_last_one_stays() -> None:
    picture = picture_of("lane-1", LAYOUT)
    lane = [led for (led,) in picture.groups]
    for step, led in enumerate(lane):
        frame = picture.frame(LAYOUT.leds, (step + 0.5) * STEP_S, 1.0, 2500)
        assert frame is not None
        assert [n for n in range(LAYOUT.leds) if any(frame.data[3 * n : 3 * n + 3])] == [led]
    assert picture.frame(LAYOUT.leds, len(lane) * STEP_S + HELD_S - 0.1, 1.0, 2500) is not None
    assert picture.frame(LAYOUT.leds, len(lane) * STEP_S + HELD_S + 0.1, 1.0, 2500) is None


def test_a_whole_strip_keeps_the_budget() -> None:
    frame = picture_of("red", LAYOUT).frame(LAYOUT.leds, 0.0, 1.0, 400.0)
    assert frame is not None
    assert current_ma(frame) <= 400.0


def test_an_unknown_picture_is_refused() -> None:
    with pytest.raises(RefusedError):
        picture_of("lane-9", LAYOUT)


@pytest.mark.parametrize("configured", ["".join(order) for order in permutations("RGB")])
@pytest.mark.parametrize("true", ["".join(order) for order in permutations("RGB")])
def test_the_order_of_any_strip_is_found_whatever_was_configured(configured: str, true: str) -> None:
    def seen(shown: str) -> str:
        return NAMES[true[configured.index(shown)]]

    assert order_seen(configured, {NAMES[shown]: seen(shown) for shown in "RGB"}) == true


def test_two_colours_that_look_alike_are_refused() -> None:
    with pytest.raises(RefusedError):
        order_seen("GRB", {"red": "red", "green": "red", "blue": "blue"})
