"""Autoplay: plays through the same inputs as any player. It keeps the best selection, and banks at six holes' worth.

It throws with simulated hands or the next photograph, gives each question its likeliest answer, and ends with the game.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future

from companion.errors import CompanionError
from companion.runtime.feed import Feed
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Host
from companion.simulation.tray_hands import TrayHands
from companion.table.state.inputs import Answer, Button, ChooseSelection, Fault, Input, Press
from companion.table.view import View
from companion.words import message

ENOUGH_HOLES = 6
FEW_DICE = 2
LOOK_S = 0.5


def wants_to_bank(view: View, points_a_hole: int) -> bool:
    """Return whether to bank: at six holes' worth or with two dice left, but never with all dice to throw again.

    After the only throw of a last turn nothing else is possible.
    """
    if "bank" not in view.legal:
        return False
    if not view.dice_to_throw:
        return True
    if view.bank is None or view.chosen is None:
        return False
    if len(view.chosen.dice) == len(view.roll):
        return False
    return view.turn_points + view.bank.points >= ENOUGH_HOLES * points_a_hole or view.dice_to_throw <= FEW_DICE


class Autoplay(Worker):
    """Plays one game to its end on a thread of its own, and then sets `ended`."""

    def __init__(
        self,
        feed: Feed,
        submit: Callable[[Input], "Future[View]"],
        throw: Callable[[tuple[int, ...] | None], None],
        points_a_hole: Callable[[], int],
        report: Callable[[Fault], object] = bool,
    ) -> None:
        super().__init__("autoplay", Guard("autoplay", message("fault.autoplay"), report))
        self._feed = feed
        self._submit = submit
        self._throw = throw
        self._points_a_hole = points_a_hole
        self.ended = threading.Event()

    @classmethod
    def of_table(cls, host: Host, hands: TrayHands) -> "Autoplay":
        """Return a player for the game of a table, with the hands at its tray."""

        def points_a_hole() -> int:
            play = host.state.play
            return play.game.rules.points_a_hole(play.track) if play else 1

        return cls(host.feed, host.submit, hands.throw, points_a_hole, host.submit)

    def close(self) -> None:
        """Stop playing."""
        self._end()

    @property
    def alive(self) -> bool:
        """Whether it plays, or has played to the end."""
        return super().alive or self.ended.is_set()

    def _work(self) -> float:
        update = self._feed.latest
        if update.view.phase == "over":
            self.ended.set()
            self._ending.set()
            return 0.0
        try:
            moved = self._move(update.view)
        except (CompanionError, TimeoutError):
            moved = False  # the dice still move, another input came first, the disk is slow: look again
        self._guard.works()
        if not moved:
            self._feed.wait(lambda newer: newer.version != update.version, LOOK_S)
        return 0.0

    def _move(self, view: View) -> bool:
        """Make the next move; return whether there was one. Bots play for themselves."""
        if view.bot is not None:
            return False
        match view.phase:
            case "asking" if view.question is not None:
                wait = view.question.kind == "blind"  # the last answer is to wait for camera or dice
                self._submit(Answer(view.question.keys[-1 if wait else 0])).result(timeout=10)
            case "choosing" if view.chosen is None:
                self._submit(ChooseSelection(view.selections[0].dice)).result(timeout=10)
            case "choosing" | "to_throw" if wants_to_bank(view, self._points_a_hole()):
                self._submit(Press(Button.BANK)).result(timeout=10)
            case "choosing" | "to_throw" | "farkled":
                self._throw(None)
                self._feed.wait(lambda newer: newer.view.throw_seq != view.throw_seq, LOOK_S)
            case _:
                return False
        return True
