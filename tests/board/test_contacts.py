"""Ten thousand traces of three contacts: chatter, sparks, stalls, chords, stuck; each gesture comes exactly once."""

import random
from dataclasses import dataclass, field

import pytest
from samples import sampled

from pegboard.buttons.contacts import Contacts, Timing
from pegboard.buttons.port import Button, Chord, Gesture, Hold, LongHold, Stuck, Tap

TRACES = 10_000
CHATTER_S = 0.010
SETTLE_S = Timing().settle_s
KEEP, ROLL, BANK = Button


@dataclass
class Trace:
    """Levels with their times, and the intended gestures."""

    chance: random.Random
    now: float = 0.0
    levels: list[tuple[float, Button, bool]] = field(default_factory=list)
    meant: list[Gesture] = field(default_factory=list)

    def change(self, button: Button, down: bool, at_s: float) -> None:
        """Change a contact's level, with chatter for up to ten milliseconds."""
        times = sorted(self.chance.uniform(0, CHATTER_S) for _ in range(2 * self.chance.randrange(6)))
        self.levels.append((at_s, button, down))
        self.levels += [(at_s + time, button, down == bool(number % 2)) for number, time in enumerate(times)]

    def sparks(self) -> None:
        """Add disturbances to the line: levels too short for a finger."""
        for _ in range(self.chance.randrange(4)):
            self.now += self.chance.uniform(0.02, 0.2)
            button = self.chance.choice(tuple(Button))
            self.levels += [
                (self.now, button, True),
                (self.now + self.chance.uniform(1e-4, 0.9 * SETTLE_S), button, False),
            ]
        self.now += 0.05

    def press(self) -> None:
        """Add a tap, a hold, or a press of two buttons at once."""
        kind = self.chance.choice(("tap", "tap", "tap", "hold", "chord", "both"))
        first, second = self.chance.sample(tuple(Button), 2)
        down_s = {"tap": self.chance.uniform(0.04, 1.3), "hold": self.chance.uniform(1.7, 4.0)}.get(kind, 0.0)
        if kind in ("tap", "hold"):
            self.change(first, True, self.now)
            self.change(first, False, self.now + down_s)
            self.meant.append(Hold(first) if kind == "hold" else Tap(first))
        else:
            down_s = self.chance.uniform(3.5, 5.0) if kind == "chord" else self.chance.uniform(0.6, 2.5)
            self.change(first, True, self.now)
            self.change(second, True, self.now + self.chance.uniform(0.0, 0.27))
            self.change(first, False, self.now + down_s)
            self.change(second, False, self.now + down_s + self.chance.uniform(0.0, 0.2))
            self.meant += [Chord()] if kind == "chord" else []
            down_s += 0.3
        self.now += down_s + self.chance.uniform(0.5, 1.5)


def trace_of(seed: int) -> Trace:
    made = Trace(random.Random(seed))
    for _ in range(made.chance.randrange(1, 5)):
        made.sparks()
        made.press()
    made.sparks()
    made.levels.sort(key=lambda each: each[0])
    return made


def gestures(trace: Trace) -> list[Gesture]:
    """Return the gestures of a trace that is polled every 5 to 50 ms, sometimes after a stall of up to a second.

    As in the driver, the edges since the last poll come first, with their own times, then the time of the poll.
    """
    contacts, found, coming = Contacts(), [], list(reversed(trace.levels))
    now = 0.0
    while now < trace.now + 1:
        now += trace.chance.uniform(0.005, 0.05) if trace.chance.random() < 0.95 else trace.chance.uniform(0.1, 1.0)
        while coming and coming[-1][0] <= now:
            found += contacts.level(*coming.pop())
        found += contacts.tick(now)
    return found


@pytest.mark.parametrize("first", sampled(range(0, TRACES, 500), 0))
def test_every_gesture_of_a_trace_comes_exactly_once(first):
    traces = [trace_of(seed) for seed in range(first, first + 500)]
    assert max(len(trace.levels) for trace in traces) > 60
    assert {type(each) for trace in traces for each in trace.meant} == {Tap, Hold, Chord}
    for number, trace in enumerate(traces, first):
        assert gestures(trace) == trace.meant, f"trace {number}"


def test_a_button_that_is_closed_at_the_start_is_stuck_until_it_was_open_for_certain():
    contacts = Contacts(Timing(settle_s=0.0625), closed=Button)
    for at_s, down in ((0.0, True), (0.03125, False), (0.046875, True)):
        contacts.level(at_s, KEEP, down)  # an opening that is too short
        assert contacts.tick(at_s) == ()
    assert contacts.tick(0.25) == (Stuck(KEEP, stuck=True),)
    assert contacts.tick(40.0) == ()
    contacts.level(40.5, ROLL, True)  # it was never closed for certain
    assert contacts.tick(40.75) == ()
    contacts.level(41.0, ROLL, False)
    assert contacts.tick(41.5) == (Tap(ROLL),)


def test_a_contact_that_opens_for_as_long_as_it_needs_to_settle_counts_from_then_on():
    contacts = Contacts(Timing(settle_s=0.0625), closed=[KEEP])
    contacts.level(0.0, KEEP, True)
    contacts.level(0.03125, KEEP, False)
    assert contacts.tick(0.09375) == ()
    contacts.level(0.125, KEEP, True)
    assert contacts.tick(0.25) == ()
    contacts.level(0.5, KEEP, False)
    assert contacts.tick(1.0) == (Tap(KEEP),)


def test_a_press_that_was_stuck_before_anybody_looked_gives_no_gesture():
    contacts = Contacts(Timing(stuck_s=6.0))
    contacts.level(0.0, KEEP, True)
    contacts.level(6.0, KEEP, False)
    assert contacts.tick(7.0) == ()


def test_a_button_that_was_stuck_at_the_start_works_when_it_has_come_up():
    contacts = Contacts(closed=[ROLL])
    contacts.level(0.0, ROLL, True)
    found = list(contacts.tick(5.0))
    for at_s, down in ((6.0, False), (7.0, True), (7.1, False)):
        found += contacts.level(at_s, ROLL, down)
    assert [*found, *contacts.tick(8.0)] == [Stuck(ROLL, stuck=True), Stuck(ROLL, stuck=False), Tap(ROLL)]


def test_a_stuck_button_is_reported_once_and_leaves_the_others_their_taps_holds_and_chords():
    contacts, found, now = Contacts(Timing(settle_s=0.05, stuck_s=6.0)), [], 40.0
    contacts.level(0.0, KEEP, True)
    for tick in range(1, 200):
        found += [(tick / 20, gesture) for gesture in contacts.tick(tick / 20)]
    assert found == [(1.5, Hold(KEEP)), (5.0, LongHold(KEEP)), (6.0, Stuck(KEEP, stuck=True))]
    found = []
    for down_s in (0.1, 2.0):
        found += contacts.level(now, ROLL, True)
        found += contacts.level(now + down_s, ROLL, False)
        now += down_s + 1
        found += contacts.tick(now)
    found += contacts.level(now, ROLL, True)
    found += contacts.level(now + 0.1, BANK, True)
    for tick in range(80):
        found += contacts.tick(now + 0.1 + tick / 20)
    assert found == [Tap(ROLL), Hold(ROLL), Chord()]
    for at_s, button in ((60.0, KEEP), (60.1, ROLL), (60.2, BANK)):
        found += contacts.level(at_s, button, False)
    for at_s, down in ((62.0, True), (62.2, False)):
        found += contacts.level(at_s, KEEP, down)
    assert [*found[3:], *contacts.tick(63.0)] == [Stuck(KEEP, stuck=False), Tap(KEEP)]


def test_chatter_counts_for_as_long_as_a_contact_needs_to_settle_and_at_that_time_no_more():
    contacts = Contacts(Timing(settle_s=0.0625))
    contacts.level(0.0, KEEP, True)
    contacts.level(0.04, KEEP, False)
    assert contacts.tick(1.0) == ()
    contacts.level(2.0, KEEP, True)
    contacts.level(2.0625, KEEP, False)
    assert contacts.tick(3.0) == (Tap(KEEP),)


def test_a_contact_that_never_rests_gives_no_gesture():
    contacts, found = Contacts(), []
    for number in range(10_000):
        found += contacts.level(number * 0.005, KEEP, number % 2 == 0)
    assert found == []
