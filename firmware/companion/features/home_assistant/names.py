"""Replace the names of players, teams and phones in all that leaves the table."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from companion.table.state.history import Act
from companion.table.state.state import TableState
from companion.words import Catalogue, Message
from farkle.game.events import GameStarted, PlayerJoined

T = TypeVar("T")

PHONES = {"asks", "by", "phones", "sets_up"}
"""The fields that hold names of phones only."""

TECHNICAL = {"before", "color", "event_type", "id", "rules", "shape"}
"""The fields that hold no name."""

NAMING = re.compile("alias|leader|loser|names?|others?|players?|sides?|winners?")
"""The fields of messages that hold names; a name from outside the game becomes `Somebody`."""

NAMELESS = ("fault.", "why.")
"""The prefixes of message keys whose fields hold names of things, not of people."""


@dataclass(frozen=True)
class StandIns:
    """The replacement of each name.

    Args:
        given: the stand-ins by name.
        somebody: what stands for any other name.
    """

    given: Mapping[str, str]
    somebody: str

    @classmethod
    def of(cls, words: Catalogue, players: Iterable[str], teams: Iterable[str] = ()) -> "StandIns":
        """Return the stand-ins of the players, in the order of their seats, and of the teams."""
        found = {team: words("mqtt.team", number=number) for number, team in enumerate(dict.fromkeys(teams), 1)}
        found |= {name: words("mqtt.player", number=seat) for seat, name in enumerate(dict.fromkeys(players), 1)}
        return cls(found, words("mqtt.somebody"))

    def put(self, value: T) -> T:
        """Return a value with all names in it replaced."""
        longest_first = sorted(filter(None, self.given), key=len, reverse=True)
        pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")
        found: T = self._put(value, pattern)
        return found

    def _put(self, value: Any, names: re.Pattern[str]) -> Any:
        if type(value) is str:  # an enumeration is no text of a person
            return names.sub(lambda found: self.given[found[0]], value)
        if isinstance(value, tuple | list):
            return tuple(self._put(each, names) for each in value)
        if isinstance(value, Mapping):
            return {self._put(key, names): self._put(each, names) for key, each in value.items()}
        if isinstance(value, Message):
            nameless = value.key.startswith(NAMELESS)
            filled = {
                name: self._put(each if nameless or not NAMING.fullmatch(name) else self._known(each), names)
                for name, each in value.fields.items()
            }
            return replace(value, fields=filled)
        if is_dataclass(value) and not isinstance(value, type):
            parts = ((each.name, getattr(value, each.name)) for each in fields(value) if each.name not in TECHNICAL)
            return replace(value, **{name: self._field(name, part, names) for name, part in parts})
        return value

    def _field(self, name: str, part: Any, names: re.Pattern[str]) -> Any:
        return type(part)() if name in PHONES and isinstance(part, str | tuple) else self._put(part, names)

    def _known(self, value: Any) -> Any:
        """Return a name, or several names; unknown names become `Somebody`."""
        if isinstance(value, tuple | list):
            return tuple(map(self._known, value))
        if not isinstance(value, str) or value in self.given:
            return value
        partners = value.split(" and ")  # a side without a name of its own
        return value if all(each in self.given for each in partners) else self.somebody


def names_of(acts: Iterable[Act]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players of a game, in the order of their seats, and its teams; undone acts count, too."""
    players: dict[str, None] = {}
    teams: tuple[str, ...] = ()
    for event in (each for act in acts for each in act.events):
        if isinstance(event, GameStarted):
            players, teams = dict.fromkeys(event.players), event.teams
        elif isinstance(event, PlayerJoined):
            players[event.name] = None
    return tuple(players), teams


def names_at(state: TableState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players and teams of the game at the table, and then those of the lobby's form."""
    players, teams = names_of(state.play.acts) if state.play else ((), ())
    draft = state.lobby.draft
    return (*players, *draft.players), (*teams, *draft.teams)
