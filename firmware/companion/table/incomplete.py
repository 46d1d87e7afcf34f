"""Pending throws: a die that is cocked, off the table, or too close to another, and how the throw becomes whole."""

from collections import Counter
from dataclasses import replace

from companion.table.acts import Step
from companion.table.asking import ask, complain
from companion.table.interpret import Miscounted, dice_to_throw, outside_shelf, thrown_dice
from companion.table.selection import may_bank, to_bank
from companion.table.starting import asked_to_begin, thrower
from companion.table.state import Complaint, Pending, Question, TableState
from companion.table.text import counted, counted_any
from dicereader.reading import DiceReading, Doubt, Observation, ReadDie
from farkle.game.state import Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection

LEANING = frozenset({Doubt.COCKED, Doubt.STACKED})


def not_whole(state: TableState, dice: tuple[ReadDie, ...], kept: Faces | None, now: float) -> Step | None:
    """The step of a throw with dice that lean, or that touch so that they cannot be read; None where none do."""
    leaning = [die for die in dice if LEANING & set(die.doubts)]
    if leaning:
        flat = tuple(die.face for die in dice if die not in leaning)
        again = 0 if state.house.cocked == "flatten" else len(leaning)
        pending = Pending("cocked", flat if again else tuple(die.face for die in dice), again, kept)
        return wait_for(state, pending, len(leaning), now)
    touching = [die for die in dice if Doubt.TOUCHING in die.doubts]
    if touching and all(Doubt.TOUCHING in die.doubts for die in dice if die.doubts):
        return wait_for(state, Pending("touching", tuple(die.face for die in dice), 0, kept), len(touching), now)
    return None


def wait_for(state: TableState, pending: Pending, doubted: int, now: float) -> Step:
    """The step that waits for a throw to become whole, and says how."""
    text, short = words(pending, doubted)
    return complain(replace(state, pending=pending, said=text), Complaint(text, short, now, doubted), now)


def words(pending: Pending, doubted: int) -> tuple[str, str]:
    """What is said of a throw that is not whole, and its short form."""
    many = counted(doubted).capitalize()
    are, it = ("is", "it") if doubted == 1 else ("are", "them")
    match pending.kind:
        case "cocked" if pending.again:
            return f"{many} {are} cocked: throw {it} again.", f"{doubted} cocked"
        case "cocked":
            return f"{many} {are} cocked: lay {it} flat.", f"{doubted} cocked: lay flat"
        case "missing":
            return f"{many} missing: throw {it} again.", f"{doubted} missing"
        case _:
            return "The dice touch: nudge them apart.", "nudge them apart"


def completed(pending: Pending, observation: Observation) -> tuple[Faces, DiceReading] | None:
    """The whole throw's faces, and the reading they rest on; None where this observation does not make it whole."""
    reading = observation.reading
    thrown = thrown_dice(observation)
    if pending.again and len(thrown) == pending.again:
        return (*pending.faces, *(reading.dice[i].face for i in thrown)), reading
    if pending.again or thrown:
        return None
    lying = [reading.dice[i].face for i in outside_shelf(reading)]
    if len(lying) > len(pending.faces):  # dice that were set aside lie among them
        aside = Counter(pending.kept or ())
        for face in tuple(lying):
            if aside[face] > 0 and len(lying) > len(pending.faces):
                aside[face] -= 1
                lying.remove(face)
    return (tuple(lying), reading) if len(lying) == len(pending.faces) and reading.sure else None


def miscounted(
    state: TableState, meaning: Miscounted, observation: Observation, chosen: Selection | None, now: float
) -> Step:
    """The step of a throw of the wrong number of dice: nothing of it counts before someone says so.

    Fewer dice are told at once: the eye has waited for the others already.
    """
    game = state.game
    assert game is not None
    reading = observation.reading
    faces = tuple(reading.dice[index].face for index in thrown_dice(observation))
    sure = reading.sure and not state.distrust
    if thrower(state) is not None and meaning.count == game.rules.n_dice and sure:
        return asked_to_begin(state, faces)
    points = _might_have_banked(state)
    if points is not None and meaning.count == game.rules.n_dice:
        name = game.players[game.to_move]
        text = f"Did {name} bank {points}? Then this is the next player's throw."
        return ask(state, Question("banked", text, f"banked {points}?", ("yes", "no"), faces, sure=sure))
    expected = dice_to_throw(game, chosen)
    few = meaning.count < min(meaning.allowed) and meaning.seen < game.rules.n_dice
    if few and expected > meaning.count and reading.sure and state.house.off_table == "that_die":
        kept = chosen.dice if chosen and game.phase is Phase.CHOOSING else None
        missing = expected - meaning.count
        return wait_for(state, Pending("missing", faces, missing, kept), missing, now)
    text, short = _words(state, meaning, few)
    out = replace(state, out_of_step=True, said=text)
    return complain(out, Complaint(text, short, now, max(1, abs(min(meaning.allowed) - meaning.count))), now)


def _words(state: TableState, meaning: Miscounted, few: bool) -> tuple[str, str]:
    assert state.game is not None
    allowed = counted_any(meaning.allowed)
    if few:
        missing = min(meaning.allowed) - meaning.count
        return f"{counted(missing).capitalize()} missing: throw {allowed} again.", f"{missing} missing"
    if state.game.phase is Phase.CHOOSING and meaning.count == len(state.game.turn.roll) and state.chosen is None:
        return "Set one aside first: that throw does not count.", "set one aside first"
    text = f"{counted(meaning.count).capitalize()} thrown, {allowed} allowed: throw again."
    return text, f"{meaning.count} dice, not {max(meaning.allowed)}"


def _might_have_banked(state: TableState) -> int | None:
    """What a bank without a press would have brought, None where none was allowed."""
    kept = to_bank(state)
    if state.game is None or not may_bank(state):
        return None
    return state.game.turn.points + (kept.points if kept else 0)
