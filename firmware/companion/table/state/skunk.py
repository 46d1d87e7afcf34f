"""The skunk: a side that loses far behind the finish. It is named and counted apart, and the win is still one win."""

from companion.words import Text, message
from farkle.game.standing import hole, losers, position, side_name
from farkle.game.state import GameState
from pegboard.track import skunk_holes


def finish_of(game: GameState, track: int) -> int:
    """Return the hole in which a side has the points to win; 0 in a game of rounds, which no target ends."""
    return _hole_at(game, track, game.rules.goal)


def skunk_lines(game: GameState, track: int) -> tuple[int, ...]:
    """Return the holes that save a loser from a skunk and from a double skunk; none if the game finds a loser."""
    finish = finish_of(game, track)
    return () if game.rules.switches.find_loser or finish < 1 else skunk_holes(finish)


def skunks_of(game: GameState, track: int) -> tuple[int, ...]:
    """Return for each side 1 if it is skunked, 2 if it is double skunked, else 0."""
    lost = losers(game)
    if not lost:
        return (0,) * len(game.sides)
    lines = skunk_lines(game, track)
    return tuple(
        sum(_hole_at(game, track, peg.score) < line for line in lines) if side in lost else 0
        for side, peg in enumerate(game.sides)
    )


def saves_from_skunk(game: GameState, track: int, side: int, score: int) -> bool:
    """Return whether a higher `score` saves a side from a skunk, or from a double skunk, if it loses."""
    before, after = (_hole_at(game, track, points) for points in (game.sides[side].score, score))
    return any(before < line <= after for line in skunk_lines(game, track))


def skunks_said(game: GameState, track: int) -> tuple[Text, ...]:
    """Return which sides are skunked, in sentences such as `Tom is skunked`."""
    found = skunks_of(game, track)
    sides = [tuple([side_name(game, side) for side, skunk in enumerate(found) if skunk == grade]) for grade in (1, 2)]
    keys = ("skunk.skunked", "skunk.double")
    return tuple(message(key, names=names) for key, names in zip(keys, sides, strict=True) if names)


def _hole_at(game: GameState, track: int, points: int) -> int:
    return hole(position(points, game.rules.points_a_hole(track)), track)
