"""Export a game as JSON, as CSV without formulas for a spreadsheet to run, or in the notation."""

import csv
import io
import json
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime

from companion.games.story import Story, StoryTurn, Throw
from companion.words import english
from farkle.rules.dice import spaced

COLUMNS = (
    *("game", "time", "player", "turn", "throw", "roll", "kept", "points", "why"),
    *("ended", "turn_points", "score", "read_as", "sure", "source", "undone", "bot"),
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""The beginnings that make a spreadsheet read a cell as a formula (OWASP, CSV injection)."""


def as_json(story: Story) -> str:
    """Return the whole story as indented JSON, with its sentences in English."""
    plain = {**asdict(english().rendered(replace(story, events=()))), "notation": story.notation}
    del plain["events"]
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def as_csv(story: Story) -> str:
    """Return CSV with a line for each throw; the line of a turn's last throw also holds how the turn ended."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for turn in story.turns:
        for number, throw in enumerate(turn.throws, start=1):
            last = turn if throw is turn.throws[-1] else None
            writer.writerow([_safe(cell) for cell in _cells(story, turn.number, number, throw, last)])
    return out.getvalue()


def _cells(story: Story, turn: int, number: int, throw: Throw, last: StoryTurn | None) -> Iterator[object]:
    yield from (story.number, utc_text(throw.at), throw.player, turn, number)
    yield from (spaced(throw.roll), spaced(throw.kept), throw.points, english().text(throw.why))
    yield from (last.ended or "", last.points, last.score) if last else ("", "", "")
    yield from (spaced(throw.read) if throw.read else "", throw.sure, throw.source, throw.undone)
    yield story.bots.get(throw.player, "")


def _safe(cell: object) -> object:
    """Return text that begins like a formula with an apostrophe before it; numbers stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def utc_text(at: float) -> str:
    """Return wall-clock seconds as `2026-11-21T20:14:05Z`; empty for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


FORMATS: Mapping[str, Callable[[Story], str]] = {
    "json": as_json,
    "csv": as_csv,
    "notation": operator.attrgetter("notation"),
}
"""The export of each format."""
