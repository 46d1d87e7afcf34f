"""The order of turns: the players still to come in this round, the next round, and the last turns of a game."""

from farkle.game.state import GameState, Phase


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


def joined(state: GameState, player: int) -> tuple[int, ...]:
    """Return the players to come in this round after a player has joined.

    A player seated after the player to move plays in this round, any other from the next round on.
    """
    seats = seats_from(state, state.first)
    if seats.index(player) < seats.index(state.to_move):
        return state.to_come
    later = [place for place, other in enumerate(state.to_come) if seats.index(other) > seats.index(player)]
    place = later[0] if later else len(state.to_come)
    return (*state.to_come[:place], player, *state.to_come[place:])


def rest_of_round(state: GameState) -> tuple[int, ...]:
    """Return the players after the player to move, to the end of the round."""
    order = seats_from(state, state.first)
    return order[order.index(state.to_move) + 1 :]
