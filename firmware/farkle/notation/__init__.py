"""The notation: a whole game as readable text, both ways (docs/notation.md).

`write` turns the effective events of a game into text; `parse` turns text into a `WrittenGame` of lines with their
places. Whether the moves are legal is asked of the game itself, in `farkle.replay`.
"""

from farkle.notation.reading import parse
from farkle.notation.words import KEYWORDS, written_name
from farkle.notation.writing import write
from farkle.notation.written import Move, WrittenAct, WrittenGame, WrittenStanding, WrittenTurn

__all__ = [
    "KEYWORDS",
    "Move",
    "WrittenAct",
    "WrittenGame",
    "WrittenStanding",
    "WrittenTurn",
    "parse",
    "write",
    "written_name",
]
