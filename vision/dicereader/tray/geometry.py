"""The tray in millimetres: floor, walls, rail, shelf with six pockets, and the four printed tags.

The origin is the middle of the inner floor, x to the right and y away from the players (up in the camera's picture),
z up from the floor. Calibration, synthetic source, printed sheets and enclosure take their measures from here.

A sheet of paper is a tray, too: rectangular, without walls and rail, with the tags printed inside its corners.
"""

from dataclasses import dataclass

from dicereader.errors import CalibrationError, check_number

TAG_PLATE_MM = 3.0
"""Thickness in millimetres of the plates on the walls' corners that carry the tags."""


@dataclass(frozen=True)
class Tray:
    """Measures of one tray; the defaults are the tray of hardware.md. All lengths in millimetres."""

    inner_mm: float = 230.0  # inside width of the floor
    depth_mm: float = 0.0  # inside depth of the floor, shelf included; 0: as deep as wide
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
    paper: bool = False  # a printed sheet: the tags are inside its corners, at the height of the floor

    def __post_init__(self) -> None:
        deep = 2 * self.half_depth_mm
        if not 0 < self.shelf_mm < deep:
            raise CalibrationError(f"expected a shelf between 0 and {deep} mm deep, got {self.shelf_mm!r}")
        check_number(self.die_mm, 5, 40, "dice of 5 to 40 mm", CalibrationError)

    @property
    def half_mm(self) -> float:
        """Half the inside width."""
        return self.inner_mm / 2

    @property
    def half_depth_mm(self) -> float:
        """Half the inside depth."""
        return (self.depth_mm or self.inner_mm) / 2

    @property
    def rail_y_mm(self) -> float:
        """The y of the rail's middle; the shelf is below it, the throw area above."""
        return -self.half_depth_mm + self.shelf_mm + self.rail_mm / 2

    @property
    def plate_mm(self) -> float:
        """The side of a tag with its white border."""
        return self.tag_mm + 2 * self.tag_border_mm

    @property
    def tags_z_mm(self) -> float:
        """The height of the tags: on plates on the walls' corners, or printed on the floor."""
        return 0.0 if self.paper else self.wall_height_mm + TAG_PLATE_MM

    @property
    def pocket_pitch_mm(self) -> float:
        """The distance of the middles of neighbouring pockets; on paper they are between the tags."""
        return (self.inner_mm - (2 * self.plate_mm if self.paper else 0.0)) / self.pockets

    def on_shelf(self, y_mm: float) -> bool:
        """Return whether a die whose centre is at `y_mm` is on the shelf."""
        return y_mm < self.rail_y_mm

    def pocket_centre_mm(self, pocket: int) -> tuple[float, float]:
        """Return the middle of pocket 0 (left) to 5 (right) on the shelf."""
        along = self.pocket_pitch_mm * (pocket + 0.5 - self.pockets / 2)
        return along, -self.half_depth_mm + self.shelf_mm / 2

    def tag_centre_mm(self, tag: int) -> tuple[float, float]:
        """Return the middle of tag 0 to 3, clockwise from the top left: on the walls' corners or inside them."""
        out = -self.plate_mm / 2 if self.paper else self.wall_mm + 2.0
        x, y = self.half_mm + out, self.half_depth_mm + out
        return ((-x, y), (x, y), (x, -y), (-x, -y))[tag]


PAPER = Tray(
    inner_mm=262.0,
    depth_mm=180.0,
    wall_mm=0.0,
    wall_height_mm=0.0,
    rail_mm=0.0,
    rail_height_mm=0.0,
    pocket_mm=28.0,
    tag_mm=24.0,
    tag_border_mm=3.0,
    paper=True,
)
"""The paper tray, which fits on A4 and on Letter laid across, within the margins that printers leave white."""

TINT = (184, 115, 220)
"""The colour of the paper under the dice (red, green, blue): white dice stand out from it in colour, dark ones in
brightness, on a grey printer too."""
