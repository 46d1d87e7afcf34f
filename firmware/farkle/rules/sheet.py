"""A rule set's file: its keys, read from a TOML document, alone or on top of the rule set that it is like."""

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from farkle.errors import ContradictionError, FarkleError, RuleSetError
from farkle.rules.combinations import KINDS, Chart
from farkle.rules.contradictions import check_switches
from farkle.rules.ruleset import TRACKS, RuleSet
from farkle.rules.switches import Switches, read_value, with_values

KEYS = (
    "key",
    "title",
    "source",
    "about",
    "aliases",
    "like",
    "counts_in",
    "partners",
    "to_track_end",
    "tracks",
    "points",
    "settings",
    "expected",
)
"""What a rule set's file may hold; `expected` is its table of known counts, which the tests read."""


def rule_set_from(
    document: Mapping[str, object], where: str, find: Callable[[str], RuleSet] | None = None, *, own: bool = False
) -> RuleSet:
    """Make a rule set from its TOML document; `where` names the file in errors. Raises `RuleSetError`.

    `find` gives the rule set that the document is `like`. `own` marks one of the house's: its whole definition is kept
    with it, so that a game goes on when the file is gone.
    """
    for name in document:
        if name not in KEYS:
            near = difflib.get_close_matches(name, KEYS, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise RuleSetError(f"{where}: expected one of the keys {', '.join(KEYS)}, got {name!r}{hint}")
    base = _base(document, where, find)
    try:
        made = _on_top_of(base, document, where)
        check_switches(made.sheet, base.sheet if base else Switches())
    except ContradictionError as error:
        raise RuleSetError(f"{where}: settings: {error}") from error
    return replace(made, definition=definition_of(made)) if own else replace(made, definition="")


def _base(document: Mapping[str, object], where: str, find: Callable[[str], RuleSet] | None) -> RuleSet | None:
    if "like" not in document:
        return None
    name = _text(document, "like", where)
    if find is None:
        raise RuleSetError(f"{where}: like: expected no other rule set here, got {name!r}")
    try:
        return find(name)
    except FarkleError as error:
        raise RuleSetError(f"{where}: like: {error}") from error


def _on_top_of(base: RuleSet | None, document: Mapping[str, object], where: str) -> RuleSet:
    points = _table(document, "points", where)
    tracks = _tracks(_table(document, "tracks", where), where)
    rows = _rows(points, where)
    rows = {size: {**(base.chart.rows.get(size, {}) if base else {}), **rows.get(size, {})} for size in KINDS.values()}
    rows = {size: {face: points for face, points in row.items() if points} for size, row in rows.items()}
    sheet = _settings(base.sheet if base else Switches(), _table(document, "settings", where), where)
    pegs = _pegs(document, where) if "counts_in" in document or base is None else base.chart.pegs
    if not any(rows.values()):
        raise RuleSetError(f"{where}: points: expected at least one combination, got none")
    return RuleSet(
        key=_key(document, where),
        title=_text(document, "title", where),
        source=_text(document, "source", where) if "source" in document or base is None else base.source,
        about=_text(document, "about", where) if "about" in document else "",
        aliases=_texts(document, "aliases", where),
        chart=Chart({size: row for size, row in rows.items() if row}, pegs),
        tracks={**(base.tracks if base else ({121: 1, 241: 1} if pegs else {121: 100, 241: 50})), **tracks},
        to_track_end=_flag(document, "to_track_end", where, base.to_track_end if base else False),
        partners=_numbers(document, "partners", where) if "partners" in document or not base else base.partners,
        sheet=sheet,
        switches=sheet,
    )


def definition_of(rules: RuleSet) -> str:
    """A rule set's whole document as JSON, needing no other: always the same text for the same rules."""
    document = {
        "key": rules.key,
        "title": rules.title,
        "source": rules.source,
        "aliases": list(rules.aliases),
        "counts_in": "pegs" if rules.chart.pegs else "points",
        "partners": list(rules.partners),
        "to_track_end": rules.to_track_end,
        "tracks": {str(track): points for track, points in rules.tracks.items()},
        "points": {
            kind: {str(face): points for face, points in rules.chart.rows[size].items()}
            for kind, size in KINDS.items()
            if size in rules.chart.rows
        },
        "settings": {name: getattr(rules.sheet, name) for name in Switches.__dataclass_fields__},
        **({"about": rules.about} if rules.about else {}),
    }
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rule_set_of(definition: str) -> RuleSet:
    """The rule set of a definition that `definition_of` made; raises `RuleSetError`."""
    try:
        document = json.loads(definition)
    except ValueError as error:
        raise RuleSetError(f"expected the definition of a rule set, got {definition!r}: {error}") from error
    made = _on_top_of(None, document, "the game's own rules")
    return replace(made, definition=definition_of(made))


def _settings(base: Switches, settings: Mapping[str, object], where: str) -> Switches:
    for name, value in settings.items():
        try:
            read_value(name, value)
        except RuleSetError as error:
            raise RuleSetError(f"{where}: settings: {error}") from error
    return with_values(base, settings)


def _key(document: Mapping[str, object], where: str) -> str:
    key = _text(document, "key", where)
    if not key.isascii() or not all(mark.isalnum() or mark == "-" for mark in key) or key != key.lower():
        raise RuleSetError(f"{where}: key: expected small letters, digits and hyphens, got {key!r}")
    return key


def _text(document: Mapping[str, object], key: str, where: str) -> str:
    value = document.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RuleSetError(f"{where}: {key}: expected a text, got {value!r}")
    return " ".join(value.split())


def _texts(document: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
        raise RuleSetError(f"{where}: {key}: expected a list of texts, got {value!r}")
    return tuple(value)


def _numbers(document: Mapping[str, object], key: str, where: str) -> tuple[int, ...]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(type(each) is int and 2 <= each <= 12 for each in value):
        raise RuleSetError(f"{where}: {key}: expected a list of numbers of players from 2 to 12, got {value!r}")
    return tuple(value)


def _flag(document: Mapping[str, object], key: str, where: str, default: bool) -> bool:
    value = document.get(key, default)
    if not isinstance(value, bool):
        raise RuleSetError(f"{where}: {key}: expected true or false, got {value!r}")
    return value


def _pegs(document: Mapping[str, object], where: str) -> bool:
    value = document.get("counts_in", "points")
    if value not in ("points", "pegs"):
        raise RuleSetError(f"{where}: counts_in: expected points or pegs, got {value!r}")
    return value == "pegs"


def _table(document: Mapping[str, object], key: str, where: str) -> Mapping[str, object]:
    value = document.get(key, {})
    if not isinstance(value, dict):
        raise RuleSetError(f"{where}: {key}: expected a table, got {value!r}")
    return value


def _rows(points: Mapping[str, object], where: str) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for kind, faces in points.items():
        if kind not in KINDS:
            raise RuleSetError(f"{where}: points.{kind}: expected one of {', '.join(KINDS)}, got {kind!r}")
        if not isinstance(faces, dict):
            raise RuleSetError(f"{where}: points.{kind}: expected a table of faces, got {faces!r}")
        row = found.setdefault(KINDS[kind], {})
        for face, value in faces.items():
            if face not in {"1", "2", "3", "4", "5", "6"}:
                raise RuleSetError(f"{where}: points.{kind}: expected faces from 1 to 6, got {face!r}")
            if type(value) is not int or not 0 <= value <= 1_000_000:
                raise RuleSetError(f"{where}: points.{kind}.{face}: expected points from 0 to 1000000, got {value!r}")
            row[int(face)] = value
    return found


def _tracks(tracks: Mapping[str, object], where: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for track, value in tracks.items():
        if track not in {str(each) for each in TRACKS}:
            raise RuleSetError(f"{where}: tracks: expected {' or '.join(map(str, TRACKS))}, got {track!r}")
        if type(value) is not int or not 1 <= value <= 100_000:
            raise RuleSetError(f"{where}: tracks.{track}: expected points a hole of 1 or more, got {value!r}")
        found[int(track)] = value
    return found
