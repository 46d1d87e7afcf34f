"""The states of a table: each function brings a new table to one, by what its eye and its buttons tell it."""

from served import Served


def lobby(_: Served) -> None:
    """Nobody has played yet."""


def to_throw(table: Served) -> None:
    """Ann, who has 20 points and farkled her last turn, is to throw; Ben has 40."""
    table.game("Ann", "Ben").turns("111346", "111346", "344663", "111346")


def rolling(table: Served) -> None:
    """Ann's dice move."""
    to_throw(table)
    table.rolling()


def choosing(table: Served) -> None:
    """Ann may keep 2 3 3 3, 3 3 3 or 2."""
    to_throw(table)
    table.throws("233345")


def aside(table: Served) -> None:
    """Ann has kept a 2, and three of her five dice lie on the shelf."""
    choosing(table)
    table.sets_aside("2", "33345").throws("13335", shelf="2").sets_aside("2333", "15")


def banked(table: Served) -> None:
    """Ann has banked 9 points."""
    aside(table)
    table.presses("bank")


def farkled(table: Served) -> None:
    """Ann has farkled for the second time in a row."""
    to_throw(table)
    table.throws("344663")


def asking(table: Served) -> None:
    """The table is not sure of Ann's throw."""
    to_throw(table)
    table.throws("233345", sure=False)


def over(table: Served) -> None:
    """Ben has won with 20 points, before Ann with 8 and Cy with none."""
    table.game("Ann", "Ben", "Cy", settings={"target": 20, "endgame": "immediate"}).turns("233345", "111346")


def twelve(table: Served) -> None:
    """Twelve players stand on a long track, in holes 1, 8, 20 and 40."""
    table.game(*(f"Player {number}" for number in range(1, 13)), settings={"target": 241}, track=241)
    table.turns(*("134466", "233345", "111346", "111111") * 3)


STATES = {
    each.__name__: each for each in (lobby, to_throw, rolling, choosing, aside, banked, farkled, asking, over, twelve)
}
