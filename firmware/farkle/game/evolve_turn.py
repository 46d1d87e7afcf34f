"""The turn under way after an event: throws, kept dice and choices."""

from dataclasses import replace

from farkle.game import events as ev
from farkle.game.state import GameState, Hot, Phase, Turn


def taken_over(state: GameState, event: ev.PiggybackTaken) -> GameState:
    """Begin the turn with the dice and points that the player before left."""
    locked = state.left_over.locked if state.left_over else ()
    return replace(state, begun=True, left_over=None, turn=Turn(event.points, event.dice, locked=locked, begun=True))


def chosen(state: GameState, event: ev.ChoiceMade) -> GameState:
    """Close a choice by its default option."""
    match event.kind:
        case "piggyback":
            return replace(state, begun=True, left_over=None, turn=replace(state.turn, begun=True))
        case "bomb":
            return replace(state, turn=replace(state.turn, bomb=None))
        case _:
            return replace(state, turn=replace(state.turn, ones=0, ones_points=0))


def rolled(state: GameState, event: ev.DiceRolled) -> GameState:
    """Set the last throw; a throw of all dice begins another set of dice."""
    turn = state.turn
    if turn.counted:  # the dice are seen again: these are the turn's
        turn = replace(turn, counted=False, dice_left=len(event.faces))
    fresh = turn.dice_left == state.rules.n_dice
    forget = fresh and state.rules.switches.vant_hof_scope == "dice_set"
    turn = replace(
        turn,
        roll=event.faces,
        locked=() if fresh else turn.locked,
        throws=turn.throws + 1,
        set_throws=1 if fresh else turn.set_throws + 1,
        paid=False,
        hot=Hot.NO,
        bomb=None,
        ones=0 if forget else turn.ones,
        ones_points=0 if forget else turn.ones_points,
    )
    return replace(state, phase=Phase.CHOOSING, turn=turn, begun=True, left_over=None)


def nobody_lost(state: GameState, event: ev.NobodyLost) -> GameState:
    """Add the points of a throw without scoring dice; all dice may be thrown again."""
    turn = replace(state.turn, points=state.turn.points + event.points, paid=True)
    return replace(state, phase=Phase.KEPT, turn=turn)


def kept(state: GameState, event: ev.DiceKept) -> GameState:
    """Lock the kept dice and add their points."""
    turn, rules = state.turn, state.rules
    left = turn.dice_left - len(event.dice)
    ones, ones_points = rules.table.count_ones(event.dice, event.points) if rules.switches.vant_hof_6 else (0, 0)
    hot = Hot.NO if left else Hot.SINGLE_THROW if len(event.dice) == rules.n_dice else Hot.SEVERAL_THROWS
    turn = replace(
        turn,
        points=turn.points + event.points,
        dice_left=left or rules.n_dice,
        locked=(*turn.locked, *event.dice),
        hot=hot,
        ones=turn.ones + ones,
        ones_points=turn.ones_points + ones_points,
        bomb=event.points if rules.is_bomb(event.dice) else None,
    )
    return replace(state, phase=Phase.KEPT, turn=turn)


def swapped(state: GameState, event: ev.PegsSwapped) -> GameState:
    """Exchange the scores of two sides for a Bomb."""
    turn = state.turn
    turn = replace(turn, points=turn.points - event.forgone, bomb=None, swaps=(*turn.swaps, (event.side, event.other)))
    return replace(swap_undone(state, event), turn=turn)


def swap_undone(state: GameState, event: ev.SwapUndone | ev.PegsSwapped) -> GameState:
    """Exchange the scores of two sides."""
    ours, theirs = state.sides[event.side].score, state.sides[event.other].score
    return state.with_score(event.side, theirs).with_score(event.other, ours)


def points_counted(state: GameState, event: ev.PointsCounted) -> GameState:
    """Set the turn's points to those that the players counted; its dice are unknown."""
    turn = Turn(event.points, state.rules.n_dice, throws=state.turn.throws + 1, swaps=state.turn.swaps, counted=True)
    return replace(state, phase=Phase.KEPT, turn=turn, begun=True, left_over=None)


def vant_hof(state: GameState, event: ev.VantHofTaken) -> GameState:
    """Score six 1s by Van't Hof's six."""
    points = state.turn.points + event.points - event.forgone
    return replace(state, turn=replace(state.turn, points=points, ones=0, ones_points=0))
