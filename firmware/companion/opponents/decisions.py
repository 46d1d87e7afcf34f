"""What a bot does with a roll: which dice it keeps, and whether it then banks or throws the others.

A bot measures what a throw is worth by the turn that banks most in the long run (`farkle.odds.turn.mean`). `lean` is
by how much it overrates a throw: a cautious bot underrates it. A bot of the kind `best` goes by its chance to win.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf

import numpy as np

from companion.nothing import nothing
from companion.table.state.events import BotSeated
from companion.table.state.inputs import Answer
from companion.table.state.state import TableState
from companion.table.step import step
from farkle.errors import FarkleError
from farkle.game.commands import Bank, Command, Keep
from farkle.game.machine import course_of
from farkle.game.order import is_last_round
from farkle.game.standing import must_pass
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again, offered
from farkle.odds.game.answers import WinOdds
from farkle.odds.turn.mean import best_turn
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet

EXACT = "best"
"""The kind of bot that goes by its chance to win."""


@dataclass(frozen=True)
class BotMove:
    """The dice to keep and their points, and whether to bank then; no dice if they are kept already."""

    dice: Faces
    points: int
    bank: bool


@dataclass(frozen=True)
class Worth:
    """What a move is worth to a bot if it banks, and if it throws on; -inf where the rules refuse it."""

    move: tuple[Faces, int]
    bank: float
    throw: float

    @property
    def best(self) -> float:
        """The worth of the better of both."""
        return max(self.bank, self.throw)


WinChoices = Callable[[GameState], WinOdds | None]
"""Returns what each choice of a game is worth in chances to win; None where that is not known."""


def decide(state: TableState, chance: random.Random, choices: WinChoices = nothing) -> BotMove:
    """Return what the bot to move does with its roll, or with the dice that it has kept."""
    bot, game = state.current.bot, state.current.game
    assert bot is not None
    if bot.kind == EXACT and (odds := choices(game)) is not None and (exact := _by_chances(game, odds)) is not None:
        return exact
    lean, noise = _manner(bot)
    found = worths(game, lean)
    best = max(found, key=lambda each: each.best)
    dice, points = best.move
    return BotMove(dice, points, _banks(best, noise and noise * long_run(game.rules).mean, chance))


def answer(state: TableState, choices: WinChoices = nothing) -> str:
    """Return the answer of the bot to move to the open question about a choice: the one after which it stands best."""
    bot, question = state.current.bot, state.question
    assert bot is not None
    assert question is not None
    lean, _ = _manner(bot)
    side = state.current.game.side_to_move
    odds = choices(state.current.game) if bot.kind == EXACT else None
    if odds is not None and odds.fresh is not None:
        return question.answers[0 if odds.best == "piggyback" else 1].id
    if odds is not None and odds.choices:
        best = max(odds.choices, key=lambda each: each.worth)
        if best.choice is not None:
            swaps = [each.id for each in question.answers if each.id.startswith("swap")]
            return swaps[0] if best.choice == "swap" and swaps else question.answers[0].id

    def stands(key: str) -> float:
        after = step(state, Answer(key), 0.0).state.current
        return _standing(after.game, side, lean, after.chosen.dice if after.chosen else None)

    return max((option.id for option in question.answers), key=stands)


def worths(game: GameState, lean: float) -> list[Worth]:
    """Return what each move is worth in points, for a bot that overrates a throw by `lean`."""
    if game.phase is Phase.KEPT:
        return [_worth(game, (), ((), 0), lean)]
    return [_worth(game, (Keep(each.dice, each.points),), (each.dice, each.points), lean) for each in offered(game)]


def throw_worth(rules: RuleSet, dice: int, points: int) -> float:
    """Return what throwing `dice` dice with `points` at risk banks in the long run."""
    best = long_run(rules)
    at, last = points / best.listing.terms.step, best.throw.shape[1] - 1
    beyond = max(0.0, at - last) * (1.0 - best.listing.farkle[dice])
    return float(best.listing.terms.step * (np.interp(at, np.arange(last + 1), best.throw[dice]) + beyond))


long_run = lru_cache(maxsize=8)(best_turn)
"""Returns the turn that banks most in the long run; those of a few rule sets are remembered."""


def _manner(bot: BotSeated) -> tuple[float, float]:
    """Return by how much the bot overrates a throw, and the spread of its decisions in mean turns."""
    parameters: Mapping[str, float] = dict(bot.parameters)
    return parameters.get("lean", 1.0), parameters.get("spread", 0.0)


def _banks(worth: Worth, spread: float, chance: random.Random) -> bool:
    if -inf in (worth.bank, worth.throw) or inf in (worth.bank, worth.throw) or not spread:
        return worth.bank >= worth.throw
    return chance.random() < banking_chance(worth.bank - worth.throw, spread)


def banking_chance(lead: float, spread: float) -> float:
    """Return the chance to bank if banking is worth `lead` points more than throwing; a logistic curve."""
    return 1.0 / (1.0 + exp(max(-700.0, min(700.0, -lead / spread))))


def _worth(game: GameState, keeping: tuple[Command, ...], move: tuple[Faces, int], lean: float) -> Worth:
    side = game.side_to_move
    kept = course_of(game, *keeping).state
    throw = lean * throw_worth(game.rules, kept.turn.dice_left, kept.turn.points) if may_throw_again(kept) else -inf
    try:
        after = course_of(kept, Bank()).state
    except FarkleError:
        return Worth(move, -inf, throw)
    return Worth(move, _bank_worth(kept, after, side), throw)


def _bank_worth(kept: GameState, after: GameState, side: int) -> float:
    """Return what a bank is worth: everything if it wins or reaches the target, nothing if the game is lost by it."""
    if after.over:
        return inf if side in after.winners or after.loser not in (None, side) else -1.0
    gained: int = after.sides[side].score - kept.sides[side].score
    if is_last_round(kept):
        needed = max(other.score for other in kept.sides) + (must_pass(kept) is not None)
        return inf if after.sides[side].score >= needed and gained > 0 else -1.0
    goal = kept.rules.goal
    if goal and after.sides[side].score >= goal and not kept.rules.lower_score_can_win:
        return inf
    return gained


def _standing(game: GameState, side: int, lean: float, chosen: Faces | None) -> float:
    """Return by how much a side is ahead of the best other one, with the points that its turn is worth."""
    if game.over:
        return inf if side in game.winners else -inf
    ahead = game.sides[side].score - max(
        (each.score for index, each in enumerate(game.sides) if index != side), default=0
    )
    if game.side_to_move != side:
        return ahead
    if game.phase is Phase.TO_THROW:
        return ahead + throw_worth(game.rules, game.turn.dice_left, game.turn.points)
    found = worths(game, lean)
    fitting = [each for each in found if chosen is None or sorted(each.move[0]) == sorted(chosen)] or found
    return ahead + max(each.best for each in fitting)


def _by_chances(game: GameState, odds: WinOdds) -> BotMove | None:
    """Return the move with the best chance to win, or None where the odds name none that is legal now."""
    if game.phase is Phase.KEPT:
        return None if odds.best is None else BotMove((), 0, odds.best == "bank")
    points = {tuple(sorted(each.dice)): each for each in offered(game)}
    usable = [each for each in odds.choices or () if each.choice != "swap" and tuple(sorted(each.dice)) in points]
    if not usable:
        return None
    best = max(usable, key=lambda each: each.worth)
    selection = points[tuple(sorted(best.dice))]
    return BotMove(selection.dice, best.points, best.bank is not None and best.bank >= (best.throw or 0.0))
