"""Choices at the table: what the rules leave open is asked as a question, and the answer is an act.

A choice need not be made: the next throw or BANK takes what happens anyway. It is asked about once, when the throw that
opens it has settled or the turn has passed.
"""

from dataclasses import replace

from companion.table.acts import Step, act
from companion.table.events import SelectionChosen
from companion.table.state import Question, TableState
from companion.table.text import counted
from farkle.game.choices import Choice, open_choice, swap_partners
from farkle.game.commands import Choose, Keep
from farkle.game.events import DiceRolled, StandingGiven, TurnPassed
from farkle.game.machine import course_of, decide
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection, legal_selections


def choice_question(state: TableState) -> Question | None:
    """The question about what the newest effective act leaves open; None where it leaves nothing open."""
    game = state.game
    if game is None or game.over or not state.effective:
        return None
    newest = {type(event) for event in state.effective[-1].game_events}
    if game.phase is Phase.TO_THROW and newest & {TurnPassed, StandingGiven}:
        return _piggyback(game)
    if game.phase is Phase.CHOOSING and DiceRolled in newest:
        for selection in legal_selections(game.rules, game.turn.roll):
            kept = _kept(game, selection)
            choice = open_choice(kept)
            if choice is not None:
                return _about(kept, choice, selection)
    return None


def chosen(state: TableState, question: Question, given: str, now: float) -> Step:
    """The act of an answer to such a question: a choice made, or the selection that stands without it."""
    assert state.game is not None
    closed = replace(state, question=None)
    place = question.answers.index(given)
    if question.kind == "piggyback":
        return act(closed, decide(state.game, Choose(("piggyback", "fresh")[place])), now)
    dice = question.choices[0]
    option = {"bomb": ("points", "swap"), "vant_hof": ("vant-hof", "points")}[question.kind][min(place, 1)]
    if option == "points":
        kept = find_selection(state.game.rules, state.game.turn.roll, dice)
        return act(closed, (SelectionChosen(kept.dice, kept.points),), now)
    side = swap_partners(_kept(state.game, dice))[place - 1] if option == "swap" else None
    return act(closed, course_of(state.game, Keep(dice), Choose(option, side)).events, now)


def _kept(game: GameState, selection: Selection | Faces) -> GameState:
    dice = selection if isinstance(selection, tuple) else selection.dice
    return course_of(game, Keep(dice)).state


def _piggyback(game: GameState) -> Question | None:
    if open_choice(game) is None or game.left_over is None:
        return None
    dice, points = counted(game.left_over.dice), game.left_over.points
    text = f"{game.players[game.to_move]}: take over {dice} and {points}, or throw fresh dice?"
    return Question("piggyback", text, f"take over {points}?", ("take over", "fresh dice"))


def _about(kept: GameState, choice: Choice, selection: Selection) -> Question:
    dice, points = spaced(selection.dice), selection.points
    if choice.kind == "bomb":
        names = [side_name(kept, side) for side in swap_partners(kept)]
        answers = (f"{points} points", *(f"swap with {name}" for name in names))
        text = f"A Bomb! {points} points, or swap pegs with {' or '.join(names)}?"
        return Question("bomb", text, f"{points}, or swap?", answers, choices=(selection.dice,))
    worth = kept.rules.vant_hof
    text = f"Six ones with {dice}: take {worth} in place of the {kept.turn.ones_points} they made?"
    return Question("vant_hof", text, f"six ones: {worth}?", ("yes", "no"), choices=(selection.dice,))
