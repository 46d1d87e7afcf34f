"""A score sheet: the contents of a printed page for keeping the score by hand."""

from dataclasses import dataclass

from companion.web.rules.card import query_of
from companion.web.rules.words import number
from farkle.errors import SeatingError
from farkle.game.seating import MOST_PLAYERS, check_names
from farkle.rules.ruleset import RuleSet

BLANK = 4
"""Columns of a sheet without names."""

ROUNDS = 22
LONGEST_NAME = 20


@dataclass(frozen=True)
class ScoreSheet:
    """A column for each name, a line for each turn. A blank name is filled in by hand; `notes` are rules to look up."""

    rules: RuleSet
    names: tuple[str, ...]
    rounds: int
    opening: str
    notes: tuple[str, ...]
    query: str


def sheet_of(rules: RuleSet, players: str) -> ScoreSheet:
    """Return the sheet of a rule set.

    Args:
        rules: the rule set with the house's settings.
        players: the names, separated by commas; "" for a sheet without names.

    Raises:
        SeatingError: if there are too many players, or a name is too long.
    """
    names = tuple(name.strip() for name in players.split(",")) if players.strip(" ,") else ("",) * BLANK
    given = [name for name in names if name]
    if len(names) > MOST_PLAYERS:
        raise SeatingError(f"expected 1 to {MOST_PLAYERS} players, got {len(names)}")
    if given:
        check_names(given)
    for name in given:
        if len(name) > LONGEST_NAME:
            raise SeatingError(f"expected a name of at most {LONGEST_NAME} characters, got {name!r}")
    s = rules.switches
    return ScoreSheet(
        rules=rules,
        names=names,
        rounds=ROUNDS,
        opening=number(s.opening_min) if s.opening_min else "",
        notes=tuple(_notes(rules)),
        query=query_of(rules.settings()),
    )


def _notes(rules: RuleSet) -> list[str]:
    s = rules.switches
    where = f"hole {number(s.target)}" if rules.chart.pegs else number(s.target)
    notes = [f"Played to {where}"]
    if s.opening_min:
        notes.append(f"{number(s.opening_min)} in one turn to get on the board")
    if s.min_bank:
        notes.append(f"{number(s.min_bank)} at least in every turn")
    if s.three_strikes_out:
        notes.append("three farkles in a row: out")
    elif rules.farkles_cost:
        notes.append(f"three farkles in a row: \N{MINUS SIGN}{number(rules.farkles_cost)}")
    return notes
