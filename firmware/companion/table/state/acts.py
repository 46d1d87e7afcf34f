"""The result of an input (`Step`), and the ways to make one: an act, a question, an announcement, a complaint.

`GivenAnswer` is the argument of the functions that carry out an answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from companion.table.state.cues import Cue, CueKind, watched
from companion.table.state.events import Event
from companion.table.state.history import Act
from companion.table.state.inputs import Input
from companion.table.state.questions import Option, Question
from companion.table.state.seen import Complaint, FarkleShown
from companion.table.state.state import TableState, with_acts
from companion.table.state.text import describe
from companion.words import NOTHING, Text, message
from farkle.game import events as game
from farkle.game.commands import Command
from farkle.game.machine import decide
from farkle.game.state import GameState

About = TypeVar("About", bound=Question, covariant=True)


@dataclass(frozen=True)
class GivenAnswer(Generic[About]):
    """An answer to a question; `state` has the question closed."""

    state: TableState
    question: About
    answer: Option
    now: float


@dataclass(frozen=True)
class Step:
    """The result of one input: the state after it, the events of its act (empty without an act), and the cues.

    `then` is the input that a chosen entry or answer gives: it is taken next.
    """

    state: TableState
    events: tuple[Event, ...] = ()
    cues: tuple[Cue, ...] = ()
    then: Input | None = None

    def followed_by(self, later: "Step") -> "Step":
        """Return this step and a later one, which began with the state after this one, as one step."""
        return replace(later, events=(*self.events, *later.events), cues=(*self.cues, *later.cues))


Handler = Callable[[TableState, Any, float], Step]
"""What one type of input does, at a time on the table's clock; a `RefusedError` says that it may not be done now."""

Handlers = Mapping[type[Input], Handler]


def act(state: TableState, events: Sequence[Event], now: float, *cues: Cue) -> Step:
    """Add one act with these events to the game, and return the step with its announcement and its cues."""
    return act_of_game(state, state.current.number, events, now, *cues)


def act_of_game(state: TableState, number: int, events: Sequence[Event], now: float, *cues: Cue) -> Step:
    """Add one act with these events to game `number`: the game that is played, or one that begins with it."""
    made = Act(state.seq + 1, tuple(events))
    cleared = replace(state, question=None, menu=None, complaint=None, incomplete=None, bot_waits=False)
    after = with_acts(cleared, number, (made,))
    said = describe(after.current.game, made.game_events)
    # The prompt says who has won.
    told = describe(
        after.current.game, tuple(each for each in made.game_events if not isinstance(each, game.GameEnded))
    )
    after = replace(after, announced=told, farkled=farkle_shown(made, now + state.times.farkle_shown_s))
    return Step(after, made.events, (*_cues(after.current.game, made, said), *cues))


def carry_out(state: TableState, command: Command, now: float) -> Step:
    """Add the act of a command; a `FarkleError` says why the rules refuse it."""
    return act(state, decide(state.current.game, command), now)


def act_aside(state: TableState, event: Event, said: Text = NOTHING) -> Step:
    """Add one act with an event beside the game, and announce a text; what is open stays open."""
    made = Act(state.seq + 1, (event,))
    after = with_acts(state, state.current.number, (made,))
    return Step(replace(after, announced=said or state.announced), made.events)


def farkle_shown(made: Act, until_s: float) -> FarkleShown | None:
    """Return the farkle of this act, to be shown until `until_s`, or None if the act has no farkle."""
    farkled = next((event for event in made.game_events if isinstance(event, game.Farkled)), None)
    if farkled is None:
        return None
    rolled = next((event for event in made.game_events if isinstance(event, game.DiceRolled)), None)
    return FarkleShown(rolled.faces if rolled else (), farkled.lost, until_s)


def _cues(state: GameState, made: Act, said: Text) -> Iterator[Cue]:
    """Yield the cue of each event; an event without a cue kind of its own is announced by its description."""
    for event in made.game_events:
        match watched(event).cue:
            case CueKind.BANK:
                yield Cue(CueKind.BANK, describe(state, (event,)))
            case CueKind.CHANGED:
                text = describe(state, (event,))
                if isinstance(event, game.PointsCounted):
                    text = message("said.counted", points=event.points)
                if text:
                    yield Cue(CueKind.CHANGED, text)
            case CueKind() as kind:
                yield Cue(kind, said)


def ask(state: TableState, question: Question) -> Step:
    """Open a question and speak it."""
    return Step(replace(state, question=question), cues=(Cue(CueKind.QUESTION, question.asks.spoken),))


def say(state: TableState, text: Text, kind: CueKind = CueKind.CHANGED) -> Step:
    """Announce a text, with a cue of this kind."""
    return Step(replace(state, announced=text), cues=(Cue(kind, text),))


def complain(state: TableState, complaint: Complaint, now: float) -> Step:
    """Complain about the tray: speak at once if the complaint is due, else at its time.

    A complaint that is already open stays as it is and is not spoken again.
    """
    if state.complaint is not None and state.complaint.says == complaint.says:
        return Step(state)
    if complaint.next_s > now:
        return Step(replace(state, complaint=complaint))
    return speak_complaint(state, complaint, now)


def speak_complaint(state: TableState, complaint: Complaint, now: float) -> Step:
    """Speak a complaint, and set the time at which it is repeated."""
    later = replace(complaint, next_s=now + state.times.complain_again_s)
    return Step(replace(state, complaint=later), cues=(Cue(CueKind.COMPLAINT, complaint.says.spoken),))
