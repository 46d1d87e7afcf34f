"""The part of the view that is about what people may do now: the phase, the open question, and each button."""

from collections.abc import Collection
from dataclasses import dataclass

from companion.table.asking.answers import kind_of, step_back_caption
from companion.table.asking.menu import DO_IT, menu_message
from companion.table.buttons.buttons import captions
from companion.table.buttons.captions import CaptionView
from companion.table.buttons.modes import NextStep, PagePhase, Refusals, Situation, glows, shows_now
from companion.table.state import questions
from companion.table.state.inputs import Button
from companion.table.state.outlook import hole_at
from companion.table.state.state import shows
from companion.table.throws.shown_standing import hole_ahead
from companion.table.throws.shown_turn import bank_hole
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


def _refused(at: Situation) -> Refusals:
    return dict.fromkeys(("keep", "bank"), message("refused.asleep")) if at.wakes else at.refused


def _legal(at: Situation) -> tuple[str, ...]:
    refused = _refused(at)
    return tuple([button.value for button in Button if button not in refused])


def _question(at: Situation) -> QuestionView | None:
    state = at.state
    if state.menu is not None:
        menu, text = state.menu, menu_message(state, state.menu).text
        wanted = DO_IT if at.next == "bank" else questions.GO_ON.id if menu.kind != "adjust" else menu.items[0].id
        place = [each.id for each in menu.items].index(wanted)
        return QuestionView(text, *_options(menu.items), kind="menu", place=menu.place, next=place)
    question = state.question
    if question is None:
        return None
    return QuestionView(
        question.asks.text,
        *_options(question.answers),
        kind_of(question).kind,
        _outcomes(at, question) if state.under_way else (),
        face=None if question.die is None else question.faces[question.die],
        die=question.die,
        bank=question.bank,
        faces=question.faces,
        by=question.by if isinstance(question, questions.AreYouSure) else "",
    )


def _options(options: Collection[questions.Option]) -> tuple[tuple[Text, ...], tuple[str, ...]]:
    """Return the words and the names of the answers to a question, or of a menu's entries."""
    return tuple(each.words for each in options), tuple(each.id for each in options)


def _outcomes(at: Situation, question: questions.Question) -> tuple[int, ...]:
    """Return the holes to which the answers lead, in their order; empty if they move no peg."""
    play, bank = at.state.current, bank_hole(at)
    game = play.game

    def ahead(dice: Faces) -> int:
        kept = next(each for each in at.turn.selections if sorted(each.dice) == sorted(dice))
        return hole_ahead(play, game.turn.points + kept.points)

    match question:
        case questions.WhichSetAside(choices=choices):
            return tuple(ahead(dice) for dice in choices)
        case questions.SilentBank() if bank is not None:
            return (bank, hole_ahead(play, 0))
        case questions.Piggyback() if game.left_over is not None:
            return (hole_ahead(play, game.turn.points + game.left_over.points), hole_ahead(play, game.turn.points))
        case questions.Bomb(kept=dice):
            partners = swap_partners(course_of(game, Keep(dice)).state)
            return (ahead(dice), *(hole_at(game, play.track, game.sides[side].score) for side in partners))
        case _:
            return ()


@dataclass(frozen=True)
class AskedShown:
    """What people may do now."""

    phase: PagePhase = shows_now(lambda at: at.phase)
    """What the table waits for."""
    question: QuestionView | None = shows_now(_question)
    """The open question or menu."""
    legal: tuple[str, ...] = shows_now(_legal)
    """The buttons that do something."""
    refused: dict[str, Text] = shows_now(_refused)
    """Why the others do nothing."""
    captions: dict[str, CaptionView] = shows_now(captions)
    """What each button's presses do."""
    next: NextStep = shows_now(lambda at: at.next)
    """One sensible step: people throw `dice_to_throw` dice, press that button, or wait."""
    glows: tuple[str, ...] = shows_now(glows)
    """The buttons that glow: the sensible presses, none of them advised. ROLL stands for a throw there."""
    undo: bool = shows(lambda state: bool(step_back_caption(state)))
    """Whether something can be undone."""
