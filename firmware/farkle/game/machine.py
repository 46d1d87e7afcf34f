"""The game's machine: one table of transitions; `decide` turns a command into events, `evolve` events into a state.

What may be done in a phase stands in `TRANSITIONS` and nowhere else; the diagram in docs/architecture.md is drawn from
it. `decide` changes nothing: a refused command raises `IllegalMoveError` and leaves the state as it was. `verify` says
why a command may not be done, so that buttons, page and bots ask the same functions as the game itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from farkle.errors import FarkleError, IllegalMoveError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.banking import bank
from farkle.game.changes import adjust, give_turn, join, leave, skip
from farkle.game.choices import choose
from farkle.game.counting import count
from farkle.game.course import Course
from farkle.game.endings import finish_turn
from farkle.game.evolve import evolve, fold
from farkle.game.farkles import farkle
from farkle.game.seating import MOST_PLAYERS, start
from farkle.game.starting import throw_for_start
from farkle.game.state import GameState, Phase
from farkle.game.takeover import Standing, take_over
from farkle.rules.dice import check_faces
from farkle.rules.selections import find_selection, legal_selections

__all__ = [
    "MOST_PLAYERS",
    "NOT_NOW",
    "TRANSITIONS",
    "Standing",
    "Transition",
    "can",
    "carry_out",
    "command_of",
    "course_of",
    "decide",
    "evolve",
    "fold",
    "start",
    "take_over",
    "verify",
]


@dataclass(frozen=True)
class Transition:
    """One row of the table: what answers the command, and the phases it may lead to, each with the reason."""

    answer: Callable[[Course, Any], None]
    leads_to: Mapping[Phase, str]


def decide(state: GameState, command: do.Command) -> tuple[ev.Event, ...]:
    """The events that this command brings about; raises `IllegalMoveError` with the reason and changes nothing."""
    return tuple(course_of(state, command).events)


def course_of(state: GameState, *commands: do.Command) -> Course:
    """What these commands bring about one after the other; raises as `decide` at the first that may not be done."""
    course = Course(state)
    for command in commands:
        carry_out(course, command)
    return course


def carry_out(course: Course, command: do.Command) -> None:
    """Add what this command brings about to a course of events; raises as `decide`, and ends the course with that."""
    phase = course.state.phase
    transition = TRANSITIONS.get((phase, type(command)))
    if transition is None:
        raise IllegalMoveError(NOT_NOW[phase, type(command)])
    transition.answer(course, command)


def verify(state: GameState, command: do.Command) -> str | None:
    """Why this command may not be done now, in one sentence; None where it may."""
    try:
        decide(state, command)
    except FarkleError as error:
        return str(error)
    return None


def can(state: GameState, command: do.Command) -> bool:
    """Whether this command may be done now."""
    return verify(state, command) is None


def command_of(event: ev.Event) -> do.Command | None:
    """The command that brought this event about; None for what merely follows from another."""
    match event:
        case ev.StartThrown(player=player, faces=faces):
            return do.ThrowForStart(player, faces)
        case ev.DiceRolled(faces=faces):
            return do.Roll(faces)
        case ev.DiceKept(dice=dice, points=points):
            return do.Keep(dice, points)
        case ev.TurnBanked():
            return do.Bank()
        case ev.PointsCounted(points=points):
            return do.Count(points)
        case ev.FarkleCounted():
            return do.Count(None)
        case ev.GameCalledOff():
            return do.End()
        case ev.PiggybackTaken():
            return do.Choose("piggyback")
        case ev.PegsSwapped(other=other):
            return do.Choose("swap", other)
        case ev.VantHofTaken():
            return do.Choose("vant-hof")
        case ev.ChoiceMade(option=option):
            return do.Choose(option)
        case ev.ScoreAdjusted(side=side, score=score):
            return do.Adjust(side, score)
        case ev.PlayerJoined(name=name):
            return do.Join(name)
        case ev.PlayerLeft(player=player):
            return do.Leave(player)
        case ev.TurnSkipped(player=player):
            return do.Skip(player)
        case ev.TurnGiven(player=player):
            return do.GiveTurn(player)
        case _:
            return None


def _roll(course: Course, command: do.Roll) -> None:
    state = course.state
    turn, rules = state.turn, state.rules
    faces = check_faces(command.faces, least=1 if turn.counted else turn.dice_left, most=turn.dice_left)
    course.happens(ev.DiceRolled(state.to_move, faces))
    if legal_selections(rules, faces):
        return
    if _nobody_loses(state, faces):
        course.happens(ev.NobodyLost(state.to_move, rules.nobody_loses))
        return
    farkle(course)
    finish_turn(course)


def _nobody_loses(state: GameState, faces: tuple[int, ...]) -> bool:
    """Whether a throw of nothing is paid: one of all dice, by the rule's scope, and not for Troublesome Twos."""
    rules = state.rules
    if not rules.nobody_loses or len(faces) < rules.n_dice:
        return False
    if rules.switches.troublesome_twos and faces.count(2) >= 4:
        return False
    return rules.switches.nobody_loses_scope == "any_six" or (state.turn.throws == 0 and state.turn.points == 0)


def _keep(course: Course, command: do.Keep) -> None:
    state = course.state
    selection = find_selection(state.rules, state.turn.roll, command.dice)
    points = selection.points if command.points is None else command.points
    if points not in selection.totals:
        possible = " or ".join(str(total) for total in selection.totals)
        raise IllegalMoveError(f"expected {possible} points for these dice, got {points!r}")
    course.happens(ev.DiceKept(state.to_move, tuple(command.dice), points))
    if len(command.dice) == state.turn.dice_left:
        course.happens(ev.HotDiceMade(state.to_move))


def _choose(course: Course, command: do.Choose) -> None:
    choose(course, command.option, command.side)


def _bank(course: Course, command: do.Bank) -> None:  # noqa: ARG001 - every answer takes its command
    bank(course)
    finish_turn(course)


def _end(course: Course, command: do.End) -> None:  # noqa: ARG001 - every answer takes its command
    course.happens(ev.GameCalledOff())


_AFTER_A_ROLL = {
    Phase.CHOOSING: "some dice score",
    Phase.KEPT: "nothing scores and is paid for",
    Phase.TO_THROW: "farkle: the next player",
    Phase.OVER: "farkle in the last turn",
}
_COUNTED = {
    Phase.KEPT: "the players count points",
    Phase.TO_THROW: "the players saw a farkle: the next player",
    Phase.OVER: "a farkle in the last turn",
}
_CALLED_OFF = {Phase.OVER: "the players end it"}
_BETWEEN_TURNS = {Phase.TO_THROW: "the game goes on", Phase.OVER: "that decides the game"}

TRANSITIONS: Mapping[tuple[Phase, type[do.Command]], Transition] = {
    (Phase.TO_THROW, do.ThrowForStart): Transition(
        throw_for_start, {Phase.STARTING: "others have to throw yet", Phase.TO_THROW: "a player alone begins"}
    ),
    (Phase.STARTING, do.ThrowForStart): Transition(
        throw_for_start, {Phase.STARTING: "others have to throw yet, or a tie", Phase.TO_THROW: "the highest begins"}
    ),
    (Phase.TO_THROW, do.Choose): Transition(_choose, {Phase.TO_THROW: "dice taken over, or fresh ones"}),
    (Phase.TO_THROW, do.Roll): Transition(_roll, _AFTER_A_ROLL),
    (Phase.CHOOSING, do.Keep): Transition(_keep, {Phase.KEPT: "dice are kept"}),
    (Phase.KEPT, do.Choose): Transition(_choose, {Phase.KEPT: "the Bomb's swap, or Van't Hof's six"}),
    (Phase.KEPT, do.Roll): Transition(_roll, _AFTER_A_ROLL),
    (Phase.KEPT, do.Bank): Transition(_bank, {Phase.TO_THROW: "the next player", Phase.OVER: "the last turn"}),
    **{(phase, do.Count): Transition(count, _COUNTED) for phase in (Phase.TO_THROW, Phase.CHOOSING, Phase.KEPT)},
    **{(phase, do.End): Transition(_end, _CALLED_OFF) for phase in Phase if phase is not Phase.OVER},
    (Phase.TO_THROW, do.Adjust): Transition(adjust, _BETWEEN_TURNS),
    (Phase.TO_THROW, do.Join): Transition(join, {Phase.TO_THROW: "one more plays"}),
    (Phase.TO_THROW, do.Leave): Transition(leave, _BETWEEN_TURNS),
    (Phase.TO_THROW, do.Skip): Transition(skip, _BETWEEN_TURNS),
    (Phase.TO_THROW, do.GiveTurn): Transition(give_turn, {Phase.TO_THROW: "another throws first"}),
}
"""Every command that has an answer, by phase."""

_FIRST = "throw first"
_KEEP = "keep a die first"
_OVER = "the game is over"
_START = "throw for who begins first"
_FINISH = "finish the turn first"
_TABLE_ACTS = (do.Adjust, do.Join, do.Leave, do.Skip, do.GiveTurn)

NOT_NOW: Mapping[tuple[Phase, type[do.Command]], str] = {
    **dict.fromkeys(
        ((Phase.STARTING, each) for each in (do.Roll, do.Keep, do.Choose, do.Bank, do.Count, *_TABLE_ACTS)), _START
    ),
    **dict.fromkeys(((Phase.TO_THROW, each) for each in (do.Keep, do.Bank)), _FIRST),
    **dict.fromkeys(((Phase.CHOOSING, each) for each in (do.Roll, do.Bank, do.Choose)), _KEEP),
    (Phase.KEPT, do.Keep): "these dice are kept; throw the rest or bank",
    **dict.fromkeys(
        ((phase, each) for phase in (Phase.CHOOSING, Phase.KEPT) for each in (*_TABLE_ACTS, do.ThrowForStart)), _FINISH
    ),
    **dict.fromkeys(((Phase.OVER, each) for each in get_args(do.Command)), _OVER),
}
"""Why every other command has none."""
