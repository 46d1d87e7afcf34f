"""What is known of one table's set of dice: colours, and where and how large the pips are."""

from dataclasses import dataclass

from dicereader.errors import CalibrationError

Colour = tuple[float, float, float]
"""Blue, green, red, each from 0 to 255."""


@dataclass(frozen=True)
class DiceSet:
    """Dice that look alike, as learnt from a few throws in one light. Lengths in millimetres.

    `body` and `pip` are colours of a level top face; `pip_mm` is the pips' radius and `one_mm` that of the single pip
    of a one. A corner pip lies `corner_mm` from the face's middle along each edge; a six's columns of three lie
    `six_mm` from it, their ends `corner_mm`. `slant` is how much of a face's slant the network tells of these dice.
    Of level dice nine in ten are off by less than `off_slant` (a sine) from the slant of their place, and less
    than `off_body` of their sides cannot be told from the ground: the light decides that.
    """

    body: Colour
    pip: Colour
    pip_mm: float
    one_mm: float
    corner_mm: float
    six_mm: float
    slant: float = 1.0
    off_slant: float = 0.1
    off_body: float = 0.08

    def __post_init__(self) -> None:
        for name in ("pip_mm", "one_mm", "corner_mm", "six_mm"):
            if not 0.2 <= getattr(self, name) <= 15:
                raise CalibrationError(f"expected dice with {name} from 0.2 to 15, got {getattr(self, name)!r}")
        for name, least, most in (("slant", 0.1, 3.0), ("off_slant", 0.0, 1.0), ("off_body", 0.0, 1.0)):
            if not least <= getattr(self, name) <= most:
                raise CalibrationError(f"expected {name} from {least} to {most}, got {getattr(self, name)!r}")
        for name in ("body", "pip"):
            colour = getattr(self, name)
            if len(colour) != 3 or not all(0 <= value <= 255 for value in colour):
                raise CalibrationError(f"expected the dice's {name} as three numbers from 0 to 255, got {colour!r}")
        if self.contrast < 10:
            raise CalibrationError(f"expected pips of another colour than the dice, got {self.body!r} and {self.pip!r}")

    @property
    def contrast(self) -> float:
        """How far the pips' colour is from the dice's, as the length of the difference."""
        return float(sum((a - b) ** 2 for a, b in zip(self.body, self.pip, strict=True)) ** 0.5)
