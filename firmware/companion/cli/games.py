"""`farklecrib games`: list, show, export, delete, back up and restore games, and join names of their players."""

import json
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from companion.cli.options import ConfigFile, Data, Json, agreed, tell, write_file
from companion.errors import CompanionError
from companion.words import english
from farkle.rules.dice import spaced

if TYPE_CHECKING:
    from companion.games.repository import GameRepository
    from companion.games.statistics import GameSummary
    from companion.games.story import Story, StoryTurn, Throw

app = typer.Typer(
    no_args_is_help=True,
    help="The games kept: list them, show, export or delete one, join two names of a player, back all up.",
)

NUMBER = "last|[0-9]{1,9}"
"""The pattern of a game's number on the command line."""

Number = Annotated[str, typer.Argument(metavar="GAME", help="The game's number, or last.")]


@app.command("list")
def list_games(data: Data = None, config: ConfigFile = None, json_out: Json = False) -> int:
    """List the games, the newest first."""
    with open_games(data, config) as games:
        summaries = games.summaries()
    if json_out:
        print(json.dumps([_record(each) for each in summaries], ensure_ascii=False))
    elif summaries:
        tell("\n".join(_line(each) for each in summaries))
    else:
        tell(f"no games are kept in {games_folder(data, config)} yet; farklecrib play starts one", err=True)
    return 0


@app.command("show")
def show_game(game: Number = "last", data: Data = None, config: ConfigFile = None, json_out: Json = False) -> int:
    """Show a game: places, best turns, and every throw with its points explained."""
    from companion.games.export import as_json

    with open_games(data, config) as games:
        story = games.story(game_number(game))
    tell(as_json(story).rstrip() if json_out else "\n".join(_lines(story)))
    return 0


@app.command("export")
def export_game(
    game: Number = "last",
    form: Annotated[
        Literal["json", "csv", "notation"],
        typer.Option("--format", metavar="FORMAT", help="json, csv (a line a throw) or notation."),
    ] = "json",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there, not to standard output.")] = None,
    data: Data = None,
    config: ConfigFile = None,
) -> int:
    """Write a game as JSON, as CSV or in the notation."""
    from companion.games.export import FORMATS

    with open_games(data, config) as games:
        text = FORMATS[form](games.story(game_number(game)))
    if out is None:
        sys.stdout.write(text)
    else:
        write_file(out, text.encode())
        tell(f"written to {out}", err=True)
    return 0


@app.command("delete")
def delete_game(
    game: Number,
    sure: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    config: ConfigFile = None,
) -> int:
    """Delete a game for good, with the stills of its throws."""
    with open_games(data, config) as games:
        story = games.story(game_number(game))
        named = f"game {story.number} ({story.title}, {english().listed(story.players)})"
        if not sure and not agreed(f"Delete {named} for good?"):
            tell("nothing was deleted", err=True)
            return 1
        games.delete(story.number)
    tell(f"deleted {named} and its stills", err=True)
    return 0


@app.command("join-names")
def join_names(
    alias: Annotated[
        str, typer.Argument(metavar="[ALIAS]", help="Another name of a player; without it all are listed.")
    ] = "",
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="The name that it counts as.")] = "",
    apart: Annotated[bool, typer.Option("--apart", help="Take back that ALIAS counts as another name.")] = False,
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> int:
    """Count the games of one name as those of another, or list the names that do; a table may run.

    Raises:
        CompanionError: if one name is missing, or one is too many.
    """
    if bool(alias) != (bool(name) or apart) or (name and apart):
        given = [*(repr(each) for each in (alias, name) if each), *["--apart"] * apart]
        raise CompanionError(f"expected ALIAS NAME, ALIAS --apart, or nothing, got {' '.join(given)}")
    with open_games(data, config) as games:
        if alias:
            games.join_names(alias, name)
        aliases = games.aliases()
    if json_out:
        print(json.dumps([{"alias": one, "name": other} for one, other in aliases.items()], ensure_ascii=False))
    elif alias:
        tell(english()("names.joined" if name else "names.parted", alias=alias, name=name), err=True)
    elif aliases:
        tell("\n".join(english()("names.counts_as", alias=one, name=other) for one, other in aliases.items()))
    else:
        tell("no names are joined", err=True)
    return 0


BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a ZIP file.")]


@app.command("backup")
def back_up(file: BackupFile, data: Data = None, config: ConfigFile = None) -> int:
    """Write all games and the stills of their throws into one file; a table may run meanwhile."""
    from companion.games.backup import write_backup

    with open_games(data, config) as games:
        tell(f"{write_backup(games.store, games.images, file)}, in {file}", err=True)
    return 0


@app.command("restore")
def restore(file: BackupFile, data: Data = None, config: ConfigFile = None) -> int:
    """Restore the games of a backup into the data folder; no table may run there, and its old games are kept aside."""
    from companion.games.backup import restore_backup

    backup, aside = restore_backup(file, games_folder(data, config), time.time)
    tell(f"{backup}, in {games_folder(data, config)}", err=True)
    if aside is not None:
        tell(f"the games that were there are kept as {aside.name}", err=True)
    return 0


@contextmanager
def open_games(data: Path | None, config: Path | None) -> "Iterator[GameRepository]":
    """Open the games of the data folder that the command line or the configuration names; say what was lost."""
    from companion.games.control_socket import open_games

    with open_games(games_folder(data, config), time.time) as (games, loss):
        if loss:
            tell(f"farklecrib: {loss}", err=True)
        yield games


def games_folder(data: Path | None, config: Path | None) -> Path:
    """Return the data folder that the command line names, or the configuration."""
    from companion.config import data_folder
    from companion.config_files import load_config

    return data_folder(load_config(config, {"table.data": data}))


def game_number(game: str) -> int | None:
    """Return a game's number, None for the last.

    Raises:
        CompanionError: if it is neither a number nor `last`.
    """
    if not re.fullmatch(NUMBER, game):
        raise CompanionError(f"expected a game's number or last, got {game!r}")
    return None if game == "last" else int(game)


def _lines(story: "Story") -> Iterator[str]:
    """Yield the lines of a game for a person."""
    from companion.games.export import utc_text

    state = "" if story.over else ", not finished"
    yield f"game {story.number}: {story.title}, {english().listed(story.players)}{state}"
    yield f"begun {utc_text(story.begun_at)}, track of {story.track} holes"
    for place in story.places:
        ends = (place.name in story.winners, place.lost, place.skunk == 1, place.skunk == 2)
        said = [text for text, ends in zip(("won", "loses", "skunked", "double skunked"), ends, strict=True) if ends]
        yield f"  {place.place}. {place.name}: {place.score}, hole {place.hole}{''.join(f', {each}' for each in said)}"
    if story.best_turns:
        yield f"best turns: {', '.join(f'{turn.player} {turn.points}' for turn in story.best_turns)}"
    for turn in story.turns:
        yield f"{turn.player}, turn {turn.number}: {_end(turn)}"
        for throw in turn.throws:
            yield f"  {_throw(throw)}"


def _end(turn: "StoryTurn") -> str:
    match turn.ended:
        case "bank":
            return f"banks {turn.points}, score {turn.score}"
        case "farkle":
            return f"farkle, {turn.lost} lost, score {turn.score}"
        case "win":
            return f"six 1s win, score {turn.score}"
        case _:
            return "under way"


def _throw(throw: "Throw") -> str:
    notes = [f"read as {spaced(throw.read)}"] if throw.read else []
    notes += ["by hand"] if not throw.source else []
    notes += ["taken back"] if throw.undone else []
    why = english().text(throw.why)
    kept = f", keeps {spaced(throw.kept)} for {throw.points}: {why}" if throw.kept else ""
    return f"{spaced(throw.roll)}{kept}" + (f" ({', '.join(notes)})" if notes else "")


def _line(summary: "GameSummary") -> str:
    from companion.games.export import utc_text
    from companion.table.state.text import plural

    scores = ", ".join(f"{name} {score}" for name, score in summary.scores.items())
    ended = "over" if summary.over else "not finished"
    if summary.loser is not None:
        ended = f"{summary.loser} loses"
    elif summary.winners:
        ended = f"won by {english().listed(summary.winners)}"
    begun = utc_text(summary.begun_at).replace("T", " ")[:16]
    return f"{summary.number:4d}  {begun:16}  {summary.title}: {scores}; {ended}, {plural(summary.turns, 'turn')}"


def _record(summary: "GameSummary") -> dict[str, object]:
    names = ("number", "begun_at", "last_at", "rules", "title", "players", "over", "winners", "loser", "skunks")
    return {**{name: getattr(summary, name) for name in (*names, "turns", "throws")}, "scores": summary.scores}
