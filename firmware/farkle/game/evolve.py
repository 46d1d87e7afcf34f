"""The state after an event, and the course of events that a command causes. Decides nothing itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from farkle.errors import IllegalMoveError
from farkle.game import events as ev
from farkle.game import evolve_turn as turn
from farkle.game.order import (
    coming,
    is_one_throw,
    joined,
    last_turns,
    new_round,
    next_round,
    rest_of_round,
    seats_from,
)
from farkle.game.state import GameState, LeftOver, Phase, Seat, Side, Turn
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
    return replace(state, to_come=seats_from(state, event.first)[1:])


def _standing(state: GameState, event: ev.StandingGiven) -> GameState:
    sides = tuple(
        replace(side, score=score, out=event.out.index(index) + 1 if index in event.out else 0)
        for index, (side, score) in enumerate(zip(state.sides, event.scores, strict=True))
    )
    seats = tuple(map(Seat, event.farkles, event.on_board))
    state = replace(state, sides=sides, seats=seats, first=0, to_move=event.to_move, begun=True)
    state = replace(state, to_come=rest_of_round(state))
    if event.dice_left:
        state = replace(state, left_over=LeftOver(event.points_left, event.dice_left))
    if event.closer is None:
        return state
    order = seats_from(state, event.to_move)
    to_come = state.to_come
    ours = state.sides[state.side_of(event.closer)].players
    match state.rules.ending:
        case "one_more_turn":
            to_come = tuple(player for player in order[1 : order.index(event.closer)] if player not in ours)
        case "defend":  # until the turn comes back to the leading side
            to_come = order[1 : min(map(order.index, ours))]
    return replace(state, closer=event.closer, to_come=to_come, put_off=(event.to_move, *state.to_come))


def _start_thrown(state: GameState, event: ev.StartThrown) -> GameState:
    among = state.start_among or state.playing()
    throws = (*state.start_throws, (event.player, event.faces))
    return replace(state, phase=Phase.STARTING, start_among=among, start_throws=throws)


def _starter_found(state: GameState, event: ev.StarterFound) -> GameState:
    to_come = seats_from(state, event.player)[1:]
    begun = replace(state, phase=Phase.TO_THROW, first=event.player, to_move=event.player, to_come=to_come, begun=True)
    return replace(begun, start_among=(), start_throws=())


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
        or is_one_throw(state)
        or (turn.dice_left == state.rules.n_dice and not switches.piggyback_hot)
    ):
        return None
    return LeftOver(points, turn.dice_left, turn.locked if turn.dice_left < state.rules.n_dice else ())


def _points_given(state: GameState, event: ev.PointsGiven) -> GameState:
    return state if event.side is None else state.with_score(event.side, event.score)


def _side_out(state: GameState, event: ev.SideOut) -> GameState:
    place = 1 + sum(side.out > 0 for side in state.sides)
    sides = [replace(side, out=place) if index == event.side else side for index, side in enumerate(state.sides)]
    return replace(state, sides=tuple(sides))


def _final_round(state: GameState, event: ev.FinalRoundBegan) -> GameState:
    waiting = (state.to_move,) if state.phase is Phase.TO_THROW else ()
    last = last_turns(state, event.player)
    after = replace(state, closer=event.player, to_come=last, put_off=(*waiting, *state.to_come))
    return replace(after, left_over=None if is_one_throw(after) else after.left_over)


def _lead_taken(state: GameState, event: ev.LeadTaken) -> GameState:
    waiting = (state.to_move, *state.to_come) if state.phase is Phase.TO_THROW else state.to_come
    put_off = tuple(player for player in state.put_off if player in waiting)
    return replace(state, closer=event.player, to_come=last_turns(state, event.player), put_off=put_off)


def _called_off(state: GameState, _: ev.FinalRoundCalledOff) -> GameState:
    to_come = tuple(player for player in state.put_off if player in state.to_come)
    if state.to_move not in state.put_off:  # the turn under way belongs to the next round
        to_come = rest_of_round(state)
    return replace(state, closer=None, to_come=to_come, put_off=())


def _extra_round(state: GameState, event: ev.ExtraRoundBegan) -> GameState:
    tied = [player for player in seats_from(state, state.first) if state.side_of(player) in event.sides]
    return replace(state, extra=event.sides, to_come=tuple(tied))


def _passed(state: GameState, event: ev.TurnPassed) -> GameState:
    left = coming(state)
    early, number = state.early, state.round
    if event.player not in left:
        left, early, number = new_round(state), (), next_round(state)
    to_come = left[left.index(event.player) + 1 :] if event.player in left else ()
    others = len(state.in_play()) > 1
    return replace(
        state,
        phase=Phase.TO_THROW,
        to_move=event.player,
        to_come=to_come,
        early=early,
        round=number,
        turn=Turn(dice_left=state.rules.n_dice),
        left_over=state.left_over if others else None,
    )


def _adjusted(state: GameState, event: ev.ScoreAdjusted) -> GameState:
    after = replace(state.with_score(event.side, event.score), begun=True)
    return after.with_seats(state.sides[event.side].players, on_board=True) if event.score > 0 else after


def _joined(state: GameState, event: ev.PlayerJoined) -> GameState:
    seat = len(state.players)
    after = replace(
        state,
        players=(*state.players, event.name),
        sides=(*state.sides, Side((seat,))),
        seats=(*state.seats, Seat()),
    )
    return replace(after, to_come=joined(after, seat), begun=True)


def _left(state: GameState, event: ev.PlayerLeft) -> GameState:
    return replace(state.with_seats((event.player,), left=True), begun=True)


def _without_dice(state: GameState, _: ev.TurnSkipped | ev.FarkleCounted) -> GameState:
    """Record that the game has begun, and leave nothing to piggyback: the dice of this turn are unknown."""
    return replace(state, begun=True, left_over=None)


def _given(state: GameState, event: ev.TurnGiven) -> GameState:
    others = tuple(player for player in state.to_come if player != event.player)
    early = state.early if event.player in state.to_come else (*state.early, event.player)
    return replace(state, begun=True, to_move=event.player, to_come=(state.to_move, *others), early=early)


_EVOLVE: Mapping[type[ev.Event], Callable[[GameState, Any], GameState]] = {
    ev.StandingGiven: _standing,
    ev.StartThrown: _start_thrown,
    ev.StartTied: lambda state, event: replace(state, start_among=event.players, start_throws=()),
    ev.StarterFound: _starter_found,
    ev.PiggybackTaken: turn.taken_over,
    ev.ChoiceMade: turn.chosen,
    ev.DiceRolled: turn.rolled,
    ev.NobodyLost: turn.nobody_lost,
    ev.DiceKept: turn.kept,
    ev.HotDiceMade: lambda state, _: state,  # `DiceKept` has set the state
    ev.PegsSwapped: turn.swapped,
    ev.SwapUndone: turn.swap_undone,
    ev.VantHofTaken: turn.vant_hof,
    ev.PointsCounted: turn.points_counted,
    ev.FarkleCounted: _without_dice,
    ev.Farkled: lambda state, event: state.with_seats(state.counted_with(event.player), farkles=event.in_a_row),
    ev.SixOnesThrown: lambda state, _: state,  # `GameEnded` follows
    ev.FarklePaid: lambda state, event: state.with_score(state.side_of(event.player), event.score),
    ev.PenaltyPaid: _penalty,
    ev.PlayerDisqualified: lambda state, event: state.with_seats((event.player,), disqualified=True),
    ev.TurnBanked: _banked,
    ev.PointsGiven: _points_given,
    ev.PegBumped: lambda state, event: state.with_score(event.side, event.score),
    ev.SideOut: _side_out,
    ev.FinalRoundBegan: _final_round,
    ev.LastRoundBegan: lambda state, _: state,  # `TurnPassed` follows
    ev.LeadTaken: _lead_taken,
    ev.FinalRoundCalledOff: _called_off,
    ev.ExtraRoundBegan: _extra_round,
    ev.TurnPassed: _passed,
    ev.GameEnded: lambda state, event: replace(state, phase=Phase.OVER, winners=event.winners, loser=event.loser),
    ev.GameCalledOff: lambda state, _: replace(state, phase=Phase.OVER),
    ev.ScoreAdjusted: _adjusted,
    ev.PlayerJoined: _joined,
    ev.PlayerLeft: _left,
    ev.TurnSkipped: _without_dice,
    ev.TurnGiven: _given,
}
"""The state change of each kind of event."""
