"""The view: the one answer that page, API, lights and voice read, made from the table's state and nothing else."""

from companion.table.events import SelectionChosen
from companion.table.high_stakes import grave_rolls
from companion.table.idle import only_wakes
from companion.table.inputs import Button, Motion
from companion.table.interpret import dice_to_throw
from companion.table.menu import text_of
from companion.table.players import farkle_limit, front_hole, players_shown
from companion.table.prompt import waiting
from companion.table.selection import proposal, refusals, selections, throwable, to_bank
from companion.table.starting import dice_for_start, thrower
from companion.table.state import ByHand, Question, TableState
from companion.table.text import clipped, explained
from companion.table.undo import may_step_back
from companion.table.view import (
    DieView,
    LastView,
    MessageView,
    PartView,
    PlayerView,
    QuestionView,
    ReadingView,
    SelectionView,
    View,
)
from dicereader.reading import ReadDie, Zone
from farkle.game.choices import swap_partners
from farkle.game.commands import Keep
from farkle.game.events import DiceRolled, Farkled, TurnBanked
from farkle.game.machine import course_of
from farkle.game.standing import hole, position, side_name, teams_of
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection

__all__ = [
    "DieView",
    "LastView",
    "MessageView",
    "PartView",
    "PlayerView",
    "QuestionView",
    "ReadingView",
    "SelectionView",
    "View",
    "phase",
    "view",
]


ASLEEP = "asleep: any press wakes the table"


def view(state: TableState) -> View:
    """The view of a table; the same state always gives the same view."""
    game = state.game
    words = waiting(state)
    refused = dict.fromkeys(("keep", "bank"), ASLEEP) if only_wakes(state) else refusals(state)
    kept, bank = proposal(state), to_bank(state)
    said = state.complaint.text if state.complaint is not None else state.said
    asking = state.question is not None or state.menu is not None
    text = words.text if asking else f"{said} {words.text}".strip()
    starts = thrower(state)
    over = game is not None and game.over
    front = front_hole(state, game, game.turn.points + bank.points) if game and bank else None
    return View(
        seq=state.seq,
        phase=phase(state),
        rules=game.rules.key if game else None,
        title=game.rules.title if game else "",
        settings=game.rules.settings() if game else {},
        target=game.rules.switches.target if game else 0,
        track=state.track,
        to_move=game.players[game.to_move if starts is None else starts] if game and not over else None,
        players=players_shown(state, game) if game else (),
        teams=teams_of(game) if game else {},
        roll=_roll(state, game) if game else (),
        shelf=_on_shelf(state),
        locked=game.turn.locked if game else (),
        turn_points=game.turn.points if game else 0,
        dice_to_throw=_dice_to_throw(state, game, kept) if game and not over else 0,
        may_throw=throwable(state),
        grave=grave_rolls(state),
        throws=sum(act.rolls for act in state.effective),
        selections=tuple(_selection(each) for each in selections(state)),
        chosen=_selection(kept) if kept else None,
        bank=_selection(bank) if bank else None,
        farkle_limit=farkle_limit(game) if game else None,
        bank_hole=front,
        reading=_reading(state),
        legal=tuple(button.value for button in Button if button.value not in refused),
        refused=refused,
        question=_question(state, front),
        message=MessageView(text, clipped(_short(state, words.short)), state.said),
        final_round=game is not None and game.closer is not None and not over,
        winners=tuple(side_name(game, side) for side in game.winners) if game else (),
        loser=None if game is None or game.loser is None else side_name(game, game.loser),
        out_of_step=state.out_of_step,
        blind=any(part in {"eye", "camera"} for part, _ in state.faults),
        undo=may_step_back(state),
        last=_last(state, game) if game else None,
        degraded=tuple(said for _, said in state.faults),
        lobby_players=state.lobby.players,
        lobby_rules=state.lobby.rules,
        look=state.complaint.dice if state.complaint is not None else 0,
        rest=state.rest,
        by_hand=state.by_hand,
    )


def _short(state: TableState, words: str) -> str:
    """The short form: a complaint is more urgent than what the table waits for."""
    asking = state.question is not None or state.menu is not None
    return words if asking or state.complaint is None else state.complaint.short


def phase(state: TableState) -> str:
    """One of lobby, to_throw, rolling, choosing, asking, farkled, over."""
    if state.question is not None or state.menu is not None:
        return "asking"
    if state.game is None or state.lobby.open:
        return "lobby"
    if state.game.over:
        return "over"
    if state.motion is not Motion.STILL:
        return "rolling"
    if state.farkled is not None:
        return "farkled"
    if state.by_hand is ByHand.COUNTING:
        return "to_throw"
    return "choosing" if state.game.phase is Phase.CHOOSING else "to_throw"


def _roll(state: TableState, game: GameState) -> Faces:
    """The dice that lie there as thrown: those to choose from, or those that farkled, while they are shown."""
    if game.phase is Phase.CHOOSING:
        return game.turn.roll
    return state.farkled.faces if state.farkled else ()


def _dice_to_throw(state: TableState, game: GameState, kept: Selection | None) -> int:
    """How many dice the table waits for."""
    if state.pending is not None and state.pending.again:
        return state.pending.again
    return dice_for_start(state) if thrower(state) is not None else dice_to_throw(game, kept)


def _selection(selection: Selection) -> SelectionView:
    made = tuple(PartView(part.name, part.dice, part.points) for part in selection.parts)
    return SelectionView(selection.dice, selection.points, selection.totals, explained(selection), made)


def _question(state: TableState, bank_hole: int | None) -> QuestionView | None:
    if state.menu is not None:
        return QuestionView(text_of(state)[0], state.menu.answers, "menu", place=state.menu.place)
    question = state.question
    if question is None:
        return None
    return QuestionView(
        question.text,
        question.answers,
        question.kind,
        outcomes(state, bank_hole),
        face=None if question.die is None else question.faces[question.die],
        die=question.die,
        bank=question.bank,
    )


def _on_shelf(state: TableState) -> Faces:
    if state.observation is None:
        return ()
    dice, hopped = state.observation.reading.dice, state.observation.episode.hopped
    return tuple(die.face for i, die in enumerate(dice) if die.zone is Zone.SHELF and i not in hopped)


def _reading(state: TableState) -> ReadingView | None:
    seen = state.observation
    if seen is None:
        return None
    return ReadingView(seen.reading.sure, tuple(_die(die) for die in seen.reading.dice), seen.number, seen.size)


def _die(die: ReadDie) -> DieView:
    box = die.box
    zone = die.zone.value if die.zone else None
    doubts = tuple(doubt.value for doubt in die.doubts)
    outline = tuple((round(x, 1), round(y, 1)) for x, y in die.outline)
    return DieView(die.face, (box.x, box.y, box.w, box.h), outline, round(die.confidence, 4), zone, doubts)


def _last(state: TableState, game: GameState) -> LastView | None:
    for event in reversed(state.effective[-1].events):
        match event:
            case TurnBanked(player=player, points=points):
                return LastView("bank", game.players[player], points)
            case Farkled(player=player, lost=lost):
                return LastView("farkle", game.players[player], lost)
            case DiceRolled(player=player):
                return LastView("roll", game.players[player], 0)
            case SelectionChosen(points=points):
                return LastView("choose", game.players[game.to_move], points)
            case _:
                pass
    return None


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
