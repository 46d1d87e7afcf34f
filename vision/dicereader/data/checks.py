"""Check numbers that a caller gives."""

from numbers import Integral, Real
from typing import Any


def is_between(value: Any, least: float, most: float, *, whole: bool = False) -> bool:
    """Return whether a value of any type is a number from `least` to `most`, and with `whole` a whole one."""
    kind: Any = Integral if whole else Real
    return isinstance(value, kind) and value is not True and value is not False and bool(least <= value <= most)
