"""The second solver for two teams of several players: plain repetition, and plain tables of the last turns.

In the last turns a standing is both scores, each counted to the penalty alone, the difference of both, and both counts
of farkles in a row: a side that has so many points as the penalty loses all of it, and there are too few turns for a
second one.
"""

import numpy as np
from plain_solver import Throws, throws_of, turn

REACH = 150
"""The greatest difference of scores, and the most points of a turn.

A side so far behind wins about one game in ten thousands, and hardly anybody goes on to get so far ahead.
"""

ROUNDS = 200


def values(
    key: str,
    holes: int,
    partners: int,
    *,
    penalty: int = 0,
    swap: str = "off",
    in_a_row: bool = False,
    trigger: bool = False,
    lower: bool = False,
    unit: int = 1,
    guess: np.ndarray | None = None,
    **options: object,
) -> np.ndarray:
    """Return the chance to win by place in the round, my and their farkles in a row, and my and their hole.

    Args:
        key: the rule set.
        holes: the target.
        partners: the players of each team.
        penalty: what three farkles in a row cost.
        swap: what a Bomb does.
        in_a_row: whether only the other team has last turns, all in a row; else all finish the round.
        trigger: whether a tie is won by the side that has set off the last turns; else it is a half.
        lower: whether lower totals of the same dice may be declared.
        unit: the points of a step; the target is counted in steps.
        guess: values to begin with, which one round leaves as they are if they are right; None repeats to the end.
        options: other switches.
    """
    throws = throws_of(key, options, lower=lower, unit=unit)
    counts = 3 if penalty else 1
    last = [_last_turns(throws, partners, penalty, swap, tie, in_a_row=in_a_row) for tie in _ties(trigger, in_a_row)]
    answers: list[np.ndarray | None] = [last[0][-1]]
    if not in_a_row:
        answers = [last[place % 2][-1 - place] for place in range(2 * partners - 1)] + [None]
    value = np.full((len(answers), counts, counts, holes, holes), 0.5) if guess is None else guess
    for _ in range(ROUNDS):
        before, value = value, _round(throws, value, answers, penalty, swap)
        if guess is not None or np.abs(value - before).max() < 1e-12:
            return value
    raise AssertionError("expected the values to settle")


def _ties(trigger: bool, in_a_row: bool) -> tuple[float, float]:
    """Return what a tie is worth to the last one, after a win of the side that begins the round and of the other."""
    if not trigger:
        return 0.5, 0.5
    return 0.0, 0.0 if in_a_row else 1.0


def _last_turns(
    throws: Throws, partners: int, penalty: int, swap: str, tie: float, *, in_a_row: bool
) -> list[np.ndarray]:
    """Return for each number of turns left the chance of the side to move.

    It is by my and their farkles, my and their score up to the penalty, and my lead from -REACH.
    """
    found: list[np.ndarray] = []
    counts = 3 if penalty else 1
    shape = (penalty + 1, penalty + 1, 2 * REACH + 1)
    mine, theirs, lead = np.indices(shape)
    lead = lead - REACH

    def after(ours: int, others: int, my: np.ndarray, their: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        if not found:
            return np.where(ahead > 0, 1.0, np.where(ahead == 0, tie, 0.0))
        my, their = np.clip(my, 0, penalty), np.clip(their, 0, penalty)
        ahead = np.clip(ahead, -REACH, REACH)
        if in_a_row:
            return found[-1][ours, others, my, their, ahead + REACH]
        return 1 - found[-1][others, ours, their, my, REACH - ahead]

    for _ in range(partners if in_a_row else 2 * partners - 1):
        layer = np.empty((counts, counts, *shape))
        for ours, others in np.ndindex(counts, counts):

            def bank(points: int, others: int = others) -> np.ndarray:
                return after(0, others, mine + points, theirs, lead + points)

            def bank_some(points: int, others: int = others) -> np.ndarray:
                return bank(points, others) if points else np.full(shape, -1.0)

            def missed(
                my: np.ndarray, their: np.ndarray, ahead: np.ndarray, ours: int = ours, others: int = others
            ) -> np.ndarray:
                if not penalty:
                    return after(0, others, my, their, ahead)
                if ours < 2:
                    return after(ours + 1, others, my, their, ahead)
                lost = np.minimum(my, penalty)
                return after(0, others, my - lost, their, ahead - lost)

            may = None
            if swap != "off":
                lost = missed(theirs, mine, -lead) if swap == "undone_on_farkle" else missed(mine, theirs, lead)
                _, six = turn(throws, bank, lost, None, REACH)
                may = [np.where(lead < 0, np.swapaxes(each, 0, 1)[:, :, ::-1], -1.0) for each in six]
            layer[ours, others], _ = turn(throws, bank_some, missed(mine, theirs, lead), may, REACH)
        found.append(layer)
    return found


def _round(throws: Throws, value: np.ndarray, answers: list[np.ndarray | None], penalty: int, swap: str) -> np.ndarray:
    """Return the chances before the target once more, by the answers to a win in each place of the round."""
    role, mine_f, their_f, mine, theirs = np.indices(value.shape)
    follows, holes = (role + 1) % len(answers), value.shape[-1]

    def won(points: int) -> np.ndarray:
        kept, ahead = mine + points, np.clip(mine + points - theirs, -REACH, REACH)
        found = np.ones(role.shape)
        for place, answer in enumerate(answers):
            if answer is not None:
                here = (their_f, 0 * role, np.minimum(theirs, penalty), np.minimum(kept, penalty), REACH - ahead)
                found[place] = 1 - answer[tuple(each[place] for each in here)]
        return found

    def bank(points: int) -> np.ndarray:
        after = 1 - value[follows, their_f, 0, theirs, np.minimum(mine + points, holes - 1)]
        return np.where(mine + points >= holes, won(points), after)

    def bank_some(points: int) -> np.ndarray:
        return bank(points) if points else np.full(value.shape, -1.0)

    def farkle(ours: np.ndarray, others: np.ndarray) -> np.ndarray:
        third = mine_f == 2
        paid = np.where(third, np.maximum(0, ours - penalty), ours)
        farkles = np.where(third, 0, mine_f + 1) if penalty else 0
        return 1 - value[follows, their_f, farkles, others, paid]

    may = None
    if swap != "off":
        lost = farkle(theirs, mine) if swap == "undone_on_farkle" else farkle(mine, theirs)
        _, six = turn(throws, bank, lost, None, REACH)
        may = [np.where(mine < theirs, np.swapaxes(each, 3, 4), -1.0) for each in six]
    return turn(throws, bank_some, farkle(mine, theirs), may, REACH)[0]
