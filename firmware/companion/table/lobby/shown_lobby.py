"""The part of the view that is about the lobby: the draft of the next game."""

from dataclasses import dataclass, field
from typing import Literal

from companion.table.lobby.lobby import problem_at
from companion.table.state.draft import DraftProblem, Starter
from companion.table.state.state import TableState
from companion.words import NOTHING, Text
from farkle.rules.switches import Value


@dataclass(frozen=True)
class LobbyView:
    """The draft of the next game: what every page's form shows, and what BANK starts."""

    players: int
    """How many play."""
    rules: str
    """The key of the rule set."""
    open: bool = False
    """Whether a game is being put together."""
    title: str = ""
    """The title of the rule set."""
    names: tuple[str, ...] = ()
    """The names as written; `bot:bold` asks for a bot."""
    called: tuple[str, ...] = ()
    """The names that the players will have."""
    teams: tuple[str, ...] = ()
    """The teams' names, whose players take turns."""
    start: Starter = "ask"
    """The index of the player who begins, `ask` or `throw`."""
    settings: dict[str, Value] = field(default_factory=dict)
    """The house's switches."""
    track: int = 121
    """The number of holes of the track."""
    tracks: tuple[int, ...] = ()
    """The tracks to choose from, by their holes."""
    problem: Text = NOTHING
    """Why the game cannot start; empty if it can."""
    about: Literal["", "names", "rules"] = ""
    """What the problem is about."""
    own_rules: dict[str, str] = field(default_factory=dict)
    """The titles of the rule sets that the house has saved, by their keys."""
    bots: tuple[str, ...] = ()
    """The kinds of bots that may play."""
    plays: str = ""
    """What the players play in place of one game, such as `round_robin`; empty for one game."""


@dataclass(frozen=True)
class LobbyShown:
    """The lobby."""

    lobby: LobbyView
    """The draft of the next game."""


def shown_lobby(state: TableState) -> LobbyShown:
    """Return how the lobby is shown."""
    draft = state.lobby.draft
    holes = draft.holes(state.tracks)
    problem = problem_at(state, draft) if state.in_lobby else DraftProblem()
    return LobbyShown(
        LobbyView(
            players=len(draft.names),
            rules=draft.rules.key,
            open=state.in_lobby,
            title=draft.rules.title,
            names=draft.names,
            called=draft.players,
            teams=draft.teams,
            start=draft.start,
            settings=draft.switches(),
            track=holes,
            tracks=tuple(sorted({*state.tracks.offered, holes})),
            problem=problem.text,
            about=problem.about,
            own_rules={rules.key: rules.title for rules in state.own_rules},
            bots=tuple([kind.name for kind in state.bots]),
            plays=draft.plays,
        )
    )
