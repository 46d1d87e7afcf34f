"""Taking over a game that began on paper: its standing is checked, then the game continues from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from farkle.errors import SeatingError
from farkle.game.events import Event, StandingGiven
from farkle.game.evolve import fold
from farkle.game.order import is_one_throw
from farkle.game.standing import leaders, position, side_name
from farkle.game.state import GameState


@dataclass(frozen=True)
class Standing:
    """The standing of a game on paper. Players and sides are indices.

    Attributes:
        scores: the scores by side; a missing one is 0.
        to_move: the player whose turn it is.
        farkles: the farkles in a row by player.
        on_board: the players who are on the board; None means all who have points.
        out: the sides whose pegs have left the board, in that order.
        left_over: the number of dice and the points that may be piggybacked.
        closer: the player who began the final round.
    """

    scores: Mapping[int, int]
    to_move: int = 0
    farkles: Mapping[int, int] = field(default_factory=dict)
    on_board: frozenset[int] | None = None
    out: tuple[int, ...] = ()
    left_over: tuple[int, int] | None = None
    closer: int | None = None


def take_over(started: Sequence[Event], standing: Standing) -> tuple[Event, ...]:
    """Return the event that continues a started game from a standing, once the standing has been checked."""
    state = fold(started)
    scores = tuple(standing.scores.get(side, 0) for side in range(len(state.sides)))
    target = state.rules.switches.target
    out = standing.out
    if state.rules.switches.find_loser:
        implied = [side for side, score in enumerate(scores) if score >= target and side not in out]
        out = (*out, *sorted(implied, key=lambda side: -scores[side]))
    players = range(len(state.players))
    on_board = tuple(
        scores[state.side_of(player)] > 0 if standing.on_board is None else player in standing.on_board
        for player in players
    )
    dice, points = standing.left_over or (0, 0)
    farkles = tuple(_farkles(state, standing, player) for player in players)
    given = StandingGiven(standing.to_move, scores, farkles, on_board, out, dice, points, standing.closer)
    after = fold((given,), state)
    _check_scores(after)
    _check_out(after, standing.out)
    _check_final(after)
    _check_farkles(after)
    _check_left_over(after, standing)
    return (given,)


def _farkles(state: GameState, standing: Standing, player: int) -> int:
    """Return a player's farkles in a row: the most of all players whose farkles count together."""
    return max(standing.farkles.get(each, 0) for each in state.counted_with(player))


def _check_scores(state: GameState) -> None:
    rules = state.rules
    for side, each in enumerate(state.sides):
        if each.score < 0 and not rules.may_go_below_zero:
            raise SeatingError(f"expected a score of 0 or more for {side_name(state, side)}, got {each.score}")
        if rules.switches.charity and each.score > rules.switches.target:
            raise SeatingError(
                f"expected at most {rules.switches.target} for {side_name(state, side)}, got {each.score}"
            )
    if rules.switches.one_peg_per_hole != "off":
        ratio = rules.hole_points
        holes: dict[int, int] = {}
        for side, each in enumerate(state.sides):
            hole = position(each.score, ratio)
            if 0 < each.score < rules.off_board and hole in holes and hole > 0:
                raise SeatingError(f"expected one peg a hole, got {_names(state, (holes[hole], side))} in hole {hole}")
            holes[hole] = side


def _check_out(state: GameState, named: tuple[int, ...]) -> None:
    target = state.rules.switches.target
    if named and not state.rules.switches.find_loser:
        raise SeatingError(f"expected sides off the board only with find_loser, got {_names(state, named)}")
    for side in named:
        if state.sides[side].score < target:
            raise SeatingError(
                f"expected {side_name(state, side)} off the board with {target} or more, got {state.sides[side].score}"
            )
    if state.rules.switches.find_loser and len(state.in_play()) < 2:
        raise SeatingError("expected two pegs or more on the board, got a game that is over")
    if not state.plays(state.to_move):
        raise SeatingError(f"expected a player to move who still plays, got {state.players[state.to_move]}")


def _check_final(state: GameState) -> None:
    switches, ending = state.rules.switches, state.rules.ending
    if ending in ("find_loser", "rounds"):
        if state.closer is not None:
            raise SeatingError(
                f"expected no final round with {ending}, got one set off by {state.players[state.closer]}"
            )
        return
    reached = [side for side, each in enumerate(state.sides) if each.score >= switches.target]
    if state.closer is None:
        if reached:
            names = _names(state, reached)
            raise SeatingError(
                f"expected 'final: NAME' where someone has {switches.target} or more, got {names} without it"
            )
        return
    name = state.players[state.closer]
    if ending == "immediate":
        raise SeatingError(f"expected no final round with endgame=immediate, got one set off by {name}")
    if not _reached_by(state, state.closer):
        raise SeatingError(f"expected {switches.target} or more for {name}, who set off the final round")
    side = state.side_of(state.closer)
    mates = state.sides[side].players
    if state.to_move == state.closer or (ending in ("one_more_turn", "defend") and state.to_move in mates):
        raise SeatingError(f"expected another player to move after {name} has set off the final round")
    if ending == "defend":
        if side not in leaders(state):
            raise SeatingError(f"expected the highest score for {name}, who leads, got {state.sides[side].score}")
        return
    if ending == "finish_round" and state.closer in state.to_come:
        raise SeatingError(
            f"expected {name}, who set off the final round, to have had a turn in this round, got one to come"
        )
    if not (_swaps(state) or switches.charity):  # with these a side reaches the target in another's turn
        _check_to_come(state, reached)


def _check_to_come(state: GameState, reached: list[int]) -> None:
    """Check that every side that has reached the target had a turn to reach it in.

    Raises:
        SeatingError: if a side had no such turn.
    """
    waiting = {state.to_move, *state.to_come}
    for side in reached:
        if waiting.issuperset(state.sides[side].players):
            score = state.sides[side].score
            name, target = side_name(state, side), state.rules.switches.target
            raise SeatingError(f"expected less than {target} for {name}, whose last turn is to come, got {score}")


def _reached_by(state: GameState, closer: int) -> bool:
    """Return whether a player can have begun the final round: the side has the score, or has swapped it away since."""
    sides = state.sides if _swaps(state) else (state.sides[state.side_of(closer)],)
    return any(side.score >= state.rules.switches.target for side in sides)


def _names(state: GameState, sides: Iterable[int]) -> str:
    return " and ".join(side_name(state, side) for side in sides)


def _swaps(state: GameState) -> bool:
    return state.rules.switches.bonus_scores and state.rules.switches.bomb_swap != "off"


def _check_farkles(state: GameState) -> None:
    rules = state.rules
    counts = rules.switches.three_strikes_out or (
        rules.farkles_cost and rules.switches.farkle_streak_reset == "after_penalty"
    )
    for player, seat in enumerate(state.seats):
        if counts and seat.farkles > 2:
            raise SeatingError(f"expected 0 to 2 farkles in a row for {state.players[player]}, got {seat.farkles}")


def _check_left_over(state: GameState, standing: Standing) -> None:
    if standing.left_over is None:
        return
    dice, points = standing.left_over
    if not state.rules.switches.piggyback:
        raise SeatingError(f"expected left-over dice only with piggyback, got {dice} dice {points}")
    if is_one_throw(state):
        raise SeatingError(f"expected no left-over dice in last turns of one throw, got {dice} dice {points}")
    most = state.rules.n_dice - (0 if state.rules.switches.piggyback_hot else 1)
    if not 1 <= dice <= most or points < 1:
        raise SeatingError(f"expected 1 to {most} dice and 1 point or more left over, got {dice} dice {points}")
    if len(state.sides) < 2:
        raise SeatingError("expected two sides or more where dice are left over, got one")
    ours = state.side_of(state.to_move)
    banked = (
        state.sides[state.side_of(player)].score >= points and not seat.farkles
        for player, seat in enumerate(state.seats)
        if state.side_of(player) != ours
    )
    if not any(banked):
        raise SeatingError(
            f"expected another side that may have banked the {points} left over, got none with so many and no farkle"
        )
