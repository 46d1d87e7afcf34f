"""The part of the view that is about what people may do now: the phase, the open question, and each button."""

from collections.abc import Collection
from dataclasses import dataclass

from companion.table.asking.answers import kind_of, step_back_caption
from companion.table.asking.menu import DO_IT, menu_message
from companion.table.buttons.buttons import captions
from companion.table.buttons.captions import CaptionView
from companion.table.buttons.modes import NextStep, PagePhase, Situation
from companion.table.buttons.next_step import glows
from companion.table.state import questions
from companion.table.state.inputs import Button
from companion.table.state.play import Play
from companion.table.state.shown_standing import hole_ahead, hole_at
from companion.table.throws.selection import TurnOptions
from companion.words import Text, message
from farkle.game.choices import swap_partners
from farkle.game.commands import Keep
from farkle.game.machine import course_of
from farkle.rules.dice import Faces


@dataclass(frozen=True)
class QuestionView:
    """The open question, or the open menu with its entries as the answers.

    KEEP gives the first answer, ROLL the second, BANK the one at index `bank`. A question about one die asks whether
    the die at index `die` in `faces` shows `face`.
    """

    text: Text
    """The question."""
    answers: tuple[Text, ...]
    """The answers."""
    keys: tuple[str, ...]
    """The names of the answers for programs, alike in every language."""
    kind: str = ""
    """What it is about."""
    outcomes: tuple[int, ...] = ()
    """The holes to which the answers lead, if they move a peg."""
    face: int | None = None
    """The face that is asked about."""
    die: int | None = None
    """The index of the die that is asked about."""
    bank: int | None = None
    """The index of the answer that BANK gives."""
    place: int | None = None
    """The index of a menu's present entry."""
    faces: Faces = ()
    """The faces of the throw that it is about."""
    next: int = 0
    """The index of the answer that is the next step."""
    by: str = ""
    """The name of the phone that is asked, which other phones may only answer by going on; empty for all others."""


@dataclass(frozen=True)
class AskedShown:
    """What people may do now."""

    phase: PagePhase
    """What the table waits for."""
    question: QuestionView | None
    """The open question or menu."""
    legal: tuple[str, ...]
    """The buttons that do something."""
    refused: dict[str, Text]
    """Why the others do nothing."""
    captions: dict[str, CaptionView]
    """What each button's presses do."""
    next: NextStep
    """One sensible step: people throw `dice_to_throw` dice, press that button, or wait."""
    glows: tuple[str, ...]
    """The buttons that glow: the sensible presses, none of them advised. ROLL stands for a throw there."""
    undo: bool
    """Whether something can be undone."""


def shown_asked(at: Situation, following: NextStep, bank_hole: int | None) -> AskedShown:
    """Return how it is shown what people may do.

    Args:
        at: what the buttons are about.
        following: the next step.
        bank_hole: the hole that BANK would reach.
    """
    asleep = dict.fromkeys(("keep", "bank"), message("refused.asleep"))
    refused = asleep if at.wakes else at.refused
    return AskedShown(
        phase=at.phase,
        question=_question(at, following, bank_hole),
        legal=tuple(button.value for button in Button if button.value not in refused),
        refused=dict(refused),
        captions=captions(at),
        next=following,
        glows=glows(at),
        undo=bool(step_back_caption(at.state)),
    )


def _question(at: Situation, following: NextStep, bank_hole: int | None) -> QuestionView | None:
    state = at.state
    if state.menu is not None:
        menu, text = state.menu, menu_message(state, state.menu).text
        wanted = DO_IT if following == "bank" else questions.GO_ON.id if menu.kind != "adjust" else menu.items[0].id
        place = [each.id for each in menu.items].index(wanted)
        return QuestionView(text, *_options(menu.items), kind="menu", place=menu.place, next=place)
    question = state.question
    if question is None:
        return None
    return QuestionView(
        question.asks.text,
        *_options(question.answers),
        kind_of(question).kind,
        _outcomes(state.play, at.turn, question, bank_hole) if state.under_way and state.play else (),
        face=None if question.die is None else question.faces[question.die],
        die=question.die,
        bank=question.bank,
        faces=question.faces,
        by=question.by if isinstance(question, questions.AreYouSure) else "",
    )


def _options(options: Collection[questions.Option]) -> tuple[tuple[Text, ...], tuple[str, ...]]:
    """Return the words and the names of the answers to a question, or of a menu's entries."""
    return tuple(each.words for each in options), tuple(each.id for each in options)


def _outcomes(play: Play, turn: TurnOptions, question: questions.Question, bank_hole: int | None) -> tuple[int, ...]:
    """Return the holes to which the answers lead, in their order; empty if they move no peg."""
    game = play.game

    def ahead(dice: Faces) -> int:
        kept = next(each for each in turn.selections if sorted(each.dice) == sorted(dice))
        return hole_ahead(play, game.turn.points + kept.points)

    match question:
        case questions.WhichSetAside(choices=choices):
            return tuple(ahead(dice) for dice in choices)
        case questions.SilentBank() if bank_hole is not None:
            return (bank_hole, hole_ahead(play, 0))
        case questions.Piggyback() if game.left_over is not None:
            return (hole_ahead(play, game.turn.points + game.left_over.points), hole_ahead(play, game.turn.points))
        case questions.Bomb(kept=dice):
            partners = swap_partners(course_of(game, Keep(dice)).state)
            return (ahead(dice), *(hole_at(play, game.sides[side].score) for side in partners))
        case _:
            return ()
