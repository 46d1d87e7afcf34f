"""Undo and correction: taking the last act off, and giving the last throw its true faces."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step, act, farkle_shown
from companion.table.cues import Cue, CueKind
from companion.table.events import RollCorrected, Undone
from companion.table.history import corrected, last_throw, last_undoable
from companion.table.state import TableState
from companion.table.text import told
from companion.table.throws import ignored
from farkle.game.events import DiceRolled
from farkle.rules.dice import Faces, check_faces, spaced


def last_roll(state: TableState) -> Faces:
    """The faces of the last throw that counts; raises `RefusedError` where nothing has been thrown."""
    throw = last_throw(state.effective)
    if throw is None:
        raise RefusedError("nothing has been thrown yet")
    return next(event.faces for event in throw.events if isinstance(event, DiceRolled))


def correct(state: TableState, faces: Faces, now: float) -> Step:
    """Give the last throw these faces and fold what came after it again; raises `RefusedError` naming what is lost."""
    before = last_roll(state)
    throw = last_throw(state.effective)
    assert throw is not None
    faces = check_faces(faces, least=len(before), most=len(before))
    if faces == before:
        raise RefusedError(f"the throw is already {spaced(before)}")
    again = corrected(state.effective, throw.number, faces)
    made = act(state, (RollCorrected(throw.number, faces),), now)
    said = f"Corrected: {spaced(faces)}."
    after = replace(made.state, said=said, out_of_step=True)
    if again[-1].number == throw.number:
        after = replace(after, farkled=farkle_shown(again[-1], now + state.times.farkle_shown_s))
    return Step(after, made.events, (Cue(CueKind.CHANGED, said), Cue(CueKind.OUT_OF_STEP)))


def undo(state: TableState, now: float) -> Step:
    """Take the last effective act off; the dice do not undo, so the tray is out of step until the next real throw."""
    last = last_undoable(state.effective)
    if last is None:
        raise RefusedError("nothing to undo: this is the start of the game")
    made = act(state, (Undone(last.number),), now)
    assert state.game is not None
    was = told(state.game, last.game_events) or "The choice."
    after = replace(made.state, said=f"Undone: {was}", out_of_step=True)
    return Step(after, made.events, (Cue(CueKind.CHANGED, after.said), Cue(CueKind.OUT_OF_STEP)))


def may_be(state: TableState, faces: Faces) -> bool:
    """Whether the last throw may be given these faces."""
    throw = last_throw(state.effective)
    assert throw is not None
    try:
        corrected(state.effective, throw.number, faces)
    except RefusedError:
        return False
    return True


def may_throw_again(state: TableState) -> bool:
    """Whether nothing has happened since the last throw, so that it may be voided."""
    throw = last_throw(state.effective)
    return throw is not None and state.effective[-1].number == throw.number


NO_THROW_YET = frozenset({"doubt", "set aside", "thrown", "banked", "begins"})
"""Questions about a throw that the game does not have yet."""


ASIDE = frozenset({"fix", "rematch", "blind", "enter", "starts"})
"""Questions that stand beside the game."""


def closed(state: TableState) -> Step | None:
    """The step that closes what is open, a throw that is asked about is void; None where nothing is open."""
    question = state.question
    if state.menu is not None:
        return Step(replace(state, menu=None))
    if (question is not None and question.kind in NO_THROW_YET) or state.pending is not None:
        return ignored(replace(state, question=None))
    if question is not None and question.kind in ASIDE:
        return Step(replace(state, question=None))
    if state.lobby.open and state.game is not None:
        return Step(replace(state, lobby=replace(state.lobby, open=False)))
    return None


def step_back(state: TableState, now: float) -> Step:
    """What holding ROLL does: closes what is open, else takes the last act off."""
    return closed(state) or undo(state, now)


def may_step_back(state: TableState) -> bool:
    """Whether holding ROLL does anything."""
    return closed(state) is not None or last_undoable(state.effective) is not None


def throw_again(state: TableState, now: float) -> Step:
    """Take the last throw off; raises `RefusedError` where the turn has gone on since."""
    if not may_throw_again(state):
        raise RefusedError("the turn has gone on since that throw; hold ROLL to undo back to it")
    return undo(state, now)
