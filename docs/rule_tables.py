"""The generated parts of rules.md: rule sets side by side, every switch, exclusions, and examples played."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from companion.cli.replay import as_record
from companion.web.rules.switches import GROUPS, label, value_words
from companion.words import english
from farkle.replay import Replay, replay
from farkle.rules.catalogue import catalogue, packaged_documents
from farkle.rules.combinations import KIND_NAMES, Chart, Combination
from farkle.rules.dice import spaced
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import CONTRADICTIONS, SIX_DICE, SWITCHES, OneOf, Switches, Value

EXAMPLES = Path(__file__).resolve().parent / "examples"
IN_POINTS = Chart({})
PLAIN = Switches()
NOTHING = "\N{MIDDLE DOT}"

ROWS = {"straight", "low_straight", "high_straight", "three_pairs", "two_triplets", "four_and_pair", "full_house"}
"""Switches that are rows of the table of combinations."""

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]


def side_by_side(table: Table) -> str:
    """Return each rule set with its source, target and tracks."""
    documents = packaged_documents()
    return table(
        ("rule set", "what it is", "played to", "121 holes", "241 holes", "also called", "source"),
        (
            (
                f"**{rules.title}** `{rules.key}`" + _like(documents[rules.key]),
                rules.about,
                _target(rules),
                _track(rules, 121),
                _track(rules, 241),
                ", ".join(rules.aliases) or NOTHING,
                rules.source,
            )
            for rules in catalogue()
        ),
    )


def _like(document: Mapping[str, object]) -> str:
    return f"; a preset of `{document['like']}`" if "like" in document else ""


def _target(rules: RuleSet) -> str:
    return "the track's end" if rules.to_track_end else f"{rules.switches.target:,}"


def _track(rules: RuleSet, track: int) -> str:
    ratio = rules.points_a_hole(track)
    end = track if rules.to_track_end else rules.switches.target // ratio
    each = f"{ratio} a hole, to hole {end}"
    return each if rules.fits(track) else f"too short at {ratio} a hole"


def scores(table: Table) -> str:
    """Return the points of every combination in every rule set; sets that score alike share a column."""
    columns: dict[tuple[tuple[str, int], ...], list[RuleSet]] = {}
    for rules in catalogue():
        worth = {_row(each): each.points for each in rules.table.combinations}
        columns.setdefault(tuple(sorted(worth.items())), []).append(rules)
    rows = dict.fromkeys(_row(each) for each in _in_order(catalogue()))
    head = ("dice", *("<br>".join(f"`{each.key}`" for each in sets) for sets in columns.values()))
    return table(head, ((row, *(_points(dict(worth).get(row)) for worth in columns)) for row in rows))


def _in_order(sets: Iterable[RuleSet]) -> list[Combination]:
    every = {(each.name, each.dice): each for rules in sets for each in rules.table.combinations}
    return sorted(every.values(), key=lambda each: (each.name not in KIND_NAMES.values(), len(each.dice), each.dice[0]))


def _row(each: Combination) -> str:
    """Return a combination's row: equal dice by faces, a pattern by name; repeated pairs have a row of their own."""
    if each.name == "three pairs":
        return each.name if len(set(each.dice)) == 3 else "three pairs, a number repeated"
    return each.name if len(set(each.dice)) > 1 else spaced(each.dice)


def _points(points: int | None) -> str:
    return NOTHING if points is None else f"{points:,}"


def switches(table: Table, group: str) -> str:
    """Return the switches of one group of `GROUPS`: words, values, and the rule sets with other values."""
    return table(
        ("switch", "in words", "values", "plain", "otherwise in"),
        (
            (f"`{name}`", _words(name), _values(name), _value(getattr(PLAIN, name)), _others(name))
            for name in GROUPS[group]
        ),
    )


def _words(name: str) -> str:
    """Return the meaning of a switch, or the row for a switch that is a row of the table of combinations."""
    text = english().text(label(name, IN_POINTS)) if name in ROWS else SWITCHES[name].meaning
    return f"{text[:1].upper()}{text[1:]}"


def _values(name: str) -> str:
    kind = SWITCHES[name]
    if isinstance(kind, OneOf):
        return "; ".join(f"`{each}` {english().text(value_words(name, each, IN_POINTS))}" for each in kind.values)
    return kind.allowed


def _value(value: Value) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _others(name: str) -> str:
    """Return the rule sets that have another value than the default, by that value."""
    found: dict[str, list[str]] = {}
    for rules in catalogue():
        if getattr(rules.sheet, name) != getattr(PLAIN, name):
            found.setdefault(_value(getattr(rules.sheet, name)), []).append(f"`{rules.key}`")
    return "; ".join(f"{value} in {', '.join(keys)}" for value, keys in found.items()) or NOTHING


def exclusions() -> str:
    """Return the switches that exclude each other, with the reasons."""
    lines = [f"- {' and '.join(f'`{name}`' for name in each.settings)}: {each.why}." for each in CONTRADICTIONS]
    six = ", ".join(f"`{name}`" for name in SIX_DICE)
    return "\n".join([*lines, f"- `n_dice=5` and any of these, which need six dice: {six}."])


def outcome(file: str) -> str:
    """Return the standing at the end of a written game of `docs/examples`, in one line."""
    played = replay((EXAMPLES / file).read_text(encoding="utf-8"))
    return f"> {_standing(played)}"


def _standing(played: Replay) -> str:
    record = as_record(played)
    sides = record["teams"] or record["players"]
    said = ", ".join(f"{side['name']} {side['score']:,}".replace("-", "\N{MINUS SIGN}") for side in sides) + "."
    if record["winners"]:
        said += f" {' and '.join(record['winners'])} {'win' if len(record['winners']) > 1 else 'wins'}."
    if record["loser"]:
        said += f" {record['loser']} loses."
    if not record["over"]:
        said += f" {record['to_move']} is to throw."
    return said
