"""The players as shown: where their pegs stand on the track, and who is at which place."""

from companion.table.selection import pending_selection
from companion.table.state import Play, TableState
from companion.table.view import PlayerView
from companion.table.who_begins import start_thrower
from farkle.game.standing import hole, places, position
from farkle.game.state import GameState
from farkle.game.turn import IN_A_ROW
from pegboard.palette import mark


def players_shown(state: TableState, play: Play) -> tuple[PlayerView, ...]:
    """Return every player as shown."""
    game = play.game
    ranks = places(game)
    found: list[PlayerView] = []
    for index, name in enumerate(game.players):
        side = game.side_of(index)
        score = game.sides[side].score
        look = mark(side)
        ahead = _at_risk(state, game) if index == player_to_move(state, game) and not game.over else 0
        found.append(
            PlayerView(
                name=name,
                color=look.colour.hex,
                shape=look.shape.value,
                side=side,
                score=score,
                position=position(score, game.rules.points_a_hole(play.track)),
                hole=hole_at(play, score),
                front_hole=hole_at(play, score + ahead),
                farkles=game.seats[index].farkles,
                out=game.sides[side].out > 0,
                place=ranks[side],
                half=_half(play, score),
                front_half=_half(play, score + ahead),
            )
        )
    return tuple(found)


def _at_risk(state: TableState, game: GameState) -> int:
    kept = pending_selection(state)
    return game.turn.points + (kept.points if kept else 0)


def _half(play: Play, points: int) -> bool:
    """Return whether a peg at these points stands half a hole beyond its hole, on the track."""
    ratio = play.game.rules.points_a_hole(play.track)
    place, rest = divmod(points, ratio)
    return 0 <= place < play.track and 0 < ratio <= 2 * rest


def player_to_move(state: TableState, game: GameState) -> int:
    """Return the player whom the table waits for."""
    starter = start_thrower(state)
    return game.to_move if starter is None else starter


def hole_at(play: Play, points: int) -> int:
    """Return the hole for these points."""
    return hole(position(points, play.game.rules.points_a_hole(play.track)), play.track)


def hole_ahead(play: Play, points: int) -> int:
    """Return the hole of the side to move with `points` more."""
    return hole_at(play, play.game.sides[play.game.side_to_move].score + points)


def farkle_limit(game: GameState) -> int | None:
    """Return how many farkles in a row cost something, or None if none do."""
    return IN_A_ROW if game.rules.farkles_cost or game.rules.switches.three_strikes_out else None
