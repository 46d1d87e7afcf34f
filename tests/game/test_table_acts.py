"""Commands that no written game can give: numbers of nobody, and acts in the middle of a choice or of the start."""

import pytest
from written_games import code_of, play

from farkle.errors import IllegalMoveError
from farkle.game.commands import Adjust, Choose, Count, End, GiveTurn, Join, Leave, Roll, Skip, ThrowForStart
from farkle.game.events import FarkleCounted, PlayerJoined, PlayerLeft
from farkle.game.evolve import fold
from farkle.game.machine import decide, verify
from farkle.game.seating import start
from farkle.game.state import Phase
from farkle.rules.catalogue import find_rule_set

BASIC, FREE = find_rule_set("farkle-cribbage"), "free-the-dice"


def test_the_starter_is_fixed_once_it_is_named_or_anything_has_happened() -> None:
    state = fold(start(BASIC, ("Ann", "Ben", "Cy")))
    throw = ThrowForStart(0, (6, 3))
    assert verify(state, throw) is None
    for event in (PlayerLeft(2), PlayerJoined("Di"), FarkleCounted(0)):
        assert code_of(fold([event], state), throw) == "starter_known"
    assert code_of(fold(start(BASIC, ("Ann", "Ben"), first=1)), throw) == "starter_known"


def test_no_act_comes_between_taking_dice_over_and_the_throw() -> None:
    banked = play("classic", "players: Ann, Ben, Cy", "Ann: 111346 > 111, bank", piggyback=True).state
    for option in ("piggyback", "fresh"):
        state = fold(decide(banked, Choose(option)), banked)
        for command in (Adjust(0, 1), Join("Di"), Leave(2), Skip(1), GiveTurn(2)):
            assert verify(banked, command) is None
            assert code_of(state, command) == "finish_turn"


@pytest.mark.parametrize(
    "command", [Adjust(5, 1), Leave(5), Skip(5), GiveTurn(5), Leave(-1), GiveTurn(-1), Adjust(-1, 1)]
)
def test_the_number_of_no_player_is_refused(command) -> None:
    with pytest.raises(IllegalMoveError, match="expected one of the 2"):
        decide(play("farkle-cribbage").state, command)


def test_the_side_of_no_player_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="expected a player from 0 to 1, got 2"):
        play("farkle-cribbage").state.side_of(2)


@pytest.mark.parametrize("points", [-1, True, 1_000_001])
def test_impossible_points_are_refused(points: int) -> None:
    with pytest.raises(IllegalMoveError, match=r"expected (0 to|a whole number)"):
        decide(play("farkle-cribbage").state, Count(points))


def test_nothing_follows_an_early_end() -> None:
    state = play("farkle-cribbage", "Ann: 233346 > 333").state
    ended = fold(decide(state, End()), state)
    assert (ended.phase, ended.winners) == (Phase.OVER, ())
    assert {code_of(ended, command) for command in (Roll((1, 1, 1)), Count(3), End())} == {"game_over"}
