"""What is to be shown: a `BoardView` of lanes, pegs and lights, and the moves between two of them. Plain data."""

from dataclasses import dataclass
from enum import StrEnum

from pegboard.errors import ViewError
from pegboard.palette import MOST_PLAYERS, RGB, Mark
from pegboard.track import Hole, Track

SHELF_LIGHTS = 6
FARKLE_LIGHTS = 2
SHORT_TRACK = Track(121)


@dataclass(frozen=True)
class LaneView:
    """One side's pegs. The back peg stands at the score, the front peg at score + turn points (equal: one peg).

    `preview` is where the front peg could come to stand; it is shown as a guess and is never a peg. A peg half a hole
    further shows as two neighbours at half brightness.
    """

    mark: Mark
    back: Hole
    front: Hole
    farkles: int = 0
    preview: Hole | None = None
    out: bool = False
    back_half: bool = False
    front_half: bool = False


class Rest(StrEnum):
    """For how long nothing has happened, in stages: the turn's peg breathes more strongly, the board dims, sleeps."""

    AWAKE = "awake"
    WAITING = "waiting"
    CALLED = "called"
    DIM = "dim"
    ASLEEP = "asleep"


class ShelfLight(StrEnum):
    """What a light before a shelf pocket says about the die there."""

    OFF = "off"
    COUNTS = "counts"  # steady
    REFUSED = "refused"  # double blink


class Status(StrEnum):
    """What the whole board says beside the pegs."""

    PLAY = "play"
    ATTRACT = "attract"  # a slow race, nobody is playing
    QUIET = "quiet"  # dice move or a hand is in: one dim white light
    ASK = "ask"  # a question: its outcomes alternate slowly, the white status light breathes
    LOOK = "look"  # look at the dice: amber double blink
    BLIND = "blind"  # cannot see the tray: slow white pulse
    FINAL = "final"  # the last round: the leader's peg twinkles
    OVER = "over"  # the winner's lane fills with light, and light runs along it


@dataclass(frozen=True)
class Asking:
    """What is asked, in lights. `outcomes` are the holes to which the answers lead, in the answers' order.

    `face` (1 to 6) is shown as that many shelf lights; without one, `doubts` shelf lights blink for as many dice.
    """

    outcomes: tuple[Hole, ...] = ()
    face: int | None = None
    doubts: int = 0

    def __post_init__(self) -> None:
        if self.face is not None and not 1 <= self.face <= 6:
            raise ViewError(f"expected a face from 1 to 6, got {self.face!r}")
        if self.doubts < 0:
            raise ViewError(f"expected 0 or more dice in doubt, got {self.doubts!r}")


class Cue(StrEnum):
    """Something that happens once, beside the pegs' moves."""

    SPARKLE = "sparkle"  # hot dice
    SWEEP = "sweep"  # the shelf lights run to the tray: your turn
    FARKLE = "farkle"  # the newest farkle light blinks


@dataclass(frozen=True)
class BoardView:
    """All that the board shows at rest. `turn` is the lane whose turn it is, `leaders` those that lead or have won."""

    lanes: tuple[LaneView, ...] = ()
    turn: int | None = None
    shelf: tuple[ShelfLight, ...] = (ShelfLight.OFF,) * SHELF_LIGHTS
    status: Status = Status.PLAY
    leaders: tuple[int, ...] = ()
    track: Track = SHORT_TRACK
    asking: Asking | None = None
    rest: Rest = Rest.AWAKE

    def __post_init__(self) -> None:
        if len(self.lanes) > MOST_PLAYERS:
            raise ViewError(f"expected at most {MOST_PLAYERS} lanes, got {len(self.lanes)!r}")
        if len(self.shelf) != SHELF_LIGHTS:
            raise ViewError(f"expected {SHELF_LIGHTS} shelf lights, got {len(self.shelf)!r}")
        for number in (*self.leaders, *(() if self.turn is None else (self.turn,))):
            if not 0 <= number < len(self.lanes):
                raise ViewError(f"expected one of {len(self.lanes)} lanes, got lane {number!r}")
        for lane in self.lanes:
            self._check_holes(lane.back, lane.front, *(() if lane.preview is None else (lane.preview,)))
            if lane.farkles < 0:
                raise ViewError(f"expected 0 or more farkles, got {lane.farkles!r}")
        self._check_holes(*(self.asking.outcomes if self.asking else ()))

    def _check_holes(self, *holes: int) -> None:
        for hole in holes:
            if not 0 <= hole <= self.track.holes:
                raise ViewError(f"expected a hole from 0 to {self.track.holes}, got {hole!r}")


class Peg(StrEnum):
    """Which of a lane's two pegs."""

    BACK = "back"
    FRONT = "front"


class MoveKind(StrEnum):
    """How a peg goes from one hole to another."""

    WALK = "walk"  # forward, hole by hole
    HOP = "hop"  # a bumped or punished peg goes back
    RUN_HOME = "run home"  # a farkled front peg goes back to the back peg
    SWAP = "swap"  # two sides change places


@dataclass(frozen=True)
class PegMove:
    """One peg on its way: starts `delay_s` after the view changed and takes `duration_s`."""

    lane: int
    peg: Peg
    kind: MoveKind
    start: Hole
    end: Hole
    delay_s: float
    duration_s: float


@dataclass(frozen=True)
class Light:
    """One place of a lane at one moment: a colour at a level from 0 to 1, as the eye sees it.

    A `peg` is never covered for good by another side's peg in the same LED: they take turns.
    """

    lane: int
    hole: Hole
    rgb: RGB
    level: float
    peg: bool = False


@dataclass(frozen=True)
class Moment:
    """All lights at one moment, in colours and levels; `render` brings it onto a layout's LEDs.

    `lights` are painted in order, a later one covers an earlier. `shelf` are levels in the colour `shelf_rgb`.
    `farkles` are lit farkle lights a side, in `colours` a side; `turn` is whose are shown where sides share a lane.
    `now_s` is when the moment is, on the clock of all lights.
    """

    track: Track
    lights: tuple[Light, ...]
    shelf: tuple[float, ...]
    shelf_rgb: RGB
    farkles: tuple[float, ...]
    status: tuple[RGB, float]
    colours: tuple[RGB, ...]
    turn: int | None = None
    now_s: float = 0.0
