"""Rolls that are looked at longer, for much is lost where one is misread: a farkle, a Bomb, one that may win."""

from functools import lru_cache
from itertools import combinations_with_replacement

from companion.table.selection import proposal, throwable
from companion.table.starting import thrower
from companion.table.state import TableState
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import legal_selections


def grave_rolls(state: TableState) -> tuple[Faces, ...]:
    """The rolls, faces in rising order, of the dice that may be thrown next after which turn or game may end."""
    game = state.game
    if game is None or game.over or thrower(state) is not None:
        return ()
    kept = proposal(state)
    ahead = game.sides[game.side_to_move].score + game.turn.points + (kept.points if kept else 0)
    return tuple(
        roll
        for count in throwable(state)
        for roll, points, bomb in _rolls(game.rules, count)
        if points == 0 or bomb or ahead + points >= game.rules.switches.target
    )


@lru_cache(maxsize=32)
def _rolls(rules: RuleSet, count: int) -> tuple[tuple[Faces, int, bool], ...]:
    """Every roll of so many dice with the most points that may be kept of it, 0 for a farkle; and whether that may be
    a Bomb."""
    found = []
    for roll in combinations_with_replacement(range(1, 7), count):
        kept = legal_selections(rules, roll)
        most = max((each.points for each in kept), default=0)
        found.append((roll, most, any(rules.is_bomb(each.dice) for each in kept)))
    return tuple(found)
