"""Choices: what the rules leave open to a player beside keeping and banking, and what happens where nobody chooses."""

from dataclasses import dataclass

from farkle.errors import IllegalMoveError
from farkle.game.bomb import swap_partners
from farkle.game.course import Course
from farkle.game.events import ChoiceMade, PegsSwapped, PiggybackTaken, VantHofTaken
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase


@dataclass(frozen=True)
class Choice:
    """What is open now: its kind, and the options by name, that which happens anyway first."""

    kind: str
    options: tuple[str, ...]


def open_choice(state: GameState) -> Choice | None:
    """The choice that is open; None where there is none. It need not be made: a throw or a bank takes the first."""
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


def _six_ones(state: GameState) -> bool:
    """Whether six 1s were set aside over more than one throw: of one set of dice, or of the turn."""
    switches, turn = state.rules.switches, state.turn
    if not switches.vant_hof_6 or turn.ones < 6:
        return False
    several = turn.set_throws > 1 or turn.ones > 6 or turn.locked.count(1) < 6
    return several if switches.vant_hof_scope == "turn" else turn.set_throws > 1


def choose(course: Course, option: str, side: int | None) -> None:
    """Take an option of the open choice; raises `IllegalMoveError` where it is none."""
    state = course.state
    choice = open_choice(state)
    if choice is None:
        raise IllegalMoveError(f"expected a throw, a selection or a bank, got {option!r}: nothing is open to choose")
    if option not in choice.options:
        raise IllegalMoveError(f"expected {' or '.join(choice.options)}, got {option!r}")
    if side is not None and not 0 <= side < len(state.sides):
        raise IllegalMoveError(f"expected one of the {len(state.sides)} sides, got number {side!r}")
    if side is not None and option != "swap":
        raise IllegalMoveError(f"expected {option!r} alone, got {side_name(state, side)!r} with it")
    player, turn = state.to_move, state.turn
    match option:
        case "piggyback":
            assert state.left_over is not None
            course.happens(PiggybackTaken(player, state.left_over.points, state.left_over.dice))
        case "swap":
            assert turn.bomb is not None
            course.happens(PegsSwapped(player, state.side_to_move, _partner(state, side), turn.bomb))
        case "vant-hof":
            course.happens(VantHofTaken(player, state.rules.vant_hof, turn.ones_points))
        case _:
            course.happens(ChoiceMade(player, choice.kind, option))


def _partner(state: GameState, side: int | None) -> int:
    partners = swap_partners(state)
    if side is None and len(partners) == 1:
        return partners[0]
    if side in partners:
        assert side is not None
        return side
    names = " or ".join(side_name(state, each) for each in partners)
    got = "nobody" if side is None else side_name(state, side)
    raise IllegalMoveError(f"expected a swap with the leader, {names}, got {got}")
