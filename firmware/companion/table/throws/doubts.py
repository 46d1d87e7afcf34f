"""Questions about faces that the camera doubts or players call misread: which die, and which face is offered next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from companion.table.state.questions import (
    IT_WAS_RIGHT,
    NO,
    THROW_AGAIN,
    YES,
    DoubtfulThrow,
    MisreadThrow,
    Option,
    Question,
)
from companion.words import Message, message
from dicereader.reading import ReadDie
from farkle.rules.dice import Faces

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


def doubtful_throw(faces: Faces, kept: Faces | None, doubted: Sequence[int] = ()) -> Question:
    """Return the question about a throw that is not read surely.

    Args:
        faces: The faces as read.
        kept: The dice that were set aside before the throw.
        doubted: Indices in `faces` of the doubtful dice; the question is about the first of them.
    """
    if not 1 <= len(doubted) <= MOST_ASKED:
        asks = message("question.doubtful_throw", faces=faces)
        return DoubtfulThrow(asks, (YES, THROW_AGAIN), faces=faces, kept=kept)
    die, *others = doubted
    answers = (YES, NO, THROW_AGAIN)
    asks = _about_die(faces[die])
    return DoubtfulThrow(asks, answers, faces=faces, die=die, kept=kept, others=tuple(others))


def next_doubtful_die(question: DoubtfulThrow) -> Question | None:
    """Return the question about the next doubtful die, or None if all have been asked about."""
    if not question.others:
        return None
    die, *others = question.others
    return replace(question, asks=_about_die(question.faces[die]), die=die, others=tuple(others), tried=())


def next_likely_face(question: DoubtfulThrow, die: int) -> Question:
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


def misread_throw(
    faces: Faces,
    dice: Sequence[ReadDie],
    may_be: Callable[[Faces], bool],
    scores: Callable[[Faces], bool],
    *,
    void: bool,
) -> Question | None:
    """Return the first question about a throw that players call misread, or None if it can be no other throw.

    Readings with one face changed are offered, likely ones first. Those that score come first: nobody disputes one
    farkle for another.

    Args:
        faces: The throw as it stands.
        dice: The dice of the last reading; the least confident die is doubted first.
        may_be: Tells whether the throw may become these faces.
        scores: Tells whether anything in these faces scores.
        void: Whether the throw may also be taken back.
    """
    possible = tuple(sorted(filter(may_be, misreadings(faces, dice)), key=lambda changed: not scores(changed)))
    answers = (YES, NO, IT_WAS_RIGHT, *([THROW_AGAIN] if void else []))
    return _misread(faces, possible, answers) if possible else None


def misreadings(faces: Faces, dice: Sequence[ReadDie] = ()) -> tuple[Faces, ...]:
    """Return the readings with one face changed, likely ones first; the least confident of `dice` is doubted first."""
    confidence = {die.face: die.confidence for die in sorted(dice, key=lambda die: -die.confidence)}
    places = sorted(range(len(faces)), key=lambda place: confidence.get(faces[place], 1.0))
    found: dict[Faces, Faces] = {}
    for rank in range(5):
        for place in places:
            changed = (*faces[:place], LIKELY[faces[place]][rank], *faces[place + 1 :])
            found.setdefault(tuple(sorted(changed)), changed)
    return tuple(found.values())


def next_misreading(question: MisreadThrow) -> Question:
    """Return the question about the next likely reading; after the last the first comes again."""
    return _misread(question.was, (*question.others, question.faces), question.answers)


def _misread(was: Faces, possible: tuple[Faces, ...], answers: tuple[Option, ...]) -> Question:
    offered, *others = possible
    place = next(i for i, face in enumerate(offered) if face != was[i])
    asks = message("question.misread", was=was[place], face=offered[place])
    return MisreadThrow(asks, answers, 2, offered, place, was=was, others=tuple(others))
