"""What the table says and lights in games of rounds, in defended wins, in turns of one throw, and after six 1s."""

import pytest
from tables import Table, banks, game, paused

from companion.errors import RefusedError
from companion.table.state.inputs import CountPoints
from companion.table.throws.selection import expected_throw
from companion.words import english

CRIBBAGE = "farkle-cribbage"
DEAD = "334466"


def table(*players: str, rules: str = CRIBBAGE, **settings: object) -> Table:
    return game(rules, *players, **settings)


def refused(made: Table, button: str) -> str:
    with pytest.raises(RefusedError) as caught:
        made.taps(button)
    return english().text(caught.value.reason)


# --- rounds ---


def test_the_view_counts_the_rounds_and_says_which_is_the_last() -> None:
    made = table(rounds=2)
    assert (made.view.round, made.view.rounds, made.view.ahead) == (1, 2, "round 1 of 2")
    assert (made.view.target, made.view.finish, made.view.outlook) == (0, 0, "Round 1 of 2.")
    assert (made.view.message.text, made.view.message.short) == (
        "Round 1 of 2: Ann, throw six dice.",
        "Ann: round 1",
    )
    made.throws(DEAD).throws(DEAD)
    assert (made.view.round, made.view.ahead, made.view.final_round) == (2, "the last round, 2 of 2", True)
    assert [moment.kind for moment in made.view.moments] == ["farkle", "final round"]
    assert "The last round begins." in made.view.message.told


def test_the_end_of_a_game_of_rounds_says_what_is_needed_and_skunks_nobody() -> None:
    made = table(rounds=1)
    assert made.view.message.text == "Ann, throw six dice. It is the last round."
    banks(made, "111346", "111")
    assert made.view.moments[-1].text == "The last turn: Ben needs 20 points to catch up."
    assert made.view.outlook == "1 turn left. Ben needs 20 to catch up."
    made.throws(DEAD)
    assert (made.view.phase, made.view.ahead, made.view.winners, made.view.skunk_lines) == ("over", "", ("Ann",), ())
    assert [(player.skunk, player.needs) for player in made.view.players] == [(0, 0), (0, 0)]


def test_an_extra_round_is_named() -> None:
    made = banks(banks(table(rounds=1, tie="extra_round"), "111346", "111"), "111346", "111")
    assert (made.view.ahead, made.view.final_round) == ("an extra round", True)


def test_in_the_last_round_a_roll_that_may_win_needs_extra_votes() -> None:
    made = table(rounds=1)
    assert (1, 1, 1, 3, 4, 6) in expected_throw(made.state).high_stakes  # nobody has a point yet
    banks(made, "111346", "111")
    rolls = expected_throw(made.state).high_stakes
    assert (1, 1, 1, 3, 4, 6) in rolls
    assert (1, 3, 3, 4, 4, 6) not in rolls
    assert (1, 1, 1, 3, 4, 6) not in expected_throw(table(rounds=2, target=10).state).high_stakes


# --- a win that is defended ---


def led() -> Table:
    return banks(table(endgame="defend", target=20), "111346", "111")


def test_who_must_pass_whom_is_shown_until_nobody_does() -> None:
    made = led()
    assert made.view.ahead == "Ann leads, Ben must pass 20"
    assert made.view.message.short == "Ben: pass 20"
    assert made.view.outlook == "Ben needs 21 to lead."
    assert made.view.message.text.endswith("Ben, throw six dice. You must pass 20.")
    assert "Ann has reached 20 points and leads." in made.view.message.told
    assert made.view.moments[-1].text == "The last turn: Ben must pass 20, or Ann wins."
    made.throws("111346").chooses("111").throws("234", shelf="111").chooses("2").taps("bank")
    assert made.view.ahead == "Ben leads, Ann must pass 22"
    assert "Ben leads now, with 22." in made.view.message.told
    assert made.throws(DEAD).view.winners == ("Ben",)
    assert made.undoes().view.ahead == "Ben leads, Ann must pass 22"


def test_the_next_step_is_to_throw_on_while_a_bank_would_only_equal_the_leader() -> None:
    made = banks(table(endgame="defend", target=22, tie="trigger"), "111246", "1112")
    made.throws("111246").chooses("1112")
    assert made.view.next == "throw"
    made.throws("26", shelf="1112").chooses("2")
    assert made.view.next == "bank"


def test_a_swap_with_the_leader_leaves_nothing_to_pass() -> None:
    made = banks(table(rules="farkle-cribbage-advanced", endgame="defend", target=20), "111346", "111")
    made.throws("444444").answers("swap Ann")
    assert (made.view.ahead, made.view.next) == ("", "throw")
    assert made.taps("bank").view.ahead == "Ben leads, Ann must pass 20"


# --- six 1s ---


def test_six_ones_end_the_game_and_a_correction_gives_it_back() -> None:
    made = table(six_ones_win=True).throws("111111")
    assert (made.view.phase, made.view.winners, made.view.players[0].score) == ("over", ("Ann",), 0)
    assert made.view.message.told.endswith("Ann throws six 1s at once!")
    assert made.view.moments[0].kind == "win"
    made.corrects("111112")
    assert (made.view.phase, made.view.winners) == ("choosing", ())
    assert made.corrects("111111").view.phase == "over"
    assert (1,) * 6 in expected_throw(table(six_ones_win=True).state).high_stakes
    assert (1,) * 6 not in expected_throw(table().state).high_stakes


def test_in_points_mode_six_ones_are_told_in_the_menu() -> None:
    made = paused(table(six_ones_win=True), "count_points")
    made.take(CountPoints(5))
    assert paused(made, "six_ones").view.winners == ("Ann",)
    assert (made.undoes().view.phase, made.view.turn_points) == ("to_throw", 5)


@pytest.mark.parametrize(("counts", "settings"), [(False, {"six_ones_win": True}), (True, {})])
def test_the_menu_has_no_six_ones_where_dice_are_read_or_nobody_wins_by_them(counts: bool, settings: dict) -> None:
    made = table(**settings)
    if counts:
        paused(made, "count_points")
    assert "six_ones" not in paused(made).view.question.keys


# --- one throw ---

ONE_THROW = {"endgame": "one_more_turn", "last_turns": "one_throw", "target": 20}


def last(**settings: object) -> Table:
    return banks(table(**{**ONE_THROW, **settings}), "111346", "111")


def test_a_last_turn_of_one_throw_is_announced() -> None:
    made = last()
    assert made.view.ahead == "the last turns: one throw each"
    assert (made.view.message.short, made.view.dice_to_throw) == ("Ben: one throw", 6)
    assert "The others have one throw each." in made.view.message.told


def test_after_the_one_throw_only_bank_is_lit_for_what_follows() -> None:
    made = last().throws("111234")
    view = made.view
    assert [each.points for each in view.selections] == [22]
    assert (view.dice_to_throw, view.next, set(view.legal)) == (0, "bank", {"keep", "bank"})
    assert view.captions["bank"].tap == "bank 22"
    assert view.message.text.endswith("Ben, bank 22: it was your only throw.")
    assert refused(made, "roll") == "one throw in the last turn: bank it"
    assert made.taps("bank").view.winners == ("Ben",)


def test_only_the_best_may_be_chosen_of_the_one_throw() -> None:
    made = last().throws("111234")
    with pytest.raises(RefusedError) as caught:
        made.chooses("1")
    assert english().text(caught.value.reason) == "in the last turn the best counts: 22 points"
    assert made.taps("keep").taps("keep").view.message.told == "Bank: it was the only throw."


def test_six_dice_thrown_after_the_one_throw_are_the_next_players() -> None:
    made = banks(table("Ann", "Ben", "Cy", **ONE_THROW), "111346", "111").throws("123446").throws("111234")
    assert made.answers("yes").view.to_move == "Cy"
    assert made.score("Ben") == 3


def test_fewer_dice_thrown_after_the_one_throw_do_not_count() -> None:
    made = last().throws("111234").throws("344", shelf="111")
    assert made.view.message.short == "one throw was all"
    assert made.taps("bank").view.winners == ("Ben",)


def test_a_bomb_in_the_one_throw_is_asked_about_and_then_banked() -> None:
    made = banks(table(rules="farkle-cribbage-advanced", **ONE_THROW), "111346", "111")
    made.throws("444444")
    assert made.view.question.keys == ("points", "swap Ann")
    made.answers("swap Ann")
    assert (made.view.next, made.view.captions["bank"].tap) == ("bank", "end the turn")
    assert made.view.message.text.endswith("Ben, end the turn: it was your only throw.")
    assert made.taps("bank").view.winners == ("Ben",)


# --- farkles that cost ---


def test_a_farkle_that_costs_is_told_and_its_peg_goes_back() -> None:
    made = banks(table(farkle_penalty=5), "111346", "111").throws(DEAD).throws(DEAD)
    assert made.view.message.told.endswith("Farkle. The farkle costs Ann 5 points, and leaves 15.")
    assert made.score("Ann") == 15
