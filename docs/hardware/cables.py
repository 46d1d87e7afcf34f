"""Where everything stands on the table, and the lengths that follow: the post's bars, cables, wires.

Places are millimetres from the middle of the tray's floor: x to the right and y away from the players, z up from the
floor. The Pi hangs on the back of the post with its power socket up, so that the camera's cable is short; the
perfboard is below it, so that the data lead is short, too.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import perfboard
import pi_boards
from boxes import ButtonBox, CameraPlate, PiBox
from builds import Build, builds
from flat_boxes import BASE_EDGE_MM, LEAVE_MM, POST_MM

from dicereader.tray.geometry import Tray
from pegboard.layouts import seams
from pegboard.layouts.seams import EDGE_MM
from pegboard.layouts.strips import pieces

Place = tuple[float, float, float]
Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]

_PI, _PLATE, BUTTON_BOX = PiBox(), CameraPlate(), ButtonBox()
TRAY = Tray()
FAR_MM = TRAY.tag_centre_mm(1)[1] + TRAY.tag_mm / 2 + TRAY.tag_border_mm
"""The distance of the tags' outer edge from the tray's middle, where the wooden floor ends."""

BASE_Z = -5.5
"""The upper side of the base: below the felt of 1.5 mm and the tray's own floor of 4 mm."""

LENS_BELOW_MM = _PLATE.thick + _PLATE.spacer + 6.0
"""The lens below the arm: the plate, the spacers, and 6 mm of module."""

BAR_FROM_Y = _PLATE.bar_first - 8.0
"""The free end of the arm: it must not reach the module's screws."""

FOOT_Y, SOLE_MM, ELBOW_MM = 159.0, 5.0, 15.2
"""camera.scad: the foot's bar from the tray's middle, the thickness of its sole, half the elbow across a bar."""

_SOCKETS = [
    (socket.x + socket.wide / 2, socket.y + socket.high / 2)
    for board in pi_boards.BOARDS
    for socket in board.sockets
    if board.wide == pi_boards.LARGE_MM and socket.words.startswith("camera")
]
CAMERA_SOCKET = max(x for x, _ in _SOCKETS), max(y for _, y in _SOCKETS)
"""The farthest camera socket of a Pi 3, 4 or 5, from the board's corner in millimetres."""

SOCKET_UP_MM = 6.0
"""The height at which the cable enters the camera's socket, above the Pi's lower side."""

BASE_FROM, BASE_TO = -145.0, 215.0
"""The nearer and the farther edge of the wooden base."""

BUTTONS_Y, BUTTONS = -205.0, (BUTTON_BOX.wide, BUTTON_BOX.deep)
"""The middle of the button box, and its size."""

BOARD_X, BOARD_Y = -22.0, 240.0
"""The board's left lower corner: the hole for its wires is near the post."""

BASE_THICK = 12.0
TABLE_Z = BASE_Z - BASE_THICK
"""The table's top: the base of plywood stands on it."""

FOOT_MM = 5.0
"""The height of the rubber feet: the space for wires below the board."""

TIED = {"J2": LEAVE_MM["strip"], "J5": LEAVE_MM["buttons"]}
"""Where the wires of the perfboard's terminals *strip* and *buttons* leave the wooden base of the Pi, each in a tie."""

NOTCHES = {"J2": (56.0, _PI.deep), "J5": (38.0, _PI.deep)}
"""Where they leave the printed box of the Pi."""

FLAT_SLACK, FLAT_ENDS_MM = 1.05, 40.0
WIRE_SLACK, WIRE_ENDS_MM = 1.1, 60.0
"""How much longer a cable is than its path. A flat cable lies against the bars and is folded to go sideways; a cord has
its plug at its end."""


@dataclass(frozen=True)
class Hung:
    """The Pi's box, or the wooden base of the Pi, on the back of the post: its size, its lower edge, its left edge.

    It hangs upside down and is seen from behind, so the x of its own measures grows to the right, as the table's does.
    """

    wide: float
    thick: float
    high: float
    low: float
    left: float

    @property
    def top(self) -> float:
        """The height of its upper edge."""
        return self.low + self.high


@dataclass(frozen=True)
class Cable:
    """A cable: its label, its colour, and its path."""

    words: str
    colour: str
    way: Sequence[Place]
    flat: bool = False
    ends_mm: float = WIRE_ENDS_MM

    @property
    def length_mm(self) -> float:
        """The length to cut or buy."""
        if self.flat:
            way = sum(abs(b - a) for one, other in pairwise(self.way) for a, b in zip(one, other, strict=True))
            return way * FLAT_SLACK + FLAT_ENDS_MM
        return sum(math.dist(*pair) for pair in pairwise(self.way)) * WIRE_SLACK + self.ends_mm


def post_y(build: Build) -> float:
    """Return the y of the upright bar's middle: as the printed foot holds it, or directly behind the wooden floor."""
    return FOOT_Y if build.printed else FAR_MM + _PLATE.bar / 2


def arm_z(build: Build) -> float:
    """Return the height of the arm's lower side."""
    return build.lens_mm + LENS_BELOW_MM


def arm_ends(build: Build) -> tuple[float, float]:
    """Return the y of the arm's ends: the printed elbow holds it before the post, wooden plates hold it on the post."""
    return BAR_FROM_Y, post_y(build) + (-ELBOW_MM if build.printed else POST_MM / 2)


def upright_ends(build: Build) -> tuple[float, float]:
    """Return the heights of the upright bar's ends."""
    if build.printed:
        return BASE_Z + SOLE_MM, arm_z(build) + _PLATE.bar
    return BASE_Z, arm_z(build)


def hung(build: Build) -> Hung:
    """Return the Pi's box or base, as it hangs."""
    edge = _edge(build)
    wide, high = _PI.wide + 2 * edge, _PI.deep + 2 * edge
    thick = _PI.floor + _PI.high + _PI.lid if build.printed else 3.0 + 25.0
    return Hung(wide, thick, high, arm_z(build) - build.hang_mm - high, -edge - _PI.hang_holes[0][0])


def _edge(build: Build) -> float:
    return _PI.wall if build.printed else BASE_EDGE_MM


def _hung_at(build: Build, x: float, y: float, out: float = 10.0) -> Place:
    """Return where a place of the Pi's box or base hangs, at a distance from the back of the post."""
    box, edge = hung(build), _edge(build)
    return box.left + edge + x, post_y(build) + _PLATE.bar / 2 + out, box.top - edge - y


def camera_socket(build: Build) -> Place:
    """Return the place of the Pi's camera socket; the Pi is upside down, so its lower edge is up."""
    x, y = _PI.pi_x + CAMERA_SOCKET[0], _PI.pi_y + CAMERA_SOCKET[1]
    return _hung_at(build, x, y, _PI.floor + _PI.pi_post + SOCKET_UP_MM)


def terminal(build: Build, name: str, pin: str) -> Place:
    """Return the place of a terminal of the perfboard, whose pins for the Pi are at the Pi's side."""
    (part,) = (each for each in perfboard.PARTS if each.name == name)
    column, row = part.pins[pin]
    x, y = (
        (side - (count - 1) * perfboard.PITCH_MM) / 2 + (place - 1) * perfboard.PITCH_MM
        for side, count, place in ((70, perfboard.ROWS, row), (50, perfboard.COLUMNS, column))
    )
    return _hung_at(build, _PI.perf_x + x, _PI.perf_y + y)


def board_hole(build: Build) -> Place:
    """Return the middle of the hole in the board's back, through which its wires come."""
    x, y = seams.leads_out(build.board)
    return BOARD_X + EDGE_MM + x, BOARD_Y + EDGE_MM + build.board.size_mm[1] - y, TABLE_Z + FOOT_MM


def buttons_hole() -> Place:
    """Return the middle of the hole or notch in the back of the button box."""
    return 0.0, BUTTONS_Y + BUTTON_BOX.deep / 2, TABLE_Z + 20.0


def cables(build: Build) -> tuple[Cable, ...]:
    """Return every cable of a build."""
    layout, lens, top = build.board, build.lens_mm, arm_z(build) + _PLATE.bar
    behind = max(arm_ends(build)[1], post_y(build) + ELBOW_MM)
    slot, post = _PLATE.slot_y, post_y(build) + 20
    first = min(layout.lamps(), key=lambda lamp: lamp.led)
    start = (BOARD_X + EDGE_MM + first.x, BOARD_Y + EDGE_MM + layout.size_mm[1] - first.y, TABLE_Z + 10)
    leaves = {name: _hung_at(build, *at) for name, at in (NOTCHES if build.printed else TIED).items()}
    hole, beside, before = buttons_hole(), 150.0, BASE_FROM - 12
    last = (-BUTTON_BOX.pitch, BUTTONS_Y + BUTTON_BOX.hole_y, hole[2])
    wires = "eight" if build.lamps else "four"
    return (
        Cable(
            "camera cable",
            "#8a6d00",
            ((0, slot, lens), (0, slot, top), (0, behind, top), (0, *camera_socket(build)[1:]), camera_socket(build)),
            flat=True,
        ),
        Cable(
            "data, 5 V and ground to the first LED",
            "#1b7837",
            (terminal(build, "J2", "DIN"), leaves["J2"], board_hole(build), start),
        ),
        Cable(
            f"{wires} wires to the buttons",
            "#2166ac",
            (
                terminal(build, "J5", "GND"),
                leaves["J5"],
                (beside, post, TABLE_Z),
                (beside, before, TABLE_Z),
                (0, before, TABLE_Z),
                hole,
                last,
            ),
        ),
        Cable(
            "cord of each adapter, from beside the table",
            "#b2182b",
            ((0, post, hung(build).top), (0, 213, TABLE_Z), (610, 213, TABLE_Z), (610, 213, TABLE_Z - 400)),
            ends_mm=0.0,
        ),
    )


def bars_mm(build: Build) -> dict[str, float]:
    """Return the lengths of the post's two bars."""
    (near, far), (low, high) = arm_ends(build), upright_ends(build)
    return {"upright": high - low, "arm": far - near}


def wires_m(build: Build) -> dict[str, float]:
    """Return the metres of each wire, by the keys of parts.csv.

    Red and black go from the jack over the fuse to the connectors, to the perfboard, to the board, along both of its
    ends and once along its length; ground goes to the first LED a second time, beside the data.
    """
    wide, high = (side / 1000 for side in build.board.size_mm)
    lead = next(each for each in cables(build) if each.words.startswith("data")).length_mm / 1000
    red = 0.4 + lead + wide + 2 * high + 0.1
    chain = pieces(build.board)
    hops = sum(
        math.dist((one.last.x, one.last.y), (other.first.x, other.first.y)) + 20 for one, other in pairwise(chain)
    )
    jumpers = sum(perfboard.PITCH_MM * math.dist(*jumper) + 15 for jumper in perfboard.JUMPERS)
    bare = sum(perfboard.PITCH_MM * math.dist(*pair) for track in perfboard.TRACKS for pair in pairwise(track))
    buttons = next(each for each in cables(build) if each.words.endswith("buttons")).length_mm / 1000
    return {
        "wire-red": red,
        "wire-black": red + lead,
        "wire-thin": (hops + jumpers) / 1000 + lead,
        "wire-bare": bare / 1000,
        "cable-buttons": buttons,
    }


def lengths(table: Table) -> str:
    """Return the cables, the bars, and how far the Pi hangs below the arm, as a Markdown table."""
    columns = [
        [
            *(f"{math.ceil(cable.length_mm / 10)} cm" for cable in cables(build)),
            *(f"{length:.0f} mm" for length in bars_mm(build).values()),
            f"the lens's height and {bars_mm(build)['upright'] - build.lens_mm:.0f} mm",
            f"{build.hang_mm:g} mm",
        ]
        for build in builds()
    ]
    names = [
        *(cable.words.removeprefix("eight ") for cable in cables(builds()[-1])),
        *(f"bar: {name}" for name in bars_mm(builds()[0])),
        "bar: upright, for another camera",
        "from the arm down to the Pi's base or box",
    ]
    return table(("what", *(build.name for build in builds())), zip(names, *columns, strict=True))
