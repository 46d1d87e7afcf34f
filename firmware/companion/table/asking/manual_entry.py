"""What players do while the eye cannot see: count points, enter faces, or ignore a false alarm."""

from dataclasses import replace
from math import gcd

from companion.errors import RefusedError
from companion.table.state import questions
from companion.table.state.acts import GivenAnswer, Handlers, Step, act, ask, carry_out, say
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import CountingBegan, CountingEnded
from companion.table.state.house import SETTINGS
from companion.table.state.inputs import CountPoints, EnterRoll, Fault, MotionReported
from companion.table.state.menus import CountByHand, ReadAgain
from companion.table.state.seen import Blindness, ManualEntry
from companion.table.state.state import TableState
from companion.table.throws.interpret import dice_to_throw
from companion.table.throws.selection import TurnOptions, turn_of
from companion.table.throws.throws import at_rest, check_throw, throw
from companion.words import NOTHING, in_form, message
from dicereader.reading import Motion
from farkle.game.commands import Count
from farkle.game.state import LARGEST_SCORE, Phase
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet

SEEING = frozenset({"eye", "camera"})
"""The parts without which the table cannot see its tray."""

BIG_STEPS = 10
"""Holding KEEP counts this many steps."""


def fault(state: TableState, given: Fault, now: float) -> Step:
    """Announce once that a part is degraded, or note that it works again."""
    part, text = given.part, given.text
    after = state.with_fault(part, text)
    is_new = text is not None and (part, text) not in state.faults
    cues = (Cue(CueKind.FAULT, in_form(text or NOTHING, "spoken")),) if is_new else ()
    if part == SETTINGS and after.settings_unsure and not after.under_way and after.question is None:
        return Step(after, cues=cues).followed_by(ask(after, questions.OtherSettings()))
    if part not in SEEING:
        return Step(after, cues=cues)
    if any(name in SEEING for name, _ in after.faults):
        blind = replace(state.blind or Blindness(now), false_alarm=given.false_alarm)
        # Dice that moved when the tray was last seen may have come to rest since.
        return Step(replace(after, blind=blind, motion=Motion.STILL, moving_since_s=None), cues=cues)
    question = None if isinstance(after.question, questions.HowToGoOn | questions.EnterFace) else after.question
    chosen = after.play is not None and after.play.counting
    manual = after.manual if chosen else ManualEntry.NO
    return Step(replace(after, blind=None, manual=manual, question=question), cues=cues)


def motion_changed(state: TableState, motion: Motion, now: float) -> Step:
    """Note that the tray began to move, goes on moving, or came to rest."""
    if motion is Motion.STILL:
        return Step(at_rest(state))
    since = now if state.motion is Motion.STILL else state.moving_since_s
    return Step(replace(state, motion=motion, moving_since_s=since))


def ask_how_to_go_on(state: TableState) -> Step:
    """Ask how the game goes on: the table has not seen its dice for a while. It asks once for each fault."""
    answers: tuple[questions.Option, ...] = (questions.COUNT_POINTS, questions.ENTER_FACES, questions.WAIT)
    if state.blind is None:
        question = questions.HowToGoOn(message("question.unsettled"), answers)
        return ask(replace(state, moving_since_s=None), question)
    if state.blind.false_alarm:
        answers = (questions.READ_ANYWAY, *answers)
    asked = replace(state, blind=replace(state.blind, asked=True))
    return ask(asked, questions.HowToGoOn(message("question.blind"), answers))


def go_on(given: GivenAnswer[questions.HowToGoOn]) -> Step:
    """Do what the answer to `ask_how_to_go_on` says; waiting changes nothing."""
    state, answer = given.state, given.answer
    if answer == questions.READ_ANYWAY:
        return say(replace(state, confirm_readings=True), message("said.reading_anyway"), CueKind.OVERLOOK)
    if answer == questions.COUNT_POINTS:
        return count_by_hand(state)
    return enter_next(replace(state, manual=ManualEntry.FACES)) if answer == questions.ENTER_FACES else Step(state)


def count_by_hand(state: TableState) -> Step:
    """Begin points mode: the players count the points."""
    counting = replace(state, manual=ManualEntry.COUNTING, complaint=None, incomplete=None, question=None)
    return say(counting, message("said.counting"))


def choose_counting(state: TableState, now: float) -> Step:
    """Begin points mode because the players want it: only they end it, and a restart does not."""
    made = act(state, (CountingBegan(),), now)
    return replace(count_by_hand(made.state), events=made.events)


def see_again(state: TableState, now: float) -> Step:
    """Let the eye read the dice again."""
    made = act(state, (CountingEnded(),), now) if state.current.counting else Step(state)
    said = say(replace(made.state, manual=ManualEntry.NO), message("said.reading_again"), CueKind.OUT_OF_STEP)
    return replace(said, events=made.events)


def points_a_step(state: TableState) -> int:
    """Return how many points one counting step is: the finest ratio of the rule sheet's tracks."""
    return min(state.current.game.rules.tracks.values())


def count_more(state: TableState, now: float, steps: int = 1) -> Step:
    """Add `steps` counting steps to the turn points."""
    game = state.current.game
    kept = turn_of(state).pending
    base = game.turn.points + (kept.points if kept else 0)
    return carry_out(state, Count(base + steps * points_a_step(state)), now)


def count_unit(rules: RuleSet) -> int:
    """Return the greatest number that divides the points of every turn."""
    return gcd(*[each.points for each in rules.table.combinations], rules.nobody_loses)


def count_to(state: TableState, points: int, now: float) -> Step:
    """Set the turn points to what a player has counted.

    Raises:
        RefusedError: if the players do not count, or no turn can have these points.
    """
    if not state.under_way or state.manual is not ManualEntry.COUNTING:
        raise RefusedError(message("refused.not_counting"))
    game = state.current.game
    unit = count_unit(game.rules)
    least = min(each.points for each in game.rules.table.combinations)
    if points < least:
        raise RefusedError(message("refused.too_few_points", least=least))
    if points > LARGEST_SCORE:
        raise RefusedError(message("refused.too_many_points", most=LARGEST_SCORE))
    if points % unit:
        raise RefusedError(message("refused.no_such_points", unit=unit))
    if game.turn.counted and game.turn.points == points:
        raise RefusedError(message("rules.counted_already", points=points))
    return carry_out(state, Count(points), now)


def ask_farkle(state: TableState) -> Step:
    """Ask whether the throw was a farkle: a press by mistake costs no turn."""
    game = state.current.game
    return ask(state, questions.CountedFarkle(message("question.counted_farkle", name=game.players[game.to_move])))


def farkle_answered(given: GivenAnswer[questions.CountedFarkle]) -> Step:
    """Add the act of a farkle that the players saw, or count on."""
    return Step(given.state) if given.answer == questions.NO else carry_out(given.state, Count(None), given.now)


def dice_to_enter(state: TableState, turn: TurnOptions) -> int:
    """Return how many faces the next throw has.

    Raises:
        RefusedError: if that is not known yet.
    """
    game = state.current.game
    if game.over:
        raise RefusedError(message("refused.no_game"))
    if turn.no_throw is not None:
        raise RefusedError(turn.no_throw)
    if state.current.start_thrower is not None:
        return state.current.dice_for_start
    if game.phase is Phase.CHOOSING and turn.pending is None:
        raise RefusedError(message("rules.keep_first"))
    return dice_to_throw(game, turn.pending)


def enter_next(state: TableState) -> Step:
    """Ask for the faces of the next throw die by die; dice that score are to be kept first."""
    try:
        return ask(state, questions.enter_face((), dice_to_enter(state, turn_of(state)), 1))
    except RefusedError:
        return say(state, message("said.choose_first"))


def face_answered(given: GivenAnswer[questions.EnterFace]) -> Step:
    """Take an answer about a face that is entered."""
    state, question = given.state, given.question
    if given.answer == questions.WAIT:
        return Step(state)
    *before, face = question.faces
    if given.answer == questions.NO:
        return ask(state, questions.enter_face(tuple(before), question.count, face % 6 + 1))
    if len(question.faces) < question.count:
        return ask(state, questions.enter_face(question.faces, question.count, 1))
    return throw(state, question.faces, turn_of(state).pending, given.now)


def enter_roll(state: TableState, faces: Faces, now: float) -> Step:
    """Add the act of a throw whose faces were entered on the page.

    Raises:
        RefusedError: if the table sees the dice itself, or another question is open.
    """
    if state.question is not None and not isinstance(state.question, questions.HowToGoOn | questions.EnterFace):
        raise RefusedError(message("refused.answer_first"))
    sees = state.blind is None and state.manual is ManualEntry.NO and state.motion is Motion.STILL
    if sees and state.complaint is None and state.incomplete is None:
        raise RefusedError(message("refused.table_reads"))
    turn = turn_of(state)
    faces = check_throw(faces, dice_to_enter(state, turn))
    entering = replace(state, question=None, incomplete=None, manual=ManualEntry.FACES)
    made = throw(entering, faces, turn.pending, now)
    return replace(made, state=replace(made.state, manual=state.manual))


HANDLERS: Handlers = {
    CountByHand: lambda state, _, now: choose_counting(state, now),
    ReadAgain: lambda state, _, now: see_again(state, now),
    MotionReported: lambda state, given, now: motion_changed(state, given.motion, now),
    Fault: fault,
    EnterRoll: lambda state, given, now: enter_roll(state, given.faces, now),
    CountPoints: lambda state, given, now: count_to(state, given.points, now),
}
