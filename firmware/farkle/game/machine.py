"""The game's machine: one table of transitions; `decide` turns a command into events, `evolve` events into a state.

What may be done in a phase stands in `TRANSITIONS` and nowhere else; the diagram in docs/architecture.md is drawn from
it. `decide` changes nothing: a refused command raises `IllegalMoveError` and leaves the state as it was. `verify` says
why a command may not be done, so that buttons, page and bots ask the same functions as the game itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from farkle.errors import FarkleError, IllegalMoveError, SeatingError
from farkle.game.commands import Bank, Command, Keep, Roll
from farkle.game.endings import next_player, round_is_complete
from farkle.game.events import (
    DiceKept,
    DiceRolled,
    Event,
    Farkled,
    FinalRoundBegan,
    GameEnded,
    GameStarted,
    HotDiceMade,
    TurnBanked,
    TurnPassed,
)
from farkle.game.standing import leaders
from farkle.game.state import GameState, Phase, Side, Turn
from farkle.rules.catalogue import find_rule_set
from farkle.rules.dice import check_faces
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import find_selection, legal_selections

MOST_PLAYERS = 12


@dataclass(frozen=True)
class Transition:
    """One row of the table: what answers the command, and the phases it may lead to, each with the reason."""

    answer: Callable[[GameState, Command], tuple[Event, ...]]
    leads_to: Mapping[Phase, str]


def start(
    rules: RuleSet, players: Sequence[str], *, first: int = 0, sides: Sequence[Sequence[int]] | None = None
) -> tuple[Event, ...]:
    """The event that begins a game. Raises `SeatingError` where these players cannot play it."""
    names = tuple(players)
    if not 1 <= len(names) <= MOST_PLAYERS:
        raise SeatingError(f"expected 1 to {MOST_PLAYERS} players, got {len(names)}")
    for name in names:
        if not name.strip() or name != name.strip():
            raise SeatingError(f"expected a player's name without spaces around it, got {name!r}")
        if '"' in name or not name.isprintable():
            raise SeatingError(f"expected a player's name without double quotes and control characters, got {name!r}")
    if len({name.casefold() for name in names}) != len(names):
        raise SeatingError(f"expected players of different names, got {', '.join(names)}")
    if not 0 <= first < len(names):
        raise SeatingError(f"expected one of the players to begin, got number {first!r}")
    seated = tuple(tuple(side) for side in sides) if sides is not None else tuple((i,) for i in range(len(names)))
    if sorted(player for side in seated for player in side) != list(range(len(names))):
        raise SeatingError(f"expected each player on one side, got {seated!r}")
    return (GameStarted(rules.key, tuple(sorted(rules.settings().items())), names, seated, first),)


def decide(state: GameState, command: Command) -> tuple[Event, ...]:
    """The events that this command brings about; raises `IllegalMoveError` with the reason and changes nothing."""
    transition = TRANSITIONS.get((state.phase, type(command)))
    if transition is None:
        raise IllegalMoveError(NOT_NOW[state.phase, type(command)])
    return transition.answer(state, command)


def verify(state: GameState, command: Command) -> str | None:
    """Why this command may not be done now, in one sentence; None where it may."""
    try:
        decide(state, command)
    except FarkleError as error:
        return str(error)
    return None


def can(state: GameState, command: Command) -> bool:
    """Whether this command may be done now."""
    return verify(state, command) is None


def fold(events: Iterable[Event], state: GameState | None = None) -> GameState:
    """The state that the events make, from the start of a game or on top of `state`."""
    made = reduce(evolve, events, state)
    if made is None:
        raise IllegalMoveError("expected at least the start of a game, got no event")
    return made


def command_of(event: Event) -> Command | None:
    """The command that brought this event about; None for what merely follows from another."""
    match event:
        case DiceRolled(faces=faces):
            return Roll(faces)
        case DiceKept(dice=dice, points=points):
            return Keep(dice, points)
        case TurnBanked():
            return Bank()
        case _:
            return None


def _roll(state: GameState, command: Command) -> tuple[Event, ...]:
    assert isinstance(command, Roll)
    count = state.turn.dice_left
    faces = check_faces(command.faces, least=count, most=count)
    rolled = DiceRolled(state.to_move, faces)
    if legal_selections(state.rules, faces):
        return (rolled,)
    side = state.sides[state.side_to_move]
    farkled = Farkled(state.to_move, state.turn.points, side.farkles + 1)
    return rolled, farkled, *_pass_on(fold((rolled, farkled), state))


def _keep(state: GameState, command: Command) -> tuple[Event, ...]:
    assert isinstance(command, Keep)
    selection = find_selection(state.rules, state.turn.roll, command.dice)
    points = selection.points if command.points is None else command.points
    if points not in selection.totals:
        possible = " or ".join(str(total) for total in selection.totals)
        raise IllegalMoveError(f"expected {possible} points for these dice, got {points!r}")
    kept = DiceKept(state.to_move, tuple(command.dice), points)
    if len(command.dice) == state.turn.dice_left:
        return kept, HotDiceMade(state.to_move)
    return (kept,)


def _bank(state: GameState, command: Command) -> tuple[Event, ...]:
    assert isinstance(command, Bank)
    score = state.sides[state.side_to_move].score + state.turn.points
    banked = TurnBanked(state.to_move, state.turn.points, score)
    return banked, *_pass_on(fold((banked,), state))


def _pass_on(state: GameState) -> tuple[Event, ...]:
    """What follows a finished turn: the next player, the final round, or the end."""
    finished = any(side.score >= state.rules.switches.target for side in state.sides)
    if finished and round_is_complete(state):
        return (GameEnded(leaders(state.sides)),)
    passed = TurnPassed(next_player(state))
    return (FinalRoundBegan(state.to_move), passed) if finished and state.closer is None else (passed,)


TRANSITIONS: Mapping[tuple[Phase, type[Command]], Transition] = {
    (Phase.TO_THROW, Roll): Transition(
        _roll,
        {
            Phase.CHOOSING: "some dice score",
            Phase.TO_THROW: "farkle: the next player",
            Phase.OVER: "farkle in the last turn of the final round",
        },
    ),
    (Phase.CHOOSING, Keep): Transition(_keep, {Phase.KEPT: "dice are kept"}),
    (Phase.KEPT, Roll): Transition(
        _roll,
        {
            Phase.CHOOSING: "some dice score",
            Phase.TO_THROW: "farkle: the next player",
            Phase.OVER: "farkle in the last turn of the final round",
        },
    ),
    (Phase.KEPT, Bank): Transition(
        _bank, {Phase.TO_THROW: "the next player", Phase.OVER: "the last turn of the final round"}
    ),
}
"""Every command that has an answer, by phase."""

NOT_NOW: Mapping[tuple[Phase, type[Command]], str] = {
    (Phase.TO_THROW, Keep): "throw first",
    (Phase.TO_THROW, Bank): "throw first",
    (Phase.CHOOSING, Roll): "keep a die first",
    (Phase.CHOOSING, Bank): "keep a die first",
    (Phase.KEPT, Keep): "these dice are kept; throw the rest or bank",
    (Phase.OVER, Roll): "the game is over",
    (Phase.OVER, Keep): "the game is over",
    (Phase.OVER, Bank): "the game is over",
}
"""Why every other command has none."""


def evolve(state: GameState | None, event: Event) -> GameState:
    """The state after one event."""
    if isinstance(event, GameStarted):
        return _started(event)
    if state is None:
        raise IllegalMoveError(f"expected a game to start, got {type(event).__name__}")
    match event:
        case DiceRolled(faces=faces):
            locked = state.turn.locked if state.turn.dice_left < state.rules.n_dice else ()
            return replace(state, phase=Phase.CHOOSING, turn=replace(state.turn, roll=faces, locked=locked))
        case DiceKept(dice=dice, points=points):
            left = state.turn.dice_left - len(dice)
            turn = replace(
                state.turn,
                points=state.turn.points + points,
                dice_left=left or state.rules.n_dice,
                locked=(*state.turn.locked, *dice),
            )
            return replace(state, phase=Phase.KEPT, turn=turn)
        case HotDiceMade():
            return state
        case Farkled(player=player, in_a_row=in_a_row):
            return _side_changed(state, player, farkles=in_a_row)
        case TurnBanked(player=player, score=score):
            return _side_changed(state, player, farkles=0, score=score, banked=True)
        case FinalRoundBegan(player=player):
            return replace(state, closer=player)
        case TurnPassed(player=player):
            turn = Turn(dice_left=state.rules.n_dice)
            return replace(state, phase=Phase.TO_THROW, to_move=player, turn=turn)
        case GameEnded(winners=winners):
            return replace(state, phase=Phase.OVER, winners=winners)


def _started(event: GameStarted) -> GameState:
    rules = find_rule_set(event.rules).with_settings(dict(event.settings))
    return GameState(
        rules=rules,
        players=event.players,
        sides=tuple(Side(players) for players in event.sides),
        first=event.first,
        to_move=event.first,
        turn=Turn(dice_left=rules.n_dice),
    )


def _side_changed(
    state: GameState, player: int, *, farkles: int, score: int | None = None, banked: bool | None = None
) -> GameState:
    index = state.side_of(player)
    side = state.sides[index]
    changed = replace(
        side,
        farkles=farkles,
        score=side.score if score is None else score,
        banked=side.banked if banked is None else banked,
    )
    return replace(state, sides=(*state.sides[:index], changed, *state.sides[index + 1 :]))
