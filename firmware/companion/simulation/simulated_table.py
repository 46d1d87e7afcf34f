"""The desk: the hands of a simulated table, told by page or keys, seen by the eye like any other hands."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence

from companion.errors import BusyError, RefusedError
from companion.runtime.feed import Feed, Update
from companion.runtime.host import Clock
from companion.simulation.hands import Hands
from companion.table.cues import CueKind
from companion.table.view import View
from dicereader.errors import WorldError
from dicereader.world import World
from farkle.errors import DiceError
from farkle.rules.dice import check_faces

SEEN_S = 6.0
"""How long the eye may take to settle on what the hands have done."""

START_S = 20.0
"""How long an eye may take to its first picture: a small Pi loads OpenCV slowly."""

LOOK_S = 1.0
"""How long a throw is held back for an eye that looks at a tray at rest; while dice move it is refused at once.

The keyboard's next key waits as long, so it is short."""

FIRST_LOOK_S = 4.0
"""The same at a start, when the eye has yet to begin and no press is in a hurry."""


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
        self._acted = False
        self._unseen = ""  # the eye has yet to settle on a picture after this one
        self._given_up_s = 0.0  # a blind eye never does: from then on the hands may move again
        self._patience_s = 0.0  # how long a throw is held back for it
        self._leave = feed.subscribe(self._on_update)

    def lay_out(self) -> None:
        """Lay the dice out as the journal left them: at a start, and after a restart."""
        view = self._feed.latest.view
        self._wait_for_the_eye(START_S, patience_s=FIRST_LOOK_S)
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
            self._act(lambda: self._hands.throw(wanted, self._dice_to_throw(view, count)))

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf, by their index in the last throw."""
        with _Held(self._busy):
            view = self._ready()
            if view.phase != "choosing":
                raise RefusedError("expected a roll that lies there, to set dice of it aside")
            if not dice or any(not 0 <= index < len(view.roll) for index in dice) or len(set(dice)) != len(dice):
                raise RefusedError(f"expected indices from 0 to {len(view.roll) - 1}, each once, got {list(dice)!r}")
            self._shelve([view.roll[index] for index in dice], view)

    def close(self) -> None:
        """Put the hands away."""
        self._leave()

    def _on_update(self, update: Update) -> None:
        """After an undo or a new game the eye looks anew: what is thrown before it has seen the tray is no throw."""
        if any(cue.kind is CueKind.OUT_OF_STEP for cue in update.cues):
            self._wait_for_the_eye(SEEN_S, patience_s=LOOK_S)

    def _wait_for_the_eye(self, most_s: float, patience_s: float = 0.0) -> None:
        self._unseen = _picture(self._feed.latest.view)
        self._given_up_s = self._clock.monotonic() + most_s
        self._patience_s = patience_s

    def _seen(self, update: Update) -> bool:
        return _picture(update.view) != self._unseen or self._clock.monotonic() > self._given_up_s

    def _ready(self) -> View:
        if not self._feed.wait(self._seen, self._patience_s) or self._feed.latest.view.phase == "rolling":
            if not self._acted and self._feed.latest.view.phase != "rolling":
                raise BusyError("the camera is still waking up; try again in a moment")
            raise BusyError("the dice are moving; try again when they lie")
        return self._feed.latest.view

    def _by_chance(self, count: int) -> tuple[int, ...]:
        return tuple(self._chance.randint(1, 6) for _ in range(count))

    def _set_aside(self, view: View) -> None:
        """Slide what was chosen onto the shelf where it does not lie there yet, and let the eye see it."""
        # The table's shelf leaves out a die that hopped there with the throw; it may be chosen where it lies.
        there = Counter(self._hands.faces[die] for die in self._hands.shelved)
        lying = (Counter(view.shelf) | there) - Counter(view.locked)
        missing = Counter(view.chosen.dice if view.chosen else ()) - lying
        if missing:
            self._shelve(list(missing.elements()), view)
            self._feed.wait(self._seen, SEEN_S)

    def _shelve(self, faces: Sequence[int], view: View) -> None:
        self._act(lambda: self._hands.shelve(self._hands.find(faces, taken_for=view.roll)))

    def _dice_to_throw(self, view: View, count: int) -> tuple[int, ...]:
        """Which dice go into the hand: all, or those that are not kept."""
        hands = self._hands
        every = range(len(hands.faces))
        kept = Counter(view.locked) + Counter(view.chosen.dice if view.chosen else ())
        # On the shelf lie the dice that are kept, and those that have hopped there.
        loose = [*hands.rolled]
        for die in hands.shelved:
            if kept[hands.faces[die]]:
                kept[hands.faces[die]] -= 1
            else:
                loose.append(die)
        return tuple(loose[:count]) if len(loose) >= count else tuple(every[:count])

    def _act(self, make: Callable[[], World]) -> None:
        try:
            world = make()
        except WorldError as error:
            raise RefusedError(str(error)) from error
        self._acted = True
        self._wait_for_the_eye(world.length_s + SEEN_S)
        self._lay(world)


class OwnHands:
    """The players' own, over a real tray: nothing throws for them."""

    def throw(self, faces: tuple[int, ...] | None) -> None:  # noqa: ARG002 - the port's form
        """Refused: who plays throws."""
        raise RefusedError("the dice are real: throw them")

    def shelve(self, dice: tuple[int, ...]) -> None:  # noqa: ARG002 - the port's form
        """Refused: who plays sets aside."""
        raise RefusedError("the dice are real: set them aside, or choose on the page")

    def close(self) -> None:
        """Nothing is held."""


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


def _picture(view: View) -> str:
    return view.reading.picture if view.reading else ""


class _Held:
    """A lock held for one act; a second act is refused, not kept waiting."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise BusyError("the hands are at work; try again when the dice lie")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
