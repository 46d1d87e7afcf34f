"""After a turn: the coach tells its most costly decision, if that gave away one per cent or more."""

from pathlib import Path

import pytest
from tables import Table

from companion.features.coach.coach import Coach
from companion.features.coach.given_away import TELL_FROM
from companion.odds.kept_tables import game_odds
from companion.odds.live_odds import LiveOdds
from companion.words import english, in_form
from farkle.odds.game.answers import WinOdds


def start(*players: str, **settings: object) -> Table:
    return Table().start(*players, settings={"target": 61, **settings}, track=61)


def after(table: Table, folder: Path, form: str = "text") -> str:
    said = Coach(lambda: table.state, LiveOdds(folder, solves=False)).line().after
    return english().text(in_form(said, form))  # type: ignore[arg-type]


def odds(table: Table, folder: Path) -> WinOdds:
    game = table.state.current.game
    return game_odds(game.rules, 2, folder).choices(game)


def test_the_most_costly_decision_of_a_turn_is_told_once_it_is_over(tmp_path: Path) -> None:
    table = start().throws("666345").chooses("666")
    kept = next(each for each in odds(table, tmp_path).choices or () if sorted(each.dice) == [6, 6, 6])
    assert kept.throw is not None
    table.throws("446", shelf="666", left="")  # a farkle after a throw that was worth less than the bank
    assert kept.bank is not None
    price = 100 * (kept.bank - kept.throw)
    assert table.view.to_move == "Ben"
    assert after(table, tmp_path) == f"Ann threw on; banking was worth {price:.1f} per cent more."
    assert after(table, tmp_path, "spoken") == f"Ann threw on; banking was worth {price:.0f} per cent more."
    assert after(table.throws("112346"), tmp_path) == ""


def test_the_best_decisions_and_small_losses_are_not_told(tmp_path: Path) -> None:
    assert after(start().throws("234466").chooses("2").throws("33446", shelf="2"), tmp_path) == ""
    small = start().throws("112346").chooses("112")
    kept = next(each for each in odds(small, tmp_path).choices or () if sorted(each.dice) == [1, 1, 2])
    assert kept.bank is not None
    assert kept.throw is not None
    assert kept.throw - kept.bank > 0.001
    said = after(small.taps("bank"), tmp_path)
    assert said == "" or "kept" in said


def test_nothing_is_told_in_the_middle_of_a_turn_after_an_undo_or_of_a_bot(tmp_path: Path) -> None:
    table = start().throws("234466").chooses("2")
    best = max(odds(table, tmp_path).choices or (), key=lambda each: each.worth)
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
