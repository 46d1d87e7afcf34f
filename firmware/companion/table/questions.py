"""Questions: what an answer means, and a correction while one is open, by the kind of the question."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step
from companion.table.choices import KINDS as CHOICES
from companion.table.choices import chosen
from companion.table.inputs import NewGame
from companion.table.lobby import new_game
from companion.table.repair import correct as correct_last
from companion.table.repair import throw_again
from companion.table.state import TableState
from companion.table.throws import ask, banked_then_thrown, doubt, ignored, thrown
from farkle.game.standing import teams_of
from farkle.rules.dice import Faces, check_faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection


def answer(state: TableState, given: str, now: float) -> Step:
    """Close the open question with one of its answers, word for word; raises `RefusedError` where there is none."""
    question = state.question
    if question is None:
        raise RefusedError("no question is open")
    if given not in question.answers:
        raise RefusedError(f"expected one of {', '.join(map(repr, question.answers))}, got {given!r}")
    closed = replace(state, question=None)
    first = given == question.answers[0]
    match question.kind:
        case kind if kind in CHOICES:
            return chosen(state, question, given, now)
        case "rematch":
            return new_game(closed, _same_again(state), now) if first else Step(closed)
        case "wrong":
            return Step(closed) if first else throw_again(closed, now)
        case "banked":
            return banked_then_thrown(closed, question.faces, now, sure=question.sure) if first else ignored(closed)
        case _ if given == question.answers[-1]:
            return ignored(closed)
        case _:
            place = question.answers.index(given)
            kept = _selection(state, question.choices[place]) if question.choices else None
            return (
                thrown(closed, question.faces, kept, now) if question.sure else ask(closed, doubt(question.faces, kept))
            )


def correct(state: TableState, faces: Faces, now: float) -> Step:
    """Correct the throw that is asked about where it is one in doubt, else the last one that counts.

    Raises `RefusedError` while another question about a throw is open: it is not the game's yet.
    """
    question = state.question
    if question is None or question.kind in {"wrong", "rematch", *CHOICES}:
        return correct_last(state, faces, now)
    if question.kind != "doubt":
        raise RefusedError("answer the question first")
    faces = check_faces(faces, least=len(question.faces), most=len(question.faces))
    kept = _selection(state, question.choices[0]) if question.choices else None
    return thrown(replace(state, question=None), faces, kept, now)


def _same_again(state: TableState) -> NewGame:
    assert state.game is not None
    game = state.game
    left = {game.players[player] for player, seat in enumerate(game.seats) if seat.left}
    players = tuple(name for name in game.players if name not in left)
    return NewGame(game.rules, players, track=state.track, teams=teams_of(game))


def _selection(state: TableState, dice: Faces) -> Selection:
    assert state.game is not None
    return find_selection(state.game.rules, state.game.turn.roll, dice)
