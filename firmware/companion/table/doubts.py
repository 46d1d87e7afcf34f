"""Doubts: asking about dice that the eye is not sure of, one by one, and about a throw that was read wrongly."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.table.state import Question, TableState
from companion.table.text import FACES, counted
from dicereader.reading import ReadDie
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection

AGAIN = "throw again"
RIGHT = "it was right"
MOST_ASKED = 3
"""So many dice in doubt are asked about one by one; of more the whole throw is."""

LIKELY: Mapping[int, Faces] = {
    1: (3, 2, 5, 4, 6),
    2: (3, 1, 4, 5, 6),
    3: (2, 5, 1, 4, 6),
    4: (5, 6, 2, 3, 1),
    5: (4, 3, 6, 2, 1),
    6: (4, 5, 2, 3, 1),
}
"""What a face is most likely taken for: the faces whose pips differ least from its own, first."""


def doubt(faces: Faces, kept: Faces | None, doubted: Sequence[int] = ()) -> Question:
    """The question about a reading that is not sure; `doubted` are the places in `faces` of the dice in doubt."""
    choices = (kept,) if kept else ()
    if not 1 <= len(doubted) <= MOST_ASKED:
        text = f"I am not sure: is it {spaced(faces)}?"
        return Question("doubt", text, f"{spaced(faces)}?", ("yes", AGAIN), faces, choices)
    die, *others = doubted
    return _about(Question("doubt", "", "", ("yes", "no", AGAIN), faces, choices, die=die, open=tuple(others)))


def accepted(question: Question) -> Question | None:
    """The question about the next die in doubt; None where all have been asked about."""
    if not question.open:
        return None
    die, *others = question.open
    return _about(replace(question, die=die, open=tuple(others), tried=()))


def not_that(question: Question) -> Question:
    """The same die with the next likely face; after the last it begins anew."""
    assert question.die is not None
    tried = (*question.tried, question.faces[question.die])
    first = tried[0]
    left = [face for face in (first, *LIKELY[first]) if face not in tried] or [first]
    faces = list(question.faces)
    faces[question.die] = left[0]
    return _about(replace(question, faces=tuple(faces), tried=() if len(tried) == 6 else tried))


def _about(question: Question) -> Question:
    assert question.die is not None
    name = FACES[question.faces[question.die] - 1]
    return replace(question, text=f"Is it a {name}?", short=f"a {name}?")


def doubted_places(dice: Sequence[ReadDie]) -> tuple[int, ...]:
    """Which of these dice the eye doubts."""
    return tuple(place for place, die in enumerate(dice) if die.doubts)


def wrong(
    state: TableState,
    faces: Faces,
    may_be: Callable[[Faces], bool],
    scores: Callable[[Faces], bool],
    *,
    again: bool,
) -> Question | None:
    """The first question about a throw that people say was misread: likely readings first, of those that `may_be`.

    Nobody disputes a farkle for another: what scores comes first. `again` says that the throw may be voided, too. None
    where it can be no other.
    """
    dice = state.observation.reading.dice if state.observation else ()
    sure = {die.face: die.confidence for die in sorted(dice, key=lambda die: -die.confidence)}
    places = sorted(range(len(faces)), key=lambda place: sure.get(faces[place], 1.0))
    found: dict[Faces, Faces] = {}
    for rank in range(5):
        for place in places:
            other = LIKELY[faces[place]][rank]
            changed = (*faces[:place], other, *faces[place + 1 :])
            found.setdefault(tuple(sorted(changed)), changed)
    possible = tuple(sorted(filter(may_be, found.values()), key=lambda changed: not scores(changed)))
    return _wrong(faces, possible, (AGAIN,) if again else ()) if possible else None


def next_wrong(question: Question) -> Question:
    """The next likely reading; after the last the first comes again."""
    first, *others = question.choices
    return _wrong(question.tried, (*others, first), question.answers[3:])


def _wrong(was: Faces, possible: tuple[Faces, ...], again: tuple[str, ...]) -> Question:
    offered = possible[0]
    place = next(i for i, face in enumerate(offered) if face != was[i])
    text = f"Was a {FACES[was[place] - 1]} a {FACES[offered[place] - 1]}: {spaced(offered)}?"
    short = f"{was[place]} was {offered[place]}?"
    answers = ("yes", "no", RIGHT, *again)
    return Question("fix", text, short, answers, offered, possible, bank=2, die=place, tried=was)


def which_set_aside(choices: tuple[Selection, ...], faces: Faces, *, missing: int, sure: bool) -> Question:
    """The question about which dice had been set aside, or whether so many are missing; the best two as the answers."""
    best = choices[:2]
    answers = tuple(f"{spaced(each.dice)} for {each.points}" for each in best)
    named = " or ".join(answers)
    text = f"Which dice were set aside: {named}?"
    if missing:  # the words of KEEP and ROLL are yes and no
        text = f"Were these set aside: {named}, or {'is' if missing == 1 else 'are'} {counted(missing)} missing?"
    dice = tuple(each.dice for each in best)
    return Question("set aside", text, "what was set aside?", (*answers, AGAIN), faces, dice, sure)
