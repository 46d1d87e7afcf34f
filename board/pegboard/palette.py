"""The players' marks: six colours that colour-blind people can distinguish, and six shapes.

The colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008), without black and blue, which a lit
hole cannot show well. Players 7 to 12 have the same colours with other shapes.
"""

from dataclasses import dataclass
from enum import StrEnum

from pegboard.errors import ViewError

RGB = tuple[int, int, int]


@dataclass(frozen=True)
class Colour:
    """A screen colour (sRGB, 0 to 255 a channel)."""

    name: str
    rgb: RGB

    @property
    def hex(self) -> str:
        """The colour as `#rrggbb`."""
        return "#{:02x}{:02x}{:02x}".format(*self.rgb)


class Shape(StrEnum):
    """A shape, which distinguishes players of the same colour."""

    CIRCLE = "circle"
    DIAMOND = "diamond"
    SQUARE = "square"
    TRIANGLE = "triangle"
    PENTAGON = "pentagon"
    STAR = "star"


COLOURS = (
    Colour("orange", (230, 159, 0)),
    Colour("sky blue", (86, 180, 233)),
    Colour("bluish green", (0, 158, 115)),
    Colour("yellow", (240, 228, 66)),
    Colour("vermilion", (213, 94, 0)),
    Colour("purple", (204, 121, 167)),
)
SHAPES = tuple(Shape)
MOST_PLAYERS = 12

WHITE = Colour("white", (255, 255, 255))
AMBER = Colour("amber", (255, 176, 0))


@dataclass(frozen=True)
class Mark:
    """A player's colour and shape, the same on board, page and plots."""

    colour: Colour
    shape: Shape


def mark(player: int) -> Mark:
    """Return the mark of player 0 to 11, different for each.

    Raises:
        ViewError: if the player is out of range.
    """
    if not 0 <= player < MOST_PLAYERS:
        raise ViewError(f"expected a player from 0 to {MOST_PLAYERS - 1}, got {player!r}")
    again = player // len(COLOURS)
    return Mark(COLOURS[player % len(COLOURS)], SHAPES[(player + 3 * again) % len(SHAPES)])


def nearest_colour(rgb: RGB) -> Colour:
    """Return the player's colour, or white, that is nearest to `rgb` in hue at any brightness.

    Raises:
        ViewError: if `rgb` is black.
    """
    most = max(rgb)
    if most == 0:
        raise ViewError(f"expected a colour with some light, got {rgb!r}")
    scaled = tuple(channel * 255 / most for channel in rgb)

    def distance(colour: Colour) -> float:
        top = max(colour.rgb)
        return sum((a - b * 255 / top) ** 2 for a, b in zip(scaled, colour.rgb, strict=True))

    return min((*COLOURS, WHITE), key=distance)
