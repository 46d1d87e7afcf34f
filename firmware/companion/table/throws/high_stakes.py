"""What the eye must know of the next throw: the allowed numbers of dice, and the rolls that need extra votes."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import inf

from companion.table.state.state import TableState
from companion.table.throws.selection import allowed_throws, turn_of
from farkle.game.order import is_last_round
from farkle.game.state import GameState
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections


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
