"""Names that are one person's: for each other spelling of a name an alias, in a file beside the journal.

The journal keeps the names as they were played. `with_people` is the place where a name of a kept game becomes that of
a person, for the standing, ratings, head to head and statistics.
"""

import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from companion.errors import JournalError, RefusedError
from companion.games.statistics import GameStatistics
from companion.storage.whole_file import write_whole
from companion.words import message
from farkle.game.names import name_key

FILE = "joined-names.json"

ALIASES = TypeAdapter(dict[str, str])
"""The aliases as JSON: the name of the person by each alias."""

_lock = threading.Lock()


def read_aliases(folder: Path) -> dict[str, str]:
    """Return the name of the person by each alias of a data folder; nothing where the file is missing or damaged."""
    with suppress(OSError, ValidationError):
        return ALIASES.validate_json((folder / FILE).read_bytes())
    return {}


def write_aliases(folder: Path, aliases: Mapping[str, str]) -> None:
    """Keep these aliases in a data folder in place of the others; without any there is no file.

    Raises:
        JournalError: if the disk refuses.
    """
    try:
        if not aliases:
            (folder / FILE).unlink(missing_ok=True)
            return
        write_whole(folder / FILE, [ALIASES.dump_json(dict(aliases), indent=1)])
    except OSError as error:
        raise JournalError(f"expected names that can be written: {error.strerror}") from error


def join_alias(folder: Path, alias: str, name: str) -> None:
    """Count an alias as this name from now on; with an empty name as itself. Raises what `write_aliases` does."""
    with _lock:
        write_aliases(folder, joined(read_aliases(folder), alias, name))


def joined(aliases: Mapping[str, str], alias: str, name: str) -> dict[str, str]:
    """Return the aliases with one more, whose own aliases become the name's; without a name, with one less."""
    others = {one: other for one, other in aliases.items() if name_key(one) not in (name_key(alias), name_key(name))}
    if not name:
        return others
    same = {one: name if name_key(other) == name_key(alias) else other for one, other in others.items()}
    return {**same, alias: name}


def person_of(aliases: Mapping[str, str], name: str) -> str:
    """Return the name of the person whom a name stands for."""
    key = name_key(name)
    return next((person for alias, person in aliases.items() if name_key(alias) == key), name)


def people_of(games: Iterable[GameStatistics]) -> dict[str, str]:
    """Return the names of the people who played, without the board's bots, by their keys.

    Args:
        games: the games, the newest first; a name is spelled as in the newest one.
    """
    found: dict[str, str] = {}
    for game in games:
        for name in game.players:
            if name not in game.bots:
                found.setdefault(name_key(name), name)
    return found


def check_joined(games: Iterable[GameStatistics], alias: str, name: str, aliases: Mapping[str, str]) -> tuple[str, str]:
    """Return two names that can be one person's, as they are spelled in the newest of the games.

    Raises:
        RefusedError: if one is in no kept game, they are one already, or both were in one game.
    """
    games = tuple(games)
    people = people_of(games)
    for each in (alias, name):
        if name_key(each) not in people:
            raise RefusedError(message("names.unknown", name=each))
    alias, name = people[name_key(alias)], person_of(aliases, people[name_key(name)])
    if name_key(person_of(aliases, alias)) == name_key(name):
        raise RefusedError(message("names.one_already", one=alias, other=name))
    after = joined(aliases, alias, name)
    for game in games:
        before, now = (_keys(game, each) for each in (aliases, after))
        if len(set(now)) < len(set(before)):
            raise RefusedError(message("names.met", one=alias, other=name, game=game.number))
    return alias, name


def with_people(game: GameStatistics, aliases: Mapping[str, str]) -> GameStatistics:
    """Return a game with the names of people in place of their aliases; a game in which both played stays as it is."""
    changed = {name: person_of(aliases, name) for name in game.players if name not in game.bots}
    changed = {name: person for name, person in changed.items() if name != person}
    keys = _keys(game, aliases)
    if not changed or len(set(keys)) < len(keys):
        return game

    def named(name: str) -> str:
        return changed.get(name, name)

    side = named if not game.teams else str
    return replace(
        game,
        players=tuple(map(named, game.players)),
        teams={team: tuple(map(named, members)) for team, members in game.teams.items()},
        winners=tuple(map(side, game.winners)),
        loser=None if game.loser is None else side(game.loser),
        skunks={side(name): count for name, count in game.skunks.items()},
        scores={side(name): score for name, score in game.scores.items()},
        ranks={side(name): rank for name, rank in game.ranks.items()},
        by_player=tuple(replace(each, player=named(each.player)) for each in game.by_player),
    )


def _keys(game: GameStatistics, aliases: Mapping[str, str]) -> list[str]:
    """Return the keys of a game's players as people; bots are their own."""
    return [name_key(name if name in game.bots else person_of(aliases, name)) for name in game.players]
