"""What follows a finished turn: the next player, the final round, an extra round, or the end of the game."""

from farkle.game.events import ExtraRoundBegan, FinalRoundBegan, FinalRoundCalledOff, GameEnded, SideOut, TurnPassed
from farkle.game.evolve import Course
from farkle.game.order import coming, last_turns, next_player
from farkle.game.standing import leaders
from farkle.game.state import GameState, Phase


def finish_turn(course: Course) -> None:
    """Pass the turn to the next player, or end the game."""
    if check_target(course):
        return
    player = next_player(course.state)
    if player is not None:
        course.add(TurnPassed(player))
    else:
        _finish(course)


def check_target(course: Course) -> bool:
    """Add which sides reached the target or left the board; return whether that ends the game at once."""
    state = course.state
    target = state.rules.switches.target
    reached = [side for side in state.in_play() if state.sides[side].score >= target]
    if state.rules.switches.find_loser:
        course.add(*(SideOut(side) for side in reached))
        return _one_is_left(course)
    if _one_is_left(course):
        return True
    if not reached or state.closer is not None:
        return False
    closer = state.to_move if state.side_to_move in reached else state.sides[reached[0]].players[0]
    between = state.phase is Phase.TO_THROW and state.rules.switches.endgame != "immediate"
    if not last_turns(state, closer) and not between:
        course.add(GameEnded(leaders(state)))
        return True
    course.add(FinalRoundBegan(closer))
    return False


def call_off(course: Course) -> None:
    """Call the final round off if no side has reached the target any more."""
    state = course.state
    target = state.rules.switches.target
    reached = (state.sides[side].score >= target for side in range(len(state.sides)) if state.competes(side))
    if state.closer is not None and not any(reached):
        course.add(FinalRoundCalledOff())


def _one_is_left(course: Course) -> bool:
    """End a game that has one side left, which is the loser if the rules look for one, and else the winner."""
    state = course.state
    left = state.in_play()
    if len(left) > 1 or (len(state.sides) == 1 and left):
        return False
    off = sorted((side for side in range(len(state.sides)) if state.sides[side].out), key=lambda s: state.sides[s].out)
    if state.rules.switches.find_loser and off and left:
        course.add(GameEnded((off[0],), left[0]))
    else:
        course.add(GameEnded((*off[:1], *left)[:1]))
    return True


def _finish(course: Course) -> None:
    state = course.state
    best = leaders(state)
    if len(best) > 1 and state.rules.switches.tie == "trigger" and _closing_side(state) in best:
        best = (_closing_side(state),)
    if len(best) > 1 and state.rules.switches.tie == "extra_round":
        course.add(ExtraRoundBegan(best))
        course.add(TurnPassed(coming(course.state)[0]))
    else:
        course.add(GameEnded(best))


def _closing_side(state: GameState) -> int:
    return -1 if state.closer is None else state.side_of(state.closer)
