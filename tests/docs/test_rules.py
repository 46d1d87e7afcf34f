"""rules.md is complete, and its examples have the results of the sheets."""

import re
from pathlib import Path

import pytest

from companion.cli.replay import as_record
from farkle.game.events import Event
from farkle.replay import replay
from farkle.rules.catalogue import catalogue
from farkle.rules.switches import CONTRADICTIONS, SWITCHES

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "docs" / "examples"

PLAYED = {
    "at-once": ({"Ann": 4000, "Ben": 3900}, "GameEnded"),
    "below-zero": ({"Ann": -700, "Ben": 500}, "PenaltyPaid"),
    "bomb": ({"Ann": 80, "Ben": 10}, "PegsSwapped"),
    "bomb-points": ({"Ann": 38, "Ben": 80}, "ChoiceMade"),
    "charity": ({"Ann": 9900, "Ben": 5200}, "PointsGiven"),
    "charity-exact": ({"Ann": 10_000, "Ben": 5000}, "GameEnded"),
    "defend": ({"Ann": 10_200, "Ben": 10_300}, "LeadTaken"),
    "extra-round": ({"Ann": 124, "Ben": 125}, "ExtraRoundBegan"),
    "farkle-penalty": ({"Ann": -50, "Ben": 400}, "FarklePaid"),
    "find-a-loser": ({"Ann": 130, "Ben": 60, "Cy": 125}, "SideOut"),
    "finish-round": ({"Ann": 123, "Ben": 125}, "FinalRoundBegan"),
    "forced-hot-dice": ({"Ann": 0, "Ben": 1500}, "Farkled"),
    "frozen": ({"Ann": 3, "Ben": 0}, "TurnBanked"),
    "full-house": ({"Ann": 550, "Ben": 0}, "TurnBanked"),
    "hot-dice": ({"Ann": 800, "Ben": 0}, "TurnBanked"),
    "last-die": ({"Ann": 9, "Ben": 0}, "TurnBanked"),
    "last-seat": ({"Ann": 119, "Ben": 135}, "GameEnded"),
    "least-bank": ({"Ann": 1200, "Ben": 0}, "TurnBanked"),
    "nobody-loses": ({"Ann": 300, "Ben": 400}, "NobodyLost"),
    "one-more-turn": ({"Ann": 10_100, "Ben": 10_100}, "FinalRoundBegan"),
    "one-throw": ({"Ann": 10_000, "Ben": 10_500, "Cy": 10_050}, "FinalRoundBegan"),
    "one-peg": ({"Ann": 25, "Ben": 15, "Cy": 20}, "PegBumped"),
    "opening": ({"Ann": 450, "Ben": 0}, "TurnBanked"),
    "partners": ({"A": 33, "B": 40}, "TurnBanked"),
    "piggyback": ({"Ann": 300, "Ben": 350, "Cy": 450}, "PiggybackTaken"),
    "rounds": ({"Ann": 800, "Ben": 750}, "GameEnded"),
    "six-ones": ({"Ann": 0, "Ben": 9900}, "SixOnesThrown"),
    "split": ({"Ann": 8, "Ben": 21}, "TurnBanked"),
    "strikes-out": ({"Ann": 4000, "Ben": 1000}, "PlayerDisqualified"),
    "three-farkles": ({"Ann": 0, "Ben": 1}, "PenaltyPaid"),
    "tie": ({"Ann": 123, "Ben": 123}, "GameEnded"),
    "troublesome-twos": ({"Ann": 0, "Ben": 350}, "Farkled"),
    "vant-hof": ({"Ann": 3000, "Ben": 0}, "VantHofTaken"),
    "who-starts": ({"Ann": 2, "Ben": 0, "Cy": 1}, "StartTied"),
}
"""Each example with its scores, worked out by hand, and the kind of event it is about."""

WON = {
    "at-once": ["Ann"],
    "charity-exact": ["Ann"],
    "defend": ["Ben"],
    "one-throw": ["Ben"],
    "rounds": ["Ann"],
    "six-ones": ["Ann"],
    "extra-round": ["Ben"],
    "find-a-loser": ["Ann"],
    "finish-round": ["Ben"],
    "last-seat": ["Ben"],
    "one-more-turn": ["Ben"],
    "strikes-out": ["Ben"],
    "tie": ["Ann", "Ben"],
}


@pytest.fixture(scope="module")
def text(docs: Path) -> str:
    return (docs / "rules.md").read_text(encoding="utf-8")


def written(name: str) -> str:
    return (EXAMPLES / f"sheet-{name}.farkle").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLAYED)
def test_an_example_has_the_result_worked_out_by_hand(name: str) -> None:
    scores, kind = PLAYED[name]
    played = replay(written(name))
    record = as_record(played)
    assert {side["name"]: side["score"] for side in record["teams"] or record["players"]} == scores
    assert record["winners"] == WON.get(name, [])
    events: tuple[Event, ...] = played.events
    assert kind in {type(event).__name__ for event in events}


def test_every_example_is_worked_out_and_shown(text: str) -> None:
    files = {path.stem.removeprefix("sheet-") for path in EXAMPLES.glob("sheet-*.farkle")}
    assert files == set(PLAYED)
    assert set(re.findall(r"generated: played sheet-(.*?)\.farkle", text)) == files


def test_every_rule_set_stands_side_by_side(text: str) -> None:
    for rules in catalogue():
        assert f"**{rules.title}** `{rules.key}`" in text
        assert rules.source in text
        for alias in rules.aliases:
            assert alias in text


@pytest.mark.parametrize("name", SWITCHES)
def test_every_switch_has_a_row(text: str, name: str) -> None:
    assert len(re.findall(rf"^\| `{name}` \|", text, re.MULTILINE)) == 1


def test_every_switch_names_the_rule_sets_that_set_it_differently(text: str) -> None:
    plain = type(catalogue()[0].sheet)()
    for name in SWITCHES:
        row = re.search(rf"^\| `{name}` \|.*$", text, re.MULTILINE)
        assert row is not None
        last = row[0].rstrip("| ").rpartition("|")[2]
        differing = {rules.key for rules in catalogue() if getattr(rules.sheet, name) != getattr(plain, name)}
        assert set(re.findall(r"`([a-z-]+[a-z0-9-]*)`", last)) & {rules.key for rules in catalogue()} == differing


def test_every_score_stands_in_the_table(text: str) -> None:
    table = text.partition("<!-- generated: rule-scores -->")[2].partition("<!-- end -->")[0]
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table.strip().splitlines()]
    cells = {
        (row[0], key): row[column] for row in rows for column, keys in enumerate(head) for key in keys.split("<br>")
    }
    for rules in catalogue():
        for each in rules.table.combinations:
            row = " ".join(map(str, each.dice)) if len(set(each.dice)) == 1 else each.name
            if each.name == "three pairs" and len(set(each.dice)) < 3:
                row = "three pairs, a number repeated"
            assert cells[row, f"`{rules.key}`"] == f"{each.points:,}"


def test_every_reason_why_switches_exclude_each_other_is_explained(text: str) -> None:
    for each in CONTRADICTIONS:
        assert each.why in text
