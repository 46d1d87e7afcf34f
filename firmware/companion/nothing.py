"""Defaults of functions that a caller may give: one that does nothing, and one that says no."""


def nothing(*_given: object) -> None:
    """Do nothing."""


def never() -> bool:
    """Return False."""
    return False
