"""The feed: each subscriber gets every view in order, and a slow reader delays no other."""

import threading
from collections.abc import Callable

import pytest
from tables import Table

from companion.runtime.feed import Feed, Update
from companion.table.state.cues import Cue, CueKind
from companion.table.view import View

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
    assert heard == [Update(1, STARTED), Update(2, THROWN), Update(3, STARTED)]


def test_a_cue_is_published_once_although_the_view_is_the_same(feed: Feed, heard: list[Update]) -> None:
    feed.publish(EMPTY, (CUE,))
    feed.publish(THROWN)
    assert heard == [Update(1, EMPTY, (CUE,)), Update(2, THROWN)]


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


def shows(view: View) -> Callable[[Update], bool]:
    return lambda update: update.view == view


def test_waiting_for_a_view_that_already_fits_returns_at_once(feed: Feed) -> None:
    assert feed.wait(shows(EMPTY), 0.0)


def test_waiting_in_vain_ends_after_its_time(feed: Feed) -> None:
    assert not feed.wait(shows(THROWN), 0.0)


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


def test_a_condition_is_not_called_after_its_wait_has_ended(feed: Feed) -> None:
    looks: list[Update] = []

    def until(update: Update) -> bool:
        looks.append(update)
        return True

    feed.wait(until, 0.0)
    feed.publish(STARTED)
    assert [update.view for update in looks] == [EMPTY]
