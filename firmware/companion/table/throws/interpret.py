"""Interpret an observation: which dice were thrown, and which had been set aside before?

The strongest evidence is the number of dice that came to rest by themselves, then the faces of the dice that did not
move, then what was chosen or seen on the shelf. One clear answer is taken; else the table asks about the best two.
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import dist

from dicereader.reading import DiceReading, Fate, Observation, Zone
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again, offered
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection


@dataclass(frozen=True)
class Thrown:
    """The dice were thrown after `kept` had been set aside of the roll before (None at the start of a turn)."""

    kept: Selection | None
    faces: Faces


@dataclass(frozen=True)
class Unclear:
    """The dice were thrown, and it is not clear which of `choices` (likeliest first) had been set aside.

    `missing` dice may have left the tray instead.
    """

    choices: tuple[Selection, ...]
    faces: Faces
    missing: int = 0


@dataclass(frozen=True)
class Miscounted:
    """Another number of dice was thrown than is allowed; `seen` dice are on the tray in all."""

    count: int
    allowed: tuple[int, ...]
    seen: int


Interpretation = Thrown | Unclear | Miscounted


def thrown_dice(observation: Observation) -> tuple[int, ...]:
    """Return the indices of the thrown dice; on a photograph, of all dice outside the shelf."""
    if observation.still:
        return outside_shelf(observation.reading)
    return observation.episode.thrown()


def with_kept_dice_still(game: GameState, chosen: Selection | None, observation: Observation) -> Observation:
    """Correct an observation in which the kept dice on the shelf seem to have been thrown, and return it.

    A pushed tray may look as if the kept dice had hopped onto the shelf with the throw. They have not if the shelf
    shows exactly the kept faces and the expected number of dice was thrown outside of it: a die that is thrown from the
    shelf seldom hops back, and hardly ever with the same face.
    """
    episode, dice = observation.episode, observation.reading.dice
    loose = outside_shelf(observation.reading)
    thrown = set(episode.thrown())
    moved = thrown - set(loose)
    kept = Counter((*game.turn.locked, *(chosen.dice if chosen else ())))
    there = Counter(die.face for die in dice if die.zone is Zone.SHELF)
    if not moved or kept != there or not thrown.issuperset(loose) or len(loose) != dice_to_throw(game, chosen):
        return observation
    fates = tuple(Fate.STAYED if index in moved else fate for index, fate in enumerate(episode.fates))
    hopped = tuple(index for index in episode.hopped if index not in moved)
    return replace(observation, episode=replace(episode, fates=fates, hopped=hopped))


def outside_shelf(reading: DiceReading) -> tuple[int, ...]:
    """Return the indices of the dice outside the shelf; all dice if no calibration locates the shelf."""
    return tuple(index for index, die in enumerate(reading.dice) if die.zone is not Zone.SHELF)


def dice_to_throw(game: GameState, kept: Selection | None) -> int:
    """Return how many dice may be thrown next if `kept` of the last roll is set aside."""
    if game.phase is not Phase.CHOOSING:
        return game.turn.dice_left
    return game.turn.dice_left - len(kept.dice if kept else ()) or game.rules.n_dice


def left_to_take_over(game: GameState) -> int | None:
    """Return how many dice of the player before may be taken over, or None."""
    return game.left_over.dice if game.left_over is not None and game.phase is Phase.TO_THROW else None


def throw_counts(game: GameState, selections: tuple[Selection, ...]) -> tuple[int, ...]:
    """Return the numbers of dice that may be thrown next, in rising order; empty if the turn or the game is over.

    `selections` are what may be kept of the last roll.
    """
    if game.over or not may_throw_again(game):
        return ()
    if game.turn.counted:
        return tuple(range(1, game.rules.n_dice + 1))
    if game.phase is not Phase.CHOOSING:
        return tuple(sorted({game.turn.dice_left, left_to_take_over(game) or game.turn.dice_left}))
    kept = {len(each.dice) for each in selections}
    return tuple(sorted({game.turn.dice_left - count or game.rules.n_dice for count in kept}))


def laid_beside(game: GameState, before: DiceReading, reading: DiceReading, thrown: tuple[int, ...]) -> Faces:
    """Return which dice of the last roll were laid beside the tray before this throw; empty if that is not certain.

    It is certain if the throw area held as many dice `before` as were thrown, all read surely, none of them is still
    there, and the shelf holds other dice of the roll.
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


def interpret(
    game: GameState, chosen: Selection | None, reading: DiceReading, thrown: tuple[int, ...], beside: Faces = ()
) -> Interpretation | None:
    """Return what a reading means for this turn; None if nothing was thrown: dice may have been set aside or nudged.

    Args:
        game: The game before the throw.
        chosen: What was set aside before the throw, as far as the table knows.
        reading: The dice at rest.
        thrown: The indices of the dice that came to rest by themselves.
        beside: What was laid beside the tray (`laid_beside`).
    """
    dice = reading.dice
    faces = tuple(dice[index].face for index in thrown)
    if not thrown:
        return None
    selections = offered(game)
    allowed = throw_counts(game, selections)
    if len(faces) not in allowed:
        return Miscounted(len(faces), allowed, len(dice))
    if game.phase is not Phase.CHOOSING:
        return Thrown(None, faces)
    fitting = [each for each in selections if dice_to_throw(game, each) == len(faces)]
    seen = _set_aside(game, _lying(reading, thrown))
    seen = tuple(sorted((*seen, *beside)))
    missing = dice_to_throw(game, chosen) - len(faces) if chosen is not None else 0
    missing = max(0, min(missing, game.rules.n_dice - len(dice)))
    kept = _certain(fitting, seen, chosen, game.turn.roll, missing=missing)
    return Thrown(kept, faces) if kept else Unclear(_by_evidence(fitting, seen), faces, missing)


def _lying(reading: DiceReading, thrown: tuple[int, ...]) -> Counter[int]:
    """Return the faces of all dice that were not thrown."""
    return Counter(die.face for index, die in enumerate(reading.dice) if index not in thrown)


def _set_aside(game: GameState, lying: Counter[int]) -> Faces:
    """Return the dice of the last roll among all dice that were not thrown.

    A locked die whose face is missing was turned by hand since; an unknown face counts as that die first.
    """
    locked = Counter(game.turn.locked)
    turned = (locked - lying).total()
    aside = lying - locked
    strangers = list((aside - Counter(game.turn.roll)).elements())[:turned]
    return tuple(sorted((aside - Counter(strangers)).elements()))


def _certain(
    fitting: list[Selection], seen: Faces, chosen: Selection | None, roll: Faces, *, missing: int
) -> Selection | None:
    """Return the one selection that fits the evidence, or None.

    A fitting selection contains every die that is seen aside. Its other dice lie beside the tray, unless `missing` dice
    may have been thrown off it. A face that was not rolled belongs to a corrected die and may stand for any.
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
    """Return whether a first picture fits the journal: it shows no die that the turn does not have."""
    if game.phase is not Phase.CHOOSING:
        return True
    seen = Counter(die.face for die in reading.dice)
    return not seen - Counter((*game.turn.roll, *game.turn.locked))


def same_tray(before: DiceReading, now: DiceReading) -> bool:
    """Return whether the same faces lie in the same places as before, each within half a die."""
    left = list(before.dice)
    for die in now.dice:
        (x, y), reach = die.top.centre, die.top.w / 2
        match = next((each for each in left if each.face == die.face and dist(each.top.centre, (x, y)) < reach), None)
        if match is None:
            return False
        left.remove(match)
    return not left
