"""The report of one game: its turns and throws, worked out from the journal's rows, with what was undone."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from companion.storage.rows import JournalRow, acts_of
from companion.table.state.events import (
    CoachChosen,
    EveningClosed,
    NextStarterChosen,
    ThrowSeen,
    TournamentStands,
    Undone,
)
from companion.table.state.history import Act, History, history_of, track_of
from companion.table.state.play import Play
from companion.table.state.skunk import finish_of, skunk_lines, skunks_of
from companion.table.state.text import describe, explained
from companion.table.throws.daily import result_of
from companion.words import NOTHING, Text, joined, message
from farkle.game import events as game
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.state import GameState
from farkle.notation import write
from farkle.replay import ThrowRecord, TurnRecord, turns_of
from farkle.rules.dice import Faces
from farkle.rules.selections import find_selection
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

_BESIDE = tuple(each.__name__ for each in (EveningClosed, NextStarterChosen, CoachChosen, TournamentStands))
"""The kinds of rows that are not play."""


@dataclass(frozen=True)
class Throw:
    """One throw.

    `act` is its number and that of its image; `at` is in wall-clock seconds since 1970. `read` are the eye's faces if a
    player corrected them, `source` is the frame source (empty for faces that were entered), `why` explains the points.
    """

    act: int
    at: float
    player: str
    roll: Faces
    read: Faces | None
    source: str
    sure: bool
    kept: Faces = ()
    points: int = 0
    why: Text = NOTHING
    undone: bool = False


@dataclass(frozen=True)
class ReportedTurn:
    """One turn.

    `number` counts the player's own turns, `score` is the side's score after it. `scores` are those of all sides of the
    game; a side that joined later has 0.
    """

    number: int
    player: str
    throws: tuple[Throw, ...]
    points: int
    ended: str | None
    lost: int
    hot_dice: int
    score: int
    scores: tuple[int, ...]


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


@dataclass(frozen=True)
class DailyGame:
    """A daily challenge: its day, the player's `attempt`, and whether all throws had the dice of the day."""

    day: str
    attempt: int
    dealt: bool


@dataclass(frozen=True, kw_only=True)
class GameHeader:
    """The fields that a report and a summary of a game share; times are wall-clock seconds since 1970.

    `sat_at` is the time of the first act after the last pause of an evening or more, and `last_act` the number of its
    newest act. `closings` are the acts with which evenings were closed by hand, as far as this game holds
    them. `winners` and `loser` are names of sides; a `loser` is found only by rules that look for one. `skunks` are the
    skunked sides, each with 1, or with 2 if it is double skunked. `bots` are the kinds of the players that the board
    played, by name. `daily` is None for a game that is no daily challenge.
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
    daily: DailyGame | None = None


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
    turns = _turns(state, acts, counted, {row.act: row.at for row in rows})
    track = track_of(history)
    found = _places(state, track)
    played = [row for row in rows if row.kind not in _BESIDE]
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
        daily=_daily(rows[0].game, acts, history, track),
        events=tuple(event for act in counted for event in act.game_events),
    )


def _daily(number: int, acts: Sequence[Act], history: History, track: int) -> DailyGame | None:
    found = result_of(Play(number, tuple(acts), history, track))
    return None if found is None else DailyGame(found.day, found.attempt, found.dealt)


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
    race = (_of_all_sides(begin, history[-1].game), *(turn.scores for turn in turns if turn.ended))
    return race if race[-1] == now else (*race, now)


def _of_all_sides(scores: tuple[int, ...], state: GameState) -> tuple[int, ...]:
    """Return the scores with a 0 for each side of the game that had not joined yet."""
    return scores + (0,) * (len(state.sides) - len(scores))


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


def _turns(
    state: GameState, acts: Sequence[Act], counted: Sequence[Act], times: dict[int, float]
) -> tuple[ReportedTurn, ...]:
    played = turns_of([event for act in counted for event in act.game_events])
    numbers_counted = frozenset(act.number for act in counted)
    throws_read = [_thrown(act, players, times) for act, players in _with_players(acts) if act.rolls]
    thrown = iter([throw for throw in throws_read if throw.act in numbers_counted])
    corrected = iter([roll for act in counted for roll in _rolls(act)])
    undone = [replace(throw, undone=True) for throw in throws_read if throw.act not in numbers_counted]
    numbers = Counter[int]()
    found: list[ReportedTurn] = []
    for turn in played:
        numbers[turn.player] += 1
        throws: list[Throw] = []
        for record in turn.throws:
            throw = _counted(next(thrown), next(corrected).faces, record, state)
            while undone and undone[0].act < throw.act:
                throws.append(undone.pop(0))
            throws.append(throw)
        found.append(_turn(turn, numbers[turn.player], throws, state))
    if undone and found:
        found[-1] = replace(found[-1], throws=(*found[-1].throws, *undone))
    return tuple(found)


def _turn(turn: TurnRecord, number: int, throws: Sequence[Throw], state: GameState) -> ReportedTurn:
    return ReportedTurn(
        number=number,
        player=state.players[turn.player],
        throws=tuple(throws),
        points=turn.points,
        ended=turn.ended,
        lost=sum(event.lost for event in turn.events if isinstance(event, game.Farkled)),
        hot_dice=sum(isinstance(event, game.HotDiceMade) for event in turn.events),
        score=turn.score,
        scores=_of_all_sides(turn.scores, state),
    )


def _rolls(act: Act) -> list[game.DiceRolled]:
    return [event for event in act.events if isinstance(event, game.DiceRolled)]


def _with_players(acts: Sequence[Act]) -> Iterator[tuple[Act, tuple[str, ...]]]:
    """Yield each act, also those that were undone, with the names of the players at its time."""
    named: list[tuple[int, str]] = []
    for act in acts:
        for event in act.events:
            match event:
                case game.GameStarted(players=players):
                    named = [(act.number, name) for name in players]
                case game.PlayerJoined(name=name):
                    named.append((act.number, name))
                case Undone(act=undone):
                    named = [(joined, name) for joined, name in named if joined != undone]
        yield act, tuple(name for _, name in named)


def _thrown(act: Act, players: tuple[str, ...], times: dict[int, float]) -> Throw:
    """Return the throw of an act as it was read or entered."""
    rolled = _rolls(act)[0]
    seen = next((event for event in act.events if isinstance(event, ThrowSeen)), None)
    return Throw(
        act=act.number,
        at=times[act.number],
        player=players[rolled.player],
        roll=rolled.faces,
        read=None,
        source=seen.source if seen else "",
        sure=seen.sure if seen else True,
    )


def _counted(throw: Throw, faces: Faces, record: ThrowRecord, state: GameState) -> Throw:
    """Return the throw with its effective faces, and what was kept of it."""
    why: Text = NOTHING
    if record.kept:
        selection = find_selection(state.rules, faces, record.kept)
        why = explained(selection)
        if record.points != selection.points:
            why = message("report.some_count", why=why, points=record.points, of=selection.points)
    elif record.points:
        why = message("report.nobody_loses", points=record.points)
    read = throw.roll if sorted(throw.roll) != sorted(faces) else None
    return replace(throw, roll=faces, read=read, kept=record.kept, points=record.points, why=why)
