"""The turns and throws of a game's report, with what was undone and what was corrected."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.table.state.events import ThrowSeen, Undone
from companion.table.state.history import Act
from companion.table.state.text import explained
from companion.words import NOTHING, Text, message
from farkle.game import events as game
from farkle.game.state import GameState
from farkle.replay import ThrowRecord, TurnRecord, turns_of
from farkle.rules.dice import Faces
from farkle.rules.selections import find_selection


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


def turns_reported(
    state: GameState, acts: Sequence[Act], counted: Sequence[Act], times: dict[int, float]
) -> tuple[ReportedTurn, ...]:
    """Return the turns of a game, with the throws that were undone among them.

    Args:
        state: the game now.
        acts: all its acts.
        counted: the acts that count.
        times: when each act was, by its number, in wall-clock seconds since 1970.
    """
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
        scores=of_all_sides(turn.scores, state),
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


def of_all_sides(scores: tuple[int, ...], state: GameState) -> tuple[int, ...]:
    """Return the scores with a 0 for each side of the game that had not joined yet."""
    return scores + (0,) * (len(state.sides) - len(scores))
