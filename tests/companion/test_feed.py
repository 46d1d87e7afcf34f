"""The feed: each subscriber gets every view in order, and a slow reader delays no other."""

import threading
from collections.abc import Callable

import pytest
from tables import Table

from companion.runtime.feed import Feed, Update
from companion.table.state.cues import Cue, CueKind

EMPTY = Table().view
STARTED = Table().start().view
THROWN = Table().start().throws("233346").view
CUE = Cue(CueKind.SETTLED, "Ann throws 2 3 3 3 4 6.")


@pytest.fixture
def feed() -> Feed:
    return Feed(EMPTY)


@pytest.fixture
def heard(feed: Feed) -> list[Update]:
    updates: list[Update] = []
    feed.subscribe(updates.append)
    return updates


def test_every_change_is_published_in_order_with_its_own_version(feed: Feed, heard: list[Update]) -> None:
    assert feed.latest == Update(0, EMPTY)
    for view in (EMPTY, STARTED, THROWN, THROWN, STARTED):
        feed.publish(view)
    feed.publish(STARTED, (CUE,))
    assert heard == [Update(1, STARTED), Update(2, THROWN), Update(3, STARTED), Update(4, STARTED, (CUE,))]


def test_a_subscriber_that_left_gets_no_more_updates(feed: Feed) -> None:
    updates: list[Update] = []
    leave = feed.subscribe(updates.append)
    feed.publish(STARTED)
    leave()
    leave()
    feed.publish(THROWN)
    assert [update.view for update in updates] == [STARTED]


def test_a_subscriber_that_leaves_during_an_update_does_not_stop_the_others(feed: Feed) -> None:
    later: list[Update] = []
    leaving: list[Callable[[], None]] = []
    leaving.append(feed.subscribe(lambda _: leaving[0]()))
    feed.subscribe(later.append)
    feed.publish(STARTED)
    feed.publish(THROWN)
    assert [update.view for update in later] == [STARTED, THROWN]


def test_waiting_ends_when_another_thread_publishes_what_fits(feed: Feed) -> None:
    looks: list[Update] = []

    def until(update: Update) -> bool:
        looks.append(update)
        if update.view == EMPTY:  # the wait has begun: now publish
            publisher.start()
        return update.view == THROWN

    publisher = threading.Thread(target=lambda: (feed.publish(STARTED), feed.publish(THROWN)))
    assert feed.wait(until, 10.0)
    publisher.join(60)
    assert [update.view for update in looks] == [EMPTY, STARTED, THROWN]
    assert feed.wait(lambda update: update.view == THROWN, 0.0)
    assert not feed.wait(lambda update: update.view == EMPTY, 0.0)
    feed.publish(EMPTY)
    assert len(looks) == 3
