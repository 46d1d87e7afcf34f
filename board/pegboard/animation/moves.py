"""The peg moves between two views, and the holes of moving pegs. Pure functions of views and elapsed seconds."""

from dataclasses import replace

from pegboard.pegs import BoardView, LaneView, MoveKind, Peg, PegMove
from pegboard.track import Hole

SPEEDS = {
    MoveKind.WALK: (0.060, 1.5),
    MoveKind.SWAP: (0.060, 1.5),
    MoveKind.HOP: (0.120, 1.5),
    MoveKind.RUN_HOME: (0.025, 1.0),
}
"""The seconds from hole to hole of each kind of move, and the most seconds of a move."""


def moves(before: BoardView, after: BoardView) -> tuple[PegMove, ...]:
    """Return all peg moves from one view to the next; none if other sides play, or on another track.

    A peg walks forward. A front peg that goes back runs home, two back pegs that change places swap, and any other back
    peg that goes back hops. Hops start when the walks have arrived, because the walking peg bumps the other; if a
    bumped peg bumps the next, they hop one after the other.
    """
    if [lane.mark for lane in before.lanes] != [lane.mark for lane in after.lanes] or before.track != after.track:
        return ()
    changed = {side for side, (a, b) in enumerate(zip(before.lanes, after.lanes, strict=True)) if a.back != b.back}
    swapped = {
        side
        for side in changed
        for other in changed - {side}
        if after.lanes[side].back == before.lanes[other].back and after.lanes[other].back == before.lanes[side].back
    }
    found: list[PegMove] = []
    for side, (old, new) in enumerate(zip(before.lanes, after.lanes, strict=True)):
        for peg, start, end in ((Peg.BACK, old.back, new.back), (Peg.FRONT, old.front, new.front)):
            if start == end:
                continue
            if side in swapped:
                kind = MoveKind.SWAP
            elif end > start:
                kind = MoveKind.WALK
            else:
                kind = MoveKind.RUN_HOME if peg is Peg.FRONT and old.front != old.back else MoveKind.HOP
            hole_s, longest_s = SPEEDS[kind]
            duration_s = min(hole_s * abs(end - start), longest_s)
            found.append(PegMove(side, peg, kind, start, end, 0.0, duration_s))
    walked_s = max((move.duration_s for move in found if move.kind is MoveKind.WALK), default=0.0)
    hops = [move for move in found if move.kind is MoveKind.HOP]
    return tuple(replace(move, delay_s=_delay_s(move, hops, walked_s)) if move in hops else move for move in found)


def _delay_s(move: PegMove, hops: list[PegMove], walked_s: float) -> float:
    """Return the delay of a hop: until the walks have arrived, and the hop of a peg that bumps this one."""
    pusher = next((hop for hop in hops if hop.lane != move.lane and hop.end == move.start), None)
    if pusher is None or pusher.start <= move.start:
        return walked_s
    return _delay_s(pusher, hops, walked_s) + pusher.duration_s


def hole_at(move: PegMove, elapsed_s: float) -> Hole:
    """Return the hole of a moving peg `elapsed_s` after the view changed."""
    if elapsed_s >= move.delay_s + move.duration_s:
        return move.end
    way = max(elapsed_s - move.delay_s, 0.0) / move.duration_s if move.duration_s else 1.0
    return Hole(move.start + int(way * (move.end - move.start)))


def moves_duration_s(before: BoardView, after: BoardView) -> float:
    """Return the seconds until all pegs are in the holes of `after`."""
    return max((move.delay_s + move.duration_s for move in moves(before, after)), default=0.0)


def between(before: BoardView, after: BoardView, elapsed_s: float) -> BoardView:
    """Return the view `after` with its pegs where they are `elapsed_s` after it replaced `before`."""
    lanes: list[LaneView] = list(after.lanes)
    for move in moves(before, after):
        hole = hole_at(move, elapsed_s)
        lane = lanes[move.lane]
        lanes[move.lane] = replace(lane, back=hole) if move.peg is Peg.BACK else replace(lane, front=hole)
    return replace(after, lanes=tuple(lanes))
