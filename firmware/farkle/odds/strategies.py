"""Strategies by name: what to keep of a roll, and when to bank."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from farkle.odds.duel import OddsError

NEVER = 10**9
"""A number of points that no turn reaches."""

KEEP = {
    "points": "the most points, and of these the fewest dice",
    "dice": "the fewest dice, and of these the most points",
    "best-turn": "what banks most in the long run",
}
"""What a strategy keeps of a roll."""

BEST_WIN = "best-win"
"""The strategy whose turns depend on the scores."""

NAMES = {
    "bank-at N": "keeps the most points, and banks with N turn points or more",
    "three-dice-rule": "keeps the most points, and banks with one or two dice left",
    "best-turn": "banks the most points in the long run",
    BEST_WIN: "wins most often against another that does so, too",
}
"""The strategies that come with the program."""

_KEYS = ("name", "keep", "bank_from")


@dataclass(frozen=True)
class Strategy:
    """A way to play.

    Attributes:
        name: its name.
        keep: what it keeps of a roll, a key of `KEEP` or `BEST_WIN`.
        bank_from: the turn points from which it banks, by dice left; empty where `keep` also says when to bank.
    """

    name: str
    keep: str
    bank_from: Mapping[int, int]


def strategy_named(name: str) -> Strategy:
    """Return one of the strategies of `NAMES`.

    Raises:
        OddsError: if there is no such strategy.
    """
    words = name.split()
    match words:
        case ["bank-at", number] if number.isascii() and number.isdecimal() and len(number) < 9:
            return Strategy(f"bank-at {int(number)}", "points", dict.fromkeys(range(1, 7), int(number)))
        case ["three-dice-rule"]:
            return Strategy(words[0], "points", {1: 0, 2: 0, **dict.fromkeys(range(3, 7), NEVER)})
        case ["best-turn"] | ["best-win"]:
            return Strategy(words[0], words[0], {})
    raise OddsError(f"expected a strategy ({', '.join(NAMES)}, or a TOML file), got {name!r}")


def own_strategy(text: str, where: str) -> Strategy:
    """Return a strategy from the text of its TOML file.

    Args:
        text: the TOML text.
        where: the name of the file in errors.

    Raises:
        OddsError: if the file does not hold a strategy.
    """
    try:
        document = tomllib.loads(text)
    except ValueError as error:
        raise OddsError(f"{where}: expected a TOML file, got {error}") from error
    for key in document:
        if key not in _KEYS:
            raise OddsError(f"{where}: expected one of the keys {', '.join(_KEYS)}, got {key!r}")
    name, keep = document.get("name"), document.get("keep", "points")
    if not isinstance(name, str) or not 0 < len(name.strip()) <= 100:
        raise OddsError(f"{where}: name: expected a text of at most 100 characters, got {name!r}")
    if keep not in KEEP:
        raise OddsError(f"{where}: keep: expected points, dice or best-turn, got {keep!r}")
    rows = document.get("bank_from")
    if not isinstance(rows, dict):
        expected = "a table of turn points by dice left, such as { 1 = 0, 2 = 250, 6 = 'never' }"
        raise OddsError(f"{where}: bank_from: expected {expected}, got {rows!r}")
    bank_from = dict.fromkeys(range(1, 7), NEVER)
    for dice, points in rows.items():
        if dice not in {"1", "2", "3", "4", "5", "6"}:
            raise OddsError(f"{where}: bank_from: expected dice from 1 to 6, got {dice!r}")
        if points == "never":
            continue
        if type(points) is not int or not 0 <= points <= 1_000_000:
            raise OddsError(f"{where}: bank_from.{dice}: expected points from 0 to 1000000 or 'never', got {points!r}")
        bank_from[int(dice)] = points
    if all(points == NEVER for points in bank_from.values()):
        raise OddsError(f"{where}: bank_from: expected points for at least one number of dice, got never")
    return Strategy(" ".join(name.split()), keep, bank_from)
