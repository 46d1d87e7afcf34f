"""Answers to a question about a game of two sides: the chance to win, and what each choice of a turn is worth."""

import numpy as np

from farkle.odds.final_turn import TurnOdds, last_turn, turn_before_last
from farkle.odds.last_turns import LastStandings, LastTurns
from farkle.odds.listing import Floats, Numbers, RollOption
from farkle.odds.questions import OddsQuestion, check_question, turns_to_come
from farkle.odds.standings import Standings, Table
from farkle.odds.turns import FORBIDDEN
from farkle.odds.win_odds import ChoiceOdds, WinOdds
from farkle.rules.dice import Faces
from farkle.rules.selections import legal_selections


def answer(table: Table, question: OddsQuestion) -> WinOdds:
    """Return the answer to a question; a moment that cannot be raises `OddsError`."""
    return MomentOdds(table, question).answer()


class MomentOdds:
    """One standing of two sides with its turn; its values are found when they are needed first."""

    def __init__(self, table: Table, question: OddsQuestion) -> None:
        self.table, self.question, self.duel = table, question, table.duel
        duel = table.duel
        check_question(duel, question)
        step, low, opening = duel.listing.step, duel.lowest, bool(duel.opening)
        self.rounded = any(each % step for each in (question.mine, question.theirs, question.points or 0))
        off = question.off_board or (question.mine == 0, question.theirs == 0)
        places = []
        self.shifted = False
        for score, outside in zip((question.mine, question.theirs), off, strict=True):
            place = max(low, score // step)
            if opening and outside != (place == 0):
                place, self.shifted = (0 if outside else max(low, 1)), True
            places.append(place)
        self.mine, self.theirs = places
        self.to_end = question.to_end or self._turns_to_end()
        roles = len(duel.all_roles)
        self.role = 1 if question.second and roles == 2 else 0
        if duel.several > 1:
            self.role = (2 * duel.several - 1 - turns_to_come(duel, question)) % roles
        self._longest = 0
        self._turn: TurnOdds | None = None

    def _turns_to_end(self) -> int | None:
        """Return the turns that are left with this one, as the scores say; None if nobody knows."""
        duel, question = self.duel, self.question
        if duel.has_rounds:  # the game is about to begin
            before = int(question.second)
            if question.to_come is not None:
                before = 2 * duel.several - 1 - question.to_come
            return len(self.table.values) - before
        if duel.several == 1:
            return None if self.theirs < duel.target else 1
        return None if max(self.mine, self.theirs) < duel.target else turns_to_come(duel, question) + 1

    @property
    def exact(self) -> bool:
        """Whether the answer is that of the game itself."""
        return self.duel.exact and not self.rounded and not self.shifted

    def answer(self) -> WinOdds:
        """Return the answer to the question."""
        question, turns, dice = self.question, self.duel.turns, self.duel.listing.dice
        points = question.points or 0
        if question.roll is not None:
            return self.of_roll(points, question.roll)
        if question.offer is not None:
            left, thrown = question.offer
            fresh, piggyback = self.begin(), self.throw(left, thrown)
            return WinOdds(max(fresh, piggyback), self.exact, fresh=fresh, piggyback=piggyback)
        if question.points is None:
            return WinOdds(self.begin(), self.exact)
        thrown = question.dice or dice
        if points == 0 and thrown == dice and not question.swapped:
            start = self.begin()
            return WinOdds(start, self.exact, None, start)
        must = question.must_throw or (thrown == dice and turns.never_banked)
        bank, throw = self.bank(points, thrown, must_throw=must), self.throw(points, thrown)
        return WinOdds(max(throw, FORBIDDEN if bank is None else bank), self.exact, bank, throw)

    def begin(self) -> float:
        """Return the chance to win before the turn's first throw."""
        duel, question = self.duel, self.question
        if self.to_end is None:
            return self.table.chance(self.role, self.mine, self.theirs, question.my_farkles, question.their_farkles)
        if self.table.last:
            return float(self._last().chance(self.to_end, self._last_at())[0])
        if self.to_end == 1:
            final = self.table.finals[self.role]
            chances = final.off_board if duel.opening and self.mine == 0 else final.on_board
            gap = self.theirs - self.mine
            return float(chances[min(gap, len(chances) - 1)]) if gap >= 0 else 1.0
        if duel.has_rounds:
            values = self.table.values[self.to_end - 1]
            return float(values[np.clip(self.theirs - self.mine + len(values) // 2, 0, len(values) - 1)])
        return float(self._solved(0).values.start[0])

    def bank(self, points: int, left: int, *, must_throw: bool = False) -> float | None:
        """Return what banking is worth with these dice left, or None where it is refused."""
        if must_throw or (points == 0 and not self.question.swapped):
            return None
        value = self._solved(points).banking(left, self._steps(points))
        return None if value == FORBIDDEN else value

    def throw(self, points: int, dice: int) -> float:
        """Return what throwing is worth."""
        return float(self._solved(points).values.throw[dice, self._steps(points), 0])

    def of_roll(self, points: int, roll: Faces) -> WinOdds:
        """Return the answer for a roll.

        Lower totals of the same dice are listed where they are worth more.
        """
        rules = self.duel.rules
        if rules.wins_at_once(roll):
            return WinOdds(1.0, self.exact, choices=())
        found: list[ChoiceOdds] = []
        for each in legal_selections(rules, roll):
            bomb = rules.is_bomb(each.dice) and not self.question.swapped and self.mine < self.theirs
            totals = each.totals if rules.lower_total_can_win else each.totals[:1]
            best, *lower = (self._kept(points, roll, each.dice, total, bomb=bomb) for total in totals)
            found += [best, *(some for some in lower if some.worth > best.worth)]
            if bomb:
                found.append(self._swap(each.dice, points))
        if not found:
            return self._nothing(points, roll)
        win = max(each.worth for each in found)
        bank = max((each.bank for each in found if each.bank is not None), default=None)
        throw = max((each.throw for each in found if each.throw is not None), default=None)
        return WinOdds(win, self.exact, bank, throw, tuple(found))

    def _kept(self, points: int, roll: Faces, dice: Faces, gained: int, *, bomb: bool) -> ChoiceOdds:
        """Return what keeping dice of a roll for these points is worth."""
        solver, every = self.duel.turns, self.duel.listing.dice
        left, total = (len(roll) - len(dice)) or every, points + gained
        hot = len(dice) == len(roll)
        option = RollOption(left, 0, single=hot and len(roll) == every, several=hot and len(roll) < every)
        bank = self.bank(total, left, must_throw=solver.place(option) > every)
        return ChoiceOdds(dice, gained, "points" if bomb else None, bank, self.throw(total, left))

    def _nothing(self, points: int, roll: Faces) -> WinOdds:
        """Return the answer for a roll that scores nothing."""
        rules = self.duel.rules
        pays = rules.nobody_loses and len(roll) == rules.n_dice
        pays = pays and not (rules.switches.troublesome_twos and roll.count(2) >= 4)
        first = self.question.points is None or (points == 0 and not self.question.swapped)
        if not (pays and (first or rules.switches.nobody_loses_scope == "any_six")):
            return WinOdds(self._solved(points).farkle, self.exact, choices=())
        total = points + rules.nobody_loses
        bank, throw = self.bank(total, rules.n_dice), self.throw(total, rules.n_dice)
        return WinOdds(max(throw, FORBIDDEN if bank is None else bank), self.exact, bank, throw, ())

    def _swap(self, dice: Faces, points: int) -> ChoiceOdds:
        """Return the swap of a Bomb as a choice; it forgoes the Bomb's points."""
        duel = self.duel
        must = duel.turns.swapped_place > duel.listing.dice
        steps = self._steps(points)
        if self.to_end is not None and self.table.last:
            turn = self._last().one_turn(self.to_end, self._last_at().swapped(), swapped=True, longest=steps + 1)
            bank = None if must else float(turn.bank[steps])
            return ChoiceOdds(dice, 0, "swap", bank, float(turn.values.throw[duel.listing.dice, steps, 0]))
        if self.to_end is not None:  # the swap passes the other side, whose last turn is over
            return ChoiceOdds(dice, 0, "swap", None if must else 1.0, self._final_throw())
        at = self._at()
        other = Standings(at.role, at.theirs, at.mine, at.my_farkles, at.their_farkles)
        values, after = self.table.solve(other, swapped=True, longest=steps + 1)
        bank = None if must else TurnOdds(values, after.bank[..., 0], 0.0).banking(duel.listing.dice, steps)
        return ChoiceOdds(dice, 0, "swap", bank, float(values.throw[duel.listing.dice, steps, 0]))

    def _final_throw(self) -> float:
        """Return what throwing on after a swap in the last turn is worth: a farkle leaves the pegs as they are."""
        undone = self.duel.rules.switches.bomb_swap == "undone_on_farkle"
        lost = self.duel.turns.missed[-1]
        return 1.0 - lost if undone else 1.0

    def _steps(self, points: int) -> int:
        return points // self.duel.listing.step

    def _at(self) -> Standings:
        return Standings(self.role, *self._standing())

    def _last_at(self) -> LastStandings:
        return LastStandings(*self._standing())

    def _standing(self) -> list[Numbers]:
        """Return both scores and both counts of farkles in a row, each as an array of one."""
        most = self.duel.streaks - 1
        farkles = (min(self.question.my_farkles, most), min(self.question.their_farkles, most))
        return [np.array([each]) for each in (self.mine, self.theirs, *farkles)]

    def _last(self) -> LastTurns:
        """Return the last turns after the win that has set them off."""
        asked = self.question.set_off
        mine = self.theirs < self.duel.target <= self.mine if asked is None else asked
        second = self.to_end is not None and self.to_end % 2 == 1  # the last turn is the second side's
        return self.table.last[second if mine else not second]

    def _solved(self, points: int) -> TurnOdds:
        """Return the values of the turn, to these points at least."""
        need = self._steps(points) + 1
        if self._turn is None or need > self._longest:
            self._longest = max(need, self._steps(self.question.points or 0) + self.duel.listing.most_points + 1)
            self._turn = self._solve()
        return self._turn

    def ends(self, longest: int) -> tuple[Floats, float]:
        """Return what banking is worth (`TurnOdds.bank`), to these steps at least, and what a farkle is worth."""
        if self.to_end is None:
            after = self.table.after(self._at(), swapped=self.question.swapped, longest=longest)
            return after.bank[..., 0], float(after.farkle[0])
        self._solved((longest - 1) * self.duel.listing.step)
        assert self._turn is not None
        return self._turn.bank, self._turn.farkle

    def _solve(self) -> TurnOdds:
        duel, swapped = self.duel, self.question.swapped
        if self.to_end is None:
            values, after = self.table.solve(self._at(), swapped=swapped, longest=self._longest)
            return TurnOdds(values, after.bank[..., 0], float(after.farkle[0]))
        if self.table.last:
            return self._last().one_turn(self.to_end, self._last_at(), swapped=swapped, longest=self._longest)
        least = 0 if swapped else duel.opening if duel.opening and self.mine == 0 else duel.minimum
        gap = self.theirs - self.mine
        farkled = -gap if swapped and duel.rules.switches.bomb_swap == "undone_on_farkle" else gap
        if self.to_end == 1:
            return last_turn(duel, gap, least, self.table.finals[self.role].tie, self._longest, farkled)
        if duel.has_rounds:
            answer = self.table.values[self.to_end - 2]
            return turn_before_last(duel, answer, gap, least, self._longest, farkled, len(answer) // 2)
        final = self.table.finals[duel.all_roles[self.role].follows]
        answer = final.off_board if duel.opening and self.theirs == 0 else final.on_board
        return turn_before_last(duel, answer, gap, least, self._longest, farkled)
