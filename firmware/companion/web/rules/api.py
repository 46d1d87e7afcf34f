"""The rules over the API: which rule sets there are, and one of them with its switches as a form shows them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel
from starlette.datastructures import QueryParams

from companion.errors import RefusedError
from companion.web.guard.clients import words_of
from companion.web.pages import board_for
from companion.web.rules.card import query_of
from companion.web.rules.sentences import about, group_of, sentences_of, to_end
from companion.web.rules.switches import GROUPS, NEEDS, UNLESS, label, value_words
from companion.web.schema import answer_of, problems
from companion.web.table import WebTable, table_of
from companion.words import Catalogue, message
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import SWITCHES, Flag, OneOf, Value
from pegboard.track import walks

MOST_SETTINGS = 80

router = APIRouter(prefix="/api/v1/rules", responses=problems(421))


class SwitchValue(BaseModel):
    """One value of a choice, and its words."""

    value: int | str
    words: str


class SwitchForm(BaseModel):
    """One switch of a form: its words, its kind, its value on the rule set's sheet, and its value in the game.

    `least` and `most` limit points, `values` are those of a choice. One of the switches in `needs` must be on, or this
    one has no effect; neither has it while one of those in `unless` is on.
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
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


class SwitchGroup(BaseModel):
    """A titled group of switches."""

    title: str
    switches: list[SwitchForm]


class TrackFit(BaseModel):
    """A track, whether the game fits on it, the hole in which it ends, and how often pegs walk round the board."""

    holes: int
    rounds: int
    points_a_hole: int
    fits: bool
    finish: int


class RuleSetEntry(BaseModel):
    """A rule set that a game may be started with, in its group of the list, `group_title` in words."""

    key: str
    title: str
    about: str
    group: Literal["cribbage", "ten_thousand", "house"]
    group_title: str
    tracks: list[TrackFit]
    to_track_end: bool


class RuleSets(BaseModel):
    """Every rule set that a game may be started with, group by group."""

    sets: list[RuleSetEntry]


class Sentence(BaseModel):
    """One rule in plain words, in a section of the rule card; `name` is what players call it, or empty."""

    section: str
    name: str
    text: str


class RuleSetForm(RuleSetEntry):
    """One rule set with settings: its switches, its rules in plain words, and the address of its card."""

    source: str
    aliases: tuple[str, ...]
    partners: tuple[int, ...]
    settings: dict[str, bool | int | str]
    groups: list[SwitchGroup]
    told: tuple[Sentence, ...]
    card: str


@router.get("")
async def read_rule_sets(request: Request) -> RuleSets:
    """Return every rule set that a game may be started with."""
    table = table_of(request)
    words, rounds = words_of(request), rounds_at(table)
    return RuleSets(sets=[RuleSetEntry(**_entry(each, words, rounds)) for each in playable_rule_sets(table)])


@router.get("/{key}", responses={200: answer_of(RuleSetForm), **problems(404, 422)})
async def read_rule_set(request: Request, key: str) -> Response:
    """Return one rule set. The query holds the house's settings; the key `now` is the rule set of the current game."""
    table = table_of(request)
    rules = requested_rules(table, key, settings_of(request.query_params))
    form = form_of(rules, words_of(request), rounds_at(table))
    return JSONResponse(form.model_dump(exclude_defaults=True))


def playable_rule_sets(table: WebTable) -> tuple[RuleSet, ...]:
    """Return every rule set that a game may be started with: packaged ones, saved ones, and an own one in play."""
    now, own = table.rules(), table.own_rules()
    if now is not None and now.definition and now.key not in {each.key for each in own}:
        own = (*own, replace(now, switches=now.sheet))
    return (*catalogue(), *own)


def requested_rules(table: WebTable, key: str, settings: Mapping[str, object]) -> RuleSet:
    """Return the rule set of a key or name with these settings; the key `now` is the rule set of the current game.

    `UnknownRuleSetError` or `RuleSetError` reach the caller if there is no such rule set or a setting is invalid.
    """
    now = table.rules()
    if key == "now" and now is not None:
        return now.with_settings(settings)
    known = next((each for each in playable_rule_sets(table) if each.key == key), None)
    return (known or find_rule_set(key)).with_settings(settings)


def settings_of(query: QueryParams, but: tuple[str, ...] = ()) -> dict[str, object]:
    """Return the switches that a query sets; a switch that is given twice has its last value.

    Args:
        query: the query of an address.
        but: parameters that are not switches.

    Raises:
        RefusedError: if the query holds too many switches.
    """
    found: dict[str, object] = {name: value for name, value in query.multi_items() if name not in but}
    if len(found) > MOST_SETTINGS:
        raise RefusedError(message("card.switches", most=MOST_SETTINGS, switches=len(found)))
    return found


def rounds_at(table: WebTable) -> dict[int, int]:
    """Return the tracks to choose from, and how often pegs walk round the board on each."""
    return {track: walks(track, board_for(table, 0, track).lap) for track in table.tracks_shown()}


def _entry(rules: RuleSet, words: Catalogue, rounds: Mapping[int, int]) -> dict[str, Any]:
    said = {"about": words.text(about(rules)), "group_title": words.text(group_of(rules))}
    fits = [
        TrackFit(
            holes=track,
            rounds=times,
            points_a_hole=rules.points_a_hole(track),
            fits=rules.fits(track) or to_end(rules),
            finish=_finish(rules, track),
        )
        for track, times in rounds.items()
    ]
    sheet = {"tracks": fits, "to_track_end": rules.to_track_end}
    return {"key": rules.key, "title": words("card.title", rules=rules.title), "group": rules.group, **said, **sheet}


def form_of(rules: RuleSet, words: Catalogue, rounds: Mapping[int, int]) -> RuleSetForm:
    """Return a rule set as the lobby's form shows it, in the language of `words`, with the tracks of `rounds`."""
    settings = rules.settings()
    query = query_of(settings)
    return RuleSetForm(
        **_entry(rules, words, rounds),
        source=rules.source,
        aliases=rules.aliases,
        partners=rules.partners,
        settings=settings,
        groups=[
            SwitchGroup(title=words(f"group.{group}"), switches=list(_switches(rules, names, words)))
            for group, names in GROUPS.items()
        ],
        told=tuple(
            Sentence(section=words(f"group.{one.section}"), name=words.text(one.name), text=words.text(one.text))
            for one in sentences_of(rules)
        ),
        card=f"/rules/{rules.key}" + (f"?{query}" if query else ""),
    )


def _finish(rules: RuleSet, track: int) -> int:
    """Return the hole of the points to win; a game to the track's end, or without a target, ends in no hole before."""
    if not rules.goal or (rules.to_track_end and "target" not in rules.settings()):
        return track
    return min(track, rules.switches.target // rules.points_a_hole(track))


def _switches(rules: RuleSet, names: Iterable[str], words: Catalogue) -> Iterator[SwitchForm]:
    """Yield the switches of a group. `twos_kind_value` is left out unless one 2 scores and three 2s have no row."""
    twos = 2 in rules.chart.rows.get(1, {}) and 2 not in rules.chart.rows.get(3, {})
    for name in names:
        if twos or name != "twos_kind_value":
            yield _switch(rules, name, words)


def _switch(rules: RuleSet, name: str, words: Catalogue) -> SwitchForm:
    def said(value: Value) -> str:
        return words.text(value_words(name, value, rules.chart))

    kind = SWITCHES[name]
    sheet: Value = getattr(rules.sheet, name)
    form = SwitchForm(
        name=name,
        label=words.text(label(name, rules.chart)),
        kind="flag",
        sheet=sheet,
        sheet_words=said(sheet),
        value=getattr(rules.switches, name),
        needs=NEEDS.get(name, ()),
        unless=UNLESS.get(name, ()),
    )
    if isinstance(kind, OneOf):
        form.kind = "choice"
        form.values = [SwitchValue(value=each, words=said(each)) for each in kind.values]
    elif not isinstance(kind, Flag):
        form.kind, form.least, form.most = "points", kind.least, kind.most
    elif kind.points:
        form.kind, form.least, form.most = "points", 0, 1_000_000
        form.sheet, form.value = _as_points(rules, form.sheet), _as_points(rules, form.value)
    return form


def _as_points(rules: RuleSet, value: Value) -> int:
    """Return the points of a switch that is on, off or an amount; on is 300, as on the sheet of its name."""
    return rules.chart.convert_points(300) if value is True else int(value)
