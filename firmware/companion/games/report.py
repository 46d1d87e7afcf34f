"""The report of one game: its turns and throws, worked out from the journal's rows, with what was undone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from companion.games.reported_turns import ReportedTurn, Throw, of_all_sides, turns_reported
from companion.storage.codec import PLAYED
from companion.storage.rows import JournalRow, acts_of
from companion.table.state.events import (
    EveningClosed,
    Undone,
)
from companion.table.state.history import Act, History, history_of, track_of
from companion.table.state.skunk import finish_of, skunk_lines, skunks_of
from companion.table.state.text import describe
from companion.words import Text, joined
from farkle.game import events as game
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.state import GameState
from farkle.notation import write
from farkle.replay import turns_of
from farkle.rules.switches import Value

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""The clock of a machine that is earlier than the first program of this table has not been set."""

PAUSE_S = 6 * 3600.0
"""A pause of this many seconds ends an evening."""

TABLE_ACTS = (
    game.ScoreAdjusted,
    game.PlayerJoined,
    game.PlayerLeft,
    game.TurnSkipped,
    game.TurnGiven,
    game.StarterFound,
    game.GameCalledOff,
)
"""The table's acts that are not reported in a turn."""


@dataclass(frozen=True)
class Place:
    """The standing of one side: `place` is 1 for the leader; the index `side` gives colour and shape.

    `skunk` is 1 if the side is skunked and 2 if it is double skunked. `lost` tells that it is the loser that the game
    was to find.
    """

    place: int
    side: int
    name: str
    players: tuple[str, ...]
    score: int
    hole: int
    skunk: int = 0
    lost: bool = False


@dataclass(frozen=True, kw_only=True)
class GameHeader:
    """The fields that a report and a summary of a game share; times are wall-clock seconds since 1970.

    `sat_at` is the time of the first act after the last pause of an evening or more, and `last_act` the number of its
    newest act. `closings` are the acts with which evenings were closed by hand, as far as this game holds
    them. `winners` and `loser` are names of sides; a `loser` is found only by rules that look for one. `skunks` are the
    skunked sides, each with 1, or with 2 if it is double skunked. `bots` are the kinds of the players that the board
    played, by name.
    """

    number: int
    begun_at: float
    sat_at: float
    last_at: float
    last_act: int
    closings: tuple[int, ...]
    rules: str
    title: str
    players: tuple[str, ...]
    teams: dict[str, tuple[str, ...]]
    over: bool
    winners: tuple[str, ...]
    loser: str | None
    skunks: dict[str, int]
    bots: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class GameReport(GameHeader):
    """One game; `events` are the effective ones.

    `left` are the players who left. `finish` is the hole in which a side has the points to win, and `skunk_lines` are
    the holes that save a loser from a skunk and from a double skunk.

    `race` holds the scores of all sides at the start and after each turn that has ended, and last the present scores if
    a score was adjusted since; a side that joined later has 0 before. `between` holds in words what the players did
    before each turn, and last what they did after the last one: a score adjusted, a player who joined or left, a turn
    skipped.
    """

    settings: dict[str, Value]
    own_rules: bool
    track: int
    points_a_hole: int
    left: tuple[str, ...]
    target: int
    finish: int
    skunk_lines: tuple[int, ...]
    places: tuple[Place, ...]
    turns: tuple[ReportedTurn, ...]
    race: tuple[tuple[int, ...], ...]
    between: tuple[Text, ...]
    events: tuple[game.Event, ...]

    @property
    def notation(self) -> str:
        """The game in the notation that `farklecrib replay` reads."""
        return write(self.events, self.bots)

    @property
    def throws(self) -> tuple[Throw, ...]:
        """All effective throws, in order."""
        return tuple(throw for turn in self.turns for throw in turn.throws if not throw.undone)

    @property
    def best_turns(self) -> tuple[ReportedTurn, ...]:
        """The five banked turns with the most points, the best first."""
        banked = (turn for turn in self.turns if turn.ended == "bank" and turn.points > 0)
        return tuple(sorted(banked, key=lambda turn: -turn.points)[:5])

    @property
    def won_by(self) -> tuple[str, ...]:
        """The players of the sides that won; empty while the game is under way."""
        return tuple(player for place in self.places if place.name in self.winners for player in place.players)


def report_of(rows: Sequence[JournalRow]) -> GameReport:
    """Return the report of a game from all its rows, in order."""
    acts = acts_of(rows)
    history = history_of(acts)
    counted = tuple(each.act for each in history)
    state = history[-1].game
    turns = turns_reported(state, acts, counted, {row.act: row.at for row in rows})
    track = track_of(history)
    found = _places(state, track)
    played = [row for row in rows if row.kind in PLAYED]
    times = [row.at for row in played]
    return GameReport(
        number=rows[0].game,
        begun_at=rows[0].at,
        sat_at=_last_sitting(times),
        last_at=times[-1],
        last_act=played[-1].act,
        closings=closings_of(acts),
        rules=state.rules.key,
        title=state.rules.title,
        settings=state.rules.settings(),
        own_rules=bool(state.rules.definition),
        track=track,
        points_a_hole=state.rules.points_a_hole(track),
        left=tuple(name for name, seat in zip(state.players, state.seats, strict=True) if seat.left),
        target=state.rules.goal,
        finish=finish_of(state, track),
        skunk_lines=skunk_lines(state, track),
        players=state.players,
        teams=teams_of(state),
        places=found,
        turns=turns,
        race=_race(history, turns),
        between=_between(history),
        over=state.over,
        winners=tuple(side_name(state, side) for side in state.winners),
        loser=None if state.loser is None else side_name(state, state.loser),
        skunks={place.name: place.skunk for place in found if place.skunk},
        bots={state.players[bot.player]: bot.kind for bot in history[-1].bots},
        events=tuple(event for act in counted for event in act.game_events),
    )


def is_pause(before: float, after: float) -> bool:
    """Return whether an evening or more lies between two times in seconds since 1970.

    A clock that went back, or was set in between, tells nothing.
    """
    return after - before >= PAUSE_S and (before >= EARLIEST or after < EARLIEST)


def _last_sitting(times: Sequence[float]) -> float:
    """Return the first time after the last pause."""
    begins = [after for before, after in pairwise(times) if is_pause(before, after)]
    return begins[-1] if begins else times[0]


def closings_of(acts: Sequence[Act]) -> tuple[int, ...]:
    """Return the acts with which evenings were closed by hand, without closings that were taken back."""
    undone = {event.act for act in acts for event in act.events if isinstance(event, Undone)}
    kept = (event for act in acts if act.number not in undone for event in act.events)
    return tuple(event.after for event in kept if isinstance(event, EveningClosed))


def _places(state: GameState, track: int) -> tuple[Place, ...]:
    ranks, skunks = places(state), skunks_of(state, track)
    found = [
        Place(
            ranks[index],
            index,
            side_name(state, index),
            tuple(state.players[player] for player in side.players),
            side.score,
            hole(position(side.score, state.rules.points_a_hole(track)), track),
            skunks[index],
            index == state.loser,
        )
        for index, side in enumerate(state.sides)
    ]
    return tuple(sorted(found, key=lambda place: place.place))


def _race(history: History, turns: Sequence[ReportedTurn]) -> tuple[tuple[int, ...], ...]:
    begin, now = (tuple(side.score for side in each.game.sides) for each in (history[0], history[-1]))
    race = (of_all_sides(begin, history[-1].game), *(turn.scores for turn in turns if turn.ended))
    return race if race[-1] == now else (*race, now)


def _between(history: History) -> tuple[Text, ...]:
    """Return in words the acts of the table before each turn, and after the last one."""
    events = [event for each in history for event in each.act.game_events]
    begins = {id(turn.events[0]) for turn in turns_of(events)}
    found: list[list[Text]] = [[]]
    for each in history:
        for event in each.act.game_events:
            if id(event) in begins:
                found.append([])
            if isinstance(event, TABLE_ACTS):
                found[-1].append(describe(each.game, (event,)))
    return tuple(joined(*said) for said in found)
