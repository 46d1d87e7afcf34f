"""Selections: the dice of a roll that may be kept, and the reason why others may not."""

from farkle.errors import DiceError, IllegalMoveError
from farkle.rules.combinations import LAST_DIE, Combination
from farkle.rules.dice import Faces, check_faces, is_part, spaced, written
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection


def legal_selections(rules: RuleSet, roll: Faces, locked: int | None = None) -> tuple[Selection, ...]:
    """Return each distinct multiset of dice of the roll that may be kept, best first; empty if the roll farkles.

    Raises `DiceError`, through `check_faces`, if the roll is not up to six faces.

    Args:
        rules: the rule set.
        roll: the faces as thrown.
        locked: the number of dice kept earlier in this turn; None means all dice that were not rolled.
    """
    roll, switches = check_faces(roll, least=0), rules.switches
    if switches.troublesome_twos and roll.count(2) >= 4:
        return ()
    found = rules.table.selections(roll)
    five_aside = switches.five_dice_rollover and rules.n_dice == 6 and locked in (None, 5)
    if not found and five_aside and roll in ((1,), (2,), (3,)):
        points = switches.five_dice_rollover_points
        return (Selection(roll, points, (points,), (Combination(LAST_DIE, roll, points),)),)
    return found


def check_locked(rules: RuleSet, roll: Faces, locked: int | None) -> None:
    """Check the number of dice that were kept earlier in a turn, beside the dice of a roll.

    Raises:
        DiceError: if the game has fewer dice.
    """
    rest = rules.n_dice - len(roll)
    if locked is not None and (type(locked) is not int or not 0 <= locked <= rest):
        raise DiceError(f"expected 0 to {rest} locked dice beside {len(roll)} rolled, got {locked!r}")


def find_selection(rules: RuleSet, roll: Faces, dice: Faces) -> Selection:
    """Return the selection of exactly these dice of the roll.

    Raises:
        IllegalMoveError: if these dice may not be kept, with the reason.
    """
    roll, dice = check_faces(roll, least=0), check_faces(dice, least=0)
    if not dice:
        raise IllegalMoveError(f"expected at least one die of the roll {spaced(roll)}, got none", "no_dice")
    if not is_part(dice, roll):
        text = f"expected dice of the roll {spaced(roll)}, got {written(dice)!r}"
        raise IllegalMoveError(text, "not_of_the_roll", dice=dice)
    selections = legal_selections(rules, roll)
    wanted = sorted(dice)
    for selection in selections:
        if sorted(selection.dice) == wanted:
            return selection
    text = f"expected dice that all score, got {written(dice)!r}"
    if not selections:
        raise IllegalMoveError(f"{text}: the throw {spaced(roll)} is a farkle", "roll_farkles", roll=roll)
    scoring = max((each.dice for each in selections if is_part(each.dice, dice)), key=len, default=())
    if not scoring:
        raise IllegalMoveError(f"{text}: none of them scores", "does_not_score", dice=dice)
    text = f"{text}: only {spaced(scoring)} of them can score"
    raise IllegalMoveError(text, "only_these_score", dice=dice, scoring=scoring)
