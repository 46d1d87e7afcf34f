"""The daily challenge on the page and over the API: today's results, those of earlier days, and the best turns."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from served import Served, served

from companion.table.state.inputs import Button, Press
from companion.table.throws.daily import next_dice
from farkle.game.state import Phase

NOON, DAY = 1_795_780_800.0, "2026-11-27"  # 12 o'clock by UTC: the same day from Hawaii to Japan


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, deals=True) as running:
        running.app.state.table = replace(running.app.state.table, wall=lambda: NOON)
        yield running


def begin(table: Served, player: str = "Ann") -> dict[str, object]:
    answer = table.post("daily", {"player": player})
    assert answer.status_code == 200, answer.text
    return answer.json()["daily"]


def turn(table: Served) -> None:
    before = len(table.host.state.history)
    table.throws("".join(map(str, next_dice(table.host.state, 6) or ())))
    if table.host.state.current.game.phase is Phase.CHOOSING:
        for button in (Button.KEEP, Button.BANK):
            table.host.submit(Press(button)).result(60)
    assert len(table.host.state.history) > before, table.host.feed.latest.view.message


def play(table: Served) -> None:
    while not table.host.state.current.game.over:
        turn(table)


def shown(table: Served) -> dict[str, list[dict[str, object]]]:
    told = table.client.get("/api/v1/daily").json()
    assert (told["offered"], told["challenges"]["day"]) == (True, DAY)
    return told["challenges"]


def test_equal_decisions_bring_the_same_result_and_it_is_told_in_one_line(table: Served) -> None:
    assert begin(table) == {"day": DAY, "turn": 1, "attempt": 1, "line": ""}
    play(table)
    begin(table, "Ben")
    play(table)
    ann, ben = shown(table)["today"]
    assert ann["line"] == ben["line"]
    told = f"121 in {ann['turns']} turns, {ann['throws']} throws, best turn {ann['best_turn']}"
    assert ann["line"] == f"Farkle Crib {DAY}: {told}"
    page = table.client.get("/daily").text
    assert page.count(f"<output>{ann['line']}</output>") == 2
    assert f"+{ann['best_turn']}" in page


def test_an_unfinished_attempt_goes_on_and_another_one_is_counted(table: Served) -> None:
    begin(table)
    turn(table)
    table.game("Ann", "Ben")
    for _ in range(2):  # from a game of others, and while it is at the table
        assert begin(table) == {"day": DAY, "turn": 2, "attempt": 1, "line": ""}
    play(table)
    assert begin(table, "ANN")["attempt"] == 2
    play(table)
    first, second = shown(table)["today"]
    assert (first["attempt"], second["attempt"]) == (1, 2)
    assert str(second["line"]).endswith("(attempt 2)")
    assert [each["attempt"] for each in shown(table)["best"]] == [1]


def test_a_challenge_of_an_earlier_day_stays_in_the_history(table: Served) -> None:
    begin(table)
    play(table)
    table.app.state.table = replace(table.app.state.table, wall=lambda: NOON + 86_400)
    told = table.client.get("/api/v1/daily").json()
    assert (told["player"], told["challenges"]["today"]) == ("Ann", [])
    assert [each["day"] for each in told["challenges"]["earlier"]] == [DAY]
    assert f'data-name="Day">{DAY}' in table.client.get("/daily").text


def test_a_machine_without_a_clock_and_a_real_table_have_no_challenge(table: Served) -> None:
    table.app.state.table = replace(table.app.state.table, wall=lambda: 1000.0)
    assert "clock of this machine is not set" in table.client.get("/daily").text
    refused = table.post("daily", {})
    assert (refused.status_code, refused.json()["detail"][:13]) == (422, "the clock of ")


def test_real_dice_have_no_challenge(tmp_path: Path) -> None:
    with served(tmp_path) as real:
        page = real.client.get("/daily").text
        assert "This table has real dice." in page
        assert 'id="daily"' not in page
        assert 'href="/daily"' not in real.client.get("/games").text
        refused = real.post("daily", {})
        assert (refused.status_code, "real dice" in refused.json()["detail"]) == (422, True)
