"""Choices in the rules, as the table asks about them: the Bomb, Van't Hof's six, dice to take over."""

import pytest
from tables import Table, banks, game

from companion.table.state.inputs import NewGame
from companion.table.state.state import restored
from companion.table.step import with_open_choice
from farkle.game.events import ChoiceMade, PegsSwapped, PiggybackTaken, VantHofTaken
from farkle.rules.catalogue import own_rule_set


def bomb() -> Table:
    """Return a table on which Ben leads with 20, and Ann throws six fours."""
    ahead = banks(banks(game("farkle-cribbage-advanced"), "234466", "2"), "111346", "111")
    return ahead.throws("444444")


def test_keep_takes_the_bombs_points_and_roll_the_swap() -> None:
    assert bomb().taps("keep").taps("bank").score("Ann") == 30
    swapped = bomb().taps("roll")
    assert (swapped.score("Ann"), swapped.score("Ben")) == (20, 2)
    assert PegsSwapped(0, 0, 1, 28) in swapped.journal[-1]


def test_after_a_swap_the_turn_goes_on_with_all_six_dice_or_is_banked() -> None:
    swapped = bomb().taps("roll")
    assert swapped.view.dice_to_throw == 6
    assert swapped.view.legal == ("roll", "bank")
    assert swapped.view.refused["keep"] == "these dice are kept; throw the rest or bank"
    assert swapped.throws("111346").view.roll == (1, 1, 1, 3, 4, 6)
    assert bomb().taps("roll").taps("bank").view.to_move == "Ben"


def test_the_question_is_asked_again_after_a_restart_and_after_an_undo() -> None:
    asked = bomb()
    again = with_open_choice(restored(asked.state.acts, seq=asked.state.seq, game_number=1))
    assert again.question == asked.state.question
    assert asked.taps("keep").undoes().state.question == again.question


def test_without_an_answer_the_bomb_counts_or_fewer_of_its_dice_and_nobody_behind_is_swapped_with() -> None:
    assert bomb().throws("111346").view.turn_points == 28
    assert bomb().chooses("4444").view.chosen.points == 18
    assert game("farkle-cribbage-advanced").throws("444444").view.question is None


@pytest.mark.parametrize(("button", "points"), [("keep", 3000), ("roll", 600)])
def test_six_ones_over_several_throws_may_be_taken_for_three_thousand(button: str, points: int) -> None:
    ones = game("classic", vant_hof_6=True)
    ones.throws("113346").chooses("11").throws("1112").chooses("111").throws("1").taps(button)
    assert (VantHofTaken(0, 3000, 600) in ones.journal[-1]) is (button == "keep")
    assert ones.taps("bank").score("Ann") == points


def left_over() -> Table:
    """Return a table on which Ann banks 300 and leaves three dice."""
    return banks(game("classic", piggyback=True), "111346", "111")


def test_keep_takes_them_over_and_roll_takes_fresh_ones() -> None:
    taken = left_over().taps("keep")
    assert (taken.view.dice_to_throw, taken.view.turn_points) == (3, 300)
    assert PiggybackTaken(1, 300, 3) in taken.journal[-1]
    fresh = left_over().taps("roll")
    assert (fresh.view.dice_to_throw, fresh.view.turn_points) == (6, 0)
    assert ChoiceMade(1, "piggyback", "fresh") in fresh.journal[-1]


@pytest.mark.parametrize(("thrown", "points"), [("156", 450), ("156346", 150)])
def test_throwing_the_dice_left_is_yes_and_all_six_is_no(thrown: str, points: int) -> None:
    table = left_over().throws(thrown).chooses("15").taps("bank")
    assert table.score("Ben") == points


def test_teams_take_turns_whatever_order_they_were_named_in() -> None:
    made = Table()
    teams = {"A": ("Ann", "Cy"), "B": ("Ben", "Di")}
    made.take(NewGame("farkle-cribbage", ("Ann", "Cy", "Ben", "Di"), teams=teams))
    assert [player.name for player in made.view.players] == ["Ann", "Ben", "Cy", "Di"]
    assert [player.side for player in made.view.players] == [0, 1, 0, 1]


def test_the_games_own_rules_survive_its_file() -> None:
    text = 'key = "house"\ntitle = "HouseRules"\nlike = "classic"\n[settings]\nopening_min = 600\n'
    made = Table()
    made.take(NewGame(own_rule_set(text, "house.toml"), ("Ann", "Ben")))
    again = restored(made.state.acts, seq=made.state.seq, game_number=1)
    assert again.game.rules.switches.opening_min == 600
    assert made.view.rules == "house"
