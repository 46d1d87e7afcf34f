"""The standing: scores as positions and holes on a track, the names of the sides, and their places."""

from farkle.game.state import GameState


def position(points: int, points_a_hole: int) -> int:
    """Return the points as a number of whole holes; below 0 or beyond the end if the points are."""
    return points // points_a_hole


def hole(place: int, track: int) -> int:
    """Return the hole of a position: 0 is the start, `track` the last hole."""
    return max(0, min(place, track))


def side_name(state: GameState, side: int) -> str:
    """Return a side's name: the team's name, or the player's."""
    if state.teams:
        return state.teams[side]
    return " and ".join(state.players[player] for player in state.sides[side].players)


def side_names(state: GameState) -> tuple[str, ...]:
    """Return the names of the sides that score: the teams, or the players."""
    return tuple(side_name(state, side) for side in range(len(state.sides)))


def teams_of(state: GameState) -> dict[str, tuple[str, ...]]:
    """Return the names of each team's players by the team's name; empty if all play alone."""
    sides = zip(state.teams, state.sides, strict=False)
    return {name: tuple(state.players[player] for player in side.players) for name, side in sides}


def leaders(state: GameState) -> tuple[int, ...]:
    """Return the sides with the highest score among those that can still win, or that play an extra round."""
    among = state.extra or range(len(state.sides))
    competing = [side for side in among if state.competes(side)]
    best = max((state.sides[side].score for side in competing), default=0)
    return tuple(side for side in competing if state.sides[side].score == best)


def must_pass(state: GameState) -> int | None:
    """Return the side that the side to move must pass, or None: a win is defended, and this side does not lead it."""
    if state.rules.ending != "defend" or state.closer is None or state.extra or state.over:
        return None
    ours, leader = state.side_to_move, state.side_of(state.closer)
    swapped = state.sides[ours].score > state.sides[leader].score  # a Bomb has passed it already
    return None if leader == ours or swapped else leader


def losers(state: GameState) -> tuple[int, ...]:
    """Return the sides that lost a finished game to its winners, without sides whose players have all left.

    A game that looks for a loser has that one alone, in `GameState.loser`, and nobody loses to its winner.
    """
    if not state.winners or state.rules.switches.find_loser:
        return ()
    stayed = (any(not state.seats[player].left for player in side.players) for side in state.sides)
    return tuple(side for side, stays in enumerate(stayed) if stays and side not in state.winners)


def places(state: GameState) -> tuple[int, ...]:
    """Return each side's place, 1 for the first; equal scores share a place.

    The winners of a finished game come first, then the pegs that left the board, in that order, then the scores. Sides
    that left or were disqualified come after all others, and the loser last.
    """

    def rank(side: int) -> tuple[bool, bool, bool, int, int]:
        peg = state.sides[side]
        first = state.over and side in state.winners
        out = peg.out or len(state.sides) + 1
        return not first, side == state.loser, not state.competes(side), out, -peg.score

    ranks = [rank(side) for side in range(len(state.sides))]
    return tuple(map((None, *sorted(ranks)).index, ranks))


def others_in_hole(state: GameState, side: int) -> tuple[int, ...]:
    """Return the other sides whose pegs are in this side's hole, if the rules allow one peg a hole."""
    if state.rules.switches.one_peg_per_hole == "off":
        return ()
    ratio = state.rules.hole_points
    pegs = [_occupied_hole(state, other, ratio) for other in range(len(state.sides))]
    if pegs[side] is None:
        return ()
    return tuple(other for other, peg in enumerate(pegs) if other != side and peg == pegs[side])


def _occupied_hole(state: GameState, side: int, points_a_hole: int) -> int | None:
    """Return the hole that a side's peg is in, or None at the start, off the board, or out of the game."""
    peg = state.sides[side]
    if peg.out or not state.competes(side) or peg.score >= state.rules.off_board:
        return None
    place = position(peg.score, points_a_hole)
    return place if place > 0 else None
