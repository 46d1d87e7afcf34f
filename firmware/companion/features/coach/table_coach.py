"""The coach for the whole table: a thread that answers when BANK is held, lights the better button, and tells turns.

It looks at the table's state as the host has adopted it. What it finds is dropped if the table has gone on meanwhile.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion.features.coach.coach import Coach
from companion.features.coach.table import CoachPart, in_a_turn, is_asked, parts_on, turn_ended
from companion.runtime.feed import Update
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Host
from companion.table.state.cues import CueKind
from companion.table.state.state import TableState
from companion.table.throws.selection import dice_due, turn_of
from companion.words import Text, message
from dicereader.reading import Motion
from farkle.rules.dice import Faces
from pegboard.buttons.port import Button

FOREVER_S = 3600.0

BETTER = {"bank": Button.BANK, "throw": Button.ROLL}
"""The button of the better choice."""

Say = Callable[[Text], object]
"""Says a sentence to the whole table."""


@dataclass(frozen=True)
class Decision:
    """What an answer is about: the newest act, what the next throw and BANK would keep, and how many dice are due."""

    seq: int
    aside: Faces
    banked: Faces
    dice: int


class TableCoach(Worker):
    """Coaches the whole table, as far as it wants that, on a thread of its own."""

    def __init__(self, host: Host, coach: Coach, answer: Say, tell: Say, *, speed: float = 1.0) -> None:
        """Prepare the thread.

        Args:
            host: The table.
            coach: Tells the odds.
            answer: Says an answer at once.
            tell: Says a sentence after what is being said.
            speed: How many seconds of waits pass in a second.
        """
        super().__init__("coach", Guard("coach", message("fault.coach"), host.submit), speed)
        self._host, self._coach = host, coach
        self._answer, self._tell = answer, tell
        self._asked = False
        self._prepared = 0  # the game whose odds were asked for last
        self._told = host.state.seq  # the newest act after which a turn was looked at
        self._lit: tuple[Decision, Button | None] | None = None  # a decision, and its better button if there is one
        self._lock = threading.Lock()  # between finding the better button and the end of its decision
        self._leave = host.feed.subscribe(self._on_update, "coach")

    def better(self, seq: int) -> Button | None:
        """Return the better button, which breathes while act `seq` is the newest; None if none is to be seen."""
        lit = self._lit
        return None if lit is None or lit[0].seq != seq else lit[1]

    def start(self) -> None:
        """Begin to coach."""
        self._wake()
        super().start()

    def close(self) -> None:
        """End the thread."""
        self._leave()
        self._end()

    def _on_update(self, update: Update) -> None:
        with self._lock:
            if self._lit is not None and not self._is_lit(self._lit[0]):
                self._lit = None
        if any(cue.kind is CueKind.COACH for cue in update.cues):
            self._asked = True
        if parts_on(self._host.state):
            self._wake()

    def _work(self) -> float:
        state = self._host.state
        asked, self._asked = self._asked, False
        if parts_on(state) and state.game_number != self._prepared:
            self._prepared = state.game_number
            self._coach.prepare(state)
        decision = decision_of(state)
        if decision is not None and (asked or (self._lights(state) and self._lit is None)):
            self._look(state, decision, asked=asked)
        if CoachPart.AFTER in parts_on(state) and state.seq != self._told:
            self._told = state.seq
            self._tell_turn(state)
        self._guard.works()
        return FOREVER_S

    def _lights(self, state: TableState) -> bool:
        """Return whether the lamps show the better button: always, or as an answer."""
        return CoachPart.LAMPS in parts_on(state) or is_asked(state)

    def _is_lit(self, decision: Decision) -> bool:
        """Return whether the better button of this decision is to be seen now."""
        state = self._host.state
        return self._lights(state) and decision_of(state) == decision

    def _look(self, state: TableState, decision: Decision, *, asked: bool) -> None:
        """Find the better button, and say the answer to whoever asked; drop both if the table has gone on."""
        said, better = self._coach.answer(state)
        with self._lock:
            if not self._is_lit(decision):
                return
            self._lit = decision, BETTER.get(better)
        if asked:
            self._answer(said)

    def _tell_turn(self, state: TableState) -> None:
        """Tell what the turn that has just ended gave away, unless the next one has begun."""
        said = self._coach.after(state) if turn_ended(state) else None
        now = self._host.state
        if said and now.seq == state.seq and now.motion is not Motion.MOVING:
            self._tell(said)


def decision_of(state: TableState) -> Decision | None:
    """Return the decision of a turn whose dice lie still; None in no turn, and in a bot's, which decides itself."""
    if not in_a_turn(state) or state.bot is not None or state.motion is not Motion.STILL:
        return None
    turn = turn_of(state)
    aside, banked = (each.dice if each is not None else () for each in (turn.pending, turn.bank))
    return Decision(state.seq, aside, banked, dice_due(state, turn))
