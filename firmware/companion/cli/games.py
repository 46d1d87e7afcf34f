"""`farklecrib games` and `farklecrib fairness`: what the journal keeps, asked of the table that runs or of the file."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion.config import data_folder, load_config
from companion.errors import CompanionError
from companion.games.control_socket import open_games
from companion.games.export import FORMATS, as_json, moment
from companion.games.fairness import as_lines, fairness_of
from companion.games.report import GameReport, ReportedTurn, Throw
from companion.games.repository import GameRepository
from companion.games.statistics import GameSummary, dice_of
from companion.table.text import joined, plural
from farkle.rules.dice import spaced


def data_of(data: Path | None, config: Path | None) -> Path:
    """The data folder that the command line or the configuration names."""
    asked = load_config(config)
    if data is not None:
        asked = replace(asked, table=replace(asked.table, data=str(data)))
    return data_folder(asked)


def list_games(folder: Path, *, json_out: bool) -> int:
    """Print the games, the newest first; 0 also where there is none."""
    with _games(folder) as games:
        summaries = games.summaries()
    if json_out:
        print(json.dumps([_plain(each) for each in summaries], ensure_ascii=False))
    elif summaries:
        print("\n".join(_line(each) for each in summaries))
    else:
        _say(f"no games are kept in {folder} yet; farklecrib play starts one")
    return 0


def show_game(folder: Path, game: str, *, json_out: bool) -> int:
    """Print one game."""
    with _games(folder) as games:
        record = games.record(number_of(game))
    print(as_json(record).rstrip() if json_out else "\n".join(record_lines(record)))
    return 0


def export_game(folder: Path, game: str, form: str, out: Path | None) -> int:
    """Write one game in a format of `companion.games.export.FORMATS`."""
    with _games(folder) as games:
        text = FORMATS[form](games.record(number_of(game)))
    if out is None:
        sys.stdout.write(text)
        return 0
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise CompanionError(f"expected a file that can be written, got {str(out)!r}: {error.strerror}") from error
    _say(f"written to {out}")
    return 0


def delete_game(folder: Path, game: str, *, sure: bool) -> int:
    """Delete one game after asking; 1 where the answer was no."""
    with _games(folder) as games:
        record = games.record(number_of(game))
        named = f"game {record.number} ({record.title}, {joined(list(record.players))})"
        if not sure and not _agreed(f"Delete {named} for good? [y/N] "):
            _say("nothing was deleted")
            return 1
        games.delete(record.number)
    _say(f"deleted {named} and its stills")
    return 0


def tell_fairness(folder: Path, kind: str, *, json_out: bool) -> int:
    """Say what the dice of one origin tell; 1 where they are uneven."""
    with _games(folder) as games:
        summaries = games.summaries()
    found = fairness_of(dice_of(summaries, kind))
    if json_out:
        names = ("chi_square", "p", "findable", "throws", "dice", "corrected", "unsure", "verdict")
        told = {name: getattr(found, name) for name in names}
        shares = [{"share": share, "low": low, "high": high} for share, low, high in found.shares]
        misread = dict(zip(("share", "low", "high"), found.misread, strict=True))
        print(json.dumps({"of": kind, "counts": found.counts, "shares": shares, "misread": misread, **told}))
    else:
        print("\n".join(as_lines(found, f"{kind} throws")))
        others = {each: dice_of(summaries, each).dice for each in ("real", "recorded", "simulated") if each != kind}
        for other, dice in others.items():
            if dice and not found.dice:
                _say(f"{dice} {other} dice are kept: farklecrib fairness --of {other}")
    return 1 if found.p is not None and found.p < 0.05 else 0


def number_of(game: str) -> int | None:
    """A game's number, None for the last. Raises `CompanionError`."""
    if game == "last":
        return None
    if not game.isdecimal():
        raise CompanionError(f"expected a game's number or last, got {game!r}")
    return int(game)


def record_lines(record: GameReport) -> Iterator[str]:
    """A game as a person reads it."""
    state = "" if record.over else ", not finished"
    yield f"game {record.number}: {record.title}, {joined(list(record.players))}{state}"
    yield f"begun {moment(record.begun_at)}, track of {record.track} holes"
    for place in record.places:
        won = " won" if place.name in record.winners else ""
        yield f"  {place.place}. {place.name}: {place.score}, hole {place.hole}{won}"
    if record.best_turns:
        yield f"best turns: {', '.join(f'{turn.player} {turn.points}' for turn in record.best_turns)}"
    for turn in record.turns:
        yield f"{turn.player}, turn {turn.number}: {_ended(turn)}"
        for throw in turn.throws:
            yield f"  {_throw(throw)}"


def _ended(turn: ReportedTurn) -> str:
    match turn.ended:
        case "bank":
            return f"banks {turn.points}, score {turn.score}"
        case "farkle":
            return f"farkle, {turn.lost} lost, score {turn.score}"
        case _:
            return "under way"


def _throw(throw: Throw) -> str:
    notes = [f"read as {spaced(throw.read)}"] if throw.read else []
    notes += ["by hand"] if not throw.source else []
    notes += ["taken back"] if throw.undone else []
    kept = f", keeps {spaced(throw.kept)} for {throw.points}: {throw.why}" if throw.kept else ""
    return f"{spaced(throw.roll)}{kept}" + (f" ({', '.join(notes)})" if notes else "")


def _line(summary: GameSummary) -> str:
    scores = ", ".join(f"{name} {score}" for name, score in summary.scores)
    ended = f"won by {joined(list(summary.winners))}" if summary.winners else "over" if summary.over else "not finished"
    begun = moment(summary.begun_at).replace("T", " ")[:16]
    return f"{summary.number:4d}  {begun:16}  {summary.title}: {scores}; {ended}, {plural(summary.turns, 'turn')}"


def _plain(summary: GameSummary) -> dict[str, object]:
    names = ("number", "begun_at", "last_at", "rules", "title", "players", "over", "winners", "turns", "throws")
    return {**{name: getattr(summary, name) for name in names}, "scores": dict(summary.scores)}


@contextmanager
def _games(folder: Path) -> Iterator[GameRepository]:
    with open_games(folder, time.time) as (games, loss):
        if loss:
            _say(f"farklecrib: {loss}")
        yield games


def _agreed(question: str) -> bool:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def _say(words: str) -> None:
    sys.stderr.write(words + "\n")
