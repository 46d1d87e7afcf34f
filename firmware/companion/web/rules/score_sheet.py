"""A score sheet: the contents of a printed page for keeping the score by hand."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.errors import RefusedError
from companion.table.state.draft import GameDraft, as_written, problem_of
from companion.web.rules.card import query_of
from companion.words import Message, message
from farkle.game.seating import MOST_PLAYERS
from farkle.rules.ruleset import RuleSet

BLANK = 4
"""Columns of a sheet without names."""

ROUNDS = 22


@dataclass(frozen=True)
class ScoreSheet:
    """A column for each name, a line for each turn. A blank name is filled in by hand; `notes` are rules to look up.

    `opening` is the opening in points; 0 if there is no opening.
    """

    rules: RuleSet
    names: tuple[str, ...]
    rounds: int
    opening: int
    notes: tuple[Message, ...]
    query: str


def sheet_of(rules: RuleSet, players: str) -> ScoreSheet:
    """Return the sheet of a rule set.

    Args:
        rules: the rule set with the house's settings.
        players: the names, separated by commas; "" for a sheet without names.

    Raises:
        RefusedError: if there are too many players, or a name could not be played under.
    """
    names = as_written(players.split(",")) if players.strip(" ,") else ("",) * BLANK
    if len(names) > MOST_PLAYERS:
        raise RefusedError(message("score_sheet.too_many", players=len(names), most=MOST_PLAYERS))
    problem = problem_of(GameDraft(names=names))
    if problem.about == "names":
        raise RefusedError(problem.text)
    return ScoreSheet(
        rules=rules,
        names=names,
        rounds=min(rules.switches.rounds or ROUNDS, ROUNDS),
        opening=rules.switches.opening_min,
        notes=tuple(_notes(rules)),
        query=query_of(rules.settings()),
    )


def _notes(rules: RuleSet) -> Iterator[Message]:
    s = rules.switches
    if s.rounds:
        yield message("score_sheet.rounds", rounds=s.rounds)
    else:
        yield (
            message("score_sheet.to_hole", hole=s.target)
            if rules.chart.pegs
            else message("score_sheet.to_points", points=s.target)
        )
    if s.six_ones_win:
        yield message("score_sheet.six_ones_win")
    if s.opening_min:
        yield message("score_sheet.opening", points=s.opening_min)
    if s.min_bank:
        yield message("score_sheet.min_bank", points=s.min_bank)
    if s.farkle_penalty:
        yield message("score_sheet.farkle_cost", points=s.farkle_penalty)
    if s.three_strikes_out:
        yield message("score_sheet.out")
    elif rules.farkles_cost:
        yield message("score_sheet.cost", points=rules.farkles_cost)
