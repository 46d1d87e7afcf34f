"""The notation: a whole game as readable text, read and written (docs/notation.md).

`write` turns the effective events of a game into text; `read` plays a text through the rules, line by line.
"""

from farkle.notation.reader import read
from farkle.notation.writer import write
from farkle.notation.written import KEYWORDS, written_name

__all__ = ["KEYWORDS", "read", "write", "written_name"]
