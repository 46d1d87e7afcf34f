"""Simulated evenings with hands that err, through World, camera, settling, reader and the table's rules; no real time.

What the table makes of each throw and of each set-aside is booked against what the hands did.
"""

import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.errors import CompanionError
from companion.table.state.inputs import (
    Answer,
    Button,
    ChooseSelection,
    CorrectRoll,
    Input,
    NewGame,
    Press,
    ReadingSettled,
    TrayFoundAgain,
    Undo,
)
from companion.table.state.questions import Choice, DoubtfulThrow, SilentBank, WhichSetAside
from companion.table.state.state import TableState, restored
from companion.table.step import step
from companion.table.throws.high_stakes import expected_throw
from companion.table.throws.selection import allowed_throws
from dicereader.data.frame import Frame, Pixels
from dicereader.errors import WorldError
from dicereader.live.settle import Settled, Settler
from dicereader.live.tray_reader import TrayReader
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World
from dicereader.tray.calibration import Calibration
from farkle.game.events import DiceKept, DiceRolled, Farkled
from farkle.game.state import Phase
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "companion"))
from clumsy_hands import PLAIN, ClumsyHands, Manner

STEP_S = 1 / 30
PUSHED = 0.08  # so often does the hand that throws push the tray
LONGEST_S = 6.0  # a table that has not settled so long after all is over never does


@dataclass
class Tally:
    """What became of throws and set-asides."""

    throws: int = 0
    missed: int = 0
    invented: int = 0
    wrong: int = 0  # other faces were taken than lay there, without asking
    asked: int = 0
    leaning: int = 0  # throws with a die that leans or lies on another
    leaning_taken: int = 0  # of these, taken without asking
    others: int = 0  # acts of the hands that are no throws
    asides: int = 0
    aside_wrong: int = 0  # other dice were kept than were set aside, without asking
    aside_asked: int = 0
    after_rest_s: list[float] = field(default_factory=list)
    early: int = 0  # readings before the last die lay still
    stories: list[str] = field(default_factory=list)


Learnt = tuple[Calibration, Pixels]
"""What was learnt of a table: its calibration, and a picture of its empty tray."""


class Evening:
    """One table for two, its hands by chance from a seed, on a clock that is moved by hand.

    Where nothing was learnt of the table only its camera is known.
    """

    def __init__(self, seed: int, tally: Tally, table: Learnt | None) -> None:
        self.now = 10.0
        self._tally = tally
        self._rng = random.Random(seed)
        self._seed = seed
        self.hands = ClumsyHands(seed)
        self.source = SyntheticSource(lambda: self.now, seed=seed)
        self._tray = TrayReader(*(table or (self.source.camera, None)), live=True)
        self._settler = self._new_settler()
        self.state: TableState = restored((), seq=0, game_number=0)
        self._take(NewGame("farkle-cribbage", ("Ann", "Ben")))
        self._aside: set[int] = set()  # dice kept in this turn
        self._show(self.hands.still())

    def play(self, throws: int) -> None:
        """Turn after turn until so many throws have been made."""
        goal = self._tally.throws + throws
        while self._tally.throws < goal:
            assert self.state.game is not None
            if self.state.game.over:
                self._take(NewGame("farkle-cribbage", ("Ann", "Ben")))
                self._new_turn()
            if self.state.game.phase is Phase.CHOOSING:
                self._choose()
            else:
                self._throw(None)

    # --- what the table does -------------------------------------------------------------------------------------

    def _take(self, given: Input) -> tuple[object, ...]:
        made = step(self.state, given, self.now)
        self.state = made.state
        self._settler.expect(allowed_throws(self.state), expected_throw(self.state).high_stakes)
        return made.events

    def _new_settler(self) -> Settler:
        return Settler(lambda pixels: self._tray.read(pixels, self.now), self._tray.calibration)

    def _show(self, world: World) -> list[object]:
        """Lay a World and look until the tray has settled after its end; the game's events meanwhile."""
        self.source.set_world(world)
        start, events = self.now, []
        lies_s = max((path.keys[-1].t_s for path in world.dice), default=0.0)
        while True:
            self.now += STEP_S
            frame = self.source.next(1.0)
            assert isinstance(frame, Frame)
            for event in self._settler.feed(frame):
                if isinstance(event, Settled):
                    passed = self.now - start
                    self._tally.early += bool(event.observation.episode.thrown()) and passed < lies_s
                    if event.observation.episode.thrown() and not self._settler.stirring:
                        self._tally.after_rest_s.append(passed - world.length_s)
                    events += self._take(ReadingSettled(event.observation, "synthetic"))
            self._settler.calibrate(self._tray.calibration)  # as the eye does
            if self._tray.has_moved():
                self._settler = self._new_settler()
                events += self._take(TrayFoundAgain())
            over_s = self.now - start - world.length_s
            if over_s > LONGEST_S or (over_s > 0.5 and not self._settler.stirring):
                return events

    # --- throws --------------------------------------------------------------------------------------------------

    def _manner(self, thrown: Sequence[int]) -> Manner:
        rng = self._rng
        lying = [i for i in self.hands.rolled if i not in thrown and i not in self.hands.beside]
        match rng.choices(range(8), (50, 12, 8, 8, 6, 4, 3, 9))[0]:
            case 1:
                return Manner(lingers_s=rng.uniform(0.3, 1.2))
            case 2:
                return Manner(later_s=rng.choice((0.1, 0.3, 0.9)))
            case 3:
                return Manner(hops=1)
            case 4:
                return Manner(spin_s=rng.uniform(0.5, 2.0))
            case 5:
                return Manner(leans=1)
            case 6 if len(thrown) > 1:
                return Manner(stacks=1)
            case 7 if lying:
                return Manner(strikes=rng.choice(lying))
        return PLAIN

    def _throw(self, kept: Selection | None, *, banked: bool = False) -> None:
        """Throw what is to be thrown after `kept` was truly set aside, and book what the table makes of it."""
        tally, rng = self._tally, self._rng
        assert self.state.game is not None
        game = self.state.game
        if len(self._aside) == 6 or (game.phase is not Phase.CHOOSING and game.turn.dice_left == 6):
            self._aside.clear()
        dice = [i for i in range(6) if i not in self._aside]
        faces = [rng.randint(1, 6) for _ in dice]
        manner = self._manner(dice)
        try:
            world = self.hands.throw(faces, dice, manner)
        except WorldError:
            manner = PLAIN
            world = self.hands.throw(faces, dice)
        if rng.random() < PUSHED:
            world = replace(world, jolts=self._bump().jolts)
        tally.throws += 1
        after = kept.dice if kept else "nothing"
        told = f"seed {self._seed}, throw {tally.throws}, {self.now:.1f} s: {sorted(faces)} after {after}, {manner}"
        events = self._show(world)
        if manner.leans or manner.stacks:
            self._leant(events, told)
            self._throw(kept, banked=banked)
            return
        asked = self.state.question is not None and not isinstance(self.state.question, Choice)
        if asked:
            tally.asked += 1
            events += self._answer(sorted(faces), kept, banked=banked)
        rolled = [event for event in events if isinstance(event, DiceRolled)]
        if not rolled and not asked:
            tally.missed += 1
            tally.stories.append(f"missed, {self.state.announced!r}: {told}")
        if not rolled:
            self._throw(kept, banked=banked)
            return
        for event in rolled[:1]:
            if sorted(event.faces) != sorted(faces):
                tally.wrong += 1
                tally.stories.append(f"read {sorted(event.faces)}: {told}")
                self._correct(faces)
        tally.invented += max(0, len(rolled) - 1)
        self._book_aside(events, kept, asked=asked, told=told)
        if rolled and any(isinstance(event, Farkled) for event in events):
            self._new_turn()

    def _leant(self, events: list[object], told: str) -> None:
        """A die leans: the throw counts for nothing."""
        self._tally.leaning += 1
        if any(isinstance(event, DiceRolled) for event in events):
            self._tally.leaning_taken += 1
            self._tally.stories.append(f"leaning die taken: {told}")
            self._take(Undo())
        elif self.state.question is not None and not isinstance(self.state.question, Choice):
            self._take(Answer(self.state.question.answers[-1]))

    def _book_aside(self, events: list[object], kept: Selection | None, *, asked: bool, told: str) -> None:
        if kept is None:
            return
        taken = next((event for event in events if isinstance(event, DiceKept)), None)
        self._tally.asides += 1
        self._tally.aside_asked += asked
        if taken is not None and sorted(taken.dice) != sorted(kept.dice) and not asked:
            self._tally.aside_wrong += 1
            self._tally.stories.append(f"kept {taken.dice}: {told}")

    def _answer(self, faces: list[int], kept: Selection | None, *, banked: bool) -> list[object]:
        """Answer as a player would who knows what was done; the events that follow."""
        events: list[object] = []
        for _ in range(4):
            question = self.state.question
            if question is None or isinstance(question, Choice):
                break
            if isinstance(question, DoubtfulThrow):
                right = sorted(question.faces) == faces
                same = len(question.faces) == len(faces)
                events += self._take(
                    Answer(question.answers[0])
                    if right
                    else CorrectRoll(tuple(faces))
                    if same
                    else Answer("throw again")
                )
            elif isinstance(question, WhichSetAside) and kept is not None:
                fits = [i for i, each in enumerate(question.choices) if sorted(each) == sorted(kept.dice)]
                events += self._take(Answer(question.answers[fits[0] if fits else -1]))
            elif isinstance(question, SilentBank):
                events += self._take(Answer(question.answers[0 if banked else 1]))
            else:
                events += self._take(Answer(question.answers[-1]))
        return events

    def _correct(self, faces: list[int]) -> None:
        try:
            self._take(CorrectRoll(tuple(faces)))
        except CompanionError:
            self._take(Undo())

    def _new_turn(self) -> None:
        self._aside.clear()

    # --- setting aside -------------------------------------------------------------------------------------------

    def _choose(self) -> None:
        """Keep something, in one of the ways that people have, and throw on or bank."""
        rng, game = self._rng, self.state.game
        assert game is not None
        if self.state.question is not None:
            self._take(Answer(self.state.question.answers[0]))
        if rng.random() < 0.35:
            self._err()
        kept = rng.choice(legal_selections(game.rules, game.turn.roll))
        dice = self._dice_of(kept)
        if dice is None:
            self._take(Undo())  # table and tray no longer agree: a player would begin the throw anew
            return
        way = rng.choices(("shelf", "left", "beside", "page"), (50, 20, 10, 20))[0]
        hot = len(self._aside) + len(dice) == 6
        if way == "page":
            self._take(ChooseSelection(kept.dice))
        elif way == "beside" and not hot:
            self._other(self.hands.take_away(dice))
        elif way == "shelf" or hot:
            self._shelve(dice)
        if rng.random() < 0.3 and self._bank():
            return
        self._aside |= set(dice)
        if not self._still_choosing():
            return
        self._throw(kept)
        assert self.state.game is not None
        if self.state.game.phase is not Phase.CHOOSING and not self.state.game.turn.locked:
            self._new_turn()
        elif len(self.state.game.turn.locked) != len(self._aside) % 6:
            self._aside -= set(dice)  # the throw did not count: what was set aside is not kept yet

    def _still_choosing(self) -> bool:
        return self.state.game is not None and self.state.game.phase is Phase.CHOOSING

    def _dice_of(self, kept: Selection) -> list[int] | None:
        """Which dice of this throw show the selection's faces."""
        loose = [i for i in range(6) if i not in self._aside]
        found: list[int] = []
        for face in kept.dice:
            match = next((i for i in loose if self.hands.faces[i] == face and i not in found), None)
            if match is None:
                return None
            found.append(match)
        return found

    def _shelve(self, dice: list[int]) -> None:
        free = [i for i in dice if i not in self.hands.shelved and i not in self.hands.beside]
        parts = [free] if self._rng.random() < 0.6 else [[i] for i in free]
        for part in parts:
            if part:
                self._other_if_room(lambda part=part: self.hands.shelve(part))  # type: ignore[misc]
        if free and self._rng.random() < 0.1:  # second thoughts, and third
            self._other_if_room(lambda: self.hands.unshelve(free[:1]))
            self._other_if_room(lambda: self.hands.shelve(free[:1]))

    def _bank(self) -> bool:
        try:
            self._take(Press(Button.BANK))
        except CompanionError:
            return False
        self._new_turn()
        return True

    def _err(self) -> None:
        rng, hands = self._rng, self.hands
        loose = [i for i in hands.rolled if i not in hands.beside]
        match rng.randrange(6):
            case 0 | 1 if loose:
                self._other_if_room(lambda: hands.nudge(rng.choice(loose)))
            case 2:
                self._other(hands.hover(from_deg=rng.choice((0.0, 0.0, 90.0, 180.0, 270.0))))
            case 3:
                self._other(hands.relight(rng.uniform(0.7, 1.15), rng.choice((0.0, rng.uniform(0.1, 0.45)))))
            case 4:
                self._other(self._bump())

    def _bump(self) -> World:
        rng = self._rng
        return self.hands.bump(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-0.3, 0.3))

    def _other_if_room(self, act: Callable[[], World]) -> None:
        try:
            world = act()
        except WorldError:
            return
        self._other(world)

    def _other(self, world: World) -> None:
        """An act of the hands that is no throw: none may be seen."""
        self._tally.others += 1
        events = self._show(world)
        rolled = [event for event in events if isinstance(event, DiceRolled)]
        if rolled:
            self._tally.invented += 1
            self._tally.stories.append(f"invented {rolled}: seed {self._seed}, {self.now:.1f} s")
            self._take(Undo())
        if self.state.question is not None and not isinstance(self.state.question, Choice):
            self._tally.asked += 1
            self._tally.stories.append(f"asked {self.state.question.text!r} after no throw: seed {self._seed}")
            self._take(Answer(self.state.question.answers[-1]))
