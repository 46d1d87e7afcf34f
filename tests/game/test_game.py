"""Basic Farkle Cribbage as played: the paragraphs of its sheet, and the one table of transitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farkle.errors import DiceError, FarkleError, IllegalMoveError, SeatingError
from farkle.game.commands import Bank, Command, Keep, Roll
from farkle.game.events import (
    DiceRolled,
    Event,
    Farkled,
    FinalRoundBegan,
    GameEnded,
    HotDiceMade,
    TurnBanked,
    TurnPassed,
)
from farkle.game.evolve import fold
from farkle.game.machine import NOT_NOW, can, command_of, decide, verify
from farkle.game.seating import start
from farkle.game.standing import hole, places, position
from farkle.game.state import GameState, Phase
from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

RULES = find_rule_set("farkle-cribbage")


def game(*players: str, target: int = 121, first: int = 0) -> GameState:
    return fold(start(RULES.with_settings({"target": target}), players or ("Ann", "Ben"), first=first))


def played(state: GameState, *commands: Command) -> GameState:
    for command in commands:
        state = fold(decide(state, command), state)
    return state


def roll(faces: str) -> Roll:
    return Roll(tuple(int(face) for face in faces))


def keep(faces: str, points: int | None = None) -> Keep:
    return Keep(tuple(int(face) for face in faces), points)


def banks(state: GameState, points_of: str) -> GameState:
    """Return a whole turn of one throw that keeps all of `points_of`, filled up with 4s and 6s that do not count."""
    filler = "466466"[: 6 - len(points_of)]
    return played(state, roll(points_of + filler), keep(points_of), Bank())


def test_a_turn_keeps_dice_rolls_the_rest_and_banks() -> None:
    state = played(game(), roll("233346"), keep("333"), roll("146"), keep("1"), Bank())
    assert state.sides[0].score == 7
    assert state.to_move == 1
    assert state.phase is Phase.TO_THROW


def test_a_farkle_loses_the_turns_points_and_passes_on() -> None:
    before = played(game(), roll("233346"), keep("333"))
    events = decide(before, roll("346"))
    assert events == (DiceRolled(0, (3, 4, 6)), Farkled(0, 6, 1), TurnPassed(1))
    after = fold(events, before)
    assert (after.sides[0].score, after.turn.points, after.turn.dice_left) == (0, 0, 6)


def test_farkles_in_a_row_are_counted_and_a_bank_ends_them() -> None:
    state = game("Ann")
    for expected in (1, 2, 3):
        state = played(state, roll("334466"))
        assert state.seats[0].farkles == expected
    assert banks(state, "1").seats[0].farkles == 0


def test_all_six_dice_kept_let_the_player_roll_six_again() -> None:
    state = played(game(), roll("111222"))
    events = decide(state, keep("111222"))
    assert HotDiceMade(0) in events
    state = fold(events, state)
    assert (state.turn.points, state.turn.dice_left) == (26, 6)
    state = played(state, roll("334456"[:6].replace("5", "1")))
    assert state.turn.locked == ()


def test_all_six_may_be_kept_over_several_throws() -> None:
    state = played(game(), roll("111246"), keep("111"), roll("222"), keep("222"))
    assert (state.turn.points, state.turn.dice_left) == (26, 6)


def test_dice_kept_earlier_never_combine_with_later_ones() -> None:
    state = played(game(), roll("133446"), keep("1"), roll("11346"), keep("11"))
    assert state.turn.points == 3


def test_a_lower_total_may_be_declared_where_the_dice_allow_it() -> None:
    state = played(game(), roll("111346"), keep("111", 3))
    assert state.turn.points == 3
    with pytest.raises(IllegalMoveError, match="expected 20 or 3 points for these dice, got 7"):
        decide(played(game(), roll("111346")), keep("111", 7))


def test_the_game_ends_when_someone_is_off_and_the_round_is_complete() -> None:
    state = game("Ann", "Ben", "Cy", target=40)
    before = played(state, roll("111111"), keep("111111"))
    events = decide(before, Bank())
    assert events == (TurnBanked(0, 40, 40), FinalRoundBegan(0), TurnPassed(1))
    state = banks(fold(events, before), "1")
    assert not state.over
    state = banks(state, "2")
    assert state.over
    assert state.winners == (0,)


def test_the_last_seat_ends_the_game_at_once() -> None:
    state = banks(game(target=40), "1")
    state = played(state, roll("111111"), keep("111111"))
    assert decide(state, Bank()) == (TurnBanked(1, 40, 40), GameEnded((1,)))


def test_rounds_begin_with_the_player_who_began() -> None:
    state = played(game(target=40, first=1), roll("111111"), keep("111111"), Bank())
    assert not state.over
    assert banks(state, "1").winners == (1,)


def test_furthest_off_wins_and_the_others_may_answer() -> None:
    state = played(game(target=40), roll("111111"), keep("111111"), Bank())
    state = played(state, roll("111111"), keep("111111"), roll("166434"), keep("1"), Bank())
    assert state.winners == (1,)


def test_a_tie_at_the_end_is_shared() -> None:
    state = game(target=40)
    for _ in range(2):
        state = played(state, roll("111111"), keep("111111"), Bank())
    assert state.winners == (0, 1)


def test_a_farkle_can_be_the_last_act_of_the_final_round() -> None:
    state = played(game(target=40), roll("111111"), keep("111111"), Bank())
    assert decide(state, roll("334466"))[-1] == GameEnded((0,))


def test_one_player_may_play_alone() -> None:
    state = played(game("Ann", target=40), roll("111111"), keep("111111"), Bank())
    assert state.winners == (0,)


def test_the_long_game_needs_241() -> None:
    rules = RULES.with_settings({"target": 241})
    assert rules.smallest_track == 241
    assert RULES.smallest_track == 121


@pytest.mark.parametrize(
    ("points", "a_hole", "expected"), [(0, 1, 0), (7, 1, 7), (130, 1, 121), (-20, 1, 0), (149, 50, 2)]
)
def test_a_score_below_or_beyond_the_track_still_has_a_hole(points: int, a_hole: int, expected: int) -> None:
    assert hole(position(points, a_hole), 121) == expected


def test_equal_scores_share_a_place() -> None:
    state = banks(banks(game("Ann", "Ben", "Cy"), "2"), "2")
    assert places(state) == (1, 1, 3)


def test_every_phase_has_a_reason_to_refuse_a_command() -> None:
    assert set(NOT_NOW) == set(Phase)


@pytest.mark.parametrize(
    ("commands", "wrong", "words"),
    [
        ((), keep("1"), "throw first"),
        ((), Bank(), "throw first"),
        ((roll("233346"),), Bank(), "keep a die first"),
        ((roll("233346"),), roll("233346"), "keep a die first"),
        ((roll("233346"),), keep("4"), "none of them scores"),
        ((roll("233346"),), keep("33"), "none of them scores"),
        ((roll("233346"), keep("2")), keep("333"), "these dice are kept"),
        ((roll("233346"), keep("2")), roll("1"), "expected 5 dice, got 1: '1'"),
    ],
)
def test_a_refused_command_says_why_and_changes_nothing(commands, wrong, words: str) -> None:
    state = played(game(), *commands)
    with pytest.raises(FarkleError, match=words):
        decide(state, wrong)
    assert words in str(verify(state, wrong))
    assert not can(state, wrong)
    assert state == played(game(), *commands)


def test_dice_that_are_no_dice_are_refused() -> None:
    for wrong in ((1, 2, 3, 4, 5, 7), (0, 1, 1, 1, 1, 1), (True, 1, 1, 1, 1, 1)):
        with pytest.raises(DiceError):
            decide(game(), Roll(wrong))


@pytest.mark.parametrize("players", [(), ("Ann", "ann"), ("",), (" Ann",), tuple(f"P{i}" for i in range(13))])
def test_players_who_cannot_be_seated_are_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(SeatingError, match="expected"):
        start(RULES, players)


@given(st.integers(1, 4), st.integers(5, 121), st.randoms(use_true_random=False))
def test_whole_games_fold_to_what_was_played_live(count: int, target: int, random) -> None:
    events: list[Event] = list(start(RULES.with_settings({"target": target}), [f"P{i}" for i in range(count)]))
    state = fold(events)
    scores = [0] * count
    while not state.over:
        if state.phase is Phase.CHOOSING:
            selection = random.choice(legal_selections(RULES, state.turn.roll))
            command: Command = Keep(selection.dice, random.choice(selection.totals))
        elif state.phase is Phase.KEPT and (state.turn.points > 8 or random.random() < 0.4):
            command = Bank()
        else:
            command = Roll(tuple(random.randint(1, 6) for _ in range(state.turn.dice_left)))
        assert can(state, command)
        made = decide(state, command)
        assert command_of(made[0]) is not None
        events.extend(made)
        state = fold(made, state)
        for event in made:
            if isinstance(event, TurnBanked):
                scores[event.player] += event.points
        assert [side.score for side in state.sides] == scores  # no score moves without an event that says so
    assert fold(events) == state
    assert max(scores) >= target
