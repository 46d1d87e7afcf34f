"""House rules saved in the lobby over the API: listed, chosen, renamed, deleted, and games that go on without them."""

from pathlib import Path

import pytest
from served import Served, refusal, served

from companion.features.house_rules.rules_folder import rules_folder
from companion.storage.data_folder import open_storage
from companion.table.state.state import restored

ABOUT = "Like Classic Farkle, but: Six 1s in one throw win the game; Points in one turn to get on the board: 500."
SETTINGS = {"opening_min": 500, "six_ones_win": True}


def drafts(table: Served, rules: str = "classic", **settings: object) -> None:
    assert table.post("lobby", {"rules": rules, "settings": settings or SETTINGS}).status_code == 200


def save(table: Served, name: str) -> dict:
    answer = table.post("lobby/rules", {"name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()["lobby"]


def refused(table: Served, name: str) -> tuple[int, str]:
    return refusal(table.post("lobby/rules", {"name": name}))


def sets(table: Served) -> list[dict]:
    return table.client.get("/api/v1/rules").json()["sets"]


def test_saved_rules_are_the_drafts_and_listed_under_house(table: Served) -> None:
    drafts(table)
    lobby = save(table, "  Friday   night ")
    assert (lobby["rules"], lobby["title"], lobby.get("settings", {})) == ("friday-night", "Friday night", {})
    assert lobby["own_rules"] == {"friday-night": "Friday night"}
    entry = sets(table)[-1]
    assert (entry["key"], entry["title"], entry["about"]) == ("friday-night", "Friday night", ABOUT)
    assert (entry["group"], entry["group_title"], entry["tracks"][1]["finish"]) == ("house", "House", 100)
    form = table.client.get("/api/v1/rules/friday-night").json()
    assert form["settings"] == {}
    assert "To get on the board you need 500" in str(form["told"])
    assert table.client.get("/rules/friday-night").status_code == 200
    assert 'href="/rules/friday-night"' in table.client.get("/rules").text


def test_roll_comes_to_saved_rules_and_bank_plays_them(table: Served) -> None:
    drafts(table)
    save(table, "Friday night")
    table.post("lobby", {"rules": "zilch-online"})
    table.presses("roll")
    assert table.state()["lobby"]["rules"] == "friday-night"
    table.presses("roll")
    assert table.state()["lobby"]["rules"] == "farkle-cribbage"
    table.post("lobby", {"rules": "friday-night", "names": ["Ann"]})
    state = table.post("lobby/start", {"start": 0}).json()
    assert (state["rules"], state["title"]) == ("friday-night", "Friday night")


def test_saving_again_renames_or_changes_the_same_rules(table: Served) -> None:
    drafts(table)
    save(table, "Friday night")
    assert save(table, "Saturday")["own_rules"] == {"friday-night": "Saturday"}
    drafts(table, "friday-night", opening_min=350)
    save(table, "Saturday")
    told = table.client.get("/api/v1/rules/friday-night").json()
    assert [each["value"] for each in told["groups"][1]["switches"] if each["name"] == "opening_min"] == [350]
    drafts(table, "classic", rounds=3, tie="shared")
    assert save(table, "Friday night")["own_rules"] == {"friday-night": "Saturday", "friday-night-2": "Friday night"}


def test_what_cannot_be_saved_gets_one_line(table: Served) -> None:
    drafts(table)
    save(table, "Friday night")
    drafts(table)
    for name, why in (
        ("friday NIGHT", "there are rules called Friday night already"),
        ("\uff26riday\u00a0night", "there are rules called Friday night already"),  # full width
        ("classic farkle", "there are rules called Classic Farkle already"),
        ("classic", "there are rules called Classic Farkle already"),
        ("  ", "a name cannot be empty"),
        ("x" * 21, "a name has at most 20 characters"),
        ('a "b"', "a name has no quotes and no invisible signs"),
    ):
        assert refused(table, name) == (422, why)
    drafts(table, rounds=5)
    assert "do not go together" in refused(table, "Ours")[1]
    assert len(sets(table)) == 15
    table.game()
    assert refused(table, "Ours") == (422, "no game is being put together now")


def test_a_deleted_rule_set_leaves_the_lists_and_the_draft(table: Served) -> None:
    drafts(table)
    save(table, "Ours")
    state = table.post("rules/ours/delete").json()
    assert (state["lobby"]["rules"], state["lobby"].get("own_rules", {})) == ("farkle-cribbage", {})
    assert "ours" not in [each["key"] for each in sets(table)]
    gone = (422, "these are no rules that this table has saved")
    assert refusal(table.post("rules/ours/delete")) == gone
    assert table.post("rules/classic/delete").status_code == 422


def test_a_game_goes_on_by_rules_that_were_deleted_also_after_a_restart(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        drafts(table)
        save(table, "Ours")
        table.post("lobby/start", {"names": ["Ann", "Ben"], "start": 0})
        table.throws("111246")
        assert table.post("rules/ours/delete").status_code == 200
        assert sets(table)[-1]["key"] == "ours"  # as long as its game is at the table
        rematch = {"rules": "ours", "players": ["Ann", "Ben"]}
        assert table.post("game", rematch).json()["title"] == "Ours"
    assert not any(rules_folder(tmp_path).iterdir())
    storage = open_storage(tmp_path, lambda: 0.0)
    loaded = storage.loaded
    state = restored(loaded.acts, seq=loaded.seq, game_number=loaded.game)
    storage.close()
    assert state.game is not None
    assert (state.game.rules.title, state.game.rules.switches.opening_min) == ("Ours", 500)


def test_a_full_disk_is_told_and_nothing_is_listed(table: Served, tmp_path: Path) -> None:
    drafts(table)
    (rules_folder(tmp_path)).write_text("in the way", encoding="utf-8")
    status, why = refused(table, "Ours")
    assert status == 503
    assert why.startswith("Not saved, and so not done: ")
    assert len(sets(table)) == 14


def test_no_more_rule_sets_are_saved_than_a_list_can_show(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.features.house_rules.feature.MOST_SAVED", 1)
    drafts(table)
    save(table, "Ours")
    assert save(table, "Still ours")["own_rules"] == {"ours": "Still ours"}
    drafts(table)
    assert refused(table, "One more")[1] == "a table keeps at most 1 rule set of its own: delete one first"
