"""The odds of a game under way: each side's chance to win, and what each choice of the player to move is worth."""

from pathlib import Path

from companion.odds.kept_tables import Share, table_of
from farkle import Game
from farkle.game.state import GameState, Phase
from farkle.odds.duel import OddsError
from farkle.odds.moments import chances_of, odds_of
from farkle.odds.several import MOST_SIDES
from farkle.odds.win_odds import WinOdds
from farkle.rules.ruleset import RuleSet


class GameOdds:
    """The odds of the games of one rule set.

    Opening it may take minutes, where its game was never solved before.

    Args:
        rules: the rule set, with the settings of the game.
        sides: the number of sides, 2 to 12; another raises `OddsError`.
        folder: where solved games are kept.
        share: is told how much is done while the game is solved.
        partners: the players of each side; games of more than two sides count as those of single players.
    """

    def __init__(
        self, rules: RuleSet, sides: int, folder: Path, share: Share | None = None, *, partners: int = 1
    ) -> None:
        if not 2 <= sides <= MOST_SIDES:
            raise OddsError(f"expected a game of 2 to {MOST_SIDES} sides, got {sides}")
        self._sides = sides
        self._table = table_of(rules, folder, share, partners=partners if sides == 2 else 1)

    @property
    def exact(self) -> bool:
        """Whether the chances are those of the game itself; `choices` says it for one moment."""
        return self._sides == 2 and self._table.duel.exact

    def chances(self, game: Game | GameState) -> tuple[float, ...]:
        """Return the chance to win of each side at this moment, in the order of the game's sides.

        They make one in sum; sides that share a win have equal parts, and so have all while they throw for the first
        turn.

        Raises:
            OddsError: if there are none: nobody wins a game that was called off.
        """
        state = game if isinstance(game, GameState) else game.state
        found = [0.0] * len(state.sides)
        if state.over:
            if not state.winners:
                raise OddsError("expected a game with a winner, got one that was called off")
            for side in state.winners:
                found[side] = 1.0 / len(state.winners)
            return tuple(found)
        if state.phase is Phase.STARTING:
            for side in state.in_play():
                found[side] = 1.0 / len(state.in_play())
            return tuple(found)
        for side, chance in chances_of(self._table, state).items():
            found[side] = chance
        return tuple(found)

    def choices(self, game: Game | GameState) -> WinOdds:
        """Return what the choices of the player to move are worth.

        Raises:
            OddsError: if no turn is under way or to begin.
        """
        state = game if isinstance(game, GameState) else game.state
        if state.phase in (Phase.OVER, Phase.STARTING):
            raise OddsError(f"expected a turn, got a game that is {state.phase}")
        return odds_of(self._table, state)
