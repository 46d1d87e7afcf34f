"""A daily challenge: which dice its next throw shows, what the day's dice forbid, and its result.

Nothing may show a throw before it counts: a throw stands, and so do its faces. Everything else may be undone.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import RefusedError
from companion.table.state.acts import Step
from companion.table.state.daily_dice import dealt
from companion.table.state.events import CountingBegan, DailyBegan, Event, RollCorrected, Undone
from companion.table.state.history import History
from companion.table.state.play import Play
from companion.table.state.state import TableState
from companion.words import NOTHING, Message, message
from farkle.game import events as ev
from farkle.rules.dice import Faces

_OF_ONE_PLAYER = (ev.PlayerJoined, ev.PlayerLeft, ev.TurnSkipped, ev.TurnGiven, ev.ScoreAdjusted)
_BY_HAND = (CountingBegan, ev.PointsCounted, ev.FarkleCounted)

NOT_OFFERED = frozenset({"count_points", "give_throw", "skip", "throw_for_start", "join", "leave", "adjust_score"})
"""The items of the pause menu that a challenge does not have."""


@dataclass(frozen=True)
class DailyThrow:
    """A throw of a challenge: the numbers of its act, turn and throw, and its faces."""

    act: int
    turn: int
    throw: int
    faces: Faces


@dataclass(frozen=True)
class DailyResult:
    """A challenge so far: turns that have ended or begun, throws, and the points of the best banked turn.

    `dealt` tells that all throws had the dice of the day.
    """

    day: str
    attempt: int
    turns: int
    throws: int
    best_turn: int
    dealt: bool


def throws_of(history: History) -> Iterator[DailyThrow]:
    """Yield the throws that count, in order."""
    turn, throw = 1, 0
    for each in history:
        for event in each.act.game_events:
            match event:
                case ev.DiceRolled(faces=faces):
                    throw += 1
                    yield DailyThrow(each.act.number, turn, throw, faces)
                case ev.TurnBanked() | ev.Farkled():
                    turn, throw = turn + 1, 0


def next_dice(state: TableState, count: int) -> Faces | None:
    """Return the faces that the next `count` dice of a challenge show; None in any other game.

    Dice of an incomplete throw that are thrown again show what that throw lacks.
    """
    play = state.play
    if play is None or play.daily is None or play.game.over:
        return None
    turn, throw = _next(play.history)
    six = dealt(play.daily.day, play.game.rules.key, turn, throw)
    if state.incomplete is not None and state.incomplete.again:
        whole = Counter(six[: len(state.incomplete.faces) + count])
        return tuple((whole - Counter(state.incomplete.faces)).elements())[:count]
    return six[:count]


def _next(history: History) -> tuple[int, int]:
    """Return the numbers of the turn and of the throw in it that come next."""
    turns = sum(isinstance(event, ev.TurnBanked | ev.Farkled) for each in history for event in each.act.game_events)
    last = max(((each.turn, each.throw) for each in throws_of(history)), default=(0, 0))
    return turns + 1, last[1] + 1 if last[0] == turns + 1 else 1


def may_undo(play: Play) -> bool:
    """Return whether the last act may be taken off: not a throw of a challenge."""
    return play.daily is None or not play.newest.rolls


def check_daily(before: TableState, made: Step, *, seen: bool) -> None:
    """Check that an act is allowed in a challenge.

    Args:
        before: the table before the act.
        made: the act.
        seen: whether the eye saw it. Its dice count as it has read them.

    Raises:
        RefusedError: if the act would tell dice before they count, or is not of this game.
    """
    play = before.play
    if play is None or play.daily is None or made.state.play is None or made.state.play.number != play.number:
        return
    for event in made.events:
        _check(play, event)
    if not seen and any(isinstance(event, ev.DiceRolled | RollCorrected) for event in made.events):
        known = {each.act for each in throws_of(play.history)}
        corrected = {event.act for event in made.events if isinstance(event, RollCorrected)}
        for each in throws_of(made.state.play.history):
            if (each.act not in known or each.act in corrected) and not _is_dealt(made.state.play, play.daily, each):
                raise RefusedError(message("refused.daily_dice"))


def _check(play: Play, event: Event) -> None:
    if isinstance(event, _OF_ONE_PLAYER):
        raise RefusedError(message("refused.daily_alone"))
    if isinstance(event, _BY_HAND):
        raise RefusedError(message("refused.daily_dice"))
    if isinstance(event, Undone) and any(each.act.number == event.act and each.act.rolls for each in play.history):
        raise RefusedError(message("refused.daily_throw_stands"))


def _is_dealt(play: Play, daily: DailyBegan, thrown: DailyThrow) -> bool:
    """Return whether a throw shows the dice of the day, in any order."""
    six = dealt(daily.day, play.game.rules.key, thrown.turn, thrown.throw)
    return sorted(six[: len(thrown.faces)]) == sorted(thrown.faces)


def result_of(play: Play) -> DailyResult | None:
    """Return how far a challenge is; None for any other game."""
    daily = play.daily
    if daily is None:
        return None
    thrown = tuple(throws_of(play.history))
    banked = [e.points for each in play.history for e in each.act.game_events if isinstance(e, ev.TurnBanked)]
    return DailyResult(
        day=daily.day,
        attempt=daily.attempt,
        turns=_next(play.history)[0] - play.game.over,
        throws=len(thrown),
        best_turn=max(banked, default=0),
        dealt=all(_is_dealt(play, daily, each) for each in thrown),
    )


def result_line(play: Play) -> Message:
    """Return the line of a challenge that is won, to be told to friends; nothing before."""
    found = result_of(play)
    if found is None or not play.game.winners or not found.dealt:
        return NOTHING
    return line_of(found, play.game.rules.goal)


def line_of(found: DailyResult, points: int) -> Message:
    """Return the line of a result; `points` is what the challenge asks for."""
    told = {"day": found.day, "points": points, "turns": found.turns, "throws": found.throws, "best": found.best_turn}
    return message("daily.line_again" if found.attempt > 1 else "daily.line", attempt=found.attempt, **told)
