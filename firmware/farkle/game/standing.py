"""The standing: scores as positions and holes on a track, and the places of the sides."""

from collections.abc import Sequence

from farkle.game.state import GameState, Side
from farkle.rules.ruleset import TRACKS, RuleSet


def position(points: int, points_a_hole: int) -> int:
    """How many whole holes the points are worth; below 0 or beyond the end where the points are."""
    return points // points_a_hole


def hole(place: int, track: int) -> int:
    """The hole of a position: 0 is the start, `track` the last hole; the one function that maps them."""
    return max(0, min(place, track))


def smallest_track(rules: RuleSet) -> int:
    """The track a game is shown on where nobody named one: the shortest whose end the target does not pass."""
    for track in TRACKS:
        if track in rules.tracks and rules.switches.target <= track * rules.tracks[track]:
            return track
    return max(rules.tracks)


def side_name(state: GameState, side: int) -> str:
    """A side's name as people say it: its players, joined."""
    return " and ".join(state.players[player] for player in state.sides[side].players)


def leaders(sides: Sequence[Side]) -> tuple[int, ...]:
    """The indices of the sides with the highest score."""
    best = max(side.score for side in sides)
    return tuple(index for index, side in enumerate(sides) if side.score == best)


def places(sides: Sequence[Side]) -> tuple[int, ...]:
    """Each side's place, 1 for the first; equal scores share a place."""
    return tuple(1 + sum(other.score > side.score for other in sides) for side in sides)
