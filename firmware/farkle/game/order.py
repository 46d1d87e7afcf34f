"""The order of turns: the players to come in this round, the next round and the last turns, and what changes it."""

from dataclasses import replace

from farkle.game import events as ev
from farkle.game.state import GameState, Phase, Seat, Side, Turn


def seats_from(state: GameState, player: int) -> tuple[int, ...]:
    """Return all players clockwise, beginning with this one."""
    count = len(state.players)
    return tuple((player + step) % count for step in range(count))


def coming(state: GameState) -> tuple[int, ...]:
    """Return the players with a turn to come in this round who still play."""
    return tuple(filter(state.plays, state.to_come))


def new_round(state: GameState) -> tuple[int, ...]:
    """Return the players of the next round in order, without those who have already had their turn in it."""
    players = list(filter(state.plays, seats_from(state, state.first)))
    return tuple(player for player in players if player not in state.early) or tuple(players)


def next_round(state: GameState) -> int:
    """Return the number of the next round; one in which all have had their turn already is left out."""
    return state.round + (2 if set(state.early).issuperset(state.playing()) else 1)


def is_last_round(state: GameState) -> bool:
    """Return whether no other round follows: the last turns, an extra round, or the last one in a game of rounds."""
    if state.closer is not None or state.extra:
        return True
    return state.rules.ending == "rounds" and next_round(state) > state.rules.switches.rounds


def is_one_throw(state: GameState) -> bool:
    """Return whether the turn is a last one of a single throw, whose best selection counts."""
    return state.rules.ends_with_one_throw and state.closer is not None and not state.extra


def next_player(state: GameState) -> int | None:
    """Return the player with the next turn, or None if the last turns have been played."""
    left = coming(state)
    if left:
        return left[0]
    return None if is_last_round(state) else new_round(state)[0]


def last_turns(state: GameState, closer: int) -> tuple[int, ...]:
    """Return the players with a last turn after `closer` has reached the target, by the switch `endgame`.

    The player to move when a score is adjusted has that turn in addition.
    """
    ours = state.sides[state.side_of(closer)].players
    again = () if state.phase is Phase.TO_THROW else (state.to_move,)
    order = (*seats_from(state, state.to_move)[1:], *again)
    others = tuple(player for player in order if player not in ours and state.plays(player))
    match state.rules.ending:
        case "one_more_turn":
            return others
        case "defend":
            return _one_a_side(state, others)
        case "immediate":
            return ()
        case _ if state.to_move in state.early:  # this turn belongs to the next round, which is finished too
            return (*coming(state), *new_round(state))
        case _:
            return coming(state)


def _one_a_side(state: GameState, players: tuple[int, ...]) -> tuple[int, ...]:
    """Return the first of these players of each side; a side whose turn is under way has none."""
    seen = {state.side_to_move} if state.phase is Phase.TO_THROW else set()
    found: list[int] = []
    for player in players:
        side = state.side_of(player)
        if side not in seen:
            seen.add(side)
            found.append(player)
    return tuple(found)


def rest_of_round(state: GameState) -> tuple[int, ...]:
    """Return the players after the player to move, to the end of the round."""
    order = seats_from(state, state.first)
    return order[order.index(state.to_move) + 1 :]


# --- the state after an event that changes the order ---


def standing_given(state: GameState, event: ev.StandingGiven) -> GameState:
    """Return the state in which the turns go on from a standing on paper, with who is to move and who began the end."""
    state = replace(state, first=0, to_move=event.to_move, begun=True)
    state = replace(state, to_come=rest_of_round(state))
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


def starter_found(state: GameState, event: ev.StarterFound) -> GameState:
    """Return the state in which this player begins."""
    to_come = seats_from(state, event.player)[1:]
    begun = replace(state, phase=Phase.TO_THROW, first=event.player, to_move=event.player, to_come=to_come, begun=True)
    return replace(begun, start_among=(), start_throws=())


def final_round_began(state: GameState, event: ev.FinalRoundBegan) -> GameState:
    """Return the state in which the last turns have begun."""
    waiting = (state.to_move,) if state.phase is Phase.TO_THROW else ()
    last = last_turns(state, event.player)
    after = replace(state, closer=event.player, to_come=last, put_off=(*waiting, *state.to_come))
    return replace(after, left_over=None if is_one_throw(after) else after.left_over)


def lead_taken(state: GameState, event: ev.LeadTaken) -> GameState:
    """Return the state in which each other side has a turn to pass the new leader."""
    waiting = (state.to_move, *state.to_come) if state.phase is Phase.TO_THROW else state.to_come
    put_off = tuple(player for player in state.put_off if player in waiting)
    return replace(state, closer=event.player, to_come=last_turns(state, event.player), put_off=put_off)


def final_round_called_off(state: GameState, _: ev.FinalRoundCalledOff) -> GameState:
    """Return the state in which the game goes on as if no last turns had begun."""
    to_come = tuple(player for player in state.put_off if player in state.to_come)
    if state.to_move not in state.put_off:  # the turn under way belongs to the next round
        to_come = rest_of_round(state)
    return replace(state, closer=None, to_come=to_come, put_off=())


def extra_round_began(state: GameState, event: ev.ExtraRoundBegan) -> GameState:
    """Return the state in which only the sides that tied have turns."""
    tied = [player for player in seats_from(state, state.first) if state.side_of(player) in event.sides]
    return replace(state, extra=event.sides, to_come=tuple(tied))


def turn_passed(state: GameState, event: ev.TurnPassed) -> GameState:
    """Return the state in which it is the next player's turn."""
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


def player_joined(state: GameState, event: ev.PlayerJoined) -> GameState:
    """Return the state with a player more.

    A player seated after the player to move plays in this round, any other from the next round on.
    """
    player = len(state.players)
    state = replace(
        state,
        players=(*state.players, event.name),
        sides=(*state.sides, Side((player,))),
        seats=(*state.seats, Seat()),
        begun=True,
    )
    seats = seats_from(state, state.first)
    if seats.index(player) < seats.index(state.to_move):
        return state
    later = [place for place, other in enumerate(state.to_come) if seats.index(other) > seats.index(player)]
    place = later[0] if later else len(state.to_come)
    return replace(state, to_come=(*state.to_come[:place], player, *state.to_come[place:]))


def turn_given(state: GameState, event: ev.TurnGiven) -> GameState:
    """Return the state in which this player throws first."""
    others = tuple(player for player in state.to_come if player != event.player)
    early = state.early if event.player in state.to_come else (*state.early, event.player)
    return replace(state, begun=True, to_move=event.player, to_come=(state.to_move, *others), early=early)
