"""Choices: the options that the rules leave open to a player besides keeping and banking, with a default for each."""

from dataclasses import dataclass

from farkle.errors import IllegalMoveError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.evolve import Course
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase


@dataclass(frozen=True)
class Choice:
    """An open choice: its kind and the names of its options, the default first."""

    kind: str
    options: tuple[str, ...]


def open_choice(state: GameState) -> Choice | None:
    """Return the open choice, or None. It need not be made: a throw or a bank takes the default."""
    turn = state.turn
    if state.phase is Phase.TO_THROW and state.left_over is not None:
        return Choice("piggyback", ("fresh", "piggyback"))
    if state.phase is not Phase.KEPT:
        return None
    if turn.bomb is not None and swap_partners(state):
        return Choice("bomb", ("points", "swap"))
    if _six_ones(state):
        return Choice("vant_hof", ("points", "vant-hof"))
    return None


def swap_partners(state: GameState) -> tuple[int, ...]:
    """Return the sides that a Bomb may swap with: the leaders among the others, if they are ahead."""
    own = state.side_to_move
    others = [side for side in range(len(state.sides)) if side != own and state.competes(side)]
    others = [side for side in others if not state.sides[side].out]
    best = max((state.sides[side].score for side in others), default=None)
    if best is None or best <= state.sides[own].score:
        return ()
    return tuple(side for side in others if state.sides[side].score == best)


def _six_ones(state: GameState) -> bool:
    """Return whether six 1s were kept over more than one throw, of one set of dice or of the turn."""
    switches, turn = state.rules.switches, state.turn
    if not switches.vant_hof_6 or turn.ones < 6:
        return False
    several = turn.set_throws > 1 or turn.ones > 6 or turn.locked.count(1) < 6
    return several if switches.vant_hof_scope == "turn" else turn.set_throws > 1


def choose(course: Course, command: do.Choose) -> None:
    """Take an option of the open choice.

    Raises:
        IllegalMoveError: if no choice is open, or it has no such option.
    """
    state, option, side = course.state, command.option, command.side
    choice = open_choice(state)
    if choice is None:
        text = f"expected a throw, a selection or a bank, got {option!r}: there is nothing to choose now"
        raise IllegalMoveError(text, "cannot_choose")
    if option not in choice.options:
        raise IllegalMoveError(f"expected {' or '.join(choice.options)}, got {option!r}", "cannot_choose")
    if side is not None and not 0 <= side < len(state.sides):
        raise IllegalMoveError(f"expected one of the {len(state.sides)} sides, got number {side!r}")
    if side is not None and option != "swap":
        raise IllegalMoveError(f"expected {option!r} without a side, got {side_name(state, side)!r}")
    player, turn = state.to_move, state.turn
    match option:
        case "piggyback":
            assert state.left_over is not None
            course.add(ev.PiggybackTaken(player, state.left_over.points, state.left_over.dice))
        case "swap":
            assert turn.bomb is not None
            course.add(ev.PegsSwapped(player, state.side_to_move, _partner(state, side), turn.bomb))
        case "vant-hof":
            course.add(ev.VantHofTaken(player, state.rules.vant_hof, turn.ones_points))
        case _:
            course.add(ev.ChoiceMade(player, choice.kind, option))


def _partner(state: GameState, side: int | None) -> int:
    """Return the side to swap with: the one named, or the only leader.

    Raises:
        IllegalMoveError: if the named side does not lead, or several lead and none is named.
    """
    partners = swap_partners(state)
    if side is None and len(partners) == 1:
        return partners[0]
    if side is not None and side in partners:
        return side
    names = tuple(side_name(state, each) for each in partners)
    got = "nobody" if side is None else side_name(state, side)
    text = f"expected a swap with the leader, {' or '.join(names)}, got {got}"
    raise IllegalMoveError(text, "swap_with_leader", names=names)
