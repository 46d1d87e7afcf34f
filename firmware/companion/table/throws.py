"""Throws: what a settled observation does to the turn, and the acts that a throw makes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from companion.table.acts import Step, act
from companion.table.asking import ask, complain
from companion.table.cues import Cue, CueKind
from companion.table.doubts import doubt, doubted_places, which_set_aside
from companion.table.events import Event, ThrowSeen
from companion.table.incomplete import completed, miscounted, not_whole
from companion.table.inputs import Motion
from companion.table.interpret import (
    AtRest,
    Meaning,
    Miscounted,
    Thrown,
    Unclear,
    explain,
    fits,
    kept_still,
    laid_beside,
    left_to_take_over,
    outside_shelf,
    same_tray,
    thrown_dice,
)
from companion.table.selection import banked, proposal, to_bank
from companion.table.starting import dice_for_start, thrower, thrown_for_start
from companion.table.state import ByHand, Complaint, Question, TableState
from companion.table.text import faces_named
from dicereader.reading import Observation
from farkle.game.commands import Choose, Command, Keep, Roll
from farkle.game.events import DiceRolled
from farkle.game.evolve import fold
from farkle.game.machine import course_of, decide
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection


def seen(state: TableState, observation: Observation, source: str, now: float) -> Step:
    """The step of a settled observation. A first picture is never a throw; a doubtful reading is asked about."""
    chosen = proposal(state)
    aside = state.set_aside
    before = state.observation
    if state.game is not None:
        observation = kept_still(state.game, chosen, observation)
    asked = state.question is not None and state.question.kind == "blind" and state.blind is None
    question = None if asked else state.question  # what did not come to rest has
    state = replace(
        state, observation=observation, source=source, motion=Motion.STILL, stirred_s=None, question=question
    )
    if state.game is None or state.in_lobby or state.game.over or state.by_hand is ByHand.COUNTING:
        return Step(state)
    if observation.episode.first and not observation.still:
        return _first(state, observation, before)
    whole = _made_whole(state, observation, now)
    if whole is not None:
        return whole
    meaning = _meaning(state, observation, chosen, before)
    if isinstance(meaning, AtRest):
        return _at_rest(state, aside, now)
    return _understood(state, meaning, observation, chosen, now)


def _meaning(
    state: TableState, observation: Observation, chosen: Selection | None, before: Observation | None
) -> Meaning:
    assert state.game is not None
    thrown = thrown_dice(observation)
    if thrower(state) is None or not thrown:
        reading = observation.reading
        beside = laid_beside(state.game, before.reading, reading, thrown) if before is not None else ()
        return explain(state.game, chosen, reading, thrown, beside)
    faces = tuple(observation.reading.dice[index].face for index in thrown)
    wanted = dice_for_start(state)
    return Thrown(None, faces) if len(faces) == wanted else Miscounted(len(faces), (wanted,), len(faces))


def _made_whole(state: TableState, observation: Observation, now: float) -> Step | None:
    """The step of a throw that was not whole, or in doubt, and is now; None where there is none such."""
    if state.pending is not None:
        found = completed(state.pending, observation)
        if found is None:
            return None
        faces, reading = found
        kept = state.pending.kept
        clear = replace(state, pending=None, complaint=None)
        if reading.sure:
            return thrown(clear, faces, None if kept is None else selection_of(state, kept), now)
        places = doubted_places([reading.dice[i] for i in thrown_dice(observation)])
        return ask(clear, doubt(faces, kept, [len(faces) - len(places) + place for place in range(len(places))]))
    question = state.question
    if question is None or question.kind != "doubt" or observation.episode.thrown() or not observation.reading.sure:
        return None
    lying = tuple(observation.reading.dice[i].face for i in outside_shelf(observation.reading))
    if len(lying) != len(question.faces) or state.distrust:
        return None
    kept_selection = selection_of(state, question.choices[0]) if question.choices else None
    return thrown(replace(state, question=None), lying, kept_selection, now)


def _at_rest(state: TableState, aside: Faces, now: float) -> Step:
    """Nothing was thrown: what is set aside may have changed, and a die there may not count."""
    changed = state.set_aside != aside
    cues = (Cue(CueKind.CHOSEN, spaced(state.set_aside)),) if changed else ()
    kept = proposal(state)
    idle = Counter(state.set_aside) - Counter(kept.dice if kept else ())
    if not idle or not state.set_aside:
        return Step(replace(state, complaint=None) if changed else state, cues=cues)
    names = faces_named(tuple(sorted(idle.elements())))
    count = idle.total()
    text = f"{names} {'does' if count == 1 else 'do'} not count.".capitalize()
    complaint = Complaint(text, "does not count", now + state.times.complain_after_s, dice=0)
    made = complain(state, complaint, now)
    return replace(made, cues=(*cues, *made.cues))


def _understood(
    state: TableState, meaning: Meaning, observation: Observation, chosen: Selection | None, now: float
) -> Step:
    reading = observation.reading
    sure = reading.sure and not state.distrust
    state = replace(state, complaint=None, pending=None)
    match meaning:
        case Thrown(kept=kept, faces=faces) if sure:
            return thrown(state, faces, kept, now)
        case Thrown(kept=kept, faces=faces):
            dice = tuple(reading.dice[index] for index in thrown_dice(observation))
            aside = kept.dice if kept else None
            waiting = None if reading.sure else not_whole(state, dice, aside, now)
            return waiting or ask(state, doubt(faces, aside, doubted_places(dice)))
        case Unclear(choices=choices, faces=faces, missing=missing):
            return ask(state, which_set_aside(choices, faces, missing=missing, sure=sure))
        case Miscounted():
            return miscounted(state, meaning, observation, chosen, now)
        case AtRest():
            return Step(state)


def thrown(state: TableState, faces: Faces, kept: Selection | None, now: float) -> Step:
    """The act of a throw: what had been set aside is kept, the dice are rolled, and what follows from it.

    As many dice as the player before left are those dice, taken over; all of them are fresh ones.
    """
    game = state.game
    assert game is not None
    if thrower(state) is not None:
        return thrown_for_start(state, faces, tuple(_by_eye(state)), now)
    commands: list[Command] = []
    if len(faces) == left_to_take_over(game) != game.turn.dice_left:
        commands.append(Choose("piggyback"))
    if kept is not None:
        commands.append(Keep(kept.dice, kept.points))
    events = course_of(game, *commands, Roll(faces)).events
    return _in_step(act(state, seen_events(state, events), now))


def banked_then_thrown(state: TableState, faces: Faces, now: float, *, sure: bool) -> Step:
    """The act of a turn that was banked in silence, and of the next player's throw that showed it.

    Where the faces are not sure they are asked about next; after the bank that ends the game no throw counts.
    """
    assert state.game is not None
    first = banked(state.game, to_bank(state))
    game = fold(first, state.game)
    if game.over:
        return act(state, first, now)
    if not sure:
        made = act(state, first, now)
        asked = ask(made.state, doubt(faces, None))
        return replace(asked, events=made.events, cues=(*made.cues, *asked.cues))
    events = (*first, *seen_events(state, decide(game, Roll(faces))))
    return _in_step(act(state, events, now))


def ignored(state: TableState) -> Step:
    """The throw does not count; what lies there is shown and not acted on until the next real throw."""
    said = "Not counted: throw again."
    state = replace(state, out_of_step=True, said=said, pending=None, complaint=None)
    return Step(state, cues=(Cue(CueKind.OUT_OF_STEP, said),))


def selection_of(state: TableState, dice: Faces) -> Selection:
    """The selection of these dice of the last roll."""
    assert state.game is not None
    return find_selection(state.game.rules, state.game.turn.roll, dice)


def _by_eye(state: TableState) -> list[Event]:
    if state.observation is None or state.by_hand is ByHand.FACES:
        return []
    observation = state.observation
    return [ThrowSeen(state.source, observation.number, observation.name, observation.reading.sure)]


def seen_events(state: TableState, events: Sequence[Event]) -> list[Event]:
    """The events of a throw, with what the eye saw before them."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, DiceRolled):
            found.extend(_by_eye(state))
        found.append(event)
    return found


def _in_step(step: Step) -> Step:
    """A real throw puts tray and game in step again."""
    return replace(step, state=replace(step.state, out_of_step=False))


def _first(state: TableState, observation: Observation, before: Observation | None) -> Step:
    """A first picture is never a throw: where it is not the tray that was seen before, the table asks."""
    assert state.game is not None
    expected = state.out_of_step or fits(state.game, observation.reading)
    if expected and (before is None or same_tray(before.reading, observation.reading)):
        return Step(state)
    loose = outside_shelf(observation.reading)
    meaning = explain(state.game, state.chosen, observation.reading, loose)
    if not isinstance(meaning, Thrown) or thrower(state) is not None:
        if expected:
            return Step(state)
        state = replace(state, out_of_step=True)
        said = "The tray is not as the game left it: the next throw counts."
        return Step(replace(state, said=said), cues=(Cue(CueKind.REFUSED, said),))
    text = f"Were {spaced(meaning.faces)} thrown just now?"
    choices = (meaning.kept.dice,) if meaning.kept else ()
    return ask(
        replace(state, out_of_step=True),
        Question("thrown", text, "thrown just now?", ("yes", "no"), meaning.faces, choices),
    )
