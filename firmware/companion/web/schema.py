"""The API's JSON: models that check what comes in, and the view that goes out."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from companion.table.view import View


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

    dice: list[int] = Field(max_length=6)
    points: int | None = Field(default=None, ge=0, le=10**6)


class CorrectRequest(Write):
    """The true faces of the last throw."""

    roll: list[int] = Field(max_length=6)


class AnswerRequest(Write):
    """One of the open question's answers, word for word."""

    answer: str = Field(max_length=200)


class ThrowRequest(_Body):
    """The faces that the simulated dice shall show; null leaves them to chance."""

    dice: list[int] | None = Field(default=None, max_length=6)


class ShelveRequest(_Body):
    """Simulated dice by their index in the last throw."""

    dice: list[int] = Field(max_length=6)


@dataclass(frozen=True, kw_only=True)
class LostRace(View):
    """The new view for a write that came too late, and what the write expected."""

    detail: str


class Problem(BaseModel):
    """An error as RFC 9457 words it."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str


VIEW = TypeAdapter(View)
"""The API's JSON of a view."""

LOST_RACE = TypeAdapter(LostRace)
