"""The table's own acts: an agreed score, the end, and players who join, leave, miss a turn or throw for another."""

from farkle.errors import IllegalMoveError, SeatingError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.endings import call_off, check_target, finish_turn
from farkle.game.evolve import Course
from farkle.game.names import check_name, name_key
from farkle.game.order import is_last_round
from farkle.game.seating import MOST_PLAYERS, check_player
from farkle.game.standing import others_in_hole, side_name
from farkle.game.state import LARGEST_SCORE, GameState


def adjust(course: Course, command: do.Adjust) -> None:
    """Set a side's score; the final round may begin or be called off by it.

    Raises:
        IllegalMoveError: if a turn is under way, there is no such side, or it cannot have this score.
    """
    state = _between_turns(course)
    if not 0 <= command.side < len(state.sides):
        raise IllegalMoveError(f"expected one of the {len(state.sides)} sides, got number {command.side!r}")
    if not -LARGEST_SCORE <= command.score <= LARGEST_SCORE:
        text = f"expected a score from {-LARGEST_SCORE} to {LARGEST_SCORE}, got {command.score!r}"
        raise IllegalMoveError(text, "score_range", least=-LARGEST_SCORE, most=LARGEST_SCORE)
    name, target = side_name(state, command.side), state.rules.switches.target
    if state.rules.switches.charity and command.score > target:
        raise IllegalMoveError(f"{target} is the highest score", "highest_score", target=target)
    if state.sides[command.side].out:
        raise IllegalMoveError(f"{name} is off the board", "off_board", name=name)
    if state.sides[command.side].score == command.score:
        raise IllegalMoveError(f"{name} has {command.score} already", "same_score", name=name, score=command.score)
    course.add(ev.ScoreAdjusted(command.side, command.score))
    shared = others_in_hole(course.state, command.side)
    if shared:
        other = side_name(state, shared[0])
        raise IllegalMoveError(f"{other} is in that hole; adjust the score of {other} first", "hole_taken", name=other)
    call_off(course)
    if not check_target(course) and not course.state.plays(course.state.to_move):
        finish_turn(course)


def join(course: Course, command: do.Join) -> None:
    """Add a player at the end of the order. A `SeatingError` also refuses what cannot be a name.

    Raises:
        IllegalMoveError: if a turn is under way, or nobody can join this game now.
        SeatingError: if it is the thirteenth player, or another has this name.
    """
    state = _between_turns(course)
    if state.teams:
        raise IllegalMoveError("nobody can join a team game: the teams would no longer be equal", "join_teams")
    if is_last_round(state):
        raise IllegalMoveError("nobody can join in the final round", "join_final_round")
    if len(state.players) >= MOST_PLAYERS:
        text = f"expected 1 to {MOST_PLAYERS} players, got {len(state.players) + 1}"
        raise SeatingError(text, "most_players", most=MOST_PLAYERS)
    if not command.stored:
        check_name("player", command.name)
        if name_key(command.name) in map(name_key, state.players):
            text = f"expected players of different names, got {', '.join((*state.players, command.name))}"
            raise SeatingError(text, "name_taken", name=command.name)
    course.add(ev.PlayerJoined(command.name))


def leave(course: Course, command: do.Leave) -> None:
    """Take a player out of the game; with one side left the game is over.

    Raises:
        IllegalMoveError: if a turn is under way, or this player has left or is the last one.
    """
    state = _between_turns(course)
    check_player(state, command.player)
    name = state.players[command.player]
    if state.seats[command.player].left:
        raise IllegalMoveError(f"{name} has left already", "left_already", name=name)
    if sum(not seat.left for seat in state.seats) == 1:
        raise IllegalMoveError(f"{name} is the last player; end the game instead", "last_player", name=name)
    course.add(ev.PlayerLeft(command.player))
    call_off(course)
    if not check_target(course) and command.player == state.to_move:
        finish_turn(course)


def skip(course: Course, command: do.Skip) -> None:
    """Let the player to move miss this turn.

    Raises:
        IllegalMoveError: if a turn is under way, or it is another player's turn.
    """
    state = _between_turns(course)
    check_player(state, command.player)
    if command.player != state.to_move:
        name = state.players[state.to_move]
        text = f"expected to skip {name}, whose turn it is, got {state.players[command.player]}"
        raise IllegalMoveError(text, "skip_other", name=name)
    course.add(ev.TurnSkipped(command.player))
    finish_turn(course)


def give_turn(course: Course, command: do.GiveTurn) -> None:
    """Let another player throw now; this uses up that player's next turn, and the player to move has the turn after it.

    Raises:
        IllegalMoveError: if a turn is under way, or this player has no turn to use up.
    """
    state = _between_turns(course)
    check_player(state, command.player)
    name = state.players[command.player]
    if command.player == state.to_move:
        raise IllegalMoveError(f"it is {name}'s turn", "has_turn", name=name)
    if not state.plays(command.player):
        raise IllegalMoveError(f"{name} is not playing any more", "not_playing", name=name)
    if command.player in state.early:
        raise IllegalMoveError(f"{name} has had the turn of the next round already", "had_next_turn", name=name)
    if command.player not in state.to_come and is_last_round(state):
        raise IllegalMoveError(f"{name} has no turn left", "no_turn_left", name=name)
    course.add(ev.TurnGiven(command.player))


def end(course: Course, _: do.End) -> None:
    """End the game early; nobody wins."""
    course.add(ev.GameCalledOff())


def _between_turns(course: Course) -> GameState:
    """Return the state between turns.

    Raises:
        IllegalMoveError: if a turn is under way, even if only by a piggyback choice.
    """
    if course.state.turn.begun:
        raise IllegalMoveError("finish the turn first", "finish_turn")
    return course.state
