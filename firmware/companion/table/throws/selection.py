"""What a turn allows now: what may be kept and banked, what KEEP suggests next, and what may be thrown."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import inf
from typing import TypeVar

from companion.errors import RefusedError
from companion.table.state.questions import Choice
from companion.table.state.state import Play, TableState, shows_from
from companion.table.state.text import in_plain_words
from companion.table.throws.interpret import dice_to_throw, fits, throw_counts
from companion.words import Text, message
from farkle.errors import FarkleError
from farkle.game.commands import Bank, Keep
from farkle.game.events import Event
from farkle.game.machine import course_of
from farkle.game.order import is_last_round
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again, offered
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection, legal_selections

T = TypeVar("T")


@dataclass(frozen=True)
class TurnOptions:
    """What a turn allows now.

    Attributes:
        selections: what may be kept of the last roll, best first; empty if no roll is to be chosen from.
        set_aside: the dice of the last roll that lie on the shelf.
        pending: what the next throw keeps.
        bank: what BANK keeps: the best selection that contains the pending one.
        banking: the events of BANK; empty if it is refused.
        banked: the game after BANK, or None if it is refused.
        refused: why BANK is refused, or None if it is allowed.
        no_throw: why no dice of this turn may be thrown any more, or None if they may.
    """

    selections: tuple[Selection, ...] = ()
    set_aside: Faces = ()
    pending: Selection | None = None
    bank: Selection | None = None
    banking: tuple[Event, ...] = ()
    banked: GameState | None = None
    refused: Text | None = None
    no_throw: Text | None = None


@dataclass(frozen=True)
class StateWithTurn:
    """A state, and the record of its turn, derived once."""

    state: TableState
    turn: TurnOptions

    @property
    def pending_points(self) -> int:
        """The points of the dice that are chosen and not kept yet."""
        return self.turn.pending.points if self.turn.pending else 0


def shows_turn(make: Callable[[StateWithTurn], T]) -> T:
    """Return a field of the view that a function makes from the state and its turn."""
    return shows_from(make)


def turn_of(state: TableState) -> TurnOptions:
    """Return what the turn allows now: one record for view, captions, next step, prompt, buttons and refusals."""
    play = state.play
    if play is None:
        return TurnOptions(refused=message("refused.no_game"))
    game, aside = play.game, state.set_aside
    possible = offered(game)
    no_throw = message("rules.one_throw") if not may_throw_again(game) else None
    # A bot's decision stands, whatever people have set aside for it.
    pending = play.chosen if state.bot is not None else _pending(possible, aside, state.hopped, play.chosen)
    bank = _bank_selection(game, possible, pending)
    try:
        keeping = (Keep(bank.dice, bank.points),) if bank else ()
        course = course_of(game, *keeping, Bank())
    except FarkleError as error:
        return TurnOptions(possible, aside, pending, bank, refused=in_plain_words(error), no_throw=no_throw)
    return TurnOptions(possible, aside, pending, bank, tuple(course.events), course.state, no_throw=no_throw)


def _pending(
    possible: tuple[Selection, ...], aside: Faces, hopped: Faces, chosen: Selection | None
) -> Selection | None:
    """Return what the next throw would keep: the dice on the shelf that count, else what was chosen by press or page.

    A chosen die that hopped onto the shelf stays chosen when other chosen dice are laid beside it.
    """
    if not aside:
        return chosen
    beside = Counter(aside)
    parts = [each for each in possible if not Counter(each.dice) - beside]
    best = max(parts, key=lambda each: (len(each.dice), each.points), default=None)
    if best is not None and chosen is not None:
        wanted = Counter(chosen.dice)
        if not beside - wanted and not wanted - beside - Counter(hopped):
            return chosen
    return best or chosen


def _bank_selection(game: GameState, possible: tuple[Selection, ...], base: Selection | None) -> Selection | None:
    """Return what BANK keeps: the best legal selection that contains the pending one.

    No dice are added where a lower score can win, as below the goal where it gives the others a last turn.
    """
    if base is None:
        return possible[0] if possible else None
    if game.rules.lower_score_can_win:
        return base
    wanted = Counter(base.dice)
    best = next((each for each in possible if not wanted - Counter(each.dice)), None)
    if best is None or sorted(best.dice) == sorted(base.dice):
        return best and base
    short = game.rules.goal - game.sides[game.side_to_move].score - game.turn.points
    below = game.rules.lower_total_can_win and not is_last_round(game) and base.points < short <= best.points
    return base if below else best


def as_journalled(state: TableState) -> bool:
    """Return whether a tray that is out of step fits the game after all."""
    game, seen = state.game, state.observation
    if not state.out_of_step or seen is None or game is None or game.phase is not Phase.CHOOSING:
        return False
    return fits(game, seen.reading) and len(seen.reading.dice) >= len(game.turn.roll)


def dice_due(state: TableState, turn: TurnOptions) -> int:
    """Return how many dice the table waits for; none if the turn's only throw is done."""
    play = state.current
    if turn.no_throw is not None:
        return 0
    if state.incomplete is not None and state.incomplete.again:
        return state.incomplete.again
    return dice_to_throw(play.game, turn.pending) if play.start_thrower is None else play.dice_for_start


def allowed_throws(state: TableState, turn: TurnOptions) -> tuple[int, ...]:
    """Return the numbers of dice that may be thrown next, in rising order; empty while a question prevents a throw.

    All dice are allowed if the turn may be banked: a player may bank without a press.
    """
    play = state.play
    if play is None or (state.question is not None and not isinstance(state.question, Choice)):
        return ()
    game = play.game
    counts = throw_counts(game, turn.selections)
    if state.bot is not None and play.bot_decides:
        counts = bot_throw_counts(play)
    if state.incomplete is not None and state.incomplete.again:
        return tuple(sorted({state.incomplete.again, *counts}))
    if play.start_thrower is not None:
        return (play.dice_for_start,)
    if state.bot is not None:
        return counts
    return tuple(sorted({game.rules.n_dice, *counts} if turn.refused is None else counts))


def bot_throw_counts(play: Play) -> tuple[int, ...]:
    """Return the numbers of dice that may be thrown for the bot that has a roll; none before it has decided.

    After a decision to bank that is the next player's throw.
    """
    if play.bot_banks is None or (not play.bot_banks and not may_throw_again(play.game)):
        return ()
    return (play.game.rules.n_dice if play.bot_banks else dice_to_throw(play.game, play.chosen),)


def next_suggestion(turn: TurnOptions, chosen: Selection | None) -> Selection | None:
    """Return what the next tap on KEEP suggests: the best selection, then the next best; the best follows the last.

    The result is None if the only selection is `chosen` already.
    """
    possible = turn.selections
    dice = sorted(chosen.dice) if chosen else None
    current = next((i for i, each in enumerate(possible) if sorted(each.dice) == dice), -1)
    return possible[(current + 1) % len(possible)] if current < 0 or len(possible) > 1 else None


def with_declared_points(selection: Selection, points: int | None) -> Selection:
    """Return the selection at a declared total.

    Raises:
        RefusedError: if these dice cannot be given that total.
    """
    if points is None or points == selection.points:
        return selection
    if points not in selection.totals:
        raise RefusedError(message("rules.these_totals", totals=selection.totals))
    return replace(selection, points=points)


def selection_of(state: TableState, dice: Faces | None) -> Selection | None:
    """Return the selection of these dice of the last roll, or None for no dice."""
    game = state.current.game
    return None if dice is None else find_selection(game.rules, game.turn.roll, dice)


@dataclass(frozen=True)
class ExpectedThrow:
    """The allowed numbers of dice of the next throw, and the rolls after which turn or game may end."""

    counts: tuple[int, ...] = ()
    high_stakes: tuple[Faces, ...] = ()


def expected_throw(state: TableState) -> ExpectedThrow:
    """Return what may be thrown next."""
    turn = turn_of(state)
    counts = allowed_throws(state, turn)
    return ExpectedThrow(counts, _high_stakes(state, turn.pending, counts))


def _high_stakes(state: TableState, kept: Selection | None, counts: tuple[int, ...]) -> tuple[Faces, ...]:
    """Return the possible next rolls that farkle, hold a Bomb or may win, each with its faces in rising order."""
    play = state.play
    if play is None or play.game.over or play.start_thrower is not None:
        return ()
    game = play.game
    ahead = game.sides[game.side_to_move].score + game.turn.points + (kept.points if kept else 0)
    wins = _winning_score(game)
    return tuple(
        roll
        for count in counts
        for roll, points, bomb in _rolls(game.rules, count)
        if points == 0 or bomb or ahead + points >= wins or game.rules.wins_at_once(roll)
    )


def _winning_score(game: GameState) -> float:
    """Return the score with which the side to move may win: the target, or the best in the last of so many rounds."""
    if game.rules.ending != "rounds":
        return game.rules.switches.target
    others = (side.score for index, side in enumerate(game.sides) if index != game.side_to_move)
    return max(others, default=inf) if is_last_round(game) else inf


@lru_cache(maxsize=32)
def _rolls(rules: RuleSet, count: int) -> tuple[tuple[Faces, int, bool], ...]:
    """Return every roll of `count` dice with its highest points (0 for a farkle), and whether it may be a Bomb."""
    found = []
    for roll in combinations_with_replacement(range(1, 7), count):
        kept = legal_selections(rules, roll)
        most = max((each.points for each in kept), default=0)
        found.append((roll, most, any(rules.is_bomb(each.dice) for each in kept)))
    return tuple(found)
