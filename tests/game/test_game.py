"""The state machine of the game: the events of a turn and of the end, and commands that are refused."""

import pytest
from written_games import code_of

from farkle.errors import FarkleError, SeatingError
from farkle.game.commands import Bank, Command, Keep, Roll
from farkle.game.events import (
    DiceKept,
    DiceRolled,
    Farkled,
    FinalRoundBegan,
    GameEnded,
    HotDiceMade,
    TurnBanked,
    TurnPassed,
)
from farkle.game.evolve import fold
from farkle.game.machine import can, decide
from farkle.game.seating import start
from farkle.game.standing import hole, position
from farkle.game.state import GameState
from farkle.rules.catalogue import find_rule_set

RULES = find_rule_set("farkle-cribbage")


def game(*commands: Command, players: tuple[str, ...] = ("Ann", "Ben"), target: int = 121) -> GameState:
    state = fold(start(RULES.with_settings({"target": target}), players))
    for command in commands:
        state = fold(decide(state, command), state)
    return state


def roll(faces: str) -> Roll:
    return Roll(tuple(int(face) for face in faces))


def keep(faces: str, points: int | None = None) -> Keep:
    return Keep(tuple(int(face) for face in faces), points)


ALL_ONES = (roll("111111"), keep("111111"))


def test_a_farkle_loses_the_turns_points_and_passes_on() -> None:
    before = game(roll("233346"), keep("333"))
    events = decide(before, roll("346"))
    assert events == (DiceRolled(0, (3, 4, 6)), Farkled(0, 6, 1), TurnPassed(1))
    after = fold(events, before)
    assert (after.sides[0].score, after.turn.points, after.turn.dice_left) == (0, 0, 6)


def test_all_six_dice_kept_let_the_player_roll_six_again() -> None:
    state = game(roll("111222"))
    events = decide(state, keep("111222"))
    assert (type(events[0]), events[1:]) == (DiceKept, (HotDiceMade(0),))
    hot = fold(events, state)
    assert (hot.turn.points, hot.turn.dice_left) == (26, 6)
    assert fold(decide(hot, roll("334416")), hot).turn.locked == ()


def test_a_bank_past_the_target_begins_the_final_round_and_ends_the_game_in_the_last_seat() -> None:
    first = game(*ALL_ONES, target=40)
    assert decide(first, Bank()) == (TurnBanked(0, 40, 40), FinalRoundBegan(0), TurnPassed(1))
    assert decide(game(*ALL_ONES, Bank(), target=40), roll("334466"))[-1] == GameEnded((0,))
    banked = game(roll("334466"), *ALL_ONES, target=40)
    assert decide(banked, Bank()) == (TurnBanked(1, 40, 40), GameEnded((1,)))


@pytest.mark.parametrize(
    ("points", "a_hole", "expected"), [(0, 1, 0), (7, 1, 7), (130, 1, 121), (-20, 1, 0), (149, 50, 2)]
)
def test_a_score_below_or_beyond_the_track_still_has_a_hole(points: int, a_hole: int, expected: int) -> None:
    assert hole(position(points, a_hole), 121) == expected


@pytest.mark.parametrize(
    ("commands", "wrong", "code"),
    [
        ((), keep("1"), "throw_first"),
        ((), Bank(), "throw_first"),
        ((roll("233346"),), Bank(), "keep_first"),
        ((roll("233346"),), roll("233346"), "keep_first"),
        ((roll("233346"),), keep("4"), "does_not_score"),
        ((roll("233346"),), keep("33"), "does_not_score"),
        ((roll("111346"),), keep("111", 7), "these_totals"),
        ((roll("233346"), keep("2")), keep("333"), "are_kept"),
        ((roll("233346"), keep("2")), roll("1"), "number_of_dice"),
    ],
)
def test_a_refused_command_says_why_and_changes_nothing(commands, wrong, code: str) -> None:
    state = game(*commands)
    with pytest.raises(FarkleError):
        decide(state, wrong)
    assert code_of(state, wrong) == code
    assert not can(state, wrong)
    assert state == game(*commands)


@pytest.mark.parametrize("players", [(), ("Ann", "ann"), ("",), (" Ann",), tuple(f"P{i}" for i in range(13))])
def test_players_who_cannot_be_seated_are_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(SeatingError, match="expected"):
        start(RULES, players)
