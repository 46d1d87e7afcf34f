"""The game's machine: one table of transitions. `decide` turns a command into events, which `evolve` folds.

`TRANSITIONS` alone says what may be done in each phase; the diagram in docs/table.md is drawn from it. `decide`
changes nothing: a refused command raises `IllegalMoveError` and leaves the state as it was. `verify` says why a command
may not be done now, so buttons, page and bots ask the same functions as the game itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from farkle.errors import FarkleError, IllegalMoveError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game import seating, table_acts, turn
from farkle.game.choices import choose
from farkle.game.evolve import Course
from farkle.game.state import GameState, Phase


@dataclass(frozen=True)
class Transition:
    """One row of the table: the function that answers the command, and each phase it may lead to, with the reason."""

    answer: Callable[[Course, Any], None]
    leads_to: Mapping[Phase, str]


def decide(state: GameState, command: do.Command) -> tuple[ev.Event, ...]:
    """Return the events that this command causes; a refused command raises `IllegalMoveError` and changes nothing."""
    return tuple(course_of(state, command).events)


def course_of(state: GameState, *commands: do.Command) -> Course:
    """Return the events that these commands cause one after the other, and the state after them."""
    course = Course(state)
    for command in commands:
        carry_out(course, command)
    return course


def carry_out(course: Course, command: do.Command) -> None:
    """Add the events that this command causes to a course. Discard the course if the command is refused.

    Raises:
        IllegalMoveError: if the command may not be done now, with the reason.
    """
    do.check_command(command)
    phase = course.state.phase
    transition = TRANSITIONS.get((phase, type(command)))
    if transition is None:
        if phase in (Phase.CHOOSING, Phase.KEPT) and isinstance(command, _BETWEEN_TURNS):
            raise IllegalMoveError("finish the turn first", "finish_turn")
        raise IllegalMoveError(*NOT_NOW[phase])
    transition.answer(course, command)


def verify(state: GameState, command: do.Command) -> FarkleError | None:
    """Return the error that says why this command may not be done now, or None if it may."""
    try:
        decide(state, command)
    except FarkleError as error:
        return error
    return None


def can(state: GameState, command: do.Command) -> bool:
    """Return whether this command may be done now."""
    return verify(state, command) is None


def command_of(event: ev.Event) -> do.Command | None:
    """Return the command that caused this event, or None if the event only follows from another."""
    cause = _CAUSES.get(type(event))
    return None if cause is None else cause(event)


_CAUSES: Mapping[type[ev.Event], Callable[[Any], do.Command]] = {
    ev.StartThrown: lambda event: do.ThrowForStart(event.player, event.faces),
    ev.DiceRolled: lambda event: do.Roll(event.faces),
    ev.DiceKept: lambda event: do.Keep(event.dice, event.points),
    ev.TurnBanked: lambda _: do.Bank(),
    ev.PointsCounted: lambda event: do.Count(event.points),
    ev.FarkleCounted: lambda _: do.Count(None),
    ev.GameCalledOff: lambda _: do.End(),
    ev.PiggybackTaken: lambda _: do.Choose("piggyback"),
    ev.PegsSwapped: lambda event: do.Choose("swap", event.other),
    ev.VantHofTaken: lambda _: do.Choose("vant-hof"),
    ev.ChoiceMade: lambda event: do.Choose(event.option),
    ev.ScoreAdjusted: lambda event: do.Adjust(event.side, event.score),
    ev.PlayerJoined: lambda event: do.Join(event.name, stored=True),
    ev.PlayerLeft: lambda event: do.Leave(event.player),
    ev.TurnSkipped: lambda event: do.Skip(event.player),
    ev.TurnGiven: lambda event: do.GiveTurn(event.player),
}
"""The command of each event that is not only a consequence."""


_AFTER_A_ROLL = {
    Phase.CHOOSING: "some dice score",
    Phase.KEPT: "Nobody Loses pays for dice that do not score",
    Phase.TO_THROW: "farkle: the next player",
    Phase.OVER: "farkle in the last turn, or six 1s that win",
}
_COUNTED = {
    Phase.KEPT: "the players count points",
    Phase.TO_THROW: "the players saw a farkle: the next player",
    Phase.OVER: "a farkle in the last turn",
}
_CALLED_OFF = {Phase.OVER: "the players end it"}
_GOES_ON = {Phase.TO_THROW: "the game goes on", Phase.OVER: "that decides the game"}

TRANSITIONS: Mapping[tuple[Phase, type[do.Command]], Transition] = {
    (Phase.TO_THROW, do.ThrowForStart): Transition(
        seating.throw_for_start,
        {Phase.STARTING: "others still have to throw", Phase.TO_THROW: "the only player begins"},
    ),
    (Phase.STARTING, do.ThrowForStart): Transition(
        seating.throw_for_start,
        {Phase.STARTING: "others still have to throw, or tie", Phase.TO_THROW: "the highest begins"},
    ),
    (Phase.TO_THROW, do.Choose): Transition(choose, {Phase.TO_THROW: "dice taken over, or fresh ones"}),
    (Phase.TO_THROW, do.Roll): Transition(turn.roll, _AFTER_A_ROLL),
    (Phase.CHOOSING, do.Keep): Transition(turn.keep, {Phase.KEPT: "dice are kept"}),
    (Phase.KEPT, do.Choose): Transition(choose, {Phase.KEPT: "the Bomb's swap, or Van't Hof's six"}),
    (Phase.KEPT, do.Roll): Transition(turn.roll, _AFTER_A_ROLL),
    (Phase.KEPT, do.Bank): Transition(turn.bank, {Phase.TO_THROW: "the next player", Phase.OVER: "the last turn"}),
    **{(phase, do.Count): Transition(turn.count, _COUNTED) for phase in (Phase.TO_THROW, Phase.CHOOSING, Phase.KEPT)},
    **{(phase, do.End): Transition(table_acts.end, _CALLED_OFF) for phase in Phase if phase is not Phase.OVER},
    (Phase.TO_THROW, do.Adjust): Transition(table_acts.adjust, _GOES_ON),
    (Phase.TO_THROW, do.Join): Transition(table_acts.join, {Phase.TO_THROW: "a player joins"}),
    (Phase.TO_THROW, do.Leave): Transition(table_acts.leave, _GOES_ON),
    (Phase.TO_THROW, do.Skip): Transition(table_acts.skip, _GOES_ON),
    (Phase.TO_THROW, do.GiveTurn): Transition(table_acts.give_turn, {Phase.TO_THROW: "another throws first"}),
}
"""Every command that may be done, by phase."""

_BETWEEN_TURNS = (do.Adjust, do.Join, do.Leave, do.Skip, do.GiveTurn, do.ThrowForStart)

NOT_NOW: Mapping[Phase, tuple[str, str]] = {
    Phase.STARTING: ("first throw to see who begins", "start_throw_first"),
    Phase.TO_THROW: ("throw first", "throw_first"),
    Phase.CHOOSING: ("keep a die first", "keep_first"),
    Phase.KEPT: ("these dice are kept; throw the rest or bank", "are_kept"),
    Phase.OVER: ("the game is over", "game_over"),
}
"""The reason why other commands may not be done, by phase, with its code."""
