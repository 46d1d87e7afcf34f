"""The examples of rules.md have the results of the sheets."""

from pathlib import Path

import pytest

from companion.cli.replay import as_record
from farkle.game.events import Event
from farkle.replay import replay

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "docs" / "examples"

PLAYED = {
    "at-once": ({"Ann": 4000, "Ben": 3900}, "GameEnded", ["Ann"]),
    "below-zero": ({"Ann": -700, "Ben": 500}, "PenaltyPaid", []),
    "bomb": ({"Ann": 80, "Ben": 10}, "PegsSwapped", []),
    "bomb-points": ({"Ann": 38, "Ben": 80}, "ChoiceMade", []),
    "charity": ({"Ann": 9900, "Ben": 5200}, "PointsGiven", []),
    "charity-exact": ({"Ann": 10_000, "Ben": 5000}, "GameEnded", ["Ann"]),
    "defend": ({"Ann": 10_200, "Ben": 10_300}, "LeadTaken", ["Ben"]),
    "extra-round": ({"Ann": 124, "Ben": 125}, "ExtraRoundBegan", ["Ben"]),
    "farkle-penalty": ({"Ann": -50, "Ben": 400}, "FarklePaid", []),
    "find-a-loser": ({"Ann": 130, "Ben": 60, "Cy": 125}, "SideOut", ["Ann"]),
    "finish-round": ({"Ann": 123, "Ben": 125}, "FinalRoundBegan", ["Ben"]),
    "forced-hot-dice": ({"Ann": 0, "Ben": 1500}, "Farkled", []),
    "frozen": ({"Ann": 3, "Ben": 0}, "TurnBanked", []),
    "full-house": ({"Ann": 550, "Ben": 0}, "TurnBanked", []),
    "hot-dice": ({"Ann": 800, "Ben": 0}, "TurnBanked", []),
    "last-die": ({"Ann": 9, "Ben": 0}, "TurnBanked", []),
    "last-seat": ({"Ann": 119, "Ben": 135}, "GameEnded", ["Ben"]),
    "least-bank": ({"Ann": 1200, "Ben": 0}, "TurnBanked", []),
    "nobody-loses": ({"Ann": 300, "Ben": 400}, "NobodyLost", []),
    "one-more-turn": ({"Ann": 10_100, "Ben": 10_100}, "FinalRoundBegan", ["Ben"]),
    "one-throw": ({"Ann": 10_000, "Ben": 10_500, "Cy": 10_050}, "FinalRoundBegan", ["Ben"]),
    "one-peg": ({"Ann": 25, "Ben": 15, "Cy": 20}, "PegBumped", []),
    "opening": ({"Ann": 450, "Ben": 0}, "TurnBanked", []),
    "partners": ({"A": 33, "B": 40}, "TurnBanked", []),
    "piggyback": ({"Ann": 300, "Ben": 350, "Cy": 450}, "PiggybackTaken", []),
    "rounds": ({"Ann": 800, "Ben": 750}, "GameEnded", ["Ann"]),
    "six-ones": ({"Ann": 0, "Ben": 9900}, "SixOnesThrown", ["Ann"]),
    "split": ({"Ann": 8, "Ben": 21}, "TurnBanked", []),
    "strikes-out": ({"Ann": 4000, "Ben": 1000}, "PlayerDisqualified", ["Ben"]),
    "three-farkles": ({"Ann": 0, "Ben": 1}, "PenaltyPaid", []),
    "tie": ({"Ann": 123, "Ben": 123}, "GameEnded", ["Ann", "Ben"]),
    "troublesome-twos": ({"Ann": 0, "Ben": 350}, "Farkled", []),
    "vant-hof": ({"Ann": 3000, "Ben": 0}, "VantHofTaken", []),
    "who-starts": ({"Ann": 2, "Ben": 0, "Cy": 1}, "StartTied", []),
}
"""Each example with its scores, worked out by hand, the kind of event it is about, and its winners."""


def written(name: str) -> str:
    return (EXAMPLES / f"sheet-{name}.farkle").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLAYED)
def test_an_example_has_the_result_worked_out_by_hand(name: str) -> None:
    scores, kind, winners = PLAYED[name]
    played = replay(written(name))
    record = as_record(played)
    assert {side["name"]: side["score"] for side in record["teams"] or record["players"]} == scores
    assert record["winners"] == winners
    events: tuple[Event, ...] = played.events
    assert kind in {type(event).__name__ for event in events}


def test_every_example_is_worked_out() -> None:
    assert {path.stem.removeprefix("sheet-") for path in EXAMPLES.glob("sheet-*.farkle")} == set(PLAYED)
