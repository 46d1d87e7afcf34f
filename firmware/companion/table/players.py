"""The players as shown: whose pegs stand where on the track, and who is at which place."""

from companion.table.selection import proposal
from companion.table.starting import thrower
from companion.table.state import TableState
from companion.table.view import PlayerView
from farkle.game.standing import hole, places, position
from farkle.game.state import GameState
from farkle.game.turn import IN_A_ROW
from pegboard.palette import mark


def players_shown(state: TableState, game: GameState) -> tuple[PlayerView, ...]:
    """Every player as shown."""
    ranks = places(game)
    found: list[PlayerView] = []
    for index, name in enumerate(game.players):
        side = game.side_of(index)
        score = game.sides[side].score
        look = mark(side)
        ahead = _at_risk(state, game) if index == _moving(state, game) and not game.over else 0
        found.append(
            PlayerView(
                name=name,
                color=look.colour.hex,
                shape=look.shape.value,
                side=side,
                score=score,
                position=position(score, game.rules.points_a_hole(state.track)),
                hole=_hole(state, game, score),
                front_hole=_hole(state, game, score + ahead),
                farkles=game.seats[index].farkles,
                out=game.sides[side].out > 0,
                place=ranks[side],
                half=_half(state, game, score),
                front_half=_half(state, game, score + ahead),
            )
        )
    return tuple(found)


def _at_risk(state: TableState, game: GameState) -> int:
    kept = proposal(state)
    return game.turn.points + (kept.points if kept else 0)


def _half(state: TableState, game: GameState, points: int) -> bool:
    """Whether a peg at these points stands half a hole beyond its hole, on the track."""
    ratio = game.rules.points_a_hole(state.track)
    place, rest = divmod(points, ratio)
    return 0 <= place < state.track and 0 < ratio <= 2 * rest


def _moving(state: TableState, game: GameState) -> int:
    """The player whom the table waits for."""
    starts = thrower(state)
    return game.to_move if starts is None else starts


def _hole(state: TableState, game: GameState, points: int) -> int:
    return hole(position(points, game.rules.points_a_hole(state.track)), state.track)


def front_hole(state: TableState, game: GameState, points: int) -> int:
    """The hole of the one to move with so many points more."""
    return _hole(state, game, game.sides[game.side_to_move].score + points)


def farkle_limit(game: GameState) -> int | None:
    """How many farkles in a row cost something; None where none do."""
    return IN_A_ROW if game.rules.farkles_cost or game.rules.switches.three_strikes_out else None
