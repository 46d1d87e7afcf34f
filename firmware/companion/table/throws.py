"""Throws: what a settled observation does to the turn, and what the table asks where it is not clear."""

from collections.abc import Sequence
from dataclasses import replace

from companion.table.acts import Step, act
from companion.table.cues import Cue, CueKind
from companion.table.events import Event, ThrowSeen
from companion.table.explain import (
    AtRest,
    Meaning,
    Miscounted,
    Thrown,
    Unclear,
    explain,
    fits,
    left_to_take_over,
    outside_shelf,
    same_tray,
    thrown_dice,
)
from companion.table.inputs import Motion
from companion.table.phrases import counted
from companion.table.proposal import banked, may_bank, proposal, to_bank
from companion.table.state import Question, TableState
from dicereader.reading import Observation
from farkle.game.commands import Choose, Command, Keep, Roll
from farkle.game.events import DiceRolled
from farkle.game.machine import course_of, decide, fold
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection

AGAIN = "throw again"


def seen(state: TableState, observation: Observation, source: str, now: float) -> Step:
    """The step of a settled observation. A first picture is never a throw; a doubtful reading is asked about."""
    chosen = proposal(state)
    aside = state.set_aside
    before = state.observation
    state = replace(state, observation=observation, source=source, motion=Motion.STILL)
    if state.game is None or state.game.over:
        return Step(state)
    if observation.episode.first and not observation.still:
        return _first(state, observation, before)
    meaning = explain(state.game, chosen, observation.reading, thrown_dice(observation))
    if isinstance(meaning, AtRest):
        changed = state.set_aside != aside
        return Step(state, cues=(Cue(CueKind.CHOSEN, spaced(state.set_aside)),) if changed else ())
    return _understood(state, meaning, observation, now)


def _understood(state: TableState, meaning: Meaning, observation: Observation, now: float) -> Step:
    match meaning:
        case Thrown(kept=kept, faces=faces) if observation.reading.sure:
            return thrown(state, faces, kept, now)
        case Thrown(kept=kept, faces=faces):
            return ask(state, doubt(faces, kept))
        case Unclear(choices=choices, faces=faces):
            return ask(state, which_set_aside(choices, faces, sure=observation.reading.sure))
        case Miscounted():
            return _miscounted(state, meaning)
        case AtRest():
            return Step(state)


def thrown(state: TableState, faces: Faces, kept: Selection | None, now: float) -> Step:
    """The act of a throw: what had been set aside is kept, the dice are rolled, and what follows from it.

    As many dice as the player before left are those dice, taken over; all of them are fresh ones.
    """
    game = state.game
    assert game is not None
    commands: list[Command] = []
    if len(faces) == left_to_take_over(game) != game.turn.dice_left:
        commands.append(Choose("piggyback"))
    if kept is not None:
        commands.append(Keep(kept.dice, kept.points))
    events = course_of(game, *commands, Roll(faces)).events
    return _in_step(act(state, _seen(state, events), now))


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
    events = (*first, *_seen(state, decide(game, Roll(faces))))
    return _in_step(act(state, events, now))


def ignored(state: TableState) -> Step:
    """The throw does not count; what lies there is shown and not acted on until the next real throw."""
    said = "Not counted: throw again."
    return Step(replace(state, out_of_step=True, said=said), cues=(Cue(CueKind.OUT_OF_STEP, said),))


def _seen(state: TableState, events: Sequence[Event]) -> list[Event]:
    """The events of a throw, with what the eye saw before them."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, DiceRolled) and state.observation is not None:
            observation = state.observation
            found.append(ThrowSeen(state.source, observation.number, observation.name, observation.reading.sure))
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
    if not isinstance(meaning, Thrown):
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


def _miscounted(state: TableState, meaning: Miscounted) -> Step:
    assert state.game is not None
    points = _might_have_banked(state)
    if points is not None and meaning.count == state.game.rules.n_dice and state.observation is not None:
        name = state.game.players[state.game.to_move]
        faces = tuple(state.observation.reading.dice[index].face for index in thrown_dice(state.observation))
        text = f"Did {name} bank {points}? Then this is the next player's throw."
        sure = state.observation.reading.sure
        return ask(state, Question("banked", text, f"banked {points}?", ("yes", "no"), faces, sure=sure))
    allowed = " or ".join(counted(count) for count in meaning.allowed)
    said = f"{counted(meaning.count).capitalize()} thrown, {allowed} allowed: throw again."
    if meaning.seen < state.game.rules.n_dice and meaning.count < min(meaning.allowed):
        missing = min(meaning.allowed) - meaning.count
        said = f"{counted(missing).capitalize()} missing: throw {allowed} again."
    return Step(replace(state, out_of_step=True, said=said), cues=(Cue(CueKind.REFUSED, said),))


def _might_have_banked(state: TableState) -> int | None:
    """What a bank without a press would have brought, None where none was allowed."""
    kept = to_bank(state)
    if state.game is None or not may_bank(state):
        return None
    return state.game.turn.points + (kept.points if kept else 0)


def doubt(faces: Faces, kept: Selection | None) -> Question:
    """The question about a reading that is not sure."""
    choices = (kept.dice,) if kept else ()
    return Question(
        "doubt", f"I am not sure: is it {spaced(faces)}?", f"{spaced(faces)}?", ("yes", AGAIN), faces, choices
    )


def which_set_aside(choices: tuple[Selection, ...], faces: Faces, *, sure: bool) -> Question:
    """The question about which dice had been set aside, with the best two as the answers."""
    best = choices[:2]
    answers = tuple(f"{spaced(each.dice)} for {each.points}" for each in best)
    text = f"Which dice were set aside: {' or '.join(answers)}?"
    return Question(
        "set aside", text, "what was set aside?", (*answers, AGAIN), faces, tuple(each.dice for each in best), sure
    )


def ask(state: TableState, question: Question) -> Step:
    """The step that opens a question."""
    return Step(replace(state, question=question), cues=(question_cue(question),))


def question_cue(question: Question) -> Cue:
    """The cue that speaks a question, once."""
    return Cue(CueKind.QUESTION, question.text)
