"""The coach: how often the next throw farkles, what banking and throwing are worth, and what a turn gave away."""

import multiprocessing
from pathlib import Path

import pytest
from tables import Table

from companion.features.coach.coach import Coach, CoachLine
from companion.features.coach.given_away import TELL_FROM
from companion.odds.kept_tables import table_of
from companion.odds.live_odds import LiveOdds
from companion.table.state.inputs import NewGame, Pause
from companion.words import english, in_form, message
from farkle.odds.game.answers import GameOdds, WinOdds


def line(table: Table, folder: Path) -> CoachLine:
    coach = Coach(lambda: table.state, LiveOdds(folder, solves=False))
    return english().rendered(coach.line())


def odds_of(table: Table, folder: Path) -> WinOdds:
    game = table.state.current.game
    return GameOdds(table_of(game.rules, folder)).choices(game)


def start(*players: str, **settings: object) -> Table:
    return Table().start(*players, settings={"target": 61, **settings}, track=61)


def test_the_chance_of_a_farkle_is_that_of_the_dice_left_and_the_rules(tmp_path: Path) -> None:
    table = start().throws("112346").chooses("112").throws("123", shelf="112").chooses("1")
    said = line(table, tmp_path)
    assert (said.farkle, said.seq) == ("Two dice to throw: 44.4 per cent farkle.", table.state.seq)
    usual, merciful = (line(start(nobody_loses=value), tmp_path).farkle for value in (False, True))
    assert usual == "Six dice to throw: 3.1 per cent farkle."
    assert merciful == "Six dice to throw: 0.0 per cent farkle."
    alone = line(Table().start("Ann").throws("112346").chooses("112"), tmp_path)
    assert (alone.farkle, alone.choice) == ("Three dice to throw: 27.8 per cent farkle.", "")


def test_the_choices_are_worth_what_the_odds_of_the_game_say_to_page_and_voice(tmp_path: Path) -> None:
    table = start().throws("112346")
    choices = odds_of(table, tmp_path).choices or ()
    best = max(choices, key=lambda each: each.worth)
    worth = {tuple(sorted(each.dice)): (100 * (each.bank or 0), 100 * (each.throw or 0)) for each in choices}
    dice, then = " ".join(map(str, best.dice)), "bank" if best.worth == best.bank else "throw"
    said = line(table, tmp_path)
    assert said.choice == f"Best: keep {dice} and {then}: {100 * best.worth:.1f} per cent to win."
    assert said.farkle == ""
    said = line(table.chooses("1"), tmp_path)  # bank banks the other dice that count, too
    assert said.choice == f"Bank: {worth[1, 1, 2][0]:.1f} per cent; throw: {worth[1,][1]:.1f}."
    bank, throw = worth[1, 1, 2]
    said = line(table.chooses("112"), tmp_path)
    assert said.choice == f"Bank: {bank:.1f} per cent; throw: {throw:.1f}."
    assert (said.better, said.exact) == ("throw", True)
    coach = Coach(lambda: table.state, LiveOdds(tmp_path, solves=False))
    words, better = coach.answer(table.state)
    spoken = english().text(in_form(words, "spoken"))
    assert (spoken, better) == (f"Bank: {bank:.0f} per cent; throw: {throw:.0f}.", "throw")
    words, better = coach.answer(Table().start("Ann").throws("112346").state)
    assert (english().text(words), better) == ("The odds of this moment are not known.", "")
    even = message("coach.even", bank=41.8, throw=42.4).spoken
    assert english().text(even) == "Bank or throw: 42 per cent either way."


def test_a_bot_gets_no_advice_and_nobody_outside_a_turn(tmp_path: Path) -> None:
    table = Table().start("bot:bold", "Ann", settings={"target": 61}, track=61)
    said = line(table, tmp_path)
    assert (said.farkle, said.choice, said.better) == ("Six dice to throw: 3.1 per cent farkle.", "", "")
    assert (line(Table(), tmp_path).farkle, line(Table(), tmp_path).choice) == ("", "")
    counting = start()
    counting.take(Pause())
    counting.answers("count_points")
    assert line(counting, tmp_path).farkle == ""


@pytest.mark.exhaustive
def test_a_game_that_was_never_solved_is_solved_beside_the_table(tmp_path: Path) -> None:
    table = Table().start(settings={"target": 20}, track=61)
    odds = LiveOdds(tmp_path)
    try:
        assert odds.choices(table.state.current.game) is None
        (process,) = [each for each in multiprocessing.active_children() if each.name == "odds"]
        process.join(300)
        found = odds.choices(table.state.current.game)
        assert 0.0 < found.win < 1.0
    finally:
        odds.close()


def test_dice_left_over_are_told_by_what_they_and_fresh_dice_are_worth(tmp_path: Path) -> None:
    table = Table().start(settings={"target": 4, "piggyback": True}, track=61).throws("334462").taps("bank")
    assert table.view.question is not None
    odds = odds_of(table, tmp_path)
    said = line(table, tmp_path)
    taken, fresh = 100 * odds.piggyback, 100 * odds.fresh
    assert said.choice == f"Taking them over: {taken:.1f} per cent; fresh dice: {fresh:.1f}."
    assert said.exact


def test_an_open_bomb_is_told_by_its_points_and_its_swap(tmp_path: Path) -> None:
    table = Table()
    table.take(NewGame("farkle-cribbage-advanced", ("Ann", "Ben"), settings={"target": 61}, track=61))
    table.throws("334466").throws("111346").taps("bank").throws("444444")
    worth = {each.choice: 100 * each.worth for each in odds_of(table, tmp_path).choices or ()}
    said = line(table, tmp_path)
    assert said.choice == f"The points: {worth['points']:.1f} per cent; the swap: {worth['swap']:.1f}."
    assert said.better == ""


# --- after a turn ---


def after(table: Table, folder: Path, form: str = "text") -> str:
    said = Coach(lambda: table.state, LiveOdds(folder, solves=False)).line().after
    return english().text(in_form(said, form))  # type: ignore[arg-type]


def test_the_most_costly_decision_of_a_turn_is_told_once_it_is_over(tmp_path: Path) -> None:
    table = start().throws("666345").chooses("666")
    kept = next(each for each in odds_of(table, tmp_path).choices or () if sorted(each.dice) == [6, 6, 6])
    table.throws("446", shelf="666", left="")  # a farkle after a throw that was worth less than the bank
    price = 100 * (kept.bank - kept.throw)
    assert table.view.to_move == "Ben"
    assert after(table, tmp_path) == f"Ann threw on; banking was worth {price:.1f} per cent more."
    assert after(table, tmp_path, "spoken") == f"Ann threw on; banking was worth {price:.0f} per cent more."
    assert after(table.throws("112346"), tmp_path) == ""


def test_the_best_decisions_and_small_losses_are_not_told(tmp_path: Path) -> None:
    assert after(start().throws("234466").chooses("2").throws("33446", shelf="2"), tmp_path) == ""
    small = start().throws("112346").chooses("112")
    kept = next(each for each in odds_of(small, tmp_path).choices or () if sorted(each.dice) == [1, 1, 2])
    assert kept.throw - kept.bank > 0.001
    said = after(small.taps("bank"), tmp_path)
    assert said == "" or "kept" in said


def test_nothing_is_told_in_the_middle_of_a_turn_after_an_undo_or_of_a_bot(tmp_path: Path) -> None:
    table = start().throws("234466").chooses("2")
    best = max(odds_of(table, tmp_path).choices or (), key=lambda each: each.worth)
    price = best.worth - (best.bank or 0)
    assert price > TELL_FROM
    assert after(table, tmp_path) == ""
    banked = f"Ann banked 2; throwing was worth {100 * price:.1f} per cent more."
    assert after(table.taps("bank"), tmp_path) == banked
    assert after(table.undoes(), tmp_path) == ""
    bot = start("bot:bold", "Ann")
    assert after(bot, tmp_path) == ""
    three = start("Ann", "Ben", "Cy").throws("234466").chooses("2").taps("bank")
    assert after(three, tmp_path).startswith("Ann banked 2; throwing was worth ")  # by an estimate


@pytest.mark.parametrize("settings", [{"target": 61, "nobody_loses": True}, {"target": 14}])
def test_a_game_whose_odds_are_not_known_tells_nothing(tmp_path: Path, settings: dict[str, object]) -> None:
    table = Table().start(settings=settings, track=61).throws("234466").chooses("2").taps("bank")
    assert after(table, tmp_path) == ""
