"""The API's JSON: the bodies of requests, the view, and errors as problems (RFC 9457)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from companion.pairing.secret import Shows
from companion.table.view import View
from companion.web.documentation import answer_of
from companion.words import Text
from pegboard.track import MOST_HOLES


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Write(_Body):
    """The body of every write; `expected_seq` is the newest act that the writer has seen."""

    expected_seq: int | None = Field(default=None, ge=0, le=2**53)


class ButtonPress(Write):
    """A press of a button on the page."""

    press: Literal["tap", "hold"] = "tap"


class NamesRequest(_Body):
    """Another name of a person, and the name that it counts as; an empty one takes that back."""

    alias: str = Field(min_length=1, max_length=100)
    name: str = Field(default="", max_length=100)


class SaveRulesRequest(Write):
    """The name under which the house saves the rules of the draft."""

    name: str = Field(max_length=100)


class WriteSettings(_Body):
    """Settings by `section.key`; null takes one back."""

    values: dict[str, bool | int | float | str | list[str] | None] = Field(min_length=1, max_length=40)


class LookThrough(_Body):
    """The camera to look through, as a value of `camera.source`."""

    source: str = Field(max_length=220)


class ShowLights(_Body):
    """What the strip shows: `red`, `green`, `blue`, `white`, `lane-1`, `status`, `shelf`, `dark`; else the game."""

    show: str = Field(max_length=20)


class TellColours(_Body):
    """The colour that was seen, by the colour that was shown, for red, green and blue."""

    seen: dict[str, Literal["red", "green", "blue"]] = Field(max_length=3)


class WatchPins(_Body):
    """The pin (BCM) of the lamp to light: null leaves it, -1 puts it out."""

    lamp: int | None = Field(default=None, ge=-1, le=27)


class TrySound(_Body):
    """A sentence is spoken."""


class AskRequest(_Body):
    """The name under which a phone asks to play."""

    name: str = Field(max_length=100)


class AnswerDoorRequest(AskRequest):
    """What a phone answers to get in: the numbers of the lit holes, or the six digits."""

    holes: list[Annotated[int, Field(ge=0, le=MOST_HOLES)]] | None = Field(default=None, max_length=3)
    digits: str = Field(default="", max_length=20)


class SeatRequest(_Body):
    """The player whose place the phone takes; empty to stand up."""

    player: str = Field(max_length=100)


class CameraRequest(_Body):
    """A phone becomes the camera; `over` takes the place of another phone that still sends pictures."""

    over: bool = False


class ThrowRequest(_Body):
    """The faces of the next simulated throw; null leaves them to chance.

    A `whole` throw shows all that a hand does, another one is quick; null shows it in the first turn on this table.
    """

    dice: list[int] | None = Field(default=None, max_length=6)
    whole: bool | None = None


class ShelveRequest(_Body):
    """Simulated dice to set aside, by their index in the last throw."""

    dice: list[int] = Field(max_length=6)


@dataclass(frozen=True)
class PressedPins:
    """The pins (BCM) that were pressed since the last look, in order."""

    pressed: list[int]


@dataclass(frozen=True)
class SetUpShown:
    """How far the set-up is: the steps that are done, and what the page has set, by key in TOML's notation.

    `run` is another text after each start of the table. `file` is where the settings lie.
    """

    run: str
    done: list[str]
    file: str
    written: dict[str, str]


@dataclass(frozen=True)
class DoorShown:
    """What a phone needs to get in.

    It answers with what the table `shows`: `holes`, `digits` or `nothing`. `open_s` is for how many seconds the door is
    open, 0 if it is shut, and `left` the number of wrong answers that it still takes. `digits` are empty but for this
    machine. `secure` is the address of the page over TLS, if a phone must go there to ask; else it is empty.

    `asks` is the name of the phone that asks, or for which the door was opened, `came` of one that is in, and `sets_up`
    of one that asks to set the table up. `here`: the client is this machine. `lets_in`: it lets phones in.
    """

    shows: Shows
    may_ask: bool
    open_s: int
    left: int
    digits: str
    secure: str
    asks: str
    came: str
    sets_up: str
    here: bool
    lets_in: bool


@dataclass(frozen=True)
class PhoneShown:
    """A phone that may play: its seat, its last act, seconds since its last use, and whether it shows the page now."""

    id: str
    name: str
    seat: str
    did: str
    idle_s: int
    present: bool


@dataclass(frozen=True, kw_only=True)
class LostRace(View):
    """The newest view, for a write that came too late; `detail` tells the player so."""

    detail: Text


@dataclass(frozen=True)
class SeatedPhone:
    """A paired phone, and the player whose place it has taken; empty without a place."""

    id: str
    name: str
    seat: str


@dataclass(frozen=True)
class Access:
    """What a client may do: play and set the table up.

    `why` says why it may only watch; it is empty if it may play. `phone` is null unless the client is a paired phone.
    `here`: the client is the table's own machine.
    """

    play: bool
    set_up: bool
    why: str
    phone: SeatedPhone | None = None
    here: bool = False


_adapter = cache(TypeAdapter)


def adapter_of(view: View) -> TypeAdapter[Any]:
    """Return the adapter that writes a view as JSON, with the parts of the features of its table."""
    kind: Any = type(view)
    return _adapter(kind)


class Problem(BaseModel):
    """An error in the form of RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str


_DESCRIPTIONS = {
    400: "not text in UTF-8",
    403: "not from this table's own page, or not shown to the network",
    404: "not at this table",
    409: "something else is under way",
    413: "too large",
    415: "not JSON",
    421: "another host's name",
    422: "refused, with the reason",
    503: "the disk cannot be written",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the documentation of these error statuses, for a route's `responses`."""
    return {status: answer_of(Problem, _DESCRIPTIONS[status]) for status in statuses}


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return an error as a problem; `detail` is a sentence that says what was expected and what came."""
    text = detail.encode("utf-8", "replace").decode()  # half of a surrogate pair may have come
    content = Problem(title=HTTPStatus(status).phrase, status=status, detail=text).model_dump()
    return JSONResponse(content, status, headers, "application/problem+json")
