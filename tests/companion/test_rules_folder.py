"""The rule sets that a house saves: the text of a file, names and keys, damage, a full disk, and a kill."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import DataFolderError
from companion.features.house_rules.rules_folder import RulesFolder, free_key, rules_folder, saved_rules
from companion.rule_files import nearest_sheet, rules_named, rules_text
from farkle.errors import FarkleError
from farkle.rules.catalogue import catalogue, find_rule_set, own_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import SWITCHES, OneOf

ROWS = (
    'key = "rows"\ntitle = "Rows"\nsource = "a wall"\nlike = "free-the-dice"\n[points]\nfour_of_a_kind = { 1 = 1000 }'
)
TWO = "2 of 3: the least, then more"


def text_of(rules: RuleSet, key: str = "ours", title: str = "Ours", about: str = TWO) -> str:
    return rules_text(rules, key, title, about)


def changed(name: str) -> object:
    kind = SWITCHES[name]
    return kind.values[-1] if isinstance(kind, OneOf) else True if kind.allowed.startswith("true") else 7


@given(st.sampled_from(catalogue()), st.sets(st.sampled_from(sorted(SWITCHES)), max_size=5))
def test_a_saved_file_holds_the_switches_as_they_were_set(rules: RuleSet, names: set[str]) -> None:
    try:
        house = rules.with_settings({name: changed(name) for name in names})
    except FarkleError:
        return
    read = own_rule_set(text_of(house), "ours.toml")
    assert (read.switches, read.sheet) == (house.switches, house.switches)
    assert (read.table.combinations, read.tracks, read.partners) == (
        house.table.combinations,
        house.tracks,
        house.partners,
    )
    assert (read.key, read.title, read.about, read.group) == ("ours", "Ours", TWO, "house")


def test_a_saved_file_names_the_packaged_rules_that_it_is_like() -> None:
    house = {"opening_min": 500, "rounds": 10, "tie": "shared"}
    text = text_of(find_rule_set("classic").with_settings(house))
    assert 'like = "classic"\n' in text
    assert text.endswith('[settings]\nrounds = 10\ntie = "shared"\nopening_min = 500\n')
    again = own_rule_set(text, "ours.toml").with_settings({"opening_min": 0})
    assert 'like = "classic"\n' in text_of(again)


def test_rules_with_scores_of_their_own_are_saved_whole() -> None:
    rows = own_rule_set(ROWS, "rows.toml").with_settings({"opening_min": 500})
    assert nearest_sheet(rows) is None
    read = own_rule_set(text_of(rows), "ours.toml")
    assert (read.chart.rows, read.switches) == (rows.chart.rows, rows.switches)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Friday night", "friday-night"),
        ("Größe 5", "groe-5"),
        ("日本", "house"),
        ("Classic", "classic-2"),
        ("--", "house"),
        ('Mia\'s "five" \\ #1 = [x]', "mia-s-five-1-x"),
    ],
)
def test_a_key_is_made_of_the_name_which_is_read_again_as_it_was(name: str, key: str) -> None:
    assert free_key(name, frozenset({"classic"})) == key
    assert own_rule_set(text_of(find_rule_set("classic"), title=f"My {name}"), "ours.toml").title == f"My {name}"


def test_saved_rules_are_listed_by_title_and_found_by_name(tmp_path: Path) -> None:
    folder = RulesFolder(rules_folder(tmp_path))
    assert folder.read() == ()
    folder.save("b", text_of(find_rule_set("classic"), "b", "beta"))
    folder.save("a", text_of(find_rule_set("classic"), "a", "Zeta"))
    assert [rules.title for rules in folder.read()] == ["beta", "Zeta"]
    assert rules_named(" ZETA ", folder.read()).key == "a"
    assert rules_named("classic", folder.read()).key == "classic"
    folder.delete("b")
    folder.delete("b")
    assert [rules.key for rules in folder.read()] == ["a"]
    (rules_folder(tmp_path) / "a.toml").rename(rules_folder(tmp_path) / "by hand.toml")
    folder.save("a", text_of(find_rule_set("classic"), "a", "New name"))
    assert [file.name for file in rules_folder(tmp_path).iterdir()] == ["by hand.toml"]
    assert [rules.title for rules in folder.read()] == ["New name"]


def test_a_file_that_holds_no_rules_is_logged_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = rules_folder(tmp_path)
    RulesFolder(path).save("ours", text_of(find_rule_set("classic")))
    (path / "broken.toml").write_text("key = ", encoding="utf-8")
    os.mkfifo(path / "pipe.toml")  # it is not even opened
    (path / "folder.toml").mkdir()
    (path / "twin.toml").write_text(text_of(find_rule_set("classic"), "ours", "Twin"), encoding="utf-8")
    (path / "taken.toml").write_text(text_of(find_rule_set("classic"), "classic", "Mine"), encoding="utf-8")
    with caplog.at_level("WARNING"):
        assert [rules.title for rules in saved_rules(path)] == ["Ours"]
    assert len(caplog.records) == 3


def test_a_kill_while_rules_are_saved_leaves_the_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = RulesFolder(rules_folder(tmp_path))
    folder.save("ours", text_of(find_rule_set("classic"), title="Old"))

    def killed(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        folder.save("ours", text_of(find_rule_set("classic"), title="New"))
    monkeypatch.undo()
    assert [rules.title for rules in folder.read()] == ["Old"]
    folder.save("ours", text_of(find_rule_set("classic"), title="New"))
    assert [rules.title for rules in folder.read()] == ["New"]


def test_rules_that_cannot_be_written_are_refused_and_leave_the_old_ones(tmp_path: Path) -> None:
    folder = RulesFolder(rules_folder(tmp_path))
    folder.save("ours", text_of(find_rule_set("classic")))
    (rules_folder(tmp_path) / "new.toml.part").mkdir()  # not even root can write a file there
    with pytest.raises(DataFolderError, match="expected a folder that can be written"):
        folder.save("new", text_of(find_rule_set("classic"), "new", "New"))
    unsaved = RulesFolder(rules_folder(tmp_path), saved=False)
    for act in (lambda: unsaved.save("x", ""), lambda: unsaved.delete("ours")):
        with pytest.raises(DataFolderError):
            act()
    assert [rules.key for rules in folder.read()] == ["ours"]
