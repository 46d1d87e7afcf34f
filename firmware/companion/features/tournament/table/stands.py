"""The event with which the journal carries a tournament from game to game."""

from dataclasses import dataclass

from companion.table.state.events import Aside
from farkle.rules.switches import Value
from farkle.tournament import Tournament


@dataclass(frozen=True, kw_only=True)
class TournamentStands(Tournament, Aside):
    """A tournament goes on: its form and players, its rules, and the matches that were finished before this game.

    `kinds` has a kind for each player. `rules`, `settings`, `definition` and `track` are those of each match, as in
    `GameStarted` and `TrackLaid`. `lanes` is not used any more. `last_game` is the number of the game that the last
    result is of, 0 where there is no result.
    """

    rules: str
    settings: tuple[tuple[str, Value], ...]
    definition: str
    track: int
    lanes: int = 4
    last_game: int = 0
