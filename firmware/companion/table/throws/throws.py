"""Throws: what a settled observation does to the turn, and the acts that a throw makes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step, act, ask, complain
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import Event, ThrowSeen
from companion.table.state.inputs import ReadingSettled
from companion.table.state.questions import DoubtfulThrow, HowToGoOn, JustThrown, which_set_aside
from companion.table.state.seen import Complaint, ManualEntry
from companion.table.state.state import TableState
from companion.table.throws import interpret
from companion.table.throws.bot_turn import thrown_for_bot, wrongly_aside
from companion.table.throws.doubts import completed, doubted_places, doubtful_throw, miscounted, wait_until_flat
from companion.table.throws.selection import selection_of, turn_of
from companion.words import message
from dicereader.reading import DiceReading, Motion, Observation
from farkle.game.commands import Choose, Command, Keep, Roll, ThrowForStart
from farkle.game.events import DiceRolled
from farkle.game.machine import course_of, decide
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection


def settled(state: TableState, observation: Observation, source: str, now: float) -> Step:
    """Take a settled observation: a throw, dice set aside, or nothing. A first picture is never a throw."""
    turn = turn_of(state)
    chosen, aside = turn.pending, turn.set_aside
    before = state.observation
    if state.game is not None:
        observation = interpret.with_kept_dice_still(state.game, chosen, observation)
    state = replace(at_rest(state), observation=observation, source=source)
    if not state.under_way or state.manual is ManualEntry.COUNTING:
        return Step(state)
    if observation.episode.first and not observation.still:
        return _first_picture(state, observation, before)
    done = _completed(state, observation, now)
    if done is not None:
        return done
    meaning = _interpreted(state, observation.reading, interpret.thrown_dice(observation), chosen, before)
    if meaning is None:
        return _nothing_thrown(state, aside, now)
    return _thrown(state, meaning, observation, chosen, now)


def at_rest(state: TableState) -> TableState:
    """Return the state of a tray at rest: the question about dice that do not come to rest is closed."""
    asked = isinstance(state.question, HowToGoOn) and state.blind is None
    return replace(state, motion=Motion.STILL, moving_since_s=None, question=None if asked else state.question)


def _interpreted(
    state: TableState,
    reading: DiceReading,
    thrown: tuple[int, ...],
    chosen: Selection | None,
    before: Observation | None = None,
) -> interpret.Interpretation | None:
    play = state.current
    if state.bot is not None and play.bot_decides and thrown:
        return thrown_for_bot(state, reading, thrown)
    if play.start_thrower is None or not thrown:
        beside = interpret.laid_beside(play.game, before.reading, reading, thrown) if before is not None else ()
        return interpret.interpret(play.game, chosen, reading, thrown, beside)
    faces = tuple(reading.dice[index].face for index in thrown)
    wanted = play.dice_for_start
    return (
        interpret.Thrown(None, faces)
        if len(faces) == wanted
        else interpret.Miscounted(len(faces), (wanted,), len(faces))
    )


def _completed(state: TableState, observation: Observation, now: float) -> Step | None:
    """Return the step that completes an incomplete or doubtful throw, or None if this observation completes none."""
    if state.incomplete is not None:
        faces, reading, kept = completed(state.incomplete, observation), observation.reading, state.incomplete.kept
        if faces is None:
            return None
        clear = replace(state, incomplete=None, complaint=None)
        if reading.sure:
            return throw(clear, faces, selection_of(state, kept), now)
        places = doubted_places([reading.dice[i] for i in interpret.thrown_dice(observation)])
        return ask(clear, doubtful_throw(faces, kept, [len(faces) - len(places) + i for i in range(len(places))]))
    question, reading = state.question, observation.reading
    if not isinstance(question, DoubtfulThrow) or observation.episode.thrown() or not reading.sure:
        return None
    lying = tuple(reading.dice[i].face for i in interpret.outside_shelf(reading))
    if len(lying) != len(question.faces) or state.confirm_readings:
        return None
    return throw(replace(state, question=None), lying, selection_of(state, question.kept), now)


def _nothing_thrown(state: TableState, aside: Faces, now: float) -> Step:
    """Announce a change of what is set aside, and complain about a die on the shelf that does not count."""
    turn = turn_of(state)
    changed = turn.set_aside != aside
    cues: tuple[Cue, ...] = ()
    if state.bot is not None:
        says = wrongly_aside(state)
    else:
        useless = Counter(turn.set_aside) - Counter(turn.pending.dice if turn.pending else ())
        says = message("complaint.does_not_count", dice=tuple(sorted(useless.elements()))) if useless else None
        cues = (Cue(CueKind.CHOSEN, spaced(turn.set_aside)),) if changed else ()
    if says is None:
        return Step(replace(state, complaint=None) if changed else state, cues=cues)
    complaint = Complaint(says, now + state.times.complain_after_s, dice=0)
    return Step(state, cues=cues).followed_by(complain(state, complaint, now))


def _thrown(
    state: TableState, meaning: interpret.Interpretation, observation: Observation, chosen: Selection | None, now: float
) -> Step:
    reading = observation.reading
    sure = reading.sure and not state.confirm_readings
    state = replace(state, complaint=None, incomplete=None)
    match meaning:
        case interpret.Thrown(kept=kept, faces=faces) if sure:
            return throw(state, faces, kept, now)
        case interpret.Thrown(kept=kept, faces=faces):
            dice = tuple(reading.dice[index] for index in interpret.thrown_dice(observation))
            aside = kept.dice if kept else None
            waiting = None if reading.sure else wait_until_flat(state, dice, aside, now)
            return waiting or ask(state, doubtful_throw(faces, aside, doubted_places(dice)))
        case interpret.Unclear(choices=choices, faces=faces, missing=missing):
            return ask(state, which_set_aside(choices, faces, missing=missing, sure=sure))
        case interpret.Miscounted() if sure and _after_bank_of_bot(state, meaning.count):
            faces = tuple(reading.dice[index].face for index in interpret.thrown_dice(observation))
            return throw_after_silent_bank(state, faces, now, sure=True)
        case interpret.Miscounted():
            return miscounted(state, meaning, observation, chosen, now)


def _after_bank_of_bot(state: TableState, count: int) -> bool:
    """Return whether a throw of `count` dice is the next player's, because the bot to move has decided to bank."""
    play = state.current
    banks = state.bot is not None and bool(play.bot_banks)
    return banks and count == play.game.rules.n_dice and turn_of(state).refused is None


def check_throw(faces: Faces, count: int) -> Faces:
    """Return the faces that players give for a throw of `count` dice.

    Raises:
        RefusedError: if the number of faces is not `count`, or a die has no such face.
    """
    if not all(1 <= face <= 6 for face in faces):
        raise RefusedError(message("rules.no_such_face"))
    if len(faces) != count:
        raise RefusedError(message("refused.number_of_dice", dice=count))
    return faces


def throw(state: TableState, faces: Faces, kept: Selection | None, now: float) -> Step:
    """Add the act of a throw: keep what had been set aside, roll the dice, and add what follows.

    If as many dice are thrown as the player before left, these dice are taken over; if all are thrown, they are fresh.
    """
    game, starter = state.current.game, state.current.start_thrower
    if starter is not None:
        return _throw_for_start(state, starter, faces, now)
    commands: list[Command] = []
    if len(faces) == interpret.left_to_take_over(game) != game.turn.dice_left:
        commands.append(Choose("piggyback"))
    if kept is not None:
        commands.append(Keep(kept.dice, kept.points))
    events = course_of(game, *commands, Roll(faces)).events
    return act(replace(state, out_of_step=False), with_throw_seen(state, events), now)


def _throw_for_start(state: TableState, player: int, faces: Faces, now: float) -> Step:
    """Add the act of a player's throw for who begins."""
    events = (*_throw_seen(state), *decide(state.current.game, ThrowForStart(player, faces)))
    made = act(replace(state, out_of_step=False), events, now)
    return replace(made, cues=(*made.cues, Cue(CueKind.TURN))) if made.state.current.start_thrower is not None else made


def throw_after_silent_bank(state: TableState, faces: Faces, now: float, *, sure: bool) -> Step:
    """Add the act of a turn that was banked without a press, and of the next player's throw that revealed it.

    Unsure faces are asked about next; after a bank that ends the game no throw counts.

    Raises:
        RefusedError: if the turn may not be banked.
    """
    turn = turn_of(state)
    first, game = turn.banking, turn.banked
    if game is None:
        raise RefusedError(turn.refused or "")
    if game.over:
        return act(state, first, now)
    if not sure:
        made = act(state, first, now)
        return made.followed_by(ask(made.state, doubtful_throw(faces, None)))
    events = (*first, *with_throw_seen(state, decide(game, Roll(faces))))
    return act(replace(state, out_of_step=False), events, now)


def ignore_throw(state: TableState) -> Step:
    """Do not count the throw; the tray is out of step until the next throw."""
    said = message("said.not_counted")
    state = replace(state, out_of_step=True, announced=said, incomplete=None, complaint=None)
    return Step(state, cues=(Cue(CueKind.OUT_OF_STEP, said),))


def _throw_seen(state: TableState) -> list[Event]:
    """Return the event that says on which picture the throw was read, if the eye read it."""
    seen = state.observation
    if seen is None or state.manual is ManualEntry.FACES:
        return []
    return [ThrowSeen(state.source, seen.number, seen.name, seen.reading.sure)]


def with_throw_seen(state: TableState, events: Sequence[Event]) -> list[Event]:
    """Return the events of a throw, with the event of what the eye saw before each roll."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, DiceRolled):
            found.extend(_throw_seen(state))
        found.append(event)
    return found


def _first_picture(state: TableState, observation: Observation, before: Observation | None) -> Step:
    """Take a first picture, which is never a throw; ask if it is not the tray that was seen before."""
    reading = observation.reading
    expected = state.out_of_step or interpret.fits(state.current.game, reading)
    if expected and (before is None or interpret.same_tray(before.reading, reading)):
        return Step(state)
    meaning = _interpreted(state, reading, interpret.outside_shelf(reading), state.current.chosen)
    if isinstance(meaning, interpret.Thrown) and state.current.start_thrower is None:
        kept = meaning.kept.dice if meaning.kept else None
        asks = message("question.just_thrown", faces=meaning.faces)
        return ask(replace(state, out_of_step=True), JustThrown(asks, faces=meaning.faces, kept=kept))
    if expected:
        return Step(state)
    said = message("said.tray_changed")
    return Step(replace(state, out_of_step=True, announced=said), cues=(Cue(CueKind.REFUSED, said),))


HANDLERS: Handlers = {ReadingSettled: lambda state, given, now: settled(state, given.observation, given.source, now)}
