"""Dice as written and as counted: faces 1 to 6 in tuples, parsed from what a person types."""

from collections.abc import Iterable, Sequence

from farkle.errors import DiceError

Faces = tuple[int, ...]
"""The faces of some dice, in the order they were given."""

MOST_DICE = 6


def check_faces(faces: Iterable[int], *, least: int = 1, most: int = MOST_DICE) -> Faces:
    """Return the faces as a tuple, or raise `DiceError` where they are not `least` to `most` faces from 1 to 6."""
    dice = tuple(faces)
    if not least <= len(dice) <= most:
        wanted = f"{least} to {most} dice" if least != most else f"{most} dice"
        raise DiceError(f"expected {wanted}, got {len(dice)}: {written(dice)!r}")
    for face in dice:
        if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= 6:
            raise DiceError(f"expected faces from 1 to 6, got {face!r}")
    return dice


def parse_dice(text: str, *, least: int = 1, most: int = MOST_DICE) -> Faces:
    """Read dice as a person writes them: `1 1 5`, `115` or `1-1-5`. Raises `DiceError` on anything else."""
    marks = text.replace("-", " ").split()
    joined = "".join(marks)
    if not joined or not joined.isascii() or not joined.isdigit():
        raise DiceError(f"expected dice as '1 1 5', '115' or '1-1-5', got {text!r}")
    if len(joined) != len(marks) and len(marks) != 1:
        raise DiceError(f"expected dice as '1 1 5', '115' or '1-1-5', got {text!r}")
    faces = [int(mark) for mark in joined]
    if any(not 1 <= face <= 6 for face in faces):
        raise DiceError(f"expected faces from 1 to 6, got {text!r}")
    if not least <= len(faces) <= most:
        wanted = f"{least} to {most} dice" if least != most else f"{most} dice"
        raise DiceError(f"expected {wanted}, got {len(faces)}: {text!r}")
    return tuple(faces)


def written(faces: Sequence[int]) -> str:
    """The dice as one word, `115`."""
    return "".join(str(face) for face in faces)


def spaced(faces: Sequence[int]) -> str:
    """The dice as they are said, `1 1 5`."""
    return " ".join(str(face) for face in faces)


def is_part(part: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether every die of `part` can be taken from `whole`, each once."""
    return all(part.count(face) <= whole.count(face) for face in set(part))
