"""The standing: scores as positions and holes on a track, and the places of the sides."""

from farkle.game.state import GameState


def position(points: int, points_a_hole: int) -> int:
    """How many whole holes the points are worth; below 0 or beyond the end where the points are."""
    return points // points_a_hole


def hole(place: int, track: int) -> int:
    """The hole of a position: 0 is the start, `track` the last hole; the one function that maps them."""
    return max(0, min(place, track))


def side_name(state: GameState, side: int) -> str:
    """A side's name as people say it: the team's, or its players, joined."""
    if state.teams:
        return state.teams[side]
    return " and ".join(state.players[player] for player in state.sides[side].players)


def teams_of(state: GameState) -> dict[str, tuple[str, ...]]:
    """The teams by name with their players' names; none where each plays alone."""
    sides = zip(state.teams, state.sides, strict=False)
    return {name: tuple(state.players[player] for player in side.players) for name, side in sides}


def leaders(state: GameState) -> tuple[int, ...]:
    """The sides with the highest score of those that can still win, in an extra round of those that tied."""
    among = state.extra or range(len(state.sides))
    competing = [side for side in among if state.competes(side)]
    best = max((state.sides[side].score for side in competing), default=0)
    return tuple(side for side in competing if state.sides[side].score == best)


def places(state: GameState) -> tuple[int, ...]:
    """Each side's place, 1 for the first; equal scores share a place.

    Whose peg left the board first is first; the winners of a finished game are before all others, who has left or was
    disqualified comes after all others, and the loser where one was sought after those.
    """

    def rank(side: int) -> tuple[bool, bool, bool, int, int]:
        peg = state.sides[side]
        first = state.over and side in state.winners
        out = peg.out or len(state.sides) + 1
        return not first, side == state.loser, not state.competes(side), out, -peg.score

    ranks = [rank(side) for side in range(len(state.sides))]
    return tuple(1 + sum(other < mine for other in ranks) for mine in ranks)
