"""Faces of dice: tuples of numbers from 1 to 6, checked, parsed and written."""

from collections.abc import Iterable, Sequence

from farkle.errors import DiceError

Faces = tuple[int, ...]
"""The faces of some dice, in the order they were given."""

MOST_DICE = 6


def check_faces(faces: Iterable[int], *, least: int = 1, most: int = MOST_DICE, text: str | None = None) -> Faces:
    """Return the faces as a tuple.

    Args:
        faces: numbers from 1 to 6.
        least: the smallest allowed number of dice.
        most: the largest allowed number of dice.
        text: the text the faces were parsed from, quoted in errors.

    Raises:
        DiceError: if `faces` are not numbers, are too few or too many, or one is not 1 to 6.
    """
    if not isinstance(faces, Iterable):
        raise DiceError(f"expected faces such as (1, 1, 5), got {faces!r}")
    dice = tuple(faces)
    if not least <= len(dice) <= most:
        wanted = f"{least} to {most} dice" if least != most else f"{most} dice"
        allowed = tuple(range(least, most + 1))
        text = f"expected {wanted}, got {len(dice)}: {text or written(dice)!r}"
        raise DiceError(text, "number_of_dice", allowed=allowed, number=len(dice))
    for face in dice:
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= 6:
            raise DiceError(f"expected faces from 1 to 6, got {text or face!r}", "no_such_face")
    return dice


def parse_dice(text: str, *, least: int = 1, most: int = MOST_DICE) -> Faces:
    """Return the faces written as `1 1 5`, `115` or `1-1-5`.

    Raises:
        DiceError: if the text is anything else, or the dice are out of range.
    """
    if not isinstance(text, str):
        raise DiceError(f"expected dice as '1 1 5', '115' or '1-1-5', got {text!r}")
    marks = text.replace("-", " ").split()
    digits = "".join(marks)
    separate = len(marks) == 1 or len(marks) == len(digits)
    if not (digits.isascii() and digits.isdigit() and separate):
        raise DiceError(f"expected dice as '1 1 5', '115' or '1-1-5', got {text!r}")
    return check_faces(map(int, digits), least=least, most=most, text=text)


def written(faces: Sequence[int]) -> str:
    """Return the dice as one word, such as `115`."""
    return "".join(map(str, faces))


def spaced(faces: Sequence[int]) -> str:
    """Return the dice with spaces between them, such as `1 1 5`."""
    return " ".join(map(str, faces))


def is_part(part: Sequence[int], whole: Sequence[int]) -> bool:
    """Return whether `whole` contains every die of `part`, each die used once."""
    return all(part.count(face) <= whole.count(face) for face in set(part))
