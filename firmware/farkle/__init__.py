"""The rules of Farkle and of Farkle Cribbage, and games played by them.

    from farkle import Game

    game = Game("farkle-cribbage", ["Ann", "Ben"])
    game.roll(2, 3, 3, 3, 4, 6)
    game.keep(3, 3, 3)
    game.bank()
    print(game)

The names of `__all__`, and the event classes of `farkle.game.events`, are stable; docs/farkle.md describes them.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from farkle.errors import (
    DiceError,
    FarkleError,
    IllegalMoveError,
    NotationError,
    RuleSetError,
    SeatingError,
    UnknownRuleSetError,
)
from farkle.rules.catalogue import catalogue, find_rule_set, own_rule_set
from farkle.rules.dice import check_faces, parse_dice
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import check_locked, legal_selections

if TYPE_CHECKING:
    from farkle.live_game import Game

__all__ = [
    "DiceError",
    "FarkleError",
    "Game",
    "IllegalMoveError",
    "NotationError",
    "RuleSet",
    "RuleSetError",
    "SeatingError",
    "Selection",
    "UnknownRuleSetError",
    "__version__",
    "catalogue",
    "find_rule_set",
    "own_rule_set",
    "score",
]

__version__ = "0.1.0"


def score(
    rules: str | RuleSet,
    dice: str | Iterable[int],
    *,
    settings: Mapping[str, object] | None = None,
    locked: int | None = None,
) -> tuple[Selection, ...]:
    """Return the selections that may be kept from a roll, best first; empty if the roll farkles.

    Raises `UnknownRuleSetError` or `RuleSetError` for rules that do not exist, and `DiceError` for dice that cannot be
    rolled.

    Args:
        rules: a packaged rule set's key, title or alias, or a rule set.
        dice: the faces as thrown, such as (1, 1, 5) or "115".
        settings: switches that differ from the rule set's.
        locked: the number of dice kept earlier in the turn; None means all dice that were not rolled.
    """
    known = (rules if isinstance(rules, RuleSet) else find_rule_set(rules)).with_settings(settings or {})
    most = known.n_dice
    faces = parse_dice(dice, most=most) if isinstance(dice, str) else check_faces(dice, most=most)
    check_locked(known, faces, locked)
    return legal_selections(known, faces, locked)


def __getattr__(name: str) -> Any:
    """Import and return `Game` on its first use: without it `import farkle` takes half the time.

    Raises:
        AttributeError: for any other name.
    """
    if name != "Game":
        raise AttributeError(f"expected a name of {__all__}, got {name!r}")
    from farkle.live_game import Game

    return Game
