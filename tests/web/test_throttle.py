"""The throttle of requests: bursts pass, floods wait and are refused, and no client is banned."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.guard.limits import MOST_CLIENTS, READS, WRITES, Rate, Throttle


def test_a_burst_passes_at_once_and_what_comes_too_fast_waits_and_is_then_refused() -> None:
    throttle = Throttle(WRITES)
    waits = [throttle.wait_s("a", 0.0) for _ in range(27)]
    assert waits == [0.0] * 20 + [0.2, 0.4, 0.6, 0.8, 1.0] + [None, None]


def test_a_refused_client_may_soon_ask_again() -> None:
    throttle = Throttle(WRITES)
    for _ in range(100):
        throttle.wait_s("a", 0.0)
    assert throttle.wait_s("a", 1.2) is not None
    assert throttle.wait_s("a", 10.0) == 0.0


def test_one_address_does_not_slow_another() -> None:
    throttle = Throttle(READS)
    for _ in range(1000):
        throttle.wait_s("flood", 0.0)
    assert throttle.wait_s("honest", 0.0) == 0.0


def test_twelve_phones_that_load_the_page_through_one_router_are_no_flood() -> None:
    throttle = Throttle(READS)
    assert all(throttle.wait_s("router", number * 0.001) == 0.0 for number in range(12 * 26))


@pytest.mark.parametrize(("others", "remembered"), [(MOST_CLIENTS - 1, True), (MOST_CLIENTS, False)])
def test_of_many_addresses_only_the_latest_are_remembered(others: int, remembered: bool) -> None:
    throttle = Throttle(READS)
    for _ in range(READS.burst):
        throttle.wait_s("flood", 0.0)
    for number in range(others):
        throttle.wait_s(str(number), 0.0)
    assert (throttle.wait_s("flood", 0.0) != 0.0) == remembered


@given(st.lists(st.floats(0, 0.5), min_size=1, max_size=300))
def test_in_any_rhythm_no_more_pass_than_the_rate_and_one_burst(gaps: list[float]) -> None:
    rate = Rate(4, 6)
    throttle, now, passed = Throttle(rate), 0.0, 0
    for gap in gaps:
        now += gap
        passed += throttle.wait_s("a", now) is not None
    assert passed <= rate.burst + (now + rate.patience_s) * rate.a_second + 1e-6
