"""The coach: the odds of the moment in words, for whoever asks. They assume fair dice.

It works on the thread of whoever asks, never on the host's. Its answer names the act that it is about, so that an
answer that comes late can be dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from companion.odds.live_odds import LiveOdds
from companion.table.state.state import ManualEntry, TableState
from companion.table.throws.selection import dice_due, turn_of
from companion.words import NOTHING, Text, message
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class CoachLine:
    """What the coach says of a moment.

    `seq` is the newest act that it is about. `farkle` says how often the next throw farkles, `choice` what banking and
    throwing, or the best selection, are worth in chances to win. `better` is the better one, `bank`, `throw` or empty.
    `exact` is false where the chances to win are an estimate. Sentences without an answer are empty.
    """

    seq: int
    farkle: Text = NOTHING
    choice: Text = NOTHING
    better: str = ""
    exact: bool = True


class Coach:
    """Tells the odds of the table's game; any thread may ask."""

    def __init__(self, state: Callable[[], TableState], odds: LiveOdds) -> None:
        self._state, self._odds = state, odds

    def line(self) -> CoachLine:
        """Return what the coach says now; nothing outside a turn, or while players count their points themselves."""
        state = self._state()
        if not state.under_way or state.manual is ManualEntry.COUNTING or state.current.start_thrower is not None:
            return CoachLine(state.seq)
        game, turn = state.current.game, turn_of(state)
        pending = turn.pending
        thrown = game.phase is not Phase.CHOOSING or pending is not None
        farkle = _farkle(game, dice_due(state, turn)) if thrown and may_throw_again(game) else NOTHING
        if state.bot is not None:  # it decides itself
            return CoachLine(state.seq, farkle)
        choice, better, exact = self._choice(game, pending.dice if pending else None)
        return CoachLine(state.seq, farkle, choice, better, exact)

    def _choice(self, game: GameState, kept: Faces | None) -> tuple[Text, str, bool]:
        """Return what the choices are worth in words, the better one, and whether the chances are exact."""
        odds = self._odds.choices(game)
        if odds is None:
            return NOTHING, "", True
        bank, throw = odds.bank, odds.throw
        if game.phase is Phase.CHOOSING:
            selections = [each for each in odds.choices or () if each.choice != "swap"]
            if not selections:
                return NOTHING, "", odds.exact
            if kept is None:
                best = max(selections, key=lambda each: each.worth)
                return message("coach.keep", dice=best.dice, chance=_percent(best.worth)), "", odds.exact
            same = [each for each in selections if sorted(each.dice) == sorted(kept)]
            if not same:
                return NOTHING, "", odds.exact
            bank, throw = same[0].bank, same[0].throw
        if game.phase is Phase.TO_THROW or (bank is None and throw is None):
            return message("coach.win", chance=_percent(odds.win)), "", odds.exact
        if bank is None:
            return message("coach.throw", throw=_percent(throw or 0.0)), "throw", odds.exact
        if throw is None:
            return message("coach.bank", bank=_percent(bank)), "bank", odds.exact
        better = "throw" if throw > bank else "bank"
        return message("coach.both", bank=_percent(bank), throw=_percent(throw)), better, odds.exact


def _farkle(game: GameState, dice: int) -> Text:
    """Return how often a throw of these dice farkles by the game's rules."""
    missed, paid = _missed(game.rules)[dice]
    pays = dice == game.rules.n_dice and game.rules.nobody_loses
    first = game.turn.throws == 0 and game.turn.points == 0
    if pays and (first or game.rules.switches.nobody_loses_scope == "any_six"):
        missed -= paid
    return message("coach.farkle", dice=dice, chance=_percent(missed))


@lru_cache(maxsize=8)
def _missed(rules: RuleSet) -> tuple[tuple[float, float], ...]:
    """Return by number of dice the chance that a throw scores nothing, and that Nobody Loses then pays."""
    from farkle.odds.listing import list_rolls  # with numpy, which a table without a coach does not need

    listing = list_rolls(rules)
    return tuple((chance, listing.paid) for chance in listing.farkle)


def _percent(chance: float) -> float:
    """Return a chance in hundredths, with one decimal."""
    return round(100.0 * chance, 1)
