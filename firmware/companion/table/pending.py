"""Pending throws: a die that is cocked, off the table, or too close to another, and how the throw becomes whole."""

from collections import Counter
from dataclasses import replace

from companion.table.acts import Step
from companion.table.asking import complain
from companion.table.explain import outside_shelf, thrown_dice
from companion.table.phrases import counted
from companion.table.state import Complaint, Pending, TableState
from dicereader.reading import DiceReading, Doubt, Observation, ReadDie
from farkle.rules.dice import Faces

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
