"""The measures of the parts that the program itself does not use: button box, Pi box, camera plate.

Lengths are in millimetres. `measures.py` writes every field into measures.scad as `PREFIX_FIELD`; `flats.py` cuts the
same measures from wood.
"""

from dataclasses import dataclass

Place = tuple[float, float]

LABELS = ("KEEP", "BANK", "ROLL")
"""The buttons from left to right, as the table's players see them."""


@dataclass(frozen=True)
class Fit:
    """Screws, heat-set inserts and the widths of cuts that all parts share."""

    screw: float = 3.3  # a clear hole for M3
    head: float = 6.4  # countersunk head of M3, ISO 10642
    insert: float = 4.0  # hole for a heat-set insert M3, 4 mm long
    insert_deep: float = 5.0
    tap_m25: float = 2.1  # hole in which an M2.5 screw cuts its own thread
    tap_m2: float = 1.7


@dataclass(frozen=True)
class ButtonBox:
    """A box for three arcade buttons of 30 mm; x to the right, y away from the player, from the plate's middle."""

    wide: float = 156.0
    deep: float = 72.0
    high: float = 46.0  # outside, without the bottom; a button with its contacts needs 35
    plate: float = 3.0  # snap-in buttons hold plates of 2 to 4
    wall: float = 2.4
    bottom: float = 3.0
    corner: float = 8.0
    hole: float = 30.2
    pitch: float = 46.0
    hole_y: float = -6.0
    label_y: float = 22.0
    label_high: float = 8.0
    screw_in: float = 6.5  # from the outline to the centre of a corner's screw
    cable: float = 7.0  # the notch of the printed box

    @property
    def holes(self) -> tuple[Place, ...]:
        """Return the middles of the buttons, in the order of `LABELS`."""
        return tuple(((n - 1) * self.pitch, self.hole_y) for n in range(len(LABELS)))

    @property
    def screws(self) -> tuple[Place, ...]:
        """Return the middles of the bottom's four screws."""
        return corners(self.wide / 2 - self.screw_in, self.deep / 2 - self.screw_in)


@dataclass(frozen=True)
class PiBox:
    """A box for the Raspberry Pi, the level shifter's perfboard, a barrel-jack adapter and a fuse holder.

    The origin is the left front corner of the inner floor. It takes 5 V from a closed mains adapter, never mains.
    """

    wide: float = 158.0  # inside
    deep: float = 116.0
    high: float = 34.0
    wall: float = 2.4
    floor: float = 2.4
    lid: float = 3.0
    corner: float = 6.0
    boss: float = 9.0
    screw_in: float = 3.1  # from the inner walls to the middle of a screw
    front_screw: float = 62.0  # x of the fourth screw: a Pi fills the right front corner
    pi_x: float = 70.0  # the left front corner of a Pi of 85 x 56 mm, its USB sockets to the right
    pi_y: float = 1.0
    pi_post: float = 6.0
    zero_x: float = 80.0  # the left front corner of a Zero of 65 x 30 mm
    zero_y: float = 1.0
    zero_post: float = 3.0  # low, because the card slot of a large Pi is above it
    perf_x: float = 72.0  # the left front corner of a perfboard of 70 x 50 mm
    perf_y: float = 61.0

    @property
    def pi_holes(self) -> tuple[Place, ...]:
        """Return the four screws of a Pi 3, 4 or 5: 58 x 49 mm apart, 3.5 mm from the board's edges."""
        return tuple((self.pi_x + 3.5 + x, self.pi_y + 3.5 + y) for x in (0, 58) for y in (0, 49))

    @property
    def zero_holes(self) -> tuple[Place, ...]:
        """Return the four screws of a Zero: 58 x 23 mm apart, 3.5 mm from the board's edges."""
        return tuple((self.zero_x + 3.5 + x, self.zero_y + 3.5 + y) for x in (0, 58) for y in (0, 23))

    @property
    def perf_holes(self) -> tuple[Place, ...]:
        """Return the four screws of a perfboard of 70 x 50 mm: 66 x 46 mm apart."""
        return tuple((self.perf_x + 2 + x, self.perf_y + 2 + y) for x in (0, 66) for y in (0, 46))

    @property
    def hang_holes(self) -> tuple[Place, ...]:
        """Return two wood screws in line, through the floor into the camera's upright bar or a base."""
        return ((60.0, 20.0), (60.0, 90.0))

    @property
    def screws(self) -> tuple[Place, ...]:
        """Return the middles of the lid's four screws."""
        left, right, back = self.screw_in, self.wide - self.screw_in, self.deep - self.screw_in
        return ((left, left), (self.front_screw, left), (left, back), (right, back))


@dataclass(frozen=True)
class CameraPlate:
    """The plate at the end of the bar. The lens is at the origin; the bar is on the upper side, at positive y."""

    wide: float = 36.0
    front: float = 22.0  # from the lens to the plate's free end
    back: float = 66.0
    thick: float = 3.0
    corner: float = 4.0
    module_x: float = 21.0  # Raspberry Pi's drawings of Camera Module 2 and 3: holes 21 x 12.5 mm apart, M2
    module_y: float = 12.5
    m2: float = 2.3
    spacer: float = 5.0  # the flat cable's connector, on the module's back, is 3 mm high
    slot_wide: float = 18.0  # flat cables are 16 mm (Pi 3, 4) or 11.5 mm (Zero, 5) wide
    slot: float = 3.0
    slot_y: float = -15.0
    bar: float = 20.0
    bar_screw: float = 3.6
    bar_first: float = 34.0
    bar_apart: float = 22.0

    @property
    def module_holes(self) -> tuple[Place, ...]:
        """Return the module's four screws; the lens is in line with two of them."""
        return tuple((x * self.module_x / 2, y * self.module_y) for x in (-1, 1) for y in (0, 1))

    @property
    def bar_holes(self) -> tuple[Place, ...]:
        """Return the two wood screws into the bar."""
        return tuple((0.0, self.bar_first + n * self.bar_apart) for n in range(2))


def corners(x: float, y: float) -> tuple[Place, ...]:
    """Return the four corners at (+-x, +-y)."""
    return ((-x, -y), (x, -y), (x, y), (-x, y))
