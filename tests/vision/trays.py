"""Our rendered trays, each read at most once."""

from functools import cache
from pathlib import Path

from dicereader import DiceReading, read

FOLDER = Path(__file__).parent.parent / "pictures" / "trays"
TRAYS = sorted(FOLDER.glob("*.jpg"))


@cache
def reading_of(tray: Path) -> DiceReading:
    """Return the reading of a whole tray."""
    return read(tray)
