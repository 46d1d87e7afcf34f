"""The bot that plays like the people of this table: fitted to when they banked and when they threw on.

A person banks with the chance `1 / (1 + exp(-(points - lean * throw) / spread))`, a logistic curve. `points` are those
at risk, `throw` is what throwing is worth in the long run, and `spread` says how sharply the person decides, all in
mean turns. `lean` and `spread` are those under which the decisions are the likeliest, found by Newton's method.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.games.stores import GameStore
from companion.storage.rows import acts_of
from companion.table.state.bots import BotKind
from companion.table.state.history import Act, history_of
from farkle.game.commands import Bank
from farkle.game.events import DiceRolled, Event, Farkled, TurnBanked
from farkle.game.evolve import fold
from farkle.game.machine import can
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again
from farkle.rules.ruleset import RuleSet

HUMAN = "human"
"""The kind of the bot."""

FEWEST_TURNS = 200
"""The turns of people from which on there is such a bot."""

MOST_TURNS = 2000
"""The newest turns that are looked at."""

_TURN_ENDS = (TurnBanked.__name__, Farkled.__name__)
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
    turns = 0
    newest = sorted(games.games(), reverse=True)
    rows = []
    for number in newest:  # the turns of bots count here, too, so that few games are folded in vain
        rows.append(games.rows(number))
        turns += sum(row.kind in _TURN_ENDS for row in rows[-1])
        if turns >= 2 * MOST_TURNS:
            break
    if turns < FEWEST_TURNS:
        return None
    turns = 0
    for each in rows:
        decisions, ended = decisions_of(acts_of(each))
        found.extend(decisions)
        turns += ended
        if turns >= MOST_TURNS:
            break
    return fitted(found) if turns >= FEWEST_TURNS else None


def decisions_of(acts: Sequence[Act]) -> tuple[list[BankDecision], int]:
    """Return the decisions of people in a game, and the number of their turns that have ended."""
    history = history_of(acts)
    bots = {bot.player for bot in history[-1].bots}
    found: list[BankDecision] = []
    turns = 0
    state: GameState | None = None
    for event in (event for each in history for event in each.act.game_events):
        if state is not None and state.to_move not in bots and not state.over:
            turns += isinstance(event, TurnBanked | Farkled)
            found.extend(_decision(state, event))
        state = fold((event,), state)
    return found, turns


def _decision(state: GameState, event: Event) -> Iterable[BankDecision]:
    """Yield the decision that an event carries out, if both choices were open."""
    turn = state.turn
    if state.phase is not Phase.KEPT or turn.counted or not isinstance(event, TurnBanked | DiceRolled):
        return
    if may_throw_again(state) and can(state, Bank()):
        yield BankDecision(state.rules, turn.points, turn.dice_left, isinstance(event, TurnBanked))


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
