"""Questions: what an answer means, and a correction while one is open, by the kind of the question."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.asking import ask
from companion.table.choices import chosen
from companion.table.doubts import AGAIN, RIGHT, accepted, doubt, next_wrong, not_that
from companion.table.inputs import NewGame
from companion.table.lobby import new_game, open_lobby, start_from_lobby
from companion.table.manual_entry import entered, go_on
from companion.table.menu import chosen as chosen_item
from companion.table.state import CHOICES, Question, TableState
from companion.table.throws import banked_then_thrown, ignored, selection_of, thrown
from companion.table.undo import correct as correct_last
from companion.table.undo import throw_again
from farkle.game.commands import Roll
from farkle.game.machine import decide
from farkle.game.standing import teams_of
from farkle.rules.dice import Faces, check_faces


def answer(state: TableState, given: str, now: float) -> Step:
    """Close the open question with one of its answers, word for word; raises `RefusedError` where there is none."""
    if state.menu is not None:
        return chosen_item(state, given, now)
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
            return new_game(closed, _same_again(state), now) if first else Step(open_lobby(closed))
        case "starts":
            return start_from_lobby(closed, now, thrown_for=first)
        case "fix":
            return _fixed(state, closed, question, given, now)
        case "blind":
            return go_on(closed, given)
        case "enter":
            return entered(closed, question, given, now)
        case "banked":
            return banked_then_thrown(closed, question.faces, now, sure=question.sure) if first else ignored(closed)
        case "begins":
            return _begins(closed, question, now) if first else ignored(closed)
        case _ if given == question.answers[-1]:
            return ignored(closed)
        case "doubt" if given == "no":
            return ask(closed, not_that(question))
        case "doubt" if (following := accepted(question)) is not None:
            return ask(closed, following)
        case _:
            return _thrown(closed, question, given, now)


def _thrown(closed: TableState, question: Question, given: str, now: float) -> Step:
    """The throw that was asked about counts; where its faces are in doubt too, they are asked about next."""
    dice = question.choices[question.answers.index(given)] if question.choices else None
    if not question.sure:
        return ask(closed, doubt(question.faces, dice))
    kept = selection_of(closed, dice) if dice is not None else None
    # People have said that the eye was right: an alarm that was waved away was a false one.
    return thrown(replace(closed, distrust=False), question.faces, kept, now)


def _begins(closed: TableState, question: Question, now: float) -> Step:
    """Nobody throws for who begins: this is the first player's throw."""
    assert closed.game is not None
    return act(closed, decide(closed.game, Roll(question.faces)), now)


def _fixed(state: TableState, closed: TableState, question: Question, given: str, now: float) -> Step:
    match given:
        case "yes":
            return correct_last(closed, question.faces, now)
        case "no":
            return ask(state, next_wrong(question))
        case answer if answer == RIGHT:
            return Step(closed)
        case _:
            assert given == AGAIN
            return throw_again(closed, now)


def correct(state: TableState, faces: Faces, now: float) -> Step:
    """Correct the throw that is asked about where it is one in doubt, else the last one that counts.

    Raises `RefusedError` while another question about a throw is open: it is not the game's yet.
    """
    question = state.question
    if question is None or question.kind in {"fix", "rematch", "blind", *CHOICES}:
        return correct_last(state, faces, now)
    if question.kind != "doubt":
        raise RefusedError("answer the question first")
    faces = check_faces(faces, least=len(question.faces), most=len(question.faces))
    kept = selection_of(state, question.choices[0]) if question.choices else None
    return thrown(replace(state, question=None, distrust=False), faces, kept, now)


def _same_again(state: TableState) -> NewGame:
    assert state.game is not None
    game = state.game
    left = {game.players[player] for player, seat in enumerate(game.seats) if seat.left}
    players = tuple(name for name in game.players if name not in left)
    return NewGame(game.rules, players, track=state.track, teams=teams_of(game))
