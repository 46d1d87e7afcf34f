"""The bot that plays like the people of this table: fitted to when they banked and when they threw on.

A person banks with the chance `1 / (1 + exp(-(points - lean * throw) / spread))`, a logistic curve. `points` are those
at risk, `throw` is what throwing is worth in the long run, and `spread` says how sharply the person decides, all in
mean turns. `lean` and `spread` are those under which the decisions are the likeliest, found by Newton's method.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.stores import GameStore
from companion.storage.rows import acts_of
from companion.table.state.bots import BotKind
from companion.table.state.history import Act, history_of
from farkle.game.commands import Bank, Roll
from farkle.game.events import Farkled, TurnBanked
from farkle.game.machine import can
from farkle.game.state import Phase
from farkle.game.turn import may_throw_again
from farkle.review.moves import GameMove, moves_of
from farkle.rules.ruleset import RuleSet

HUMAN = "human"
"""The kind of the bot."""

FEWEST_TURNS = 200
"""The turns of people from which on there is such a bot."""

MOST_TURNS = 2000
"""The newest turns of people that are looked at; of all players twice as many."""

_PRIOR = 1e-3  # keeps the numbers finite where every decision follows one rule
_ROUNDS = 60
_LARGEST = 40.0


@dataclass(frozen=True)
class BankDecision:
    """One decision of a person: with these points at risk and dice left the turn was banked, or thrown on."""

    rules: RuleSet
    points: int
    dice: int
    banked: bool


def human_kind(games: GameStore) -> BotKind | None:
    """Return the bot that plays like the people of these games, or None if they have played too few turns."""
    found: list[BankDecision] = []
    turns = looked_at = 0
    for number in sorted(games.games(), reverse=True):
        decisions, ended, with_bots = decisions_of(acts_of(games.rows(number)))
        found.extend(decisions)
        turns, looked_at = turns + ended, looked_at + with_bots
        if turns >= MOST_TURNS or looked_at >= 2 * MOST_TURNS:
            break
    return fitted(found) if turns >= FEWEST_TURNS else None


def decisions_of(acts: Sequence[Act]) -> tuple[list[BankDecision], int, int]:
    """Return the decisions of people in a game, and how many turns of theirs, and of all players, have ended."""
    history = history_of(acts)
    bots = {bot.player for bot in history[-1].bots}
    _, moves = moves_of(event for each in history for event in each.act.game_events)
    people = [move for move in moves if move.before.to_move not in bots]
    return list(filter(None, map(_decision, people))), _ended(people), _ended(moves)


def _ended(moves: Sequence[GameMove]) -> int:
    return sum(isinstance(event, TurnBanked | Farkled) for move in moves for event in move.events)


def _decision(move: GameMove) -> BankDecision | None:
    """Return the decision that a move carries out, or None if only one choice was open."""
    state = move.before
    kept = state.phase is Phase.KEPT and not state.turn.counted and isinstance(move.command, Bank | Roll)
    if not (kept and may_throw_again(state) and can(state, Bank())):
        return None
    return BankDecision(state.rules, state.turn.points, state.turn.dice_left, isinstance(move.command, Bank))


def fitted(decisions: Sequence[BankDecision]) -> BotKind | None:
    """Return the bot that decides as in these decisions, or None if they follow no such curve."""
    import numpy as np

    from companion.opponents.decisions import long_run, throw_worth  # with numpy, which few tables need

    def measured(each: BankDecision) -> tuple[float, float]:
        mean = long_run(each.rules).mean
        return each.points / mean, -throw_worth(each.rules, each.dice, each.points) / mean

    worth = np.array([measured(each) for each in decisions]).reshape(-1, 2)
    banked = np.array([each.banked for each in decisions], dtype=float)
    weights = np.ones(2)
    for _ in range(_ROUNDS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(worth @ weights, -_LARGEST, _LARGEST)))
        slope = worth.T @ (banked - chance) - _PRIOR * weights
        curve = (worth.T * (chance * (1.0 - chance))) @ worth + _PRIOR * np.eye(2)
        step = np.linalg.solve(curve, slope)
        weights += step * min(1.0, 4.0 / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    banks, throws = map(float, weights)
    if banks <= 0.0 or throws <= 0.0:
        return None
    return BotKind(HUMAN, (("lean", round(throws / banks, 4)), ("spread", round(1.0 / banks, 4))))
