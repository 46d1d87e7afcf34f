"""Acts to write into journals: true events of an ordinary game, as many as are asked for."""

from collections.abc import Iterator

from companion.table.events import Event, SelectionChosen, TrackLaid
from farkle.game.events import DiceRolled
from farkle.game.machine import start
from farkle.rules.catalogue import find_rule_set


def some_acts(count: int) -> Iterator[tuple[Event, ...]]:
    """The first `count` acts: a start, then throws and choices in turn, each one different."""
    yield (*start(find_rule_set("farkle-cribbage"), ("Ann", "Ben")), TrackLaid(121))
    for number in range(1, count):
        if number % 2:
            yield (DiceRolled(0, (1, 1, 1, 1 + number // 36 % 6, 1 + number // 6 % 6, 1 + number % 6)),)
        else:
            yield (SelectionChosen((1,), number),)
