"""Taking over a game that began on paper: its standing is checked, then the game continues from it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    """Return the event that continues a started game from a standing.

    Raises:
        SeatingError: if the rules have no such standing.
    """
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
    farkles = tuple(  # the most of all players whose farkles count together
        max(standing.farkles.get(each, 0) for each in state.counted_with(player)) for player in players
    )
    given = StandingGiven(standing.to_move, scores, farkles, on_board, out, dice, points, standing.closer)
    for problem in _problems(fold((given,), state), standing):
        raise SeatingError(problem)
    return (given,)


def _problems(state: GameState, standing: Standing) -> Iterator[str]:
    """Yield why a standing cannot be; only the first problem counts."""
    yield from _wrong_scores(state)
    yield from _wrong_pegs(state, standing.out)
    yield from _wrong_end(state)
    rules = state.rules
    costly = rules.farkles_cost and rules.switches.farkle_streak_reset == "after_penalty"
    for name, seat in zip(state.players, state.seats, strict=True):
        if (costly or rules.switches.three_strikes_out) and seat.farkles > 2:
            yield f"expected 0 to 2 farkles in a row for {name}, got {seat.farkles}"
    if standing.left_over is not None:
        yield from _wrong_left_over(state, *standing.left_over)


def _wrong_scores(state: GameState) -> Iterator[str]:
    rules, holes = state.rules, dict[int, int]()
    target = rules.switches.target
    for side, each in enumerate(state.sides):
        if each.score < 0 and not rules.may_go_below_zero:
            yield f"expected a score of 0 or more for {side_name(state, side)}, got {each.score}"
        if rules.switches.charity and each.score > target:
            yield f"expected at most {target} for {side_name(state, side)}, got {each.score}"
        hole = position(each.score, rules.hole_points)
        if rules.switches.one_peg_per_hole != "off" and hole > 0 and each.score < rules.off_board:
            if hole in holes:
                yield f"expected one peg a hole, got {_names(state, (holes[hole], side))} in hole {hole}"
            holes[hole] = side


def _wrong_pegs(state: GameState, named: tuple[int, ...]) -> Iterator[str]:
    """Yield problems of the pegs that have left the board, and of the player to move."""
    target = state.rules.switches.target
    if named and not state.rules.switches.find_loser:
        yield f"expected sides off the board only with find_loser, got {_names(state, named)}"
    for side in named:
        if (score := state.sides[side].score) < target:
            yield f"expected {side_name(state, side)} off the board with {target} or more, got {score}"
    if state.rules.switches.find_loser and len(state.in_play()) < 2:
        yield "expected two pegs or more on the board, got a game that is over"
    if not state.plays(state.to_move):
        yield f"expected a player to move who still plays, got {state.players[state.to_move]}"


def _wrong_end(state: GameState) -> Iterator[str]:
    """Yield problems of the final round."""
    switches, ending = state.rules.switches, state.rules.ending
    name = "" if state.closer is None else state.players[state.closer]
    if ending in ("find_loser", "rounds"):
        if name:
            yield f"expected no final round with {ending}, got one set off by {name}"
        return
    reached = [side for side, each in enumerate(state.sides) if each.score >= switches.target]
    if state.closer is None:
        if reached:
            score = switches.target
            yield f"expected 'final: NAME' where someone has {score} or more, got {_names(state, reached)} without it"
        return
    if ending == "immediate":
        yield f"expected no final round with endgame=immediate, got one set off by {name}"
    side, swaps = state.side_of(state.closer), switches.bonus_scores and switches.bomb_swap != "off"
    if side not in reached and not (swaps and reached):  # after a swap another side has that score
        yield f"expected {switches.target} or more for {name}, who set off the final round"
    mates = state.sides[side].players
    if state.to_move == state.closer or (ending in ("one_more_turn", "defend") and state.to_move in mates):
        yield f"expected another player to move after {name} has set off the final round"
    if ending == "defend":
        if side not in leaders(state):
            yield f"expected the highest score for {name}, who leads, got {state.sides[side].score}"
        return
    if ending == "finish_round" and state.closer in state.to_come:
        yield f"expected {name}, who set off the final round, to have had a turn in this round, got one to come"
    if swaps or switches.charity:  # a side reaches the target in another's turn
        return
    waiting = {state.to_move, *state.to_come}
    for side in reached:
        if waiting.issuperset(state.sides[side].players):  # it had no turn to reach the target in
            least, score = f"expected less than {switches.target}", state.sides[side].score
            yield f"{least} for {side_name(state, side)}, whose last turn is to come, got {score}"


def _wrong_left_over(state: GameState, dice: int, points: int) -> Iterator[str]:
    got = f"got {dice} dice {points}"
    if not state.rules.switches.piggyback:
        yield f"expected left-over dice only with piggyback, {got}"
    if is_one_throw(state):
        yield f"expected no left-over dice in last turns of one throw, {got}"
    most = state.rules.n_dice - (0 if state.rules.switches.piggyback_hot else 1)
    if not 1 <= dice <= most or points < 1:
        yield f"expected 1 to {most} dice and 1 point or more left over, {got}"
    if len(state.sides) < 2:
        yield "expected two sides or more where dice are left over, got one"
    sides = [state.side_of(player) for player in range(len(state.players))]
    others = (side for side, seat in zip(sides, state.seats, strict=True) if not seat.farkles)
    if not any(side != state.side_to_move and state.sides[side].score >= points for side in others):
        yield f"expected another side that may have banked the {points} left over, got none with so many and no farkle"


def _names(state: GameState, sides: Iterable[int]) -> str:
    return " and ".join(side_name(state, side) for side in sides)
