"""The hands at the tray: the players' own, or simulated ones that page and keyboard move and the eye sees."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

from companion.errors import BusyError, RefusedError
from companion.runtime.feed import Feed, Update
from companion.runtime.host import Clock
from companion.simulation.hands import SimulatedHands
from companion.table.state.cues import CueKind
from companion.table.throws.throws import check_throw
from companion.table.view import View
from companion.words import Text, message
from dicereader.errors import WorldError
from dicereader.sources.synthetic.world import World

SEEN_S = 6.0
"""The longest time until the eye has settled on an act of the hands."""

START_S = 20.0
"""The longest time until the eye's first picture: a small Pi loads OpenCV slowly."""

HOLD_BACK_S = 1.0
"""How long a throw waits for the eye to read a tray at rest; while dice move it is refused at once.

The keyboard's next key waits as long, so the time is short."""

FIRST_HOLD_BACK_S = 4.0
"""The same at a start, when the eye is still starting and no key waits."""


class TrayHands:
    """The hands at the tray: here the players' own, which the program cannot move.

    Subclasses throw simulated or photographed dice.
    """

    simulated = False
    """Whether the dice are simulated or photographed, so that the page throws them."""

    skipped: Mapping[str, int] = MappingProxyType({})
    """The number of photographs that were not shown, by reason."""

    @property
    def stuck(self) -> str:
        """The reason why no throw can ever follow; empty if one can."""
        return ""

    def start(self) -> None:
        """Lay the dice out, if these hands can."""

    def throw(self, _faces: tuple[int, ...] | None, *, whole: bool | None = None) -> None:  # noqa: ARG002
        """Set the chosen dice aside, then throw the others; None leaves the faces to chance.

        A `whole` throw shows all that a hand does, another one is quick; None leaves it to the hands.

        Raises:
            RefusedError: if nothing may be thrown now.
        """
        raise RefusedError(message("refused.throw_real_dice"))

    def shelve(self, _dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf, by their index in the last throw.

        Raises:
            RefusedError: if these dice cannot be set aside now.
        """
        raise RefusedError(message("refused.move_real_dice"))

    def close(self) -> None:
        """Put the hands away."""


@dataclass(eq=False)
class SimulatedTable(TrayHands):
    """Throws and shelves simulated dice as the table's view demands. One act of the hands at a time.

    Args:
        hands: The hands.
        lay: Shows the eye a World.
        feed: The table's views.
        clock: The clock of the simulated tray.
        chance: Chooses the faces of throws.
    """

    hands: SimulatedHands
    lay: Callable[[World], object]
    feed: Feed
    clock: Clock
    chance: random.Random

    simulated = True

    def __post_init__(self) -> None:
        self._acting = threading.Lock()
        self._acted = False
        self._unseen = ""  # the hands wait until the eye has settled on a newer picture than this one
        self._given_up_s = 0.0  # when they stop waiting: a blind eye never settles
        self._hold_back_s = 0.0  # how long a throw waits for the eye before it is refused
        self._leave = self.feed.subscribe(self._on_update, "simulated hands")

    def start(self) -> None:
        """Lay the dice out as the journal left them: at a start, and after a restart."""
        view = self.feed.latest.view
        self._wait_for_the_eye(START_S, FIRST_HOLD_BACK_S)
        if view.phase == "over" or not (view.roll or view.locked):  # the six dice lie in their pockets
            self.lay(self.hands.still())
            return
        # Dice that are kept and wait for the next throw are not in the roll any more, but the others must be there.
        left = view.roll or self.hands.faces[: min(view.dice_to_throw, len(self.hands.faces) - len(view.locked))]
        self.lay(self.hands.lay_out(left, view.locked))

    def throw(self, faces: tuple[int, ...] | None, *, whole: bool | None = None) -> None:
        """Slide the chosen dice to the shelf, then throw the others; returns when the throw begins.

        A `whole` throw sets aside, scoops up and shakes at a player's pace, any other is one quick movement. By default
        it is whole in the first turn on this table, so that people see what the hand does; but dice that are to be set
        aside first go with the quick movement, because the tray would come to rest between and show the old roll again.

        Raises:
            RefusedError: if nothing may be thrown now, or these faces may not.
        """
        with self._one_act():
            view = self._ready()
            if refused := why_no_throw(view):
                raise RefusedError(refused)
            count = view.dice_to_throw
            chance = (self.chance.randint(1, 6) for _ in range(count))
            wanted = tuple(chance) if faces is None else check_throw(faces, count)
            missing = self._not_yet_aside(view) if count < len(self.hands.faces) else []
            if whole is None:
                whole = view.first_turn and not missing
            if whole or self._corrected(missing, view):
                if missing:
                    self._shelve(missing, view)
                    self.feed.wait(self._has_looked, SEEN_S)
                self._act(lambda: self.hands.throw(wanted, self._dice_to_throw(view, count)))
            else:
                self._act(lambda: self._quick_throw(wanted, missing, view))

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf, by their index in the last throw.

        Raises:
            RefusedError: if no roll is on the tray, or it lacks these dice.
        """
        with self._one_act():
            view = self._ready()
            if view.phase != "choosing":
                raise RefusedError(message("rules.throw_first"))
            if not dice or any(not 0 <= index < len(view.roll) for index in dice) or len(set(dice)) != len(dice):
                raise RefusedError(message("refused.no_such_die"))
            self._shelve([view.roll[index] for index in dice], view)

    def close(self) -> None:
        """Put the hands away."""
        self._leave()

    @contextmanager
    def _one_act(self) -> Iterator[None]:
        """Hold the hands for one act; a second act meanwhile is refused at once.

        Raises:
            BusyError: if the hands are at work.
        """
        if not self._acting.acquire(blocking=False):
            raise BusyError(message("refused.hands_busy"))
        try:
            yield
        finally:
            self._acting.release()

    def _on_update(self, update: Update) -> None:
        """Wait for the eye when table and tray are out of step: a throw before it has read the tray would not count."""
        if any(cue.kind is CueKind.OUT_OF_STEP for cue in update.cues):
            self._wait_for_the_eye(SEEN_S, HOLD_BACK_S)

    def _wait_for_the_eye(self, most_s: float, hold_back_s: float = 0.0) -> None:
        self._unseen = _picture(self.feed.latest.view)
        self._given_up_s = self.clock.monotonic() + most_s
        self._hold_back_s = hold_back_s

    def _has_looked(self, update: Update) -> bool:
        return _picture(update.view) != self._unseen or self.clock.monotonic() > self._given_up_s

    def _ready(self) -> View:
        if not self.feed.wait(self._has_looked, self._hold_back_s) or self.feed.latest.view.phase == "rolling":
            if not self._acted and self.feed.latest.view.phase != "rolling":
                raise BusyError(message("refused.camera_wakes"))
            raise BusyError(message("refused.dice_moving"))
        return self.feed.latest.view

    def _not_yet_aside(self, view: View) -> list[int]:
        """Return the faces of the chosen dice that are not on the shelf."""
        # The table's shelf leaves out a die that hopped there with the throw; it may be chosen where it lies.
        there = Counter(self.hands.faces[die] for die in self.hands.shelved)
        lying = (Counter(view.shelf) | there) - Counter(view.locked)
        return list((Counter(view.chosen.dice if view.chosen else ()) - lying).elements())

    def _corrected(self, missing: Sequence[int], view: View) -> bool:
        """Return whether one of these dice shows another face than the table has corrected it to.

        The table knows such a die again because it comes to rest on the shelf before the others are thrown.
        """
        try:
            aside = self.hands.find(missing, taken_for=view.roll)
        except WorldError:
            return False
        return Counter(self.hands.faces[die] for die in aside) != Counter(missing)

    def _quick_throw(self, faces: tuple[int, ...], missing: Sequence[int], view: View) -> World:
        aside = self.hands.find(missing, taken_for=view.roll)
        return self.hands.quick_throw(faces, self._dice_to_throw(view, len(faces), aside), aside)

    def _shelve(self, faces: Sequence[int], view: View) -> None:
        self._act(lambda: self.hands.shelve(self.hands.find(faces, taken_for=view.roll)))

    def _dice_to_throw(self, view: View, count: int, aside: Sequence[int] = ()) -> tuple[int, ...]:
        """Return the dice to take into the hand: all, or those that are neither kept nor on their way `aside`."""
        hands = self.hands
        every = [die for die in range(len(hands.faces)) if die not in aside]
        kept = Counter(view.locked) + Counter(view.chosen.dice if view.chosen else ())
        kept -= Counter(hands.faces[die] for die in aside)
        # On the shelf lie the dice that are kept, and those that have hopped there.
        loose = [die for die in hands.rolled if die not in aside]
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
            raise RefusedError(message("refused.cannot_move")) from error
        self._acted = True
        self._wait_for_the_eye(world.length_s + SEEN_S)
        self.lay(world)


def why_no_throw(view: View) -> Text | None:
    """Return the reason why nothing may be thrown now, None if a throw is allowed."""
    match view.phase:
        case "lobby":
            return message("refused.start_game_first")
        case "over":
            return message("rules.game_over")
        case "asking":
            return message("refused.answer_first")
        case "choosing" if view.bot is not None and view.bot.then != "throw":
            return message("refused.bot_decides", name=view.to_move)
        case "choosing" if view.chosen is None:
            return view.refused.get("roll", message("rules.keep_first"))
        case "choosing" | "to_throw" if not view.dice_to_throw:
            return message("rules.one_throw")
        case _:
            return None


def _picture(view: View) -> str:
    return view.reading.picture if view.reading else ""
