"""The desk: the hands of a simulated table, told by page or keys, seen by the eye like any other hands."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence

from companion.errors import BusyError, RefusedError
from companion.feed import Feed
from companion.host import Clock
from companion.simulator import Hands
from companion.table.view import View
from dicereader.errors import WorldError
from dicereader.world import World
from farkle.errors import DiceError
from farkle.rules.dice import check_faces

SEEN_S = 6.0
"""How long the eye may take to settle on what the hands have done."""


class Desk:
    """Throws and shelves simulated dice as the table's view demands it. One act of the hands at a time."""

    def __init__(
        self, hands: Hands, lay: Callable[[World], object], feed: Feed, clock: Clock, chance: random.Random
    ) -> None:
        self._hands = hands
        self._lay = lay
        self._feed = feed
        self._clock = clock
        self._chance = chance
        self._busy = threading.Lock()
        self._unseen: int | None = None  # the newest picture when the hands last moved
        self._given_up_s = 0.0  # a blind eye sees no throw end: from then on the hands may move again

    def lay_out(self) -> None:
        """Lay the dice out as the journal left them: at a start, and after a restart."""
        view = self._feed.latest.view
        if view.roll or view.locked:
            self._lay(self._hands.lay_out(view.roll, view.locked))
        else:
            self._lay(self._hands.still())

    def throw(self, faces: tuple[int, ...] | None) -> None:
        """Slide what was chosen to the shelf, then throw what is to be thrown; returns when the throw begins."""
        with _Held(self._busy):
            view = self._ready()
            refused = why_no_throw(view)
            if refused:
                raise RefusedError(refused)
            count = view.dice_to_throw
            try:
                wanted = check_faces(faces, least=count, most=count) if faces is not None else self._by_chance(count)
            except DiceError as error:
                raise RefusedError(str(error)) from error
            if count < len(self._hands.faces):
                self._set_aside(view)
            self._act(lambda: self._hands.throw(wanted, self._dice_to_throw(count)))

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf, by their index in the last throw."""
        with _Held(self._busy):
            view = self._ready()
            if view.phase != "choosing":
                raise RefusedError("expected a roll that lies there, to set dice of it aside")
            if not dice or any(not 0 <= index < len(view.roll) for index in dice) or len(set(dice)) != len(dice):
                raise RefusedError(f"expected indices from 0 to {len(view.roll) - 1}, each once, got {list(dice)!r}")
            self._shelve([view.roll[index] for index in dice])

    def _ready(self) -> View:
        view = self._feed.latest.view
        unseen = self._unseen is not None and _picture(view) <= self._unseen
        if view.phase == "rolling" or (unseen and self._clock.monotonic() < self._given_up_s):
            raise BusyError("the dice are moving; try again when they lie")
        return view

    def _by_chance(self, count: int) -> tuple[int, ...]:
        return tuple(self._chance.randint(1, 6) for _ in range(count))

    def _set_aside(self, view: View) -> None:
        """Slide what was chosen onto the shelf where it does not lie there yet, and let the eye see it."""
        lying = Counter(view.shelf) - Counter(view.locked)
        missing = Counter(view.chosen.dice if view.chosen else ()) - lying
        if missing:
            self._shelve(list(missing.elements()))
            before = self._unseen
            self._feed.wait(lambda update: before is None or _picture(update.view) > before, SEEN_S)

    def _shelve(self, faces: Sequence[int]) -> None:
        self._act(lambda: self._hands.shelve(self._hands.find(faces)))

    def _dice_to_throw(self, count: int) -> tuple[int, ...]:
        """Which dice go into the hand: all, or those outside the shelf."""
        every = tuple(range(len(self._hands.faces)))
        loose = self._hands.rolled
        return every if count == len(every) else loose[:count] if len(loose) >= count else every[:count]

    def _act(self, make: Callable[[], World]) -> None:
        try:
            world = make()
        except WorldError as error:
            raise RefusedError(str(error)) from error
        self._unseen = _picture(self._feed.latest.view)
        self._given_up_s = self._clock.monotonic() + world.length_s + SEEN_S
        self._lay(world)


def why_no_throw(view: View) -> str | None:
    """Why nothing may be thrown now, None where it may."""
    match view.phase:
        case "lobby":
            return "start a game first"
        case "over":
            return "the game is over"
        case "asking":
            return "answer the question first"
        case "choosing" if view.chosen is None:
            return view.refused.get("roll", "keep a die first")
        case _:
            return None


def _picture(view: View) -> int:
    return view.reading.picture if view.reading else 0


class _Held:
    """A lock held for one act; a second act is refused, not kept waiting."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise BusyError("the hands are at work; try again when the dice lie")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
