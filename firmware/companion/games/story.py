"""The story of one kept game: its header, and its turns and throws with what was undone, made by one fold of its rows.

Reports, exports, the race, the replay, statistics and reviews are functions of it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from companion.storage.codec import PLAYED
from companion.storage.rows import JournalRow, acts_of
from companion.table.state.events import EveningClosed, ThrowSeen, Undone
from companion.table.state.history import Act, Snapshot, add_act, track_of
from companion.table.state.outlook import finish_of, skunk_lines, skunks_of
from companion.table.state.text import describe, explained
from companion.words import NOTHING, Text, joined, message
from farkle.game import events as game
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.state import GameState
from farkle.notation import write
from farkle.replay import TABLE_ACTS, ThrowRecord, TurnRecord, turns_of
from farkle.rules.dice import Faces
from farkle.rules.selections import find_selection
from farkle.rules.switches import Value

EARLIEST = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""The clock of a machine that is earlier than the first program of this table has not been set."""

PAUSE_S = 6 * 3600.0
"""A pause of this many seconds ends an evening."""

_TOLD_BETWEEN = (*TABLE_ACTS, game.StarterFound, game.GameCalledOff)
"""The events between turns that are told in words."""


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
class StoryTurn:
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


@dataclass(frozen=True, kw_only=True)
class GameHeader:
    """The fields that the story and the summary of a game share; times are wall-clock seconds since 1970.

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
class Story(GameHeader):
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
    turns: tuple[StoryTurn, ...]
    race: tuple[tuple[int, ...], ...]
    between: tuple[Text, ...]
    events: tuple[game.Event, ...]

    @property
    def notation(self) -> str:
        """The game in the notation that `farklecrib replay` reads."""
        return write(self.events, self.bots)

    @property
    def sides(self) -> dict[str, int]:
        """The index of each player's side, by name."""
        return {player: place.side for place in self.places for player in place.players}

    @property
    def throws(self) -> tuple[Throw, ...]:
        """All effective throws, in order."""
        return tuple(throw for turn in self.turns for throw in turn.throws if not throw.undone)

    @property
    def best_turns(self) -> tuple[StoryTurn, ...]:
        """The five banked turns with the most points, the best first."""
        banked = (turn for turn in self.turns if turn.ended == "bank" and turn.points > 0)
        return tuple(sorted(banked, key=lambda turn: -turn.points)[:5])

    @property
    def won_by(self) -> tuple[str, ...]:
        """The players of the sides that won; empty while the game is under way."""
        return tuple(player for place in self.places if place.name in self.winners for player in place.players)


def story_of(rows: Sequence[JournalRow]) -> Story:
    """Return the story of a game from all its rows, in order."""
    acts, times = acts_of(rows), {row.act: row.at for row in rows}
    history: list[Snapshot] = []
    thrown: list[Throw] = []
    for act in acts:
        add_act(history, act)
        if act.rolls:
            thrown.append(_thrown(act, history[-1].game, times[act.number]))
    state, track = history[-1].game, track_of(tuple(history))
    steps = [(event, each.game) for each in history for event in each.act.game_events]
    events = tuple(event for event, _ in steps)
    records = turns_of(events, [after for _, after in steps])
    turns = tuple(_turns(thrown, history, records))
    found = _places(state, track)
    played = [row for row in rows if row.kind in PLAYED]
    return Story(
        number=rows[0].game,
        begun_at=rows[0].at,
        sat_at=_last_sitting([row.at for row in played]),
        last_at=played[-1].at,
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
        between=_between(steps, records),
        over=state.over,
        winners=tuple(side_name(state, side) for side in state.winners),
        loser=None if state.loser is None else side_name(state, state.loser),
        skunks={place.name: place.skunk for place in found if place.skunk},
        bots={state.players[bot.player]: bot.kind for bot in history[-1].bots},
        events=events,
    )


def _thrown(act: Act, state: GameState, at: float) -> Throw:
    """Return the throw of an act as it was read or entered, from the game just after it."""
    rolled = next(event for event in act.events if isinstance(event, game.DiceRolled))
    seen = next((event for event in act.events if isinstance(event, ThrowSeen)), None)
    return Throw(
        act=act.number,
        at=at,
        player=state.players[rolled.player],
        roll=rolled.faces,
        read=None,
        source=seen.source if seen else "",
        sure=seen.sure if seen else True,
    )


def _counted(throw: Throw, record: ThrowRecord, state: GameState) -> Throw:
    """Return the throw with its effective faces, and what was kept of it."""
    why: Text = NOTHING
    if record.kept:
        selection = find_selection(state.rules, record.roll, record.kept)
        why = explained(selection)
        if record.points != selection.points:
            why = message("report.some_count", why=why, points=record.points, of=selection.points)
    elif record.points:
        why = message("report.nobody_loses", points=record.points)
    read = throw.roll if sorted(throw.roll) != sorted(record.roll) else None
    return replace(throw, roll=record.roll, read=read, kept=record.kept, points=record.points, why=why)


def _turns(thrown: Sequence[Throw], history: Sequence[Snapshot], records: Sequence[TurnRecord]) -> Iterator[StoryTurn]:
    """Yield the turns; a throw that was undone stands before the next one that counts, or last."""
    state, effective = history[-1].game, {each.act.number for each in history}
    numbers, waiting = Counter[int](), iter(thrown)
    for turn in records:
        throws: list[Throw] = []
        for record in turn.throws:
            throw = next(waiting)
            while throw.act not in effective:
                throws.append(replace(throw, undone=True))
                throw = next(waiting)
            throws.append(_counted(throw, record, state))
        if turn is records[-1]:
            throws += [replace(throw, undone=True) for throw in waiting]
        numbers[turn.player] += 1
        yield StoryTurn(
            number=numbers[turn.player],
            player=state.players[turn.player],
            throws=tuple(throws),
            points=turn.points,
            ended=turn.ended,
            lost=sum(event.lost for event in turn.events if isinstance(event, game.Farkled)),
            hot_dice=sum(isinstance(event, game.HotDiceMade) for event in turn.events),
            score=turn.score,
            scores=_of_all_sides(turn.scores, state),
        )


def _of_all_sides(scores: tuple[int, ...], state: GameState) -> tuple[int, ...]:
    """Return the scores with a 0 for each side of the game that had not joined yet."""
    return scores + (0,) * (len(state.sides) - len(scores))


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


def _race(history: Sequence[Snapshot], turns: Sequence[StoryTurn]) -> tuple[tuple[int, ...], ...]:
    begin, now = (tuple(side.score for side in each.game.sides) for each in (history[0], history[-1]))
    race = (_of_all_sides(begin, history[-1].game), *(turn.scores for turn in turns if turn.ended))
    return race if race[-1] == now else (*race, now)


def _between(steps: Sequence[tuple[game.Event, GameState]], records: Sequence[TurnRecord]) -> tuple[Text, ...]:
    """Return in words the acts of the table before each turn, and after the last one."""
    begins = {id(turn.events[0]) for turn in records}
    found: list[list[Text]] = [[]]
    for event, after in steps:
        if id(event) in begins:
            found.append([])
        if isinstance(event, _TOLD_BETWEEN):
            found[-1].append(describe(after, (event,)))
    return tuple(joined(*said) for said in found)
