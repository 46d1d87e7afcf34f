"""Selections: which dice of a roll may be kept, and why others may not."""

from farkle.errors import IllegalMoveError
from farkle.rules.combinations import LAST_DIE, Combination
from farkle.rules.dice import Faces, is_part, spaced, written
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection


def legal_selections(rules: RuleSet, roll: Faces, locked: int | None = None) -> tuple[Selection, ...]:
    """Each distinct multiset of dice of the roll that may be kept, best first; empty where the roll farkles.

    `locked` dice were kept earlier in this turn; None means all that were not rolled.
    """
    switches = rules.switches
    if switches.troublesome_twos and roll.count(2) >= 4:
        return ()
    found = rules.table.selections(roll)
    five_aside = switches.five_dice_rollover and rules.n_dice == 6 and locked in (None, 5)
    if not found and five_aside and roll in ((1,), (2,), (3,)):
        return (_last_die(roll, switches.five_dice_rollover_points),)
    return found


def _last_die(roll: Faces, points: int) -> Selection:
    return Selection(roll, points, (points,), (Combination(LAST_DIE, roll, points),))


def find_selection(rules: RuleSet, roll: Faces, dice: Faces) -> Selection:
    """The selection of exactly these dice; raises `IllegalMoveError` with the reason where they may not be kept."""
    if not dice:
        raise IllegalMoveError(f"expected at least one die of the roll {spaced(roll)}, got none")
    if not is_part(dice, roll):
        raise IllegalMoveError(f"expected dice of the roll {spaced(roll)}, got {written(dice)!r}")
    wanted = sorted(dice)
    for selection in legal_selections(rules, roll):
        if sorted(selection.dice) == wanted:
            return selection
    raise IllegalMoveError(f"expected dice that all score, got {written(dice)!r}: {_what_counts(rules, roll, dice)}")


def _what_counts(rules: RuleSet, roll: Faces, dice: Faces) -> str:
    if not legal_selections(rules, roll):
        return f"the throw {spaced(roll)} is a farkle"
    possible = [each for each in legal_selections(rules, roll) if is_part(each.dice, dice)]
    if not possible:
        return "none of them scores"
    most = max(possible, key=lambda selection: len(selection.dice))
    return f"only {spaced(most.dice)} of them can score"
