"""By hand: what players do where the eye does not see: count points, enter faces, or wave an alarm away."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.asking import ask, say
from companion.table.cues import Cue, CueKind
from companion.table.inputs import Motion
from companion.table.interpret import dice_to_throw
from companion.table.selection import proposal
from companion.table.starting import dice_for_start, thrower
from companion.table.state import Blind, ByHand, Question, TableState
from companion.table.text import FACES, counted
from companion.table.throws import thrown
from farkle.game.commands import Bank, Count
from farkle.game.machine import decide
from farkle.game.state import Phase
from farkle.rules.dice import Faces, check_faces

SIGHT = frozenset({"eye", "camera"})
"""The parts without which the table does not see its tray."""

READ_ANYWAY, COUNT, ENTER, WAIT = "read anyway", "count points ourselves", "enter the faces", "wait"
BIG_STEPS = 10
"""A hold of KEEP counts so many steps."""


def fault(state: TableState, part: str, text: str | None, now: float, *, doubtful: bool) -> Step:
    """The step of a part that is degraded, said once, or well again."""
    said = text is not None and (part, text) not in state.faults
    after = state.fault(part, text)
    cues = (Cue(CueKind.FAULT, text or ""),) if said else ()
    if part not in SIGHT:
        return Step(after, cues=cues)
    if any(name in SIGHT for name, _ in after.faults):
        before = state.blind or Blind(now)
        # What moved when it was last seen may lie by now: nobody knows.
        after = replace(after, blind=replace(before, doubtful=doubtful), motion=Motion.STILL, stirred_s=None)
        return Step(after, cues=cues)
    question = after.question if after.question is None or after.question.kind not in ("blind", "enter") else None
    return Step(replace(after, blind=None, by_hand=ByHand.NO, question=question), cues=cues)


def stirred(state: TableState, motion: Motion, now: float) -> Step:
    """The step of a tray that begins to move, goes on moving, or comes to rest."""
    if motion is Motion.STILL:
        return Step(replace(_settled(state), motion=motion))
    since = now if state.motion is Motion.STILL else state.stirred_s
    return Step(replace(state, motion=motion, stirred_s=since))


def _settled(state: TableState) -> TableState:
    """The state of a tray that has come to rest after all: nobody need say any more how to go on."""
    asked = state.question is not None and state.question.kind == "blind" and state.blind is None
    return replace(state, stirred_s=None, question=None if asked else state.question)


def how_to_go_on(state: TableState) -> Step:
    """The question that a table asks which has not seen its dice for a while. It is asked once a fault."""
    if state.blind is None:
        text = f"The dice do not come to rest. KEEP {COUNT}, ROLL {ENTER}, BANK {WAIT}."
        question = Question("blind", text, "dice not at rest", (COUNT, ENTER, WAIT), bank=2)
        return ask(replace(state, stirred_s=None), question)
    answers = (READ_ANYWAY, COUNT, ENTER, WAIT) if state.blind.doubtful else (COUNT, ENTER, WAIT)
    how = ", ".join(f"{button} {words}" for button, words in zip(("KEEP", "ROLL", "BANK"), answers, strict=False))
    text = f"I can't see the tray. {how}."
    asked = replace(state, blind=replace(state.blind, asked=True))
    return ask(asked, Question("blind", text, "I can't see the tray", answers, bank=2))


def go_on(state: TableState, answer: str) -> Step:
    """The step of an answer to that."""
    match answer:
        case "read anyway":
            said = "I read on, and ask."
            return Step(replace(state, said=said, distrust=True), cues=(Cue(CueKind.OVERLOOK, said),))
        case "count points ourselves":
            return count_by_hand(state)
        case "enter the faces":
            return enter_next(replace(state, by_hand=ByHand.FACES))
        case _:
            return Step(state)


def count_by_hand(state: TableState) -> Step:
    """From now on players count: points mode."""
    said = "You count: KEEP one more, held ten; BANK pegs; ROLL is a farkle."
    return say(replace(state, by_hand=ByHand.COUNTING, complaint=None, pending=None, question=None), said)


def see_again(state: TableState) -> Step:
    """The eye reads the dice again."""
    return say(replace(state, by_hand=ByHand.NO), "I read the dice again.", CueKind.OUT_OF_STEP)


def step_of(state: TableState) -> int:
    """How many points one step of counting is: the finest of the sheet's ratios, 50 where it counts in hundreds."""
    assert state.game is not None
    return min(state.game.rules.tracks.values())


def count_more(state: TableState, now: float, steps: int = 1) -> Step:
    """The act of so many more steps."""
    game = state.game
    assert game is not None
    kept = proposal(state)
    base = game.turn.points + (kept.points if kept else 0)
    return act(state, decide(game, Count(base + steps * step_of(state))), now)


def count_farkle(state: TableState, now: float) -> Step:
    """The act of a farkle that the players saw."""
    assert state.game is not None
    return act(state, decide(state.game, Count(None)), now)


def bank_counted(state: TableState, now: float) -> Step:
    """The act of banking what was counted; raises `RefusedError` where nothing is."""
    game = state.game
    assert game is not None
    if game.phase is not Phase.KEPT:
        raise RefusedError("count the points first: KEEP")
    return act(state, decide(game, Bank()), now)


def count_to_enter(state: TableState) -> int:
    """How many faces the next throw has; raises `RefusedError` where that is not known yet."""
    game = state.game
    if game is None or game.over:
        raise RefusedError("no game is under way")
    if thrower(state) is not None:
        return dice_for_start(state)
    if game.phase is Phase.CHOOSING and proposal(state) is None:
        raise RefusedError("keep a die first")
    return dice_to_throw(game, proposal(state))


def enter_next(state: TableState) -> Step:
    """Ask for the faces of the next throw, one die after the other; where dice lie that score they are kept first."""
    try:
        count = count_to_enter(state)
    except RefusedError:
        return say(state, "KEEP chooses, ROLL enters the next throw, BANK banks.")
    return ask(state, _entering((), count, 1))


def entered(state: TableState, question: Question, answer: str, now: float) -> Step:
    """The step of an answer while faces are entered."""
    if answer == WAIT:
        return Step(state)
    *before, face = question.faces
    total = question.open[0]
    if answer == "next":
        return ask(state, _entering(tuple(before), total, face % 6 + 1))
    if len(question.faces) < total:
        return ask(state, _entering(question.faces, total, 1))
    return thrown(state, question.faces, proposal(state), now)


def _entering(before: Faces, total: int, face: int) -> Question:
    name = FACES[face - 1]
    text = f"Die {len(before) + 1} of {counted(total)}: a {name}?"
    faces = (*before, face)
    return Question(
        "enter", text, f"die {len(faces)}: a {name}?", ("yes", "next", WAIT), faces, die=len(before), open=(total,)
    )


def enter_roll(state: TableState, faces: Faces, now: float) -> Step:
    """The act of a throw whose faces were entered on the page; raises `RefusedError` where the table sees it."""
    if state.question is not None and state.question.kind not in ("blind", "enter"):
        raise RefusedError("answer the question first")
    pending = state.pending
    sees = state.blind is None and state.by_hand is ByHand.NO and state.motion is Motion.STILL
    if sees and state.complaint is None and pending is None:
        raise RefusedError("the table reads the dice itself; a wrong reading is corrected")
    count = count_to_enter(state)
    faces = check_faces(faces, least=count, most=count)
    kept = proposal(state)
    by_hand = replace(state, question=None, pending=None, by_hand=ByHand.FACES)
    made = thrown(by_hand, faces, kept, now)
    return replace(made, state=replace(made.state, by_hand=state.by_hand))
