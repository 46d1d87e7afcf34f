"""The coach: the odds of the moment in words, and what the last turn gave away. It assumes fair dice.

It works on the thread of the caller, never on the host's. Its answer names the act that it is about, so that an answer
that comes late can be dropped.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from companion.features.coach.table import in_a_turn, turn_ended
from companion.odds.live_odds import LiveOdds
from companion.table.state.questions import Bomb, Question
from companion.table.state.state import TableState
from companion.table.state.text import named_dice
from companion.table.throws.selection import TurnOptions, dice_due, turn_of
from companion.words import NOTHING, Text, joined, message
from farkle.game.commands import Keep
from farkle.game.machine import course_of
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection

if TYPE_CHECKING:
    from farkle.odds.game.answers import WinOdds
    from farkle.odds.game.turn_odds import ChoiceOdds


@dataclass(frozen=True)
class CoachLine:
    """What the coach says of a moment.

    `seq` is the newest act that it is about. `farkle` says how often the next throw farkles, `choice` what banking and
    throwing, or the best selection, are worth in chances to win. `better` is the better one, `bank`, `throw` or empty.
    `exact` is false where the chances to win are an estimate. `after` says what the turn that has just ended gave away,
    if that is worth a word. Sentences without an answer are empty.
    """

    seq: int
    farkle: Text = NOTHING
    choice: Text = NOTHING
    better: str = ""
    exact: bool = True
    after: Text = NOTHING


class Coach:
    """Tells the odds of the table's game; any thread may ask."""

    def __init__(self, state: Callable[[], TableState], odds: LiveOdds) -> None:
        self._state, self._odds = state, odds
        self._lock = threading.Lock()
        self._told: tuple[TableState | None, Text] = (None, NOTHING)

    def line(self, state: TableState | None = None) -> CoachLine:
        """Return what the coach says of a state, by default of the table now.

        Nothing outside a turn, or while players count their points themselves.
        """
        state = state or self._state()
        after = self.after(state)
        if not in_a_turn(state):
            return CoachLine(state.seq, after=after)
        game, turn = state.current.game, turn_of(state)
        pending = turn.pending
        thrown = game.phase is not Phase.CHOOSING or pending is not None
        farkle = _farkle(game, dice_due(state, turn)) if thrown and may_throw_again(game) else NOTHING
        if state.bot is not None:  # it decides itself
            return CoachLine(state.seq, farkle, after=after)
        choice, better, exact = self._choice(game, turn, state.question)
        return CoachLine(state.seq, farkle, choice, better, exact, after)

    def prepare(self, state: TableState) -> None:
        """Get the odds of a game ready, before somebody asks."""
        if state.under_way:
            self._odds.known(state.current.game)

    def answer(self, state: TableState) -> tuple[Text, str]:
        """Return the answer for somebody who holds BANK: a sentence, and the better of `bank` and `throw`, or empty.

        If the odds of the game are not known, the sentence says how often the next throw farkles; else that they are
        not known.
        """
        line = self.line(state)
        if line.choice:
            return joined(line.choice, NOTHING if line.exact else message("coach.estimate")), line.better
        return line.farkle or message("coach.not_known"), line.better

    def after(self, state: TableState) -> Text:
        """Return what the turn that has just ended gave away; nothing if it was little, or nobody knows."""
        if not turn_ended(state):
            return NOTHING
        with self._lock:  # found once, however many pages ask
            known, said = self._told
            if known is None or known.current.history is not state.current.history:
                said = self._after(state)
                self._told = (state, said)
            return said

    def _after(self, state: TableState) -> Text:
        from companion.features.coach.given_away import given_away  # with numpy, as a coach alone needs it

        odds = self._odds.known(state.current.game)
        return NOTHING if odds is None else given_away(state, odds)

    def _choice(self, game: GameState, turn: TurnOptions, question: Question | None) -> tuple[Text, str, bool]:
        """Return what the choices are worth in words, the better one, and whether the chances are exact."""
        odds = self._odds.choices(game)
        if odds is None:
            return NOTHING, "", True
        worth = {each.choice: each.worth for each in odds.choices or ()}
        if isinstance(question, Bomb) and "swap" in worth:
            points = worth.get("points", max(odds.bank or 0.0, odds.throw or 0.0))  # kept already: as any other turn
            said = message("coach.bomb", points=_percent(points), swap=_percent(worth["swap"]))
            return said, "", odds.exact
        if odds.fresh is not None:
            worths = {"piggyback": _percent(odds.piggyback or 0.0), "fresh": _percent(odds.fresh)}
            return message("coach.piggyback", **worths), "", odds.exact
        bank, throw = odds.bank, odds.throw
        if game.phase is Phase.CHOOSING:
            selections = [each for each in odds.choices or () if each.choice != "swap"]
            if not selections:
                return NOTHING, "", odds.exact
            if turn.pending is None:
                best = max(selections, key=lambda each: each.worth)
                key = "coach.keep_bank" if best.worth == best.bank else "coach.keep_throw"
                lower = best.points < max(each.points for each in selections if each.dice == best.dice)
                total = message("coach.total", points=best.points) if lower else NOTHING
                fields = {"dice": best.dice, "kept": named_dice(best.dice), "total": total}
                return message(key, **fields, chance=_percent(best.worth)), "", odds.exact
            aside, banked = (self._keeping(game, selections, each) for each in (turn.pending, turn.bank))
            bank, throw = banked.bank if banked else None, aside.throw if aside else None
        bank = None if turn.refused is not None else bank
        if game.phase is Phase.TO_THROW or (bank is None and throw is None):
            return message("coach.win", chance=_percent(odds.win)), "", odds.exact
        if bank is None:
            return message("coach.throw", throw=_percent(throw or 0.0)), "throw", odds.exact
        if throw is None:
            return message("coach.bank", bank=_percent(bank)), "bank", odds.exact
        better = "throw" if throw > bank else "bank"
        key = "coach.even" if round(_percent(bank)) == round(_percent(throw)) else "coach.both"
        return message(key, bank=_percent(bank), throw=_percent(throw)), better, odds.exact

    def _keeping(
        self, game: GameState, listed: "list[ChoiceOdds]", kept: Selection | None
    ) -> "ChoiceOdds | WinOdds | None":
        """Return the odds of keeping a selection for its points; a lower total may not be listed."""
        if kept is None:
            return None
        for each in listed:
            if sorted(each.dice) == sorted(kept.dice) and each.points == kept.points:
                return each
        return self._odds.choices(course_of(game, Keep(kept.dice, kept.points)).state)


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
    from farkle.odds.turn.listing import list_rolls  # with numpy, which a table without a coach does not need

    listing = list_rolls(rules)
    return tuple((chance, listing.paid) for chance in listing.farkle)


def _percent(chance: float) -> float:
    """Return a chance in hundredths, with one decimal."""
    return round(100.0 * chance, 1)
