"""Throws that do not count yet: dice that are cocked, missing, touching, misread or in doubt, or a wrong number."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.table.state import questions
from companion.table.state.acts import Step, ask, complain
from companion.table.state.seen import Complaint, IncompleteThrow
from companion.table.state.state import TableState
from companion.table.throws.interpret import Miscounted, dice_to_throw, outside_shelf, thrown_dice
from companion.table.throws.selection import turn_of
from companion.words import Message, message
from dicereader.reading import Doubt, Observation, ReadDie
from farkle.game.state import Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection

LEANING = frozenset({Doubt.COCKED, Doubt.STACKED})


def wait_until_flat(state: TableState, dice: tuple[ReadDie, ...], kept: Faces | None, now: float) -> Step | None:
    """Wait for thrown dice that lean, or that touch and cannot be read; return None if there are no such dice."""
    leaning = [die for die in dice if LEANING & set(die.doubts)]
    if leaning:
        flat = tuple(die.face for die in dice if die not in leaning)
        again = 0 if state.house.cocked == "flatten" else len(leaning)
        throw = IncompleteThrow("cocked", flat if again else tuple(die.face for die in dice), again, kept)
        return _wait(state, throw, len(leaning), now)
    touching = [die for die in dice if Doubt.TOUCHING in die.doubts]
    if touching and all(Doubt.TOUCHING in die.doubts for die in dice if die.doubts):
        throw = IncompleteThrow("touching", tuple(die.face for die in dice), 0, kept)
        return _wait(state, throw, len(touching), now)
    return None


def _wait(state: TableState, throw: IncompleteThrow, dice: int, now: float) -> Step:
    """Wait for the throw to be completed, and complain about this number of dice."""
    says = _instruction(throw, dice)
    return complain(replace(state, incomplete=throw, announced=says.text), Complaint(says, now, dice), now)


def _instruction(throw: IncompleteThrow, dice: int) -> Message:
    """Return what to do with the dice of an incomplete throw."""
    match throw.kind:
        case "cocked" if throw.again:
            return message("complaint.cocked_again", dice=dice)
        case "cocked":
            return message("complaint.cocked_flat", dice=dice)
        case "missing":
            return message("complaint.missing", dice=dice)
        case _:
            return message("complaint.touching")


def completed(throw: IncompleteThrow, observation: Observation) -> Faces | None:
    """Return the faces of the completed throw, or None if it is still incomplete."""
    reading = observation.reading
    thrown = thrown_dice(observation)
    if throw.again and len(thrown) == throw.again:
        return (*throw.faces, *(reading.dice[i].face for i in thrown))
    if throw.again or thrown:
        return None
    lying = [reading.dice[i].face for i in outside_shelf(reading)]
    if len(lying) > len(throw.faces):  # dice that were set aside lie among them
        aside = Counter(throw.kept or ())
        for face in tuple(lying):
            if aside[face] > 0 and len(lying) > len(throw.faces):
                aside[face] -= 1
                lying.remove(face)
    return tuple(lying) if len(lying) == len(throw.faces) and reading.sure else None


def miscounted(
    state: TableState, meaning: Miscounted, observation: Observation, chosen: Selection | None, now: float
) -> Step:
    """Reject a throw of the wrong number of dice, or ask what it means. Its dice do not count before a player says so.

    Too few dice are reported at once: the eye has already waited for the others.
    """
    play, reading = state.current, observation.reading
    game = play.game
    faces = tuple(reading.dice[index].face for index in thrown_dice(observation))
    sure = reading.sure and not state.confirm_readings
    if play.start_thrower is not None and meaning.count == game.rules.n_dice and sure:
        name = game.players[play.start_thrower]
        asks = message("question.begins_with_these", name=name, dice=play.dice_for_start)
        return ask(state, questions.BeginsWithThese(asks, faces=faces))
    turn = turn_of(state)
    if meaning.count == game.rules.n_dice and turn.refused is None and state.bot is None:
        points = game.turn.points + (turn.bank.points if turn.bank else 0)
        asks = message("question.silent_bank", name=game.players[game.to_move], points=points)
        return ask(state, questions.SilentBank(asks, faces=faces, sure=sure))
    if turn.no_throw is not None:
        says = message("complaint.only_throw")
        return complain(replace(state, out_of_step=True, announced=says.text), Complaint(says, now, meaning.count), now)
    expected = dice_to_throw(game, chosen)
    few = bool(meaning.allowed) and meaning.count < min(meaning.allowed) and meaning.seen < game.rules.n_dice
    if few and expected > meaning.count and reading.sure and state.house.off_table == "that_die":
        aside = chosen.dice if chosen and game.phase is Phase.CHOOSING else None
        missing = expected - meaning.count
        return _wait(state, IncompleteThrow("missing", faces, missing, aside), missing, now)
    says = _rejection(state, meaning, few=few)
    out = replace(state, out_of_step=True, announced=says.text)
    wrong = abs(min(meaning.allowed, default=meaning.count) - meaning.count)
    return complain(out, Complaint(says, now, max(1, wrong)), now)


def _rejection(state: TableState, meaning: Miscounted, *, few: bool) -> Message:
    """Return why a throw does not count."""
    play = state.current
    if not meaning.allowed:
        return message("complaint.bot_first", name=state.bot_name)
    if few:
        return message("complaint.missing_all", dice=min(meaning.allowed) - meaning.count, allowed=meaning.allowed)
    if play.game.phase is Phase.CHOOSING and meaning.count == len(play.game.turn.roll) and play.chosen is None:
        return message("complaint.none_set_aside")
    return message("complaint.wrong_number", dice=meaning.count, allowed=meaning.allowed)


MOST_ASKED = 3
"""Up to this many doubtful dice are asked about one by one; with more, the table asks about the whole throw."""

LIKELY: Mapping[int, Faces] = {
    1: (3, 2, 5, 4, 6),
    2: (3, 1, 4, 5, 6),
    3: (2, 5, 1, 4, 6),
    4: (5, 6, 2, 3, 1),
    5: (4, 3, 6, 2, 1),
    6: (4, 5, 2, 3, 1),
}
"""For each face, the other faces in the order in which it is likely mistaken for them: fewest different pips first."""


def doubtful_throw(faces: Faces, kept: Faces | None, doubted: Sequence[int] = ()) -> questions.Question:
    """Return the question about a throw that is not read surely.

    Args:
        faces: The faces as read.
        kept: The dice that were set aside before the throw.
        doubted: Indices in `faces` of the doubtful dice; the question is about the first of them.
    """
    if not 1 <= len(doubted) <= MOST_ASKED:
        asks = message("question.doubtful_throw", faces=faces)
        return questions.DoubtfulThrow(asks, (questions.YES, questions.THROW_AGAIN), faces=faces, kept=kept)
    die, *others = doubted
    answers = (questions.YES, questions.NO, questions.THROW_AGAIN)
    asks = _about_die(faces[die])
    return questions.DoubtfulThrow(asks, answers, faces=faces, die=die, kept=kept, others=tuple(others))


def next_doubtful_die(question: questions.DoubtfulThrow) -> questions.Question | None:
    """Return the question about the next doubtful die, or None if all have been asked about."""
    if not question.others:
        return None
    die, *others = question.others
    return replace(question, asks=_about_die(question.faces[die]), die=die, others=tuple(others), tried=())


def next_likely_face(question: questions.DoubtfulThrow, die: int) -> questions.Question:
    """Return the question about the same die with the next likely face; after the sixth face the first comes again."""
    tried = (*question.tried, question.faces[die])
    first = tried[0]
    left = [face for face in (first, *LIKELY[first]) if face not in tried] or [first]
    faces = (*question.faces[:die], left[0], *question.faces[die + 1 :])
    tried = () if len(tried) == 6 else tried
    return replace(question, asks=_about_die(left[0]), faces=faces, die=die, tried=tried)


def _about_die(face: int) -> Message:
    return message("question.doubtful_die", face=face)


def doubted_places(dice: Sequence[ReadDie]) -> tuple[int, ...]:
    """Return the indices of the dice that the eye doubts."""
    return tuple(place for place, die in enumerate(dice) if die.doubts)
