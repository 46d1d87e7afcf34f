"""What was set aside, what was thrown? The meaning of an observation for the turn under way.

The number of dice that came to rest by themselves is the strongest evidence, then the faces of those that did not move,
then what was chosen or seen on the shelf. One clear answer is taken; otherwise the table asks, with the best two.
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import dist

from dicereader.reading import DiceReading, Fate, Observation, Zone
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections


@dataclass(frozen=True)
class AtRest:
    """Nothing was thrown: dice may have been set aside, nudged or put back."""


@dataclass(frozen=True)
class Thrown:
    """The dice were thrown, after `kept` of the roll before had been set aside (None at the start of a turn)."""

    kept: Selection | None
    faces: Faces


@dataclass(frozen=True)
class Unclear:
    """The dice were thrown, and it is not clear which of these had been set aside; likeliest first.

    Where so many dice are `missing`, it may as well be that what was known to be set aside was, and that they have left
    the tray.
    """

    choices: tuple[Selection, ...]
    faces: Faces
    missing: int = 0


@dataclass(frozen=True)
class Miscounted:
    """Not the number of dice that may be thrown: `count` came, `allowed` may."""

    count: int
    allowed: tuple[int, ...]
    seen: int


Meaning = AtRest | Thrown | Unclear | Miscounted


def thrown_dice(observation: Observation) -> tuple[int, ...]:
    """The indices of the dice that were thrown; on a photograph all dice outside the shelf."""
    if observation.still:
        return outside_shelf(observation.reading)
    return observation.episode.thrown()


def kept_still(game: GameState, chosen: Selection | None, observation: Observation) -> Observation:
    """The observation in which the dice that are kept have lain still on the shelf, where they are all that lies there.

    A tray that was pushed may look as if they had hopped there with the throw. Where just as many dice lie thrown
    before the rail as are left to throw, they have not: a die that is taken from the shelf and thrown seldom hops, and
    then hardly ever with the face that it had.
    """
    episode, dice = observation.episode, observation.reading.dice
    loose = outside_shelf(observation.reading)
    thrown = set(episode.thrown())
    told = thrown - set(loose)
    kept = Counter((*game.turn.locked, *(chosen.dice if chosen else ())))
    there = Counter(die.face for die in dice if die.zone is Zone.SHELF)
    if not told or kept != there or not thrown.issuperset(loose) or len(loose) != dice_to_throw(game, chosen):
        return observation
    fates = tuple(Fate.STAYED if index in told else fate for index, fate in enumerate(episode.fates))
    hopped = tuple(index for index in episode.hopped if index not in told)
    return replace(observation, episode=replace(episode, fates=fates, hopped=hopped))


def outside_shelf(reading: DiceReading) -> tuple[int, ...]:
    """The indices of the dice that do not lie on the shelf; all where no calibration names it."""
    return tuple(index for index, die in enumerate(reading.dice) if die.zone is not Zone.SHELF)


def dice_to_throw(game: GameState, kept: Selection | None) -> int:
    """How many dice may be thrown next when `kept` of the last roll is set aside."""
    if game.phase is not Phase.CHOOSING:
        return game.turn.dice_left
    return game.turn.dice_left - len(kept.dice if kept else ()) or game.rules.n_dice


def left_to_take_over(game: GameState) -> int | None:
    """How many dice the player before left that may be thrown instead of fresh ones; None where none are."""
    return game.left_over.dice if game.left_over is not None and game.phase is Phase.TO_THROW else None


def may_throw(game: GameState) -> tuple[int, ...]:
    """The numbers of dice that may be thrown next, whatever is kept, smallest first; none where the game is over."""
    if game.over:
        return ()
    if game.turn.counted:
        return tuple(range(1, game.rules.n_dice + 1))
    if game.phase is not Phase.CHOOSING:
        return tuple(sorted({game.turn.dice_left, left_to_take_over(game) or game.turn.dice_left}))
    return tuple(sorted({dice_to_throw(game, each) for each in legal_selections(game.rules, game.turn.roll)}))


def laid_beside(game: GameState, before: DiceReading, reading: DiceReading, thrown: tuple[int, ...]) -> Faces:
    """What of the last roll a hand had laid beside the tray before these dice were thrown; none where nobody can tell.

    It can be told where just as many dice lay in the throw area `before`, all of them surely read, none of them lies
    there still, and what is on the shelf now are others of the roll.
    """
    if game.phase is not Phase.CHOOSING or not before.sure:
        return ()
    lay = Counter(before.dice[index].face for index in outside_shelf(before))
    if lay.total() != len(thrown) or set(outside_shelf(reading)) - set(thrown):
        return ()
    roll = Counter(game.turn.roll)
    shelf = _lying(reading, thrown) - Counter(game.turn.locked)
    gone = roll - lay - shelf
    return tuple(sorted(gone.elements())) if gone + lay + shelf == roll else ()


def explain(
    game: GameState, chosen: Selection | None, reading: DiceReading, thrown: tuple[int, ...], beside: Faces = ()
) -> Meaning:
    """What a reading means for this turn, when the dice at the indices `thrown` came to rest by themselves.

    `chosen` is what was set aside before the throw, by hand, by button or on the page, as far as the table knows;
    `beside` what was laid beside the tray (`laid_beside`).
    """
    dice = reading.dice
    faces = tuple(dice[index].face for index in thrown)
    if not thrown:
        return AtRest()
    allowed = may_throw(game)
    if len(faces) not in allowed:
        return Miscounted(len(faces), allowed, len(dice))
    if game.phase is not Phase.CHOOSING:
        return Thrown(None, faces)
    selections = legal_selections(game.rules, game.turn.roll)
    fitting = [each for each in selections if dice_to_throw(game, each) == len(faces)]
    seen = _set_aside(game, _lying(reading, thrown))
    seen = tuple(sorted((*seen, *beside)))
    missing = dice_to_throw(game, chosen) - len(faces) if chosen is not None else 0
    missing = max(0, min(missing, game.rules.n_dice - len(dice)))
    kept = _clear(fitting, seen, chosen, game.turn.roll, missing=missing)
    return Thrown(kept, faces) if kept else Unclear(_by_evidence(fitting, seen), faces, missing)


def _lying(reading: DiceReading, thrown: tuple[int, ...]) -> Counter[int]:
    """The faces of all dice that were not thrown."""
    return Counter(die.face for index, die in enumerate(reading.dice) if index not in thrown)


def _set_aside(game: GameState, lying: Counter[int]) -> Faces:
    """What of the last roll lies aside, of all that was not thrown.

    As many dice as were locked and are not seen have been turned since: those that were not rolled, first of all.
    """
    locked = Counter(game.turn.locked)
    turned = (locked - lying).total()
    aside = lying - locked
    strangers = list((aside - Counter(game.turn.roll)).elements())[:turned]
    return tuple(sorted((aside - Counter(strangers)).elements()))


def _clear(
    fitting: list[Selection], seen: Faces, chosen: Selection | None, roll: Faces, *, missing: int
) -> Selection | None:
    """The one selection that the evidence names, None where it does not.

    A selection without a die that is seen to lie aside is none; dice of it that are not seen lie beside the tray, but
    where some are `missing` they may as well have been thrown off it. A face that was not rolled is that of a
    corrected die, and may be any.
    """
    known = Counter(seen) & Counter(roll)
    possible = [each for each in fitting if not known - Counter(each.dice) and len(seen) <= len(each.dice)]
    if chosen is not None and any(_same(each, chosen.dice) for each in possible):
        return chosen
    exact = [each for each in possible if _same(each, seen)]
    if exact:
        return exact[0]
    return possible[0] if len(possible) == 1 and not missing else None


def _by_evidence(fitting: list[Selection], seen: Faces) -> tuple[Selection, ...]:
    def shared(selection: Selection) -> int:
        return (Counter(selection.dice) & Counter(seen)).total()

    return tuple(sorted(fitting, key=lambda each: (-shared(each), -each.points)))


def _same(selection: Selection, dice: Faces) -> bool:
    return sorted(selection.dice) == sorted(dice)


def fits(game: GameState, reading: DiceReading) -> bool:
    """Whether a first picture shows the tray as the journal left it: no die that the turn does not have."""
    if game.phase is not Phase.CHOOSING:
        return True
    seen = Counter(die.face for die in reading.dice)
    return not seen - Counter((*game.turn.roll, *game.turn.locked))


def same_tray(before: DiceReading, now: DiceReading) -> bool:
    """Whether the same faces lie where they lay before, each within half a die."""
    left = list(before.dice)
    for die in now.dice:
        (x, y), reach = die.box.centre, die.box.w / 2
        match = next((each for each in left if each.face == die.face and dist(each.box.centre, (x, y)) < reach), None)
        if match is None:
            return False
        left.remove(match)
    return not left
