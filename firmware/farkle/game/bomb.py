"""The Bomb: six of a kind of the bonus scores, that may be swapped for the leader's peg."""

from farkle.game.state import GameState
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet


def bomb_of(rules: RuleSet, dice: Faces, points: int) -> int | None:
    """The points that a Bomb was kept for, which a swap forgoes; None where these dice are no Bomb."""
    switches = rules.switches
    swaps = switches.bonus_scores and switches.bomb_swap != "off"
    return points if swaps and len(dice) == 6 and len(set(dice)) == 1 else None


def swap_partners(state: GameState) -> tuple[int, ...]:
    """The sides that the side to move may swap with: the furthest of the others, where it is further than its own."""
    own = state.side_to_move
    others = [side for side in range(len(state.sides)) if side != own and state.competes(side)]
    others = [side for side in others if not state.sides[side].out]
    best = max((state.sides[side].score for side in others), default=None)
    if best is None or best <= state.sides[own].score:
        return ()
    return tuple(side for side in others if state.sides[side].score == best)
