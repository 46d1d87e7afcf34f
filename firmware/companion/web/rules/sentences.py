"""A rule set in plain words: the sentences of a rule card, from the templates in `sentences.toml`.

Only rules that are on have a sentence. Words are English; amounts are those of the rule set.
"""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Annotated, Any

from jinja2 import Environment, StrictUndefined
from pydantic import Field

from companion.web.rules.words import number, points
from farkle.rules.ruleset import RuleSet

COUNTS = {1: "one", 2: "two", 4: "four", 5: "five", 6: "six"}
"""Small numbers as words."""

_TIMES = (("four_kind", "four", "twice"), ("five_kind", "five", "three times"), ("six_kind", "six", "four times"))


class Section(StrEnum):
    """The sections of a rule card, in their order."""

    SCORING = "What scores"
    TURN = "A turn"
    FARKLES = "Farkles"
    EXTRAS = "Besides"
    END = "How it ends"


@dataclass(frozen=True)
class Sentence:
    """One rule in plain words, with the switches that it explains; `name` is what players call it, or empty.

    The API gives all but the switches.
    """

    section: Section
    name: str
    text: str
    switches: Annotated[tuple[str, ...], Field(exclude=True)]


def sentences_of(rules: RuleSet) -> tuple[Sentence, ...]:
    """Return a sentence for every rule that is on, as its switches are played, in the order of the sections."""
    chart = rules.chart
    context = {
        "rules": rules,
        "s": rules.switches,
        "chart": chart,
        "points": points,
        "number": number,
        "count": COUNTS.get,
        "sheet": lambda amount: number(chart.convert_points(amount)),
        "target": _target(rules),
        "of_a_kind": _of_a_kind(rules),
    }
    return tuple(
        Sentence(row["section"], row["name"].render(context), row["text"].render(context), row["switches"])
        for row in _templates()
        if row["when"](**context)
    )


@cache
def _templates() -> tuple[dict[str, Any], ...]:
    """Return the rows of `sentences.toml`, compiled, in the order of the sections."""
    jinja = Environment(undefined=StrictUndefined)  # noqa: S701 - plain text; the page escapes it
    text = (resources.files("companion.web.rules") / "sentences.toml").read_text(encoding="utf-8")
    rows = [
        {
            "section": Section(row["section"]),
            "text": jinja.from_string(row["text"]),
            "name": jinja.from_string(row.get("name", "")),
            "when": jinja.compile_expression(row.get("when", "true")),
            "switches": tuple(row.get("switches", ())),
        }
        for row in tomllib.loads(text)["sentence"]
    ]
    return tuple(sorted(rows, key=lambda row: list(Section).index(row["section"])))


def to_end(rules: RuleSet) -> bool:
    """Return whether the game goes to the end of whichever track it is played on."""
    return rules.to_track_end and rules.switches.target == rules.sheet.target


def _target(rules: RuleSet) -> str:
    """Return what a side does to reach the target."""
    target = rules.switches.target
    if to_end(rules):
        return f"gets a peg to the end of the track, hole {number(target)} (241 on the long one), or past it"
    if rules.chart.pegs:
        end = ", the end of the track" if target in (121, 241) else ""
        return f"gets a peg to hole {number(target)} or past it{end}"
    return f"has {number(target)} or more"


def _of_a_kind(rules: RuleSet) -> dict[str, Any]:
    """Return the text about four and more equal dice (`text`), and two facts for the other templates.

    `known` is whether four or more equal dice score together, `twos_grow` whether four or more 2s do.
    """
    s, chart = rules.switches, rules.chart
    most = [size for size in (4, 5, 6) if size <= s.n_dice]
    sizes = ", ".join(COUNTS[size] for size in most)
    parts: list[str] = []
    if s.bonus_scores:
        more = ", ".join(number(chart.convert_pegs({4: 10, 5: 15, 6: 20}[size])) for size in most)
        parts.append(f"{sizes} of a kind are {more} more than the three")
    elif s.of_a_kind == "double":
        parts.append("each equal die beyond the third doubles the score")
    elif s.of_a_kind == "flat":
        flat = ", ".join(number(chart.convert_points(1000 * (size - 3))) for size in most)
        parts.append(f"{sizes} of a kind are {flat}, whatever their number")
    parts += [f"{size} of a kind are {times} the three" for name, size, times in _TIMES if getattr(s, name)]
    known = bool(parts) or any(size > 3 and row for size, row in chart.rows.items())
    if known:
        text = "; ".join(parts) or f"{sizes} of a kind have rows of their own"
        text = f"{text[:1].upper()}{text[1:]}."
    else:
        text = "A fourth and a fifth equal die count by themselves, or not at all"
        text += "; six of a kind are twice the three." if s.n_dice == 6 else "."
    twos = (each.dice for each in rules.table.combinations if each.dice[0] == 2 and len(set(each.dice)) == 1)
    return {"text": text, "known": known, "twos_grow": any(len(dice) > 3 for dice in twos)}
