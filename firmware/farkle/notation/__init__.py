"""The notation: a whole game as readable text, parsed and written (docs/notation.md).

`write` turns the effective events of a game into text; `parse` turns text into a `WrittenGame` of lines with their
places. `farkle.replay` checks the moves against the rules.
"""

from farkle.notation.parser import parse
from farkle.notation.writer import write
from farkle.notation.written import KEYWORDS, written_name

__all__ = ["KEYWORDS", "parse", "write", "written_name"]
