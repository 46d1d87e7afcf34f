"""Asking: how a question is opened and spoken, and how a complaint about the tray is begun."""

from dataclasses import replace

from companion.table.acts import Step
from companion.table.cues import Cue, CueKind
from companion.table.state import Complaint, Question, TableState


def ask(state: TableState, question: Question) -> Step:
    """The step that opens a question."""
    return Step(replace(state, question=question), cues=(question_cue(question),))


def question_cue(question: Question) -> Cue:
    """The cue that speaks a question, once."""
    return Cue(CueKind.QUESTION, question.text)


def say(state: TableState, text: str, kind: CueKind = CueKind.CHANGED) -> Step:
    """The step of something that is only said."""
    return Step(replace(state, said=text), cues=(Cue(kind, text),))


def complain(state: TableState, complaint: Complaint, now: float) -> Step:
    """The step of a tray that cannot be so; it is spoken of at once where its time has come.

    A complaint that stands already goes on as it is, and is not said anew.
    """
    if state.complaint is not None and state.complaint.text == complaint.text:
        return Step(state)
    if complaint.next_s > now:
        return Step(replace(state, complaint=complaint))
    later = replace(complaint, next_s=now + state.times.complain_again_s)
    return Step(replace(state, complaint=later), cues=(Cue(CueKind.COMPLAINT, complaint.text),))


def complained(state: TableState, now: float) -> Step:
    """The step of a complaint whose time has come again."""
    assert state.complaint is not None
    later = replace(state.complaint, next_s=now + state.times.complain_again_s)
    return Step(replace(state, complaint=later), cues=(Cue(CueKind.COMPLAINT, later.text),))
