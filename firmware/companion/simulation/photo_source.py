"""Recorded pictures as throws: the next photograph that fits is the throw; others are skipped and counted."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.errors import BusyError, CompanionError, RefusedError
from companion.runtime.feed import Feed
from companion.simulation.simulated_table import TrayHands, why_no_throw
from companion.table.throws.interpret import outside_shelf
from companion.table.view import View
from companion.words import english, message
from dicereader.reading import Observation

TAKEN_S = 2.0
"""Seconds for which no other photograph is shown, until the table has taken this one."""


@dataclass(eq=False)
class PhotoThrows(TrayHands):
    """Shows photographs to the table, one a throw. Clips throw by themselves.

    Args:
        feed: The table's views.
        advance: Asks the eye for the next photograph.
        accept: Gives an observation to the table.
        eye_failure: The reason why the eye cannot start, empty while it can.
        bank: Banks the turn of a bot if the next photograph shows another number of dice than must be thrown; the hands
            are `stuck` then if none fits. Without it the table gets a photograph that does not fit, and says what is
            missing.
    """

    feed: Feed
    advance: Callable[[], object]
    accept: Callable[[Observation], object]
    eye_failure: Callable[[], str] = str
    bank: Callable[[View], object] | None = None

    simulated = True

    def __post_init__(self) -> None:
        self.live = False  # True for clips, once the eye has said so
        self._opened = self._wanted = False
        self._tried: set[str] = set()
        self._none_fits = ""
        self.skipped: dict[str, int] = {}

    @property
    def stuck(self) -> str:
        """The reason why no photograph can follow, or empty. Unlike a camera, a folder does not recover."""
        return self.eye_failure() or self._none_fits

    def hello(self, live: bool) -> None:
        """Note that the eye has opened its source: clips are `live`, photographs are not.

        A new eye is asked again for a photograph that has not come yet.
        """
        self._opened = True
        self.live = live
        if self._wanted and not live:
            self.advance()

    def throw(self, faces: tuple[int, ...] | None, *, whole: bool | None = None) -> None:  # noqa: ARG002
        """Show the next photograph that fits the throw.

        Raises:
            RefusedError: if faces are given, or nothing may be thrown now.
            BusyError: if a photograph is being read.
        """
        view = self.feed.latest.view
        if faces is not None:
            raise RefusedError(message("refused.photos_choose"))
        if refused := why_no_throw(view):
            raise RefusedError(refused)
        if self.live:
            return  # a clip throws by itself
        if self._wanted:
            raise BusyError(message("refused.photo_read"))
        self._wanted = True
        self._tried.clear()
        if self._opened:
            self.advance()

    def shelve(self, _dice: tuple[int, ...]) -> None:
        """Refuse: photographs have no hands.

        Raises:
            RefusedError: always.
        """
        raise RefusedError(message("refused.photos_lie"))

    def observed(self, observation: Observation) -> None:
        """Take a picture that fits; skip and count a photograph that does not, and ask for the next."""
        if self.live:
            if self._misfit(observation, self.feed.latest.view) == "count":
                self._banked()
            self.accept(observation)
            return
        if not self._wanted:
            return
        why = self._misfit(observation, self.feed.latest.view)
        if why == "count" and self._banked():
            why = self._misfit(observation, self.feed.latest.view)
        if why is None:
            thrown = self.feed.latest.view.throw_seq
            self.accept(observation)
            self.feed.wait(lambda update: update.view.throw_seq != thrown, TAKEN_S)
            self._wanted = False
            return
        self.skipped[why] = self.skipped.get(why, 0) + 1
        if self.feed.latest.view.phase == "over":  # the bank ended the game
            self._wanted = False
            return
        if observation.name in self._tried:
            self._wanted = False
            self._give_up(observation)
            return
        self._tried.add(observation.name)
        self.advance()

    def _give_up(self, observation: Observation) -> None:
        if self.bank is None:
            self.accept(observation)  # the table says what is missing
            return
        count = self.feed.latest.view.dice_to_throw
        skipped = ", ".join(f"{number} {why}" for why, number in sorted(self.skipped.items()))
        self._none_fits = (
            f"expected a photograph of {english().dice(count)} that is read for sure, got none (skipped: {skipped})"
        )

    @staticmethod
    def _misfit(observation: Observation, view: View) -> str | None:
        """Return why a picture is not the throw that the table expects, as counted in `skipped`; None if it fits."""
        if not observation.reading.sure:
            return "not sure"
        return None if len(outside_shelf(observation.reading)) == view.dice_to_throw else "count"

    def _banked(self) -> bool:
        """Bank if the turn may be banked; return whether it was."""
        view = self.feed.latest.view
        if self.bank is None or view.phase != "choosing":
            return False
        try:
            self.bank(view)
        except (CompanionError, TimeoutError):
            return False
        return True
