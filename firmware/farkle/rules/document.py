"""The document of a rule set: read from TOML, alone or on top of the rule set it is like, and written as JSON."""

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from farkle.errors import FarkleError, RuleSetError
from farkle.rules.combinations import KINDS, Chart
from farkle.rules.ruleset import FEWEST_HOLES, MOST_HOLES, RuleSet, is_track
from farkle.rules.switches import SWITCHES, Switches, check_switches, with_values

Document = Mapping[str, Any]


LONGEST_NAME, LONGEST_TEXT = 100, 1000
"""The most characters of a key, a title or an alias, and of the other texts."""

MOST_ALIASES = 100


Test = Callable[[object], bool]


def _text_of(most: int) -> tuple[str, Test]:
    """Return the words and the test of a text with at most this number of characters, not all of them spaces."""
    return (
        f"a text of at most {most} characters",
        lambda value: isinstance(value, str) and bool(value.strip()) and len(value) <= most,
    )


def _are_players(value: object) -> bool:
    return isinstance(value, list) and all(type(each) is int and 2 <= each <= 12 for each in value)


def _are_aliases(value: object) -> bool:
    return isinstance(value, list) and len(value) <= MOST_ALIASES and all(map(_NAME[1], value))


_NAME, _TEXT = _text_of(LONGEST_NAME), _text_of(LONGEST_TEXT)
_TABLE: tuple[str, Test] = ("a table", lambda value: isinstance(value, dict))

KEYS: Mapping[str, tuple[str, Test]] = {
    "key": _NAME,
    "title": _NAME,
    "source": _TEXT,
    "about": _TEXT,
    "aliases": (f"a list of at most {MOST_ALIASES} texts of at most {LONGEST_NAME} characters", _are_aliases),
    "like": _NAME,
    "counts_in": ("points or pegs", lambda value: value in ("points", "pegs")),
    "partners": ("a list of numbers of players from 2 to 12", _are_players),
    "to_track_end": ("true or false", lambda value: isinstance(value, bool)),
    "tracks": _TABLE,
    "points": _TABLE,
    "settings": _TABLE,
    "expected": _TABLE,
}
"""The keys of a rule set's file; each with its allowed values in words, and a function that tests a value.

`expected` is the table of known counts, which the tests read.
"""


def rule_set_from(
    document: Document, where: str, find: Callable[[str], RuleSet] | None = None, *, own: bool = False
) -> RuleSet:
    """Return the rule set of a TOML document; `RuleSetError` reaches the caller if it is not valid.

    Args:
        document: the parsed TOML.
        where: the name of the file in errors.
        find: returns the rule set that the document is `like`.
        own: whether this is a house's own rule set, which keeps its whole definition so that a game can continue when
            the file is gone.
    """
    _check_keys(document, where)
    made = _build(_base(document, where, find), document, where)
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
    where = "the game's own rules"
    _check_keys(document, where)
    made = _build(None, document, where, stored=True)
    return replace(made, definition=definition_of(made))


def _check_keys(document: Document, where: str) -> None:
    """Check that all keys are known, their values are of the right type, and no key is missing.

    Raises:
        RuleSetError: if not, with what was expected.
    """
    for name in ("key", "title", *(() if "like" in document else ("source",)), *document):
        if name not in KEYS:
            near = difflib.get_close_matches(name, KEYS, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise RuleSetError(f"{where}: expected one of the keys {', '.join(KEYS)}, got {name!r}{hint}")
        expected, valid = KEYS[name]
        if not valid(document.get(name)):
            raise RuleSetError(f"{where}: {name}: expected {expected}, got {_quoted(document.get(name))}")


def _quoted(value: object) -> str:
    """Return a value as an error quotes it; the middle of a long one is left out."""
    text = repr(value)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}... ({len(text)} characters)"


def _base(document: Document, where: str, find: Callable[[str], RuleSet] | None) -> RuleSet | None:
    if "like" not in document:
        return None
    if find is None:
        raise RuleSetError(f"{where}: like: expected a whole rule set here, got one like {document['like']!r}")
    try:
        return find(_text(document, "like"))
    except FarkleError as error:
        raise RuleSetError(f"{where}: like: {error}") from error


def _build(base: RuleSet | None, document: Document, where: str, *, stored: bool = False) -> RuleSet:
    own_rows, base_rows = _rows(document.get("points", {}), where), base.chart.rows if base else {}
    rows = {size: {**base_rows.get(size, {}), **own_rows.get(size, {})} for size in KINDS.values()}
    rows = {size: {face: points for face, points in row.items() if points} for size, row in rows.items()}
    if not any(rows.values()):
        raise RuleSetError(f"{where}: points: expected at least one combination, got none")
    pegs = document["counts_in"] == "pegs" if "counts_in" in document else bool(base and base.chart.pegs)
    tracks = base.tracks if base else {121: 1, 241: 1} if pegs else {121: 100, 241: 50}
    plain = base.sheet if base else Switches()
    try:
        sheet = with_values(plain, document.get("settings", {}))
        check_switches(sheet, sheet if stored else plain)  # a stored one holds what it is like, too
    except RuleSetError as error:
        raise RuleSetError(f"{where}: settings: {error}") from error
    return RuleSet(
        key=_key(document, where),
        title=_text(document, "title"),
        source=_text(document, "source", base.source if base else ""),
        about=_text(document, "about"),
        aliases=tuple(document.get("aliases", ())),
        chart=Chart({size: row for size, row in rows.items() if row}, pegs),
        tracks={**tracks, **_tracks(document.get("tracks", {}), where)},
        to_track_end=document.get("to_track_end", bool(base and base.to_track_end)),
        partners=tuple(document.get("partners", base.partners if base else ())),
        sheet=sheet,
        switches=sheet,
    )


def _text(document: Document, key: str, default: str = "") -> str:
    return " ".join(str(document.get(key, default)).split())


def _key(document: Document, where: str) -> str:
    key = _text(document, "key")
    if not key.isascii() or not all(mark.isalnum() or mark == "-" for mark in key) or key != key.lower():
        raise RuleSetError(f"{where}: key: expected small letters, digits and hyphens, got {key!r}")
    return key


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
        if not (track.isdecimal() and track == str(int(track[:9])) and is_track(int(track))):
            expected = f"numbers of holes from {FEWEST_HOLES} to {MOST_HOLES}"
            raise RuleSetError(f"{where}: tracks: expected {expected}, got {track!r}")
        if type(value) is not int or not 1 <= value <= 100_000:
            raise RuleSetError(f"{where}: tracks.{track}: expected points a hole of 1 or more, got {value!r}")
        found[int(track)] = value
    return found
