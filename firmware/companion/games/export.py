"""Export: a game as JSON, as CSV that no spreadsheet takes for formulas, or in the notation."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime

from companion.games.report import PlayedTurn, Record, Throw
from farkle.rules.dice import spaced

COLUMNS = (
    *("game", "time", "player", "turn", "throw", "roll", "kept", "points", "why"),
    *("ended", "turn_points", "score", "read_as", "sure", "source", "undone"),
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the start of a formula (OWASP, CSV injection)."""


def as_json(record: Record) -> str:
    """Everything that is known of the game, on one indented page."""
    plain = {**asdict(replace(record, events=())), "notation": record.notation}
    del plain["events"]
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def as_notation(record: Record) -> str:
    """The game as `farklecrib replay` reads it."""
    return record.notation


def as_csv(record: Record) -> str:
    """A line for each throw, with the end of its turn on the turn's last one."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for turn in record.turns:
        for number, throw in enumerate(turn.throws, start=1):
            last = turn if throw is turn.throws[-1] else None
            writer.writerow([_safe(cell) for cell in _cells(record, turn.number, number, throw, last)])
    return out.getvalue()


def _cells(record: Record, turn: int, number: int, throw: Throw, last: PlayedTurn | None) -> Iterator[object]:
    yield from (record.number, moment(throw.at), throw.player, turn, number)
    yield from (spaced(throw.roll), spaced(throw.kept), throw.points, throw.why)
    yield from (last.ended or "", last.points, last.score) if last else ("", "", "")
    yield from (spaced(throw.read) if throw.read else "", throw.sure, throw.source, throw.undone)


def _safe(cell: object) -> object:
    """Text that begins as a formula does gets an apostrophe before it; numbers stay numbers."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def moment(at: float) -> str:
    """Wall-clock seconds as `2026-11-21T20:14:05Z`; empty where a clock has gone mad."""
    try:
        return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


FORMATS: Mapping[str, Callable[[Record], str]] = {"json": as_json, "csv": as_csv, "notation": as_notation}
"""How a game can be exported, by the format's name."""
