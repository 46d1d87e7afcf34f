"""Who begins: each player throws, the highest total begins, those who tie throw again."""

from farkle.errors import IllegalMoveError
from farkle.game.commands import ThrowForStart
from farkle.game.course import Course
from farkle.game.events import StarterFound, StartThrown, StartTied
from farkle.rules.dice import check_faces


def throw_for_start(course: Course, command: ThrowForStart) -> None:
    """One player's throw for who begins; the last of a round decides, or says who ties."""
    state = course.state
    if state.begun or (state.first and not state.start_throws and not state.start_among):
        raise IllegalMoveError("who begins is decided already")
    dice = state.rules.switches.start_roll_dice
    faces = check_faces(command.faces, least=dice, most=dice)
    among = state.start_among or state.playing()
    if not 0 <= command.player < len(state.players):
        raise IllegalMoveError(f"expected one of the {len(state.players)} players, got number {command.player!r}")
    name = state.players[command.player]
    if command.player not in among:
        tied = ", ".join(state.players[player] for player in among)
        raise IllegalMoveError(f"expected a throw of {tied}, got {name}'s")
    if any(player == command.player for player, _ in state.start_throws):
        raise IllegalMoveError(f"{name} has thrown for who begins already")
    course.happens(StartThrown(command.player, faces))
    throws = course.state.start_throws
    if len(throws) < len(among):
        return
    best = max(sum(faces) for _, faces in throws)
    highest = tuple(sorted(player for player, faces in throws if sum(faces) == best))
    course.happens(StarterFound(highest[0]) if len(highest) == 1 else StartTied(highest))
