"""The state after an event, and the course of events that a command causes. Decides nothing itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from farkle.errors import IllegalMoveError
from farkle.game import events as ev
from farkle.game import order
from farkle.game.state import GameState, Hot, LeftOver, Phase, Seat, Side, Turn
from farkle.rules.catalogue import find_rule_set
from farkle.rules.document import rule_set_of


def evolve(state: GameState | None, event: ev.Event) -> GameState:
    """Return the state after one event.

    Raises:
        IllegalMoveError: if the first event of a game is not `GameStarted`.
    """
    if isinstance(event, ev.GameStarted):
        return _started(event)
    if state is None:
        raise IllegalMoveError(f"expected GameStarted as the first event, got {type(event).__name__}")
    return _EVOLVE[type(event)](state, event)


def fold(events: Iterable[ev.Event], state: GameState | None = None) -> GameState:
    """Return the state after all events, from the start of a game or on top of `state`.

    Raises:
        IllegalMoveError: if there is neither an event nor a state.
    """
    made = reduce(evolve, events, state)
    if made is None:
        raise IllegalMoveError("expected at least the start of a game, got no event")
    return made


class Course:
    """The events of one or more commands, and the state after them. Each event is folded before the next is decided."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self.events: list[ev.Event] = []

    def add(self, *events: ev.Event) -> None:
        """Append events and fold them into the state."""
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)


def _started(event: ev.GameStarted) -> GameState:
    base = rule_set_of(event.definition) if event.definition else find_rule_set(event.rules)
    rules = base.with_settings(dict(event.settings))
    state = GameState(
        rules=rules,
        players=event.players,
        sides=tuple(Side(players) for players in event.sides),
        seats=(Seat(),) * len(event.players),
        teams=event.teams,
        first=event.first,
        to_move=event.first,
        turn=Turn(dice_left=rules.n_dice),
    )
    return replace(state, to_come=order.seats_from(state, event.first)[1:])


def _standing(state: GameState, event: ev.StandingGiven) -> GameState:
    sides = tuple(
        replace(side, score=score, out=event.out.index(index) + 1 if index in event.out else 0)
        for index, (side, score) in enumerate(zip(state.sides, event.scores, strict=True))
    )
    seats = tuple(map(Seat, event.farkles, event.on_board))
    left_over = LeftOver(event.points_left, event.dice_left) if event.dice_left else None
    return order.standing_given(replace(state, sides=sides, seats=seats, left_over=left_over), event)


def _start_thrown(state: GameState, event: ev.StartThrown) -> GameState:
    among = state.start_among or state.playing()
    throws = (*state.start_throws, (event.player, event.faces))
    return replace(state, phase=Phase.STARTING, start_among=among, start_throws=throws)


def _taken_over(state: GameState, event: ev.PiggybackTaken) -> GameState:
    """Begin the turn with the dice and points that the player before left."""
    locked = state.left_over.locked if state.left_over else ()
    return replace(state, begun=True, left_over=None, turn=Turn(event.points, event.dice, locked=locked, begun=True))


def _chosen(state: GameState, event: ev.ChoiceMade) -> GameState:
    """Close a choice by its default option."""
    match event.kind:
        case "piggyback":
            return replace(state, begun=True, left_over=None, turn=replace(state.turn, begun=True))
        case "bomb":
            return replace(state, turn=replace(state.turn, bomb=None))
        case _:
            return replace(state, turn=replace(state.turn, ones=0, ones_points=0))


def _rolled(state: GameState, event: ev.DiceRolled) -> GameState:
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


def _nobody_lost(state: GameState, event: ev.NobodyLost) -> GameState:
    """Add the points of a throw without scoring dice; all dice may be thrown again."""
    turn = replace(state.turn, points=state.turn.points + event.points, paid=True)
    return replace(state, phase=Phase.KEPT, turn=turn)


def _kept(state: GameState, event: ev.DiceKept) -> GameState:
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


def _swapped(state: GameState, event: ev.PegsSwapped) -> GameState:
    """Exchange the scores of two sides for a Bomb."""
    turn = state.turn
    turn = replace(turn, points=turn.points - event.forgone, bomb=None, swaps=(*turn.swaps, (event.side, event.other)))
    return replace(_swap_undone(state, event), turn=turn)


def _swap_undone(state: GameState, event: ev.SwapUndone | ev.PegsSwapped) -> GameState:
    """Exchange the scores of two sides."""
    ours, theirs = state.sides[event.side].score, state.sides[event.other].score
    return state.with_score(event.side, theirs).with_score(event.other, ours)


def _points_counted(state: GameState, event: ev.PointsCounted) -> GameState:
    """Set the turn's points to those that the players counted; its dice are unknown."""
    turn = Turn(event.points, state.rules.n_dice, throws=state.turn.throws + 1, swaps=state.turn.swaps, counted=True)
    return replace(state, phase=Phase.KEPT, turn=turn, begun=True, left_over=None)


def _vant_hof(state: GameState, event: ev.VantHofTaken) -> GameState:
    """Score six 1s by Van't Hof's six."""
    points = state.turn.points + event.points - event.forgone
    return replace(state, turn=replace(state.turn, points=points, ones=0, ones_points=0))


def _penalty(state: GameState, event: ev.PenaltyPaid) -> GameState:
    after = state.with_score(state.side_of(event.player), event.score)
    if state.rules.switches.farkle_streak_reset == "never":
        return after
    return after.with_seats(state.counted_with(event.player), farkles=0)


def _banked(state: GameState, event: ev.TurnBanked) -> GameState:
    after = state.with_score(state.side_of(event.player), event.score)
    together = state.counted_with(event.player)
    after = after.with_seats(together, farkles=0)
    if event.points or state.turn.swaps:
        after = after.with_seats(together, on_board=True)
    return replace(after, left_over=_left_over(state, event.points) if event.points else None)


def _left_over(state: GameState, points: int) -> LeftOver | None:
    """Return the points and the dice that the next player may take over."""
    switches, turn = state.rules.switches, state.turn
    if (
        not switches.piggyback
        or turn.counted
        or order.is_one_throw(state)
        or (turn.dice_left == state.rules.n_dice and not switches.piggyback_hot)
    ):
        return None
    return LeftOver(points, turn.dice_left, turn.locked if turn.dice_left < state.rules.n_dice else ())


def _side_out(state: GameState, event: ev.SideOut) -> GameState:
    place = 1 + sum(side.out > 0 for side in state.sides)
    sides = [replace(side, out=place) if index == event.side else side for index, side in enumerate(state.sides)]
    return replace(state, sides=tuple(sides))


def _adjusted(state: GameState, event: ev.ScoreAdjusted) -> GameState:
    after = replace(state.with_score(event.side, event.score), begun=True)
    return after.with_seats(state.sides[event.side].players, on_board=True) if event.score > 0 else after


def _without_dice(state: GameState, _: ev.TurnSkipped | ev.FarkleCounted) -> GameState:
    """Record that the game has begun, and leave nothing to piggyback: the dice of this turn are unknown."""
    return replace(state, begun=True, left_over=None)


_EVOLVE: Mapping[type[ev.Event], Callable[[GameState, Any], GameState]] = {
    ev.StandingGiven: _standing,
    ev.StartThrown: _start_thrown,
    ev.StartTied: lambda state, event: replace(state, start_among=event.players, start_throws=()),
    ev.StarterFound: order.starter_found,
    ev.PiggybackTaken: _taken_over,
    ev.ChoiceMade: _chosen,
    ev.DiceRolled: _rolled,
    ev.NobodyLost: _nobody_lost,
    ev.DiceKept: _kept,
    ev.HotDiceMade: lambda state, _: state,  # `DiceKept` has set the state
    ev.PegsSwapped: _swapped,
    ev.SwapUndone: _swap_undone,
    ev.VantHofTaken: _vant_hof,
    ev.PointsCounted: _points_counted,
    ev.FarkleCounted: _without_dice,
    ev.Farkled: lambda state, event: state.with_seats(state.counted_with(event.player), farkles=event.in_a_row),
    ev.SixOnesThrown: lambda state, _: state,  # `GameEnded` follows
    ev.FarklePaid: lambda state, event: state.with_score(state.side_of(event.player), event.score),
    ev.PenaltyPaid: _penalty,
    ev.PlayerDisqualified: lambda state, event: state.with_seats((event.player,), disqualified=True),
    ev.TurnBanked: _banked,
    ev.PointsGiven: lambda state, event: state if event.side is None else state.with_score(event.side, event.score),
    ev.PegBumped: lambda state, event: state.with_score(event.side, event.score),
    ev.SideOut: _side_out,
    ev.FinalRoundBegan: order.final_round_began,
    ev.LastRoundBegan: lambda state, _: state,  # `TurnPassed` follows
    ev.LeadTaken: order.lead_taken,
    ev.FinalRoundCalledOff: order.final_round_called_off,
    ev.ExtraRoundBegan: order.extra_round_began,
    ev.TurnPassed: order.turn_passed,
    ev.GameEnded: lambda state, event: replace(state, phase=Phase.OVER, winners=event.winners, loser=event.loser),
    ev.GameCalledOff: lambda state, _: replace(state, phase=Phase.OVER),
    ev.ScoreAdjusted: _adjusted,
    ev.PlayerJoined: order.player_joined,
    ev.PlayerLeft: lambda state, event: replace(state.with_seats((event.player,), left=True), begun=True),
    ev.TurnSkipped: _without_dice,
    ev.TurnGiven: order.turn_given,
}
"""The state change of each kind of event."""
