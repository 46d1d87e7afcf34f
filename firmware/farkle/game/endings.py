"""What follows a finished turn: the next player, the final round, an extra round, or the end of the game."""

from collections.abc import Callable, Mapping

from farkle.game import events as ev
from farkle.game.evolve import Course
from farkle.game.order import coming, last_turns, next_player, next_round
from farkle.game.standing import leaders
from farkle.game.state import GameState, Phase


def finish_turn(course: Course) -> None:
    """Pass the turn to the next player, or end the game."""
    if check_target(course):
        return
    state = course.state
    player = next_player(state)
    if player is None:
        _finish(course)
        return
    if state.rules.ending == "rounds" and not coming(state) and next_round(state) == state.rules.switches.rounds:
        course.add(ev.LastRoundBegan())
    course.add(ev.TurnPassed(player))


def check_target(course: Course) -> bool:
    """Add which sides reached the target or left the board; return whether that ends the game at once."""
    return ENDINGS[course.state.rules.ending](course)


def win_at_once(course: Course) -> None:
    """End the game for the player to move, who has thrown six 1s."""
    course.add(ev.SixOnesThrown(course.state.to_move), ev.GameEnded((course.state.side_to_move,)))


def _reached(state: GameState) -> list[int]:
    """Return the sides in play that have reached the target."""
    return [side for side in state.in_play() if state.sides[side].score >= state.rules.switches.target]


def _off_the_board(course: Course) -> bool:
    course.add(*(ev.SideOut(side) for side in _reached(course.state)))
    return _one_is_left(course)


def _final_round(course: Course) -> bool:
    """Begin the final round if a side has reached the target."""
    if _one_is_left(course):
        return True
    state = course.state
    reached = _reached(state)
    if not reached or state.closer is not None:
        return False
    closer = state.to_move if state.side_to_move in reached else state.sides[reached[0]].players[0]
    between = state.phase is Phase.TO_THROW and state.rules.switches.endgame != "immediate"
    if not last_turns(state, closer) and not between:
        course.add(ev.GameEnded(leaders(state)))
        return True
    course.add(ev.FinalRoundBegan(closer))
    return False


def _defended(course: Course) -> bool:
    """Begin the final round, or give the lead in it to a side that has passed the leader."""
    if course.state.extra:
        return _one_is_left(course)
    call_off(course)
    if course.state.closer is None:
        return _final_round(course)
    if _one_is_left(course):
        return True
    state = course.state
    best = leaders(state)
    if _closing_side(state) not in best:
        side = state.side_to_move if state.side_to_move in best else best[0]
        players = (state.to_move, *state.sides[side].players)
        player = next(each for each in players if state.side_of(each) == side and state.plays(each))
        course.add(ev.LeadTaken(player, state.sides[side].score))
    return False


def call_off(course: Course) -> None:
    """Call the final round off if no side has reached the target any more."""
    state = course.state
    target = state.rules.switches.target
    reached = (state.sides[side].score >= target for side in range(len(state.sides)) if state.competes(side))
    if state.closer is not None and not any(reached):
        course.add(ev.FinalRoundCalledOff())


def _one_is_left(course: Course) -> bool:
    """End a game that has one side left, which is the loser if the rules look for one, and else the winner."""
    state = course.state
    left = state.in_play()
    if len(left) > 1 or (len(state.sides) == 1 and left):
        return False
    off = sorted((side for side in range(len(state.sides)) if state.sides[side].out), key=lambda s: state.sides[s].out)
    if state.rules.switches.find_loser and off and left:
        course.add(ev.GameEnded((off[0],), left[0]))
    else:
        course.add(ev.GameEnded((*off[:1], *left)[:1]))
    return True


def _finish(course: Course) -> None:
    state = course.state
    best = leaders(state)
    if len(best) > 1 and state.rules.switches.tie == "trigger" and _closing_side(state) in best:
        best = (_closing_side(state),)
    if len(best) > 1 and state.rules.switches.tie == "extra_round":
        course.add(ev.ExtraRoundBegan(best))
        course.add(ev.TurnPassed(coming(course.state)[0]))
    else:
        course.add(ev.GameEnded(best))


def _closing_side(state: GameState) -> int:
    return -1 if state.closer is None else state.side_of(state.closer)


ENDINGS: Mapping[str, Callable[[Course], bool]] = {
    "find_loser": _off_the_board,
    "rounds": _one_is_left,
    "finish_round": _final_round,
    "one_more_turn": _final_round,
    "immediate": _final_round,
    "defend": _defended,
}
"""The slot `ending`: what a new score does to the game, by `RuleSet.ending`; true if it ends the game at once."""
