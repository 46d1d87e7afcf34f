"""The document of a rule set: read from TOML, alone or on top of the rule set it is like, and written as JSON."""

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from farkle.errors import ContradictionError, FarkleError, RuleSetError
from farkle.rules.combinations import KINDS, Chart
from farkle.rules.ruleset import TRACKS, RuleSet
from farkle.rules.switches import SWITCHES, Switches, check_switches, with_values

Document = Mapping[str, object]

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
"""The keys of a rule set's file; `expected` is its table of known counts, which the tests read."""


def rule_set_from(
    document: Document, where: str, find: Callable[[str], RuleSet] | None = None, *, own: bool = False
) -> RuleSet:
    """Return the rule set of a TOML document.

    Args:
        document: the parsed TOML.
        where: the name of the file in errors.
        find: returns the rule set that the document is `like`.
        own: whether this is a house's own rule set, which keeps its whole definition so that a game can go on when the
            file is gone.

    Raises:
        RuleSetError: if the document is not a valid rule set.
    """
    for name in document:
        if name not in KEYS:
            near = difflib.get_close_matches(name, KEYS, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise RuleSetError(f"{where}: expected one of the keys {', '.join(KEYS)}, got {name!r}{hint}")
    base = _base(document, where, find)
    try:
        made = _build(base, document, where)
        check_switches(made.sheet, base.sheet if base else Switches())
    except ContradictionError as error:
        raise RuleSetError(f"{where}: settings: {error}") from error
    return replace(made, definition=definition_of(made) if own else "")


def definition_of(rules: RuleSet) -> str:
    """Return a rule set's whole document as JSON, without `like`: always the same text for the same rules."""
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
        "settings": {name: getattr(rules.sheet, name) for name in SWITCHES},
        **({"about": rules.about} if rules.about else {}),
    }
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def rule_set_of(definition: str) -> RuleSet:
    """Return the rule set of a definition that `definition_of` made.

    Raises:
        RuleSetError: if the definition is not JSON, or not a valid rule set.
    """
    try:
        document = json.loads(definition)
    except ValueError as error:
        raise RuleSetError(f"expected the definition of a rule set, got {definition!r}: {error}") from error
    made = _build(None, document, "the game's own rules")
    return replace(made, definition=definition_of(made))


def _base(document: Document, where: str, find: Callable[[str], RuleSet] | None) -> RuleSet | None:
    if "like" not in document:
        return None
    name = _text(document, "like", where)
    if find is None:
        raise RuleSetError(f"{where}: like: expected no other rule set here, got {name!r}")
    try:
        return find(name)
    except FarkleError as error:
        raise RuleSetError(f"{where}: like: {error}") from error


def _build(base: RuleSet | None, document: Document, where: str) -> RuleSet:
    read = partial(_read, document, where)
    tracks = _tracks(read("tracks", {}, "a table", _is_table), where)
    own_rows = _rows(read("points", {}, "a table", _is_table), where)
    rows = {}
    for size in KINDS.values():
        row = {**(base.chart.rows.get(size, {}) if base else {}), **own_rows.get(size, {})}
        rows[size] = {face: points for face, points in row.items() if points}
    settings = read("settings", {}, "a table", _is_table)
    unit = "pegs" if base and base.chart.pegs else "points"
    pegs = read("counts_in", unit, "points or pegs", lambda value: value in ("points", "pegs")) == "pegs"
    if not any(rows.values()):
        raise RuleSetError(f"{where}: points: expected at least one combination, got none")
    partners = read(
        "partners",
        list(base.partners) if base else [],
        "a list of numbers of players from 2 to 12",
        lambda value: _is_list(value, lambda each: type(each) is int and 2 <= each <= 12),
    )
    to_track_end = read(
        "to_track_end", bool(base and base.to_track_end), "true or false", lambda value: isinstance(value, bool)
    )
    sheet = _settings(base.sheet if base else Switches(), settings, where)
    return RuleSet(
        key=_key(document, where),
        title=_text(document, "title", where),
        source=_text(document, "source", where, base.source if base else None),
        about=_text(document, "about", where) if "about" in document else "",
        aliases=tuple(read("aliases", [], "a list of texts", lambda value: _is_list(value, _is_text))),
        chart=Chart({size: row for size, row in rows.items() if row}, pegs),
        tracks={**(base.tracks if base else ({121: 1, 241: 1} if pegs else {121: 100, 241: 50})), **tracks},
        to_track_end=to_track_end,
        partners=tuple(partners),
        sheet=sheet,
        switches=sheet,
    )


def _read(
    document: Document, where: str, key: str, default: object, expected: str, valid: Callable[[object], bool]
) -> Any:
    """Return the value of a key, or the default.

    Raises:
        RuleSetError: if the value is not valid, with what was `expected`.
    """
    value = document.get(key, default)
    if not valid(value):
        raise RuleSetError(f"{where}: {key}: expected {expected}, got {value!r}")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_list(value: object, valid: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and all(map(valid, value))


def _text(document: Document, key: str, where: str, default: str | None = None) -> str:
    return " ".join(_read(document, where, key, default, "a text", _is_text).split())


def _key(document: Document, where: str) -> str:
    key = _text(document, "key", where)
    if not key.isascii() or not all(mark.isalnum() or mark == "-" for mark in key) or key != key.lower():
        raise RuleSetError(f"{where}: key: expected small letters, digits and hyphens, got {key!r}")
    return key


def _settings(base: Switches, settings: Document, where: str) -> Switches:
    try:
        return with_values(base, settings)
    except RuleSetError as error:
        raise RuleSetError(f"{where}: settings: {error}") from error


def _rows(points: Document, where: str) -> dict[int, dict[int, int]]:
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


def _tracks(tracks: Document, where: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for track, value in tracks.items():
        if track not in map(str, TRACKS):
            raise RuleSetError(f"{where}: tracks: expected {' or '.join(map(str, TRACKS))}, got {track!r}")
        if type(value) is not int or not 1 <= value <= 100_000:
            raise RuleSetError(f"{where}: tracks.{track}: expected points a hole of 1 or more, got {value!r}")
        found[int(track)] = value
    return found
