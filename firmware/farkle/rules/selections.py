"""Selections: which dice of a roll may be kept, and why others may not."""

from farkle.errors import IllegalMoveError
from farkle.rules.dice import Faces, is_part, spaced, written
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection


def legal_selections(rules: RuleSet, roll: Faces) -> tuple[Selection, ...]:
    """Each distinct multiset of dice of the roll that may be kept, best first; empty where the roll farkles."""
    return rules.table.selections(roll)


def find_selection(rules: RuleSet, roll: Faces, dice: Faces) -> Selection:
    """The selection of exactly these dice; raises `IllegalMoveError` with the reason where they may not be kept."""
    if not dice:
        raise IllegalMoveError(f"expected at least one die of the roll {spaced(roll)}, got none")
    if not is_part(dice, roll):
        raise IllegalMoveError(f"expected dice of the roll {spaced(roll)}, got {written(dice)!r}")
    wanted = tuple(sorted(dice))
    for selection in legal_selections(rules, roll):
        if tuple(sorted(selection.dice)) == wanted:
            return selection
    raise IllegalMoveError(f"expected dice that all score, got {written(dice)!r}: {_what_counts(rules, dice)}")


def _what_counts(rules: RuleSet, dice: Faces) -> str:
    possible = legal_selections(rules, dice)
    if not possible:
        return "none of them scores"
    most = max(possible, key=lambda selection: len(selection.dice))
    return f"only {spaced(most.dice)} of them can score"
