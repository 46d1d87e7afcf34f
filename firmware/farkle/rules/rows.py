"""Rows: a table of combinations as a rule card prints it, with one example for all that are worth the same."""

from dataclasses import dataclass

from farkle.rules.combinations import NAMES
from farkle.rules.dice import Faces
from farkle.rules.scoring import ScoreTable


@dataclass(frozen=True)
class Row:
    """One line of a rule card. `any_faces` says that the example stands for all dice of its kind."""

    name: str
    example: Faces
    points: int
    any_faces: bool


def rows_of(table: ScoreTable) -> tuple[Row, ...]:
    """Every row: of equal dice each face by itself unless all six are worth the same, of patterns one for all."""
    rows: list[Row] = []
    for name in dict.fromkeys(each.name for each in table.combinations):
        kind = [each for each in table.combinations if each.name == name]
        if name in NAMES.values() and (len(kind) < 6 or len({each.points for each in kind}) > 1):
            rows.extend(Row(name, each.dice, each.points, any_faces=False) for each in kind)
        else:
            rows.append(Row(name, kind[0].dice, kind[0].points, any_faces=len(kind) > 1))
    return tuple(rows)
