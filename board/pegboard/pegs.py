"""The pegs and lights of a board as data: a `BoardView` of its lanes, peg moves between views, and lit holes."""

from dataclasses import dataclass
from enum import StrEnum

from pegboard.errors import ViewError
from pegboard.palette import MOST_PLAYERS, RGB, Mark
from pegboard.track import Hole, Track

SHELF_LIGHTS = 6
FARKLE_LIGHTS = 2
USUAL_TRACK = Track()


@dataclass(frozen=True)
class LaneView:
    """The pegs of one side: the back peg at the score, the front peg at score + turn points (equal: one peg).

    `preview` is a possible next hole of the front peg, shown dimly and never as a peg. With `back_half` or `front_half`
    the peg is half a hole further, shown as two neighbouring holes at half brightness. With `out` the peg has left the
    board.
    """

    mark: Mark
    back: Hole
    front: Hole
    farkles: int = 0
    preview: Hole | None = None
    out: bool = False
    back_half: bool = False
    front_half: bool = False


class IdleStage(StrEnum):
    """The stages of an idle board: the peg of the turn breathes more strongly, the board dims, and sleeps."""

    AWAKE = "awake"
    WAITING = "waiting"
    CALLED = "called"
    DIM = "dim"
    ASLEEP = "asleep"


class ShelfLight(StrEnum):
    """The state of one shelf light."""

    OFF = "off"
    COUNTS = "counts"  # steady
    REFUSED = "refused"  # double blink
    WANTED = "wanted"  # breathes: a die is to be laid there


class Status(StrEnum):
    """The state that the whole board shows besides the pegs."""

    PLAY = "play"
    ATTRACT = "attract"  # a slow race, while nobody plays
    QUIET = "quiet"  # one dim white light, so that the camera can read the dice
    ASK = "ask"  # a question: the white status light breathes
    LOOK = "look"  # the players must look at the table: amber double blink
    BLIND = "blind"  # the table is not watched: slow white pulse
    FINAL = "final"  # the final round: the leader's peg twinkles
    OVER = "over"  # the winner's lane fills with light, then waves run along it


@dataclass(frozen=True)
class Prompt:
    """The lights of an open question.

    `outcomes` are the holes that the answers lead to, which light up in turn. `lit` shelf lights are on; if it is 0,
    `blinking` shelf lights blink.
    """

    outcomes: tuple[Hole, ...] = ()
    lit: int = 0
    blinking: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.lit <= SHELF_LIGHTS:
            raise ViewError(f"expected 0 to {SHELF_LIGHTS} lit shelf lights, got {self.lit!r}")
        if self.blinking < 0:
            raise ViewError(f"expected 0 or more blinking shelf lights, got {self.blinking!r}")


class Effect(StrEnum):
    """An effect that is shown once, besides the pegs' moves."""

    SPARKLE = "sparkle"  # the lane of the turn sparkles
    SWEEP = "sweep"  # light runs along the shelf lights
    FARKLE = "farkle"  # the newest farkle light blinks
    DIGITS = "digits"  # the digits of the view are counted out in lit holes


@dataclass(frozen=True)
class BoardView:
    """The pegs and lights of a board at rest.

    `turn` is the lane whose turn it is, `leaders` the lanes that lead or have won, and `digits` are those that
    `Effect.DIGITS` counts out.
    """

    lanes: tuple[LaneView, ...] = ()
    turn: int | None = None
    shelf: tuple[ShelfLight, ...] = (ShelfLight.OFF,) * SHELF_LIGHTS
    status: Status = Status.PLAY
    leaders: tuple[int, ...] = ()
    track: Track = USUAL_TRACK
    prompt: Prompt | None = None
    idle: IdleStage = IdleStage.AWAKE
    digits: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not all(0 <= digit <= 9 for digit in self.digits):
            raise ViewError(f"expected digits from 0 to 9, got {self.digits!r}")
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
        self._check_holes(*(self.prompt.outcomes if self.prompt else ()))

    def _check_holes(self, *holes: int) -> None:
        for hole in holes:
            if not 0 <= hole <= self.track.holes:
                raise ViewError(f"expected a hole from 0 to {self.track.holes}, got {hole!r}")


class Peg(StrEnum):
    """One of a lane's two pegs."""

    BACK = "back"
    FRONT = "front"


class MoveKind(StrEnum):
    """The way in which a peg moves from one hole to another."""

    WALK = "walk"  # forward, hole by hole
    HOP = "hop"  # a bumped or punished peg goes back
    RUN_HOME = "run home"  # a farkled front peg goes back to the back peg
    SWAP = "swap"  # two sides change places


@dataclass(frozen=True)
class PegMove:
    """The move of one peg, which starts `delay_s` after the view changed and takes `duration_s`."""

    lane: int
    peg: Peg
    kind: MoveKind
    start: Hole
    end: Hole
    delay_s: float
    duration_s: float


@dataclass(frozen=True)
class HoleLight:
    """The light of one hole of a lane: a colour at a level from 0 to 1 to the eye.

    Lights of several `peg`s in one LED take turns, so that none hides another.
    """

    lane: int
    hole: Hole
    rgb: RGB
    level: float
    peg: bool = False


@dataclass(frozen=True)
class BoardLights:
    """All lights at one time, as colours and levels; `render` maps them to the LEDs of a layout.

    Attributes:
        track: the track that the holes are on.
        lights: the lit holes; a later light covers an earlier one.
        shelf: the level of each shelf light.
        shelf_rgb: the colour of the shelf lights.
        farkles: the number of lit farkle lights of each side.
        status: the colour and level of the status light.
        colours: the colour of each side.
        turn: the side whose farkle lights are shown if sides share a lane.
        now_s: the time of these lights on the clock of all lights.
    """

    track: Track
    lights: tuple[HoleLight, ...]
    shelf: tuple[float, ...]
    shelf_rgb: RGB
    farkles: tuple[float, ...]
    status: tuple[RGB, float]
    colours: tuple[RGB, ...]
    turn: int | None = None
    now_s: float = 0.0
