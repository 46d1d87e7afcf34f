"""Views of a board for tests."""

from pegboard.palette import mark
from pegboard.pegs import BoardView, LaneView
from pegboard.track import Hole, Track


def board(*pegs: tuple[int, int], turn: int | None = 0, track: int = 121, **more: object) -> BoardView:
    """Return a view with the back and the front peg of each side in these holes."""
    lanes = tuple(LaneView(mark(side), Hole(back), Hole(front)) for side, (back, front) in enumerate(pegs))
    return BoardView(lanes, turn=turn, track=Track(track), **more)  # type: ignore[arg-type]
