"""The questions that the table asks: one class a kind, with the data that its answer needs and the words that ask it.

`companion.table.answers.QUESTIONS` says what each kind is about and what follows from an answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.table.text import FACES, counted
from dicereader.reading import ReadDie
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection

THROW_AGAIN = "throw again"
IT_WAS_RIGHT = "it was right"
READ_ANYWAY, COUNT_POINTS, ENTER_FACES, WAIT = "read anyway", "count points ourselves", "enter the faces", "wait"

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


@dataclass(frozen=True)
class Question:
    """An open question.

    KEEP gives the first answer, ROLL the second, BANK the one at index `bank`. A question about one die names it by
    its index `die` in `faces`.
    """

    text: str
    short: str
    answers: tuple[str, ...]
    bank: int | None = None
    faces: Faces = ()
    die: int | None = None


@dataclass(frozen=True)
class DoubtfulThrow(Question):
    """Are these the faces of the throw?

    Asked when thrown dice are in doubt (up to three: one by one), or players have ignored a camera alarm.
    `kept` was set aside before the throw, `others` are the indices of the doubtful dice to ask about next, and `tried`
    are the faces of the present die that were denied.
    """

    kept: Faces | None = None
    others: tuple[int, ...] = ()
    tried: Faces = ()


@dataclass(frozen=True)
class WhichSetAside(Question):
    """Which of these dice were set aside before the throw?

    Asked when several selections fit. `sure` tells whether the faces of the throw are sure.
    """

    choices: tuple[Faces, ...] = ()
    sure: bool = True


@dataclass(frozen=True)
class JustThrown(Question):
    """Were these dice thrown just now?

    Asked when a first picture differs from the tray as it was last seen. `kept` was set aside before.
    """

    kept: Faces | None = None


@dataclass(frozen=True)
class SilentBank(Question):
    """Did the player bank without a press?

    Asked when six dice were thrown while fewer were expected, and the turn could be banked. The faces are then the next
    player's throw.
    """

    sure: bool = True


@dataclass(frozen=True)
class BeginsWithThese(Question):
    """Does the player begin with these dice?

    Asked when a player threw all dice while fewer are thrown for who begins.
    """


@dataclass(frozen=True)
class MisreadThrow(Question):
    """Was the last throw misread?

    Asked when KEEP was held. `faces` are the reading offered now, `was` the present one, `others` come next.
    """

    was: Faces = ()
    others: tuple[Faces, ...] = ()


@dataclass(frozen=True)
class Rematch(Question):
    """Another game with the same players?

    Asked when BANK was pressed after the end of a game.
    """


@dataclass(frozen=True)
class StartByThrows(Question):
    """Throw for who begins?

    Asked when BANK was pressed in the lobby.
    """


@dataclass(frozen=True)
class HowToGoOn(Question):
    """How does the game go on while the table cannot see its dice?

    Asked when the camera has not seen the tray for a while, or the dice do not come to rest.
    """


@dataclass(frozen=True)
class EnterFace(Question):
    """Is this the next face?

    Asked when players enter the faces of a throw of `count` dice.
    """

    count: int = 0


@dataclass(frozen=True)
class Bomb(Question):
    """Take the points of a Bomb, or swap pegs?

    Asked when a Bomb was thrown, made of the dice `kept`.
    """

    kept: Faces = ()


@dataclass(frozen=True)
class VantHof(Question):
    """Take the points of Van't Hof's six ones?

    Asked when six ones came in one turn, with the dice `kept`.
    """

    kept: Faces = ()


@dataclass(frozen=True)
class Piggyback(Question):
    """Take over the dice and points that the player before left, or throw fresh dice?

    Asked when the player before left dice and points.
    """


Choice = Bomb | VantHof | Piggyback
"""The questions about a choice that the rules leave open; the next throw or BANK may answer them, too."""


def doubtful_throw(faces: Faces, kept: Faces | None, doubted: Sequence[int] = ()) -> Question:
    """Return the question about a throw that is not read surely.

    Args:
        faces: The faces as read.
        kept: The dice that were set aside before the throw.
        doubted: Indices in `faces` of the doubtful dice; the question is about the first of them.
    """
    if not 1 <= len(doubted) <= MOST_ASKED:
        text = f"I am not sure: is it {spaced(faces)}?"
        return DoubtfulThrow(text, f"{spaced(faces)}?", ("yes", THROW_AGAIN), faces=faces, kept=kept)
    die, *others = doubted
    answers = ("yes", "no", THROW_AGAIN)
    return _about_die(DoubtfulThrow("", "", answers, faces=faces, die=die, kept=kept, others=tuple(others)))


def next_doubtful_die(question: DoubtfulThrow) -> Question | None:
    """Return the question about the next doubtful die, or None if all have been asked about."""
    if not question.others:
        return None
    die, *others = question.others
    return _about_die(replace(question, die=die, others=tuple(others), tried=()))


def next_likely_face(question: DoubtfulThrow, die: int) -> Question:
    """Return the question about the same die with the next likely face; after the sixth face the first comes again."""
    tried = (*question.tried, question.faces[die])
    first = tried[0]
    left = [face for face in (first, *LIKELY[first]) if face not in tried] or [first]
    faces = (*question.faces[:die], left[0], *question.faces[die + 1 :])
    return _about_die(replace(question, faces=faces, die=die, tried=() if len(tried) == 6 else tried))


def _about_die(question: DoubtfulThrow) -> DoubtfulThrow:
    name = FACES[question.faces[question.die or 0] - 1]
    return replace(question, text=f"Is it a {name}?", short=f"a {name}?")


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
    answers = ("yes", "no", IT_WAS_RIGHT, *([THROW_AGAIN] if void else []))
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


def _misread(was: Faces, possible: tuple[Faces, ...], answers: tuple[str, ...]) -> Question:
    offered, *others = possible
    place = next(i for i, face in enumerate(offered) if face != was[i])
    text = f"Was a {FACES[was[place] - 1]} a {FACES[offered[place] - 1]}: {spaced(offered)}?"
    short = f"{was[place]} was {offered[place]}?"
    return MisreadThrow(text, short, answers, 2, offered, place, was=was, others=tuple(others))


def which_set_aside(choices: Sequence[Selection], faces: Faces, *, missing: int, sure: bool) -> Question:
    """Return the question which dice were set aside, with the two likeliest selections as its answers.

    Args:
        choices: The selections that fit the throw, likeliest first.
        faces: The faces of the throw.
        missing: How many dice may have left the tray instead.
        sure: Whether the faces are sure.
    """
    best = choices[:2]
    answers = tuple(f"{spaced(each.dice)} for {each.points}" for each in best)
    named = " or ".join(answers)
    text = f"Which dice were set aside: {named}?"
    if missing:  # KEEP and ROLL mean yes and no here
        text = f"Were these set aside: {named}, or {'is' if missing == 1 else 'are'} {counted(missing)} missing?"
    dice = tuple(each.dice for each in best)
    return WhichSetAside(text, "what was set aside?", (*answers, THROW_AGAIN), faces=faces, choices=dice, sure=sure)


def just_thrown(faces: Faces, kept: Faces | None) -> Question:
    """Return the question whether the dice of a first picture were thrown just now."""
    return JustThrown(
        f"Were {spaced(faces)} thrown just now?", "thrown just now?", ("yes", "no"), faces=faces, kept=kept
    )


def silent_bank(player: str, points: int, faces: Faces, *, sure: bool) -> Question:
    """Return the question whether `player` banked `points` without a press before these faces were thrown."""
    text = f"Did {player} bank {points}? Then this is the next player's throw."
    return SilentBank(text, f"banked {points}?", ("yes", "no"), faces=faces, sure=sure)


def begins_with_these(player: str, wanted: int, faces: Faces) -> Question:
    """Return the question whether `player` begins with these faces, where `wanted` dice are thrown for who begins."""
    text = f"{counted(wanted).capitalize()} for who begins; does {player} begin with these?"
    return BeginsWithThese(text, f"{player} begins?", ("yes", "no"), faces=faces)


def rematch() -> Question:
    """Return the question whether the same players play again."""
    return Rematch("Another game with the same players?", "another game?", ("yes", "no"))


def throw_for_start() -> Question:
    """Return the question whether the players throw for who begins."""
    return StartByThrows("Throw for who begins?", "throw for it?", ("yes", "no"))


def how_to_go_on(*, blind: bool, false_alarm: bool) -> Question:
    """Return the question how the game goes on without the eye.

    Args:
        blind: Whether the camera does not see; else the dice do not come to rest.
        false_alarm: Whether the camera's fault may be a false alarm, so that it may be ignored.
    """
    if not blind:
        text = f"The dice do not come to rest. KEEP {COUNT_POINTS}, ROLL {ENTER_FACES}, BANK {WAIT}."
        return HowToGoOn(text, "dice not at rest", (COUNT_POINTS, ENTER_FACES, WAIT), 2)
    answers = (*([READ_ANYWAY] if false_alarm else []), COUNT_POINTS, ENTER_FACES, WAIT)
    how = ", ".join(f"{button} {words}" for button, words in zip(("KEEP", "ROLL", "BANK"), answers, strict=False))
    return HowToGoOn(f"I can't see the tray. {how}.", "I can't see the tray", answers, 2)


def enter_face(before: Faces, count: int, face: int) -> Question:
    """Return the question whether `face` is the next of `count` faces that are entered, after those `before`."""
    name = FACES[face - 1]
    text = f"Die {len(before) + 1} of {counted(count)}: a {name}?"
    faces = (*before, face)
    short = f"die {len(faces)}: a {name}?"
    return EnterFace(text, short, ("yes", "next", WAIT), faces=faces, die=len(before), count=count)


def bomb(kept: Selection, others: Sequence[str]) -> Question:
    """Return the question whether a Bomb scores its points or swaps pegs with one of the `others`."""
    answers = (f"{kept.points} points", *(f"swap with {name}" for name in others))
    text = f"A Bomb! {kept.points} points, or swap pegs with {' or '.join(others)}?"
    return Bomb(text, f"{kept.points}, or swap?", answers, kept=kept.dice)


def vant_hof(kept: Selection, worth: int, ones_points: int) -> Question:
    """Return the question whether six ones are taken for `worth` points in place of the `ones_points` they made."""
    text = f"Six ones with {spaced(kept.dice)}: take {worth} in place of the {ones_points} they made?"
    return VantHof(text, f"six ones: {worth}?", ("yes", "no"), kept=kept.dice)


def piggyback(player: str, dice: int, points: int) -> Question:
    """Return the question whether `player` takes over the dice and points of the player before."""
    text = f"{player}: take over {counted(dice)} and {points}, or throw fresh dice?"
    return Piggyback(text, f"take over {points}?", ("take over", "fresh dice"))
