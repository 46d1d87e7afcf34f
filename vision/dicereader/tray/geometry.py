"""The tray in millimetres: floor, walls, rail, shelf with six pockets, and the four printed tags.

The origin is the middle of the inner floor, x to the right and y away from the players (up in the camera's picture),
z up from the floor. Calibration, synthetic source, tag sheet and enclosure take their measures from here.
"""

from dataclasses import dataclass

from dicereader.errors import CalibrationError


@dataclass(frozen=True)
class Tray:
    """Measures of one tray; the defaults are the tray of hardware.md. All lengths in millimetres."""

    inner_mm: float = 230.0  # inside width and depth of the floor, shelf included
    wall_mm: float = 10.0  # thickness of the walls
    wall_height_mm: float = 30.0
    shelf_mm: float = 30.0  # depth of the shelf, at the players' side (-y)
    rail_mm: float = 3.0  # thickness of the rail
    rail_height_mm: float = 15.0
    die_mm: float = 16.0
    pockets: int = 6
    pocket_mm: float = 20.0
    tag_mm: float = 20.0  # black square of a printed tag
    tag_border_mm: float = 2.5  # white border around it

    def __post_init__(self) -> None:
        if not 0 < self.shelf_mm < self.inner_mm:
            raise CalibrationError(f"expected a shelf between 0 and {self.inner_mm} mm deep, got {self.shelf_mm!r}")
        if not 5 <= self.die_mm <= 40:
            raise CalibrationError(f"expected dice of 5 to 40 mm, got {self.die_mm!r}")

    @property
    def half_mm(self) -> float:
        """Half the inside width."""
        return self.inner_mm / 2

    @property
    def rail_y_mm(self) -> float:
        """The y of the rail's middle; the shelf is below it, the throw area above."""
        return -self.half_mm + self.shelf_mm + self.rail_mm / 2

    def on_shelf(self, y_mm: float) -> bool:
        """Return whether a die whose centre is at `y_mm` is on the shelf."""
        return y_mm < self.rail_y_mm

    def pocket_centre_mm(self, pocket: int) -> tuple[float, float]:
        """Return the middle of pocket 0 (left) to 5 (right) on the shelf.

        Raises:
            CalibrationError: if the shelf has no such pocket.
        """
        if not 0 <= pocket < self.pockets:
            raise CalibrationError(f"expected a pocket from 0 to {self.pockets - 1}, got {pocket!r}")
        pitch = self.inner_mm / self.pockets
        return -self.half_mm + pitch * (pocket + 0.5), -self.half_mm + self.shelf_mm / 2

    def tag_centre_mm(self, tag: int) -> tuple[float, float]:
        """Return the middle of tag 0 to 3 (clockwise from the top left), on top of the walls' corners.

        Raises:
            CalibrationError: if there is no such tag.
        """
        if not 0 <= tag <= 3:
            raise CalibrationError(f"expected a tag from 0 to 3, got {tag!r}")
        out = self.half_mm + self.wall_mm + 2.0
        return ((-out, out), (out, out), (out, -out), (-out, -out))[tag]
