"""Undo and correction: take the last act off, and give the last throw its true faces."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from companion.errors import RefusedError
from companion.table.state.acts import Step, act, farkle_shown
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import RollCorrected, Undone
from companion.table.state.history import Act, History, corrected, last_throw, last_undoable
from companion.table.state.questions import IT_WAS_RIGHT, NO, THROW_AGAIN, YES, MisreadThrow, Option, Question
from companion.table.state.state import TableState
from companion.table.state.text import describe
from companion.table.throws.doubts import LIKELY
from companion.table.throws.throws import check_throw
from companion.words import message
from dicereader.reading import ReadDie
from farkle.game.events import DiceRolled
from farkle.rules.dice import Faces
from farkle.rules.selections import legal_selections


def last_roll(state: TableState) -> tuple[Act, Faces]:
    """Return the act and the faces of the last throw that counts.

    Raises:
        RefusedError: if nothing has been thrown.
    """
    throw = last_throw(state.history)
    if throw is None:
        raise RefusedError(message("refused.nothing_thrown"))
    return throw, next(event.faces for event in throw.events if isinstance(event, DiceRolled))


def correct_last(state: TableState, faces: Faces, now: float) -> Step:
    """Give the last throw these faces and fold the acts after it again.

    Raises:
        RefusedError: if a later act would be lost (the text names it), or these are its faces already.
    """
    throw, before = last_roll(state)
    faces = check_throw(faces, len(before))
    if faces == before:
        raise RefusedError(message("refused.same_faces", faces=before))
    made = act(state, (RollCorrected(throw.number, faces),), now)
    said = message("said.corrected", faces=faces)
    after = replace(made.state, announced=said, out_of_step=True)
    newest = made.state.current.act
    if newest.number == throw.number:
        after = replace(after, farkled=farkle_shown(newest, now + state.times.farkle_shown_s))
    return Step(after, made.events, (Cue(CueKind.CHANGED, said), Cue(CueKind.OUT_OF_STEP)))


def undo(state: TableState, now: float) -> Step:
    """Take the last effective act off; the dice stay, so the tray is out of step until the next throw.

    Raises:
        RefusedError: at the start of the game.
    """
    last = last_undoable(state.history)
    if last is None:
        raise RefusedError(message("rules.undo_at_start"))
    made = act(state, (Undone(last.number),), now)
    said = message("said.undone", what=describe(state.current.game, last.events))
    # A bot would do the same again at once.
    waits = made.state.bot is not None and made.state.current.bot_decides
    after = replace(made.state, announced=said, out_of_step=True, bot_waits=waits)
    return Step(after, made.events, (Cue(CueKind.CHANGED, after.announced), Cue(CueKind.OUT_OF_STEP)))


def may_be_misread(state: TableState) -> bool:
    """Return whether the last throw may have shown other faces, so that `misread_question` can ask.

    A throw that no act has followed yet always may.
    """
    if state.current.start_thrower is not None or last_throw(state.history) is None:
        return False
    throw, faces = last_roll(state)
    newest = state.current.act is throw
    return newest or any(map(partial(_may_be, state.history, throw.number), misreadings(faces)))


def _may_be(history: History, number: int, faces: Faces) -> bool:
    """Return whether the throw of act `number` may be given these faces."""
    try:
        corrected(history, number, faces)
    except RefusedError:
        return False
    return True


def misread_question(state: TableState) -> Question:
    """Return the question which throw was misread.

    Readings of the last throw with one face changed are offered, likely ones first. Those that score come first: nobody
    disputes one farkle for another.

    Raises:
        RefusedError: if the throw cannot have shown other faces.
    """
    if state.current.start_thrower is not None:
        raise RefusedError(message("refused.undo_start_throw"))
    rules = state.current.game.rules
    throw, faces = last_roll(state)
    offered = misreadings(faces, state.observation.reading.dice if state.observation else ())
    possible = list(filter(partial(_may_be, state.history, throw.number), offered))
    if not possible:
        raise RefusedError(message("refused.gone_on"))
    possible.sort(key=lambda changed: not legal_selections(rules, changed))
    return _misread(faces, tuple(possible), (YES, NO, IT_WAS_RIGHT, *([THROW_AGAIN] if may_void(state) else [])))


def misreadings(faces: Faces, dice: Sequence[ReadDie] = ()) -> tuple[Faces, ...]:
    """Return the readings with one face changed, likely ones first; the least confident of `dice` is doubted first."""
    confidence = {die.face: die.confidence for die in sorted(dice, key=lambda die: -die.confidence)}
    places = sorted(range(len(faces)), key=lambda place: confidence.get(faces[place], 1.0))
    found: dict[Faces, Faces] = {}
    for rank in range(5):
        for place in places:
            changed = (*faces[:place], LIKELY[faces[place]][rank], *faces[place + 1 :])
            found.setdefault(tuple(sorted(changed)), changed)
    return tuple(found.values())


def next_misreading(question: MisreadThrow) -> Question:
    """Return the question about the next likely reading; after the last the first comes again."""
    return _misread(question.was, (*question.others, question.faces), question.answers)


def _misread(was: Faces, possible: tuple[Faces, ...], answers: tuple[Option, ...]) -> Question:
    offered, *others = possible
    place = next(i for i, face in enumerate(offered) if face != was[i])
    asks = message("question.misread", was=was[place], face=offered[place])
    return MisreadThrow(asks, answers, 2, offered, place, was=was, others=tuple(others))


def may_void(state: TableState) -> bool:
    """Return whether the last throw may be taken back: nothing has happened since."""
    throw = last_throw(state.history)
    return throw is not None and state.current.act.number == throw.number
