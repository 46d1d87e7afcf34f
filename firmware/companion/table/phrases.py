"""Phrases: the small pieces that the table's sentences are made of."""

from dataclasses import dataclass

from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection

SHORT = 21
FACES = ("one", "two", "three", "four", "five", "six")
_COUNTS = ("no dice", "one die", "two dice", "three dice", "four dice", "five dice", "six dice")


@dataclass(frozen=True)
class Message:
    """A sentence and its short form."""

    text: str
    short: str

    def __post_init__(self) -> None:
        if len(self.short) > SHORT:
            raise ValueError(f"expected at most {SHORT} characters, got {self.short!r}")


def faces_named(faces: Faces) -> str:
    """`the four`, `the four and the six`, in words."""
    return joined([f"the {FACES[face - 1]}" for face in faces])


def counted(number: int) -> str:
    """`three dice`."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else f"{number} dice"


def counted_any(numbers: tuple[int, ...]) -> str:
    """`one die`, `two, three or five dice`."""
    if len(numbers) == 1:
        return counted(numbers[0])
    words = [counted(number).removesuffix(" dice").removesuffix(" die") for number in numbers]
    return f"{', '.join(words[:-1])} or {words[-1]} dice"


def plural(number: int, one: str, digits: str = "") -> str:
    """`1 point`, `2 points`; with `digits` as of Python's formats, `,` for instance, `2,000 points`."""
    return f"{number:{digits}} {one}" if abs(number) == 1 else f"{number:{digits}} {one}s"


def clipped(text: str) -> str:
    """The text cut to the short form's length."""
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def explained(selection: Selection) -> str:
    """What makes the points: `three of a kind 3 3 3 = 6, single 2 = 2`."""
    return ", ".join(f"{part.name} {spaced(part.dice)} = {part.points}" for part in selection.parts)


def joined(names: list[str]) -> str:
    """`Ann, Ben and Cy`."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
