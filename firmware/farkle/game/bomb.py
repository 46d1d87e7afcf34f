"""The Bomb: six of a kind of the bonus scores, that may be swapped for the leader's peg."""

from farkle.game.state import GameState
from farkle.rules.combinations import NAMES
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet


def bomb_of(rules: RuleSet, dice: Faces, points: int) -> int | None:
    """The points of a Bomb that was kept; None where these dice are no Bomb, or are given a lower total."""
    switches = rules.switches
    if not switches.bonus_scores or switches.bomb_swap == "off":
        return None
    whole = tuple(sorted(dice))
    for each in rules.table.combinations:
        if each.dice == whole and each.name == NAMES[6] and each.points == points:
            return points
    return None


def swap_partners(state: GameState) -> tuple[int, ...]:
    """The sides that the side to move may swap with: the furthest of the others, where it is further than its own."""
    own = state.side_to_move
    others = [side for side in range(len(state.sides)) if side != own and state.competes(side)]
    others = [side for side in others if not state.sides[side].out]
    best = max((state.sides[side].score for side in others), default=None)
    if best is None or best <= state.sides[own].score:
        return ()
    return tuple(side for side in others if state.sides[side].score == best)
