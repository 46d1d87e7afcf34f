"""The API's JSON, as models: what comes in is checked against them, what goes out is made from the view."""

from dataclasses import asdict
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.runtime.feed import Update
from farkle.rules.catalogue import catalogue

Face = int


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Write(_Body):
    """What every write may carry: the last act that its writer saw."""

    expected_seq: int | None = Field(default=None, ge=0, le=2**53)


class ButtonPress(Write):
    """A press on the page."""

    press: Literal["tap", "hold"] = "tap"


class GameRequest(Write):
    """Starts a game."""

    rules: str = Field(max_length=100)
    settings: dict[str, int | bool | str] = Field(default_factory=dict, max_length=60)
    track: int | None = Field(default=None, json_schema_extra={"enum": [121, 241, None]})
    players: list[str] = Field(min_length=1, max_length=12)
    teams: dict[str, list[str]] | None = Field(default=None, max_length=6)
    start: str | None = Field(default=None, max_length=100)
    thrown_for: bool = False


class KeepRequest(Write):
    """Chooses dice of the roll, at a declared total or the best."""

    dice: list[Face] = Field(max_length=6)
    points: int | None = Field(default=None, ge=0, le=10**6)


class CorrectRequest(Write):
    """The true faces of the last throw."""

    roll: list[Face] = Field(max_length=6)


class AnswerRequest(Write):
    """One of the open question's answers, word for word."""

    answer: str = Field(max_length=200)


class ThrowRequest(_Body):
    """The faces that the simulated dice shall show; null leaves them to chance."""

    dice: list[Face] | None = Field(default=None, max_length=6)


class ShelveRequest(_Body):
    """Simulated dice by their index in the last throw."""

    dice: list[int] = Field(max_length=6)


class Player(BaseModel):
    """One player."""

    name: str
    color: str
    shape: str
    side: int
    score: int
    position: int
    hole: int
    front_hole: int
    farkles: int
    out: bool
    place: int
    half: bool
    front_half: bool


class Selection(BaseModel):
    """Dice that may be kept."""

    dice: list[Face]
    points: int
    totals: list[int]
    parts: str


class Die(BaseModel):
    """One die as read; `box` is left, top, width, height in pixels of the picture."""

    face: Face
    box: list[int]
    outline: list[list[float]]
    confidence: float
    zone: str | None
    doubts: list[str]


class Reading(BaseModel):
    """The last settled reading and the address of its picture."""

    sure: bool
    dice: list[Die]
    picture: str


class Question(BaseModel):
    """The open question, or the open menu: its items are the answers, and it stands at `place`.

    KEEP gives the first answer and ROLL the second, BANK that at `bank`. `face` is asked of one die, that at `die` of
    those thrown; `kind` is what the question is about.
    """

    text: str
    answers: list[str]
    kind: str
    face: Face | None
    die: int | None
    bank: int | None
    place: int | None


class Message(BaseModel):
    """What the table says."""

    text: str
    short: str
    told: str


class Lobby(BaseModel):
    """Who would play if BANK were pressed now."""

    players: int
    rules: str


class Last(BaseModel):
    """What the newest act was, for the page's motion."""

    kind: str
    player: str
    points: int


class State(BaseModel):
    """The whole view of the table."""

    seq: int
    simulated: bool
    rules: str | None
    title: str
    settings: dict[str, int | bool | str]
    target: int
    track: int
    phase: Literal["lobby", "to_throw", "rolling", "choosing", "asking", "farkled", "over"]
    to_move: str | None
    players: list[Player]
    roll: list[Face]
    shelf: list[Face]
    locked: list[Face]
    turn_points: int
    dice_to_throw: int
    throw_seq: int
    selections: list[Selection]
    chosen: Selection | None
    bank: Selection | None
    bank_hole: int | None
    reading: Reading | None
    picture_size: list[int] | None
    legal: list[str]
    refused: dict[str, str]
    question: Question | None
    message: Message
    final_round: bool
    winners: list[str]
    out_of_step: bool
    undo: bool
    farkle_limit: int | None
    last: Last | None
    degraded: list[str]
    lobby: Lobby
    look: int
    rest: Literal["awake", "waiting", "called", "dim", "asleep"]
    by_hand: Literal["no", "counting", "faces"]
    teams: dict[str, list[str]]


class LostRace(State):
    """The new state, for a write that came too late, and what was expected."""

    detail: str


class Problem(BaseModel):
    """An error as RFC 9457 words it."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str


def state_of(update: Update, *, simulated: bool) -> State:
    """The API's state of an update of the feed."""
    plain = asdict(update.view)
    reading = plain.pop("reading")
    plain["throw_seq"] = plain.pop("throws")
    plain["simulated"] = simulated
    plain["picture_size"] = None
    plain["lobby"] = {"players": plain.pop("lobby_players"), "rules": catalogue()[plain.pop("lobby_rules")].key}
    if reading is not None:
        plain["picture_size"] = list(reading["size"])
        plain["reading"] = {
            "sure": reading["sure"],
            "dice": reading["dice"],
            "picture": f"/api/v1/tray.jpg?v={reading['picture']}",
        }
    else:
        plain["reading"] = None
    return State.model_validate(plain)
