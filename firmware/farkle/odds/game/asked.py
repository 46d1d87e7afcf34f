"""A game from a few numbers: the scores, and the points and dice of the turn under way."""

from collections.abc import Sequence
from dataclasses import replace

from farkle.errors import SeatingError
from farkle.game.evolve import fold
from farkle.game.seating import start
from farkle.game.state import GameState, Hot, Phase, Turn
from farkle.game.takeover import Standing, take_over
from farkle.odds.game.duel import OddsError
from farkle.odds.switches import STREAK
from farkle.odds.turn.listing import fewest_points
from farkle.rules.ruleset import RuleSet


def game_of(
    rules: RuleSet,
    scores: Sequence[int],
    *,
    second: bool = False,
    farkles: Sequence[int] = (),
    left_over: tuple[int, int] | None = None,
) -> GameState:
    """Return a game in which a turn is about to begin.

    A side at or beyond the target has set off the last round, and had its turn in it.

    Args:
        rules: the rule set.
        scores: the score of the side to move, and those of the others.
        second: whether the side to move is the last of the round; else the first that has not reached the target.
        farkles: the farkles in a row of each side; none if empty.
        left_over: the dice and the points that the side to move may take over.

    Raises:
        OddsError: if the side to move has no turn, or farkles are out of range.
        SeatingError: if the rules have no such game.
    """
    goal = rules.goal or max(scores) + 1
    if scores[0] >= goal:
        raise OddsError(f"expected a score of mine below the target {goal}, got {scores[0]}")
    farkles = farkles or [0] * len(scores)
    if len(farkles) != len(scores) or not all(0 <= each < STREAK for each in farkles):
        given = ",".join(map(str, farkles))
        raise OddsError(f"expected farkles of {len(scores)} sides, 0 to {STREAK - 1} each, got {given}")
    others = sorted(range(1, len(scores)), key=lambda side: -max(scores[side], goal - 1))
    reached = [side for side in others if scores[side] >= goal and rules.ending != "find_loser"]
    before = others if second else reached if len(others) > 1 else []
    seats = [*before, 0, *(side for side in others if side not in before)]
    names = ["mine", *(f"theirs {side}" if len(others) > 1 else "theirs" for side in range(1, len(scores)))]
    started = start(rules, [names[side] for side in seats])
    standing = Standing(
        scores={seat: scores[side] for seat, side in enumerate(seats)},
        to_move=seats.index(0),
        farkles={seat: farkles[side] for seat, side in enumerate(seats)},
        left_over=left_over,
        closer=seats.index(reached[0]) if reached else None,
    )
    try:
        return fold((*started, *take_over(started, standing)))
    except SeatingError as error:
        if not reached or second:
            raise
        raise OddsError(
            f"expected a score of theirs below the target {goal}, got {scores[reached[0]]}: "
            "who sets off the last round begins the round, and mine is the second then"
        ) from error


def in_turn(game: GameState, points: int, dice: int) -> GameState:
    """Return a game in a turn with these points and dice to throw, instead of before it.

    Raises:
        OddsError: if no throws give them.
    """
    every = game.rules.n_dice
    if points < 0:
        raise OddsError(f"expected turn points of 0 or more, got {points}")
    if not 1 <= dice <= every:
        raise OddsError(f"expected 1 to {every} dice, got {dice}")
    if not points and dice == every:
        return game
    fewest = fewest_points(game.rules)[dice]
    if points < fewest:
        raise OddsError(f"expected turn points of {fewest} or more with {dice} dice to throw, got {points}")
    hot = Hot.SEVERAL_THROWS if dice == every else Hot.NO
    return replace(game, phase=Phase.KEPT, turn=Turn(points, dice, throws=1, hot=hot))
