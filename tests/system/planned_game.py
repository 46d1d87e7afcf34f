"""A game that is played out beforehand, from a seed: its throws, and what the players do after each."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from farkle.game import commands as do
from farkle.game.evolve import fold
from farkle.game.machine import course_of
from farkle.game.seating import start
from farkle.game.state import GameState, Phase
from farkle.game.turn import offered
from farkle.rules.catalogue import find_rule_set

ENOUGH_POINTS = 4


@dataclass(frozen=True)
class Thrown:
    """A throw: its faces, the dice that are then set aside to throw the others, whether the player banks instead."""

    faces: tuple[int, ...]
    aside: tuple[int, ...] = ()
    banks: bool = False


def planned_game(target: int, seed: int, players: tuple[str, ...]) -> tuple[list[Thrown], GameState]:
    """Return the throws of a whole game of Farkle Cribbage, and its end."""
    chance = random.Random(seed)
    rules = find_rule_set("farkle-cribbage").with_settings({"target": target})
    throws: list[Thrown] = []

    def acts(state: GameState) -> Iterator[do.Command]:
        faces = tuple(chance.randint(1, 6) for _ in range(state.turn.dice_left))
        yield do.Roll(faces)
        state = course_of(state, do.Roll(faces)).state
        if state.phase is not Phase.CHOOSING:
            throws.append(Thrown(faces))
            return
        best = offered(state)[0]
        goes_on = len(best.dice) <= 2 and state.turn.points + best.points < ENOUGH_POINTS
        throws.append(Thrown(faces, best.dice if goes_on else (), banks=not goes_on))
        yield do.Keep(best.dice, best.points)
        if not goes_on:
            yield do.Bank()

    state = fold(start(rules, players))
    while not state.over:
        state = course_of(state, *acts(state)).state
    return throws, state
