"""Choices that the rules leave open: the question about one, and the act of its answer.

A choice need not be made: the next throw or BANK takes what happens anyway. The table asks once, when the throw that
opens the choice has settled or the turn has passed.
"""

from companion.table.state import questions as ask
from companion.table.state.acts import GivenAnswer, Step, act
from companion.table.state.events import SelectionChosen
from companion.table.state.questions import Bomb, Choice, Piggyback, Question, VantHof
from companion.table.state.state import TableState
from farkle.game.choices import open_choice, swap_partners
from farkle.game.commands import Choose, Keep
from farkle.game.events import DiceRolled, StandingGiven, TurnPassed
from farkle.game.machine import course_of, decide
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase
from farkle.game.turn import offered
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection


def choice_question(state: TableState) -> Question | None:
    """Return the question about the choice that the newest act leaves open, or None."""
    if state.play is None or state.play.game.over:
        return None
    game = state.play.game
    newest = {type(event) for event in state.play.newest.game_events}
    if game.phase is Phase.TO_THROW and newest & {TurnPassed, StandingGiven}:
        left = game.left_over
        if open_choice(game) is None or left is None:
            return None
        return ask.piggyback(game.players[game.to_move], left.dice, left.points)
    if game.phase is Phase.CHOOSING and DiceRolled in newest:
        for selection in offered(game):
            question = _question_after(_kept(game, selection.dice), selection)
            if question is not None:
                return question
    return None


def _kept(game: GameState, dice: Faces) -> GameState:
    return course_of(game, Keep(dice)).state


def _question_after(kept: GameState, selection: Selection) -> Question | None:
    """Return the question about the choice that is open after this selection was kept, or None."""
    choice = open_choice(kept)
    if choice is None:
        return None
    if choice.kind == "bomb":
        return ask.bomb(selection, [side_name(kept, side) for side in swap_partners(kept)])
    return ask.vant_hof(selection, kept.rules.vant_hof, kept.turn.ones_points)


def choose(given: GivenAnswer[Choice]) -> Step:
    """Add the act of an answer: a choice made, or the selection that stands without it."""
    state, now = given.state, given.now
    game = state.current.game
    place = given.question.answers.index(given.answer)
    match given.question:
        case Piggyback():
            return act(state, decide(game, Choose("piggyback" if place == 0 else "fresh")), now)
        case Bomb(kept=dice) if place > 0:
            chosen = Choose("swap", swap_partners(_kept(game, dice))[place - 1])
        case VantHof(kept=dice) if place == 0:
            chosen = Choose("vant-hof", None)
        case Bomb(kept=dice) | VantHof(kept=dice):
            kept = find_selection(game.rules, game.turn.roll, dice)
            return act(state, (SelectionChosen(kept.dice, kept.points),), now)
    return act(state, course_of(game, Keep(dice), chosen).events, now)
