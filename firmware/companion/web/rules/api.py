"""The rules over the API: which rule sets there are, and one of them with its switches as a form shows them."""

from collections.abc import Iterable
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel

from companion.web.ports import table_of
from companion.web.problems import problem
from companion.web.rules.asked import asked_rules, known_rules, settings_in
from companion.web.rules.card import query_of
from companion.web.rules.sentences import sentences_of
from companion.web.rules.words import WORDS, Group, label, value_words
from companion.web.schema import Problem
from farkle.errors import FarkleError, UnknownRuleSetError
from farkle.rules.ruleset import TRACKS, RuleSet
from farkle.rules.switches import SWITCHES, Flag, OneOf, Value

_ERRORS: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "no such rule set"},
    422: {"model": Problem, "description": "settings that cannot be, with the reason"},
}

router = APIRouter(prefix="/api/v1/rules", responses={421: {"model": Problem, "description": "another host's name"}})


class SwitchValue(BaseModel):
    """One value of a choice, and its words."""

    value: int | str
    words: str


class SwitchForm(BaseModel):
    """One switch: its words, its kind, what the sheet says and what is played.

    `least` and `most` limit points, `values` are those of a choice; `needs` are switches of which one must be on for
    this one to mean anything.
    """

    name: str
    label: str
    kind: Literal["flag", "points", "choice"]
    sheet: bool | int | str
    sheet_words: str
    value: bool | int | str
    least: int | None = None
    most: int | None = None
    values: list[SwitchValue] = []
    needs: list[str] = []


class SwitchGroup(BaseModel):
    """Switches that are told together."""

    title: str
    switches: list[SwitchForm]


class TrackFit(BaseModel):
    """A track that the rule set knows, and whether the game fits it."""

    holes: int
    points_a_hole: int
    fits: bool


class ToldRule(BaseModel):
    """One rule in plain words."""

    section: str
    name: str
    text: str


class RuleSetEntry(BaseModel):
    """A rule set that a game may be started with."""

    key: str
    title: str
    about: str


class RuleSets(BaseModel):
    """All of them; one of the house's own that is being played stands first."""

    sets: list[RuleSetEntry]


class RuleSetForm(RuleSetEntry):
    """One rule set with settings: its switches, its rules in plain words, and where its card is."""

    source: str
    aliases: list[str]
    tracks: list[TrackFit]
    partners: list[int]
    to_track_end: bool
    settings: dict[str, bool | int | str]
    groups: list[SwitchGroup]
    told: list[ToldRule]
    card: str


@router.get("")
async def read_rule_sets(request: Request) -> RuleSets:
    """Every rule set that a game may be started with."""
    return rule_sets(known_rules(table_of(request).rules()))


@router.get("/{key}", response_model=RuleSetForm, responses=_ERRORS)
async def read_rule_set(request: Request, key: str) -> Response:
    """One rule set. The query holds switches that the house has set; `now` is the game under way."""
    try:
        rules = asked_rules(key, settings_in(request.query_params), table_of(request).rules())
    except FarkleError as error:
        return problem(404 if isinstance(error, UnknownRuleSetError) else 422, str(error))
    return JSONResponse(form_of(rules).model_dump(exclude_defaults=True))


def rule_sets(sets: Iterable[RuleSet]) -> RuleSets:
    """The list of rule sets."""
    return RuleSets(sets=[RuleSetEntry(key=each.key, title=each.title, about=each.about) for each in sets])


def form_of(rules: RuleSet) -> RuleSetForm:
    """A rule set as the lobby's form shows it."""
    settings = rules.settings()
    query = query_of(settings)
    return RuleSetForm(
        key=rules.key,
        title=rules.title,
        about=rules.about,
        source=rules.source,
        aliases=list(rules.aliases),
        tracks=[
            TrackFit(holes=track, points_a_hole=rules.points_a_hole(track), fits=rules.fits(track))
            for track in TRACKS
            if track in rules.tracks
        ],
        partners=list(rules.partners),
        to_track_end=rules.to_track_end,
        settings=settings,
        groups=[
            SwitchGroup(title=group.value, switches=[_switch(rules, name) for name in _of_group(rules, group)])
            for group in Group
        ],
        told=[ToldRule(section=one.section.value, name=one.name, text=one.text) for one in sentences_of(rules)],
        card=f"/rules/{rules.key}" + (f"?{query}" if query else ""),
    )


def _of_group(rules: RuleSet, group: Group) -> list[str]:
    """The switches of a group; what twos build on is asked only where three 2s have no row of their own."""
    asked = 2 in rules.chart.rows.get(1, {}) and 2 not in rules.chart.rows.get(3, {})
    return [name for name, words in WORDS.items() if words.group is group and (asked or name != "twos_kind_value")]


def _switch(rules: RuleSet, name: str) -> SwitchForm:
    kind, words = SWITCHES[name], WORDS[name]
    sheet: Value = getattr(rules.sheet, name)
    made = SwitchForm(
        name=name,
        label=label(name, rules.chart),
        kind="flag",
        sheet=sheet,
        sheet_words=value_words(name, sheet, rules.chart),
        value=getattr(rules.switches, name),
        needs=list(words.needs),
    )
    if isinstance(kind, OneOf):
        made.kind = "choice"
        made.values = [SwitchValue(value=each, words=value_words(name, each, rules.chart)) for each in kind.values]
    elif not isinstance(kind, Flag):
        made.kind, made.least, made.most = "points", kind.least, kind.most
    elif kind.points:
        made.kind, made.least, made.most = "points", 0, 1_000_000
        made.sheet, made.value = _as_points(rules, made.sheet), _as_points(rules, made.value)
    return made


def _as_points(rules: RuleSet, value: Value) -> int:
    """What a switch that is on, off or a number of points pays; on is what the sheet of its name says, 300."""
    return rules.chart.convert_points(300) if value is True else int(value)
