"""Outcomes: to which holes the answers of the open question lead, for a board that asks in lights."""

from companion.table.state import Question, TableState
from farkle.game.choices import swap_partners
from farkle.game.commands import Keep
from farkle.game.machine import course_of
from farkle.game.standing import hole, position
from farkle.game.state import GameState
from farkle.rules.selections import find_selection


def outcomes(state: TableState, bank_hole: int | None) -> tuple[int, ...]:
    """The holes where the pegs of who is to move would stand, in the order of the answers.

    Empty where the answers move no peg; `bank_hole` is where a bank would bring the peg.
    """
    game, question = state.game, state.question
    if game is None or question is None or game.over:
        return ()
    match question.kind:
        case "set aside":
            return tuple(_ahead(state, game, _points(game, question, place)) for place in range(len(question.choices)))
        case "banked" if bank_hole is not None:
            return (bank_hole, _ahead(state, game, -game.turn.points))
        case "piggyback" if game.left_over is not None:
            return (_ahead(state, game, game.left_over.points), _ahead(state, game, 0))
        case "bomb":
            partners = swap_partners(course_of(game, Keep(question.choices[0])).state)
            swaps = (_hole(state, game, game.sides[side].score) for side in partners)
            return (_ahead(state, game, _points(game, question, 0)), *swaps)
        case _:
            return ()


def _points(game: GameState, question: Question, place: int) -> int:
    return find_selection(game.rules, game.turn.roll, question.choices[place]).points


def _ahead(state: TableState, game: GameState, points: int) -> int:
    """The hole at score, turn points and so many more."""
    return _hole(state, game, game.sides[game.side_to_move].score + game.turn.points + points)


def _hole(state: TableState, game: GameState, points: int) -> int:
    return hole(position(points, game.rules.points_a_hole(state.track)), state.track)
