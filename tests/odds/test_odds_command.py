"""`farklecrib odds` as a person calls it."""

from itertools import count
from pathlib import Path

import pytest
from asked import Run, refused

from companion.odds.kept_tables import table_of
from farkle import find_rule_set
from farkle.odds.game.duel import duel_of
from farkle.odds.game.files import write_table
from farkle.odds.game.solve import SolveProgress, solve
from farkle.odds.switches import settings_hash


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the program keep its tables in a folder of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_game_without_a_table_is_solved_once_and_kept(run: Run) -> None:
    question = ("farkle-cribbage", "--set", "target=3", "--scores", "1,2", "--turn", "1", "--dice", "5", "--json")
    first, second = (run("odds", *question) for _ in range(2))
    assert "solving the game once" in first.err
    assert second.err == ""
    assert list(first.json) == ["win", "exact", "bank", "throw", "best", "ms"]
    assert {**first.json, "ms": 0} == {**second.json, "ms": 0}
    assert first.json["exact"] is True


def test_an_impossible_moment_is_refused_before_a_game_is_solved(run: Run, cache: Path) -> None:
    refused(run("odds", "classic", "--scores", "1,2", "--turn", "-5"), "expected turn points of 0 or more, got -5\n")
    assert not cache.exists()


def test_a_kept_table_that_is_damaged_is_solved_again(tmp_path: Path) -> None:
    rules = find_rule_set("farkle-cribbage").with_settings({"target": 2})
    table = table_of(rules, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-40])
    shares: list[float] = []
    assert (table_of(rules, tmp_path, shares.append).values == table.values).all()
    assert shares


def test_an_unfinished_solution_is_gone_on_with(tmp_path: Path) -> None:
    rules = find_rule_set("farkle-cribbage").with_settings({"target": 2})
    duel = duel_of(rules)
    progress = SolveProgress(solve(duel), total=0)
    with (tmp_path / f"{settings_hash(rules)}.unfinished.npz").open("wb") as file:
        write_table(progress.table, file, progress)
    shares: list[float] = []
    table_of(rules, tmp_path, shares.append)
    assert len(shares) == 1  # one sum of scores was left
    assert [file.name for file in tmp_path.iterdir()] == [f"{settings_hash(rules)}.npz"]


def test_a_solution_under_way_is_written_less_often_where_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    monkeypatch.setattr(
        "companion.odds.kept_tables.write_table",
        lambda _, __, now=None: written.append(now.total) if now is not None else None,
    )
    rules = find_rule_set("farkle-cribbage").with_settings({"target": 3})
    table_of(rules, tmp_path, clock=count(step=25).__next__)  # a write takes 25 seconds
    assert written == [3]


def test_settings_that_change_no_odds_share_a_table() -> None:
    rules = find_rule_set("farkle-cribbage")
    same = rules.with_settings({"start_roll_dice": 1})
    assert settings_hash(same) == settings_hash(rules)
    assert settings_hash(rules.with_settings({"tie": "trigger"})) != settings_hash(rules)


def test_what_is_left_aside_makes_an_estimate(run: Run) -> None:
    said = run("odds", "classic", "--set", "charity=true", "--set", "target=150", "--scores", "0,0", "--json").json
    assert said["exact"] is False
    assert said["left_aside"] == ["charity"]
    assert said["error"] is None


LEFT_OVER = """rules: farkle-cribbage
set: piggyback=true, target=3
players: Ann, Ben
Ann: 233446 > 2, bank
"""


def test_a_written_game_is_asked_where_it_stands(run: Run) -> None:
    said = run("odds", "--game", "-", "--json", given=LEFT_OVER).json
    assert list(said) == ["win", "exact", "fresh", "piggyback", "best", "ms"]
    assert said["win"] == max(said["fresh"], said["piggyback"]) == said[said["best"]]
    assert said["exact"] is True
    shares = (f"{100 * said[each]:.2f} per cent" for each in ("piggyback", "fresh"))
    told = run("odds", "--game", "-", given=LEFT_OVER).out
    assert told.splitlines()[1] == "Dice left over: {}. Fresh dice: {}. Better: {}.".format(*shares, said["best"])
    taken = run("odds", "--game", "-", "--json", given=f"{LEFT_OVER}Ben: piggyback").json
    assert (taken["win"], taken["bank"], taken["best"]) == (said["piggyback"], None, "throw")
    third = run("odds", "--game", "-", "--json", given=LEFT_OVER.replace("Ben", "Ben, Cy")).json
    assert (third["exact"], third["error"], third["left_aside"]) == (False, None, ["piggyback"])


SWAP = """rules: farkle-cribbage-advanced
players: Ann, Ben
scores: Ann 10, Ben 80
"""


def test_a_written_turn_is_asked_with_its_choices(run: Run) -> None:
    thrown = run("odds", "--game", "-", "--json", given=f"{SWAP}Ann: 444444").json
    assert {each["choice"] for each in thrown["selections"]} >= {"swap", "points"}
    asked = run("odds", "farkle-cribbage-advanced", "--scores", "10,80", "--roll", "444444", "--json").json
    assert {**asked, "ms": 0} == {**thrown, "ms": 0}
    kept = run("odds", "--game", "-", "--json", given=f"{SWAP}Ann: 444444 > 444444").json
    assert [each["choice"] for each in kept["selections"]] == ["swap"]
    swapped = run("odds", "--game", "-", "--json", given=f"{SWAP}Ann: 444444 > 444444, swap").json
    assert swapped["bank"] == kept["selections"][0]["bank"]


def test_a_roll_that_ends_the_turn_leaves_no_selection(run: Run) -> None:
    said = run("odds", "farkle-cribbage", "--scores", "40,52", "--turn", "6", "--roll", "346", "--json").json
    after = run("odds", "farkle-cribbage", "--scores", "52,40", "--second", "--json").json
    assert said["win"] == pytest.approx(1 - after["win"], abs=1e-12)
    assert (said["bank"], said["throw"], said["best"], said["selections"]) == (None, None, None, [])


def test_teams_are_an_estimate(run: Run) -> None:
    teams = "rules: farkle-cribbage\nplayers: Ann, Ben, Cy, Di\nteams: A = Ann, Cy; B = Ben, Di\n"
    said = run("odds", "--game", "-", "--json", given=teams).json
    assert (said["exact"], said["error"], said["left_aside"]) == (False, None, ["teams"])


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--turn", "4"], "expected --scores MINE,THEIRS with --turn, got none"),
        (["--scores", "4"], "expected --scores of 2 to 12 whole numbers such as 40,52, got '4'"),
        (["--scores", "4,x"], "expected --scores of 2 to 12 whole numbers such as 40,52, got '4,x'"),
        (["--scores", "5,5", "--turn", "3", "--roll", "12"], "turn points of 4 or more with 2 dice to throw, got 3"),
        (["--scores", "4,5", "--turn", "5", "--dice", "3", "--roll", "11"], "expected a roll of 3 dice, got 2"),
        (["--game", "-"], "expected --game alone, for it tells the whole game, got RULES, too"),
    ],
)
def test_a_mistake_gets_one_line(run: Run, words: list[str], error: str) -> None:
    refused(run("odds", "farkle-cribbage", *words), error)
