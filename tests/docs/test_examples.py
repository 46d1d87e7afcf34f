"""The examples of the docs run, and all code in the docs comes from them."""

import re
import runpy
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from companion.cli.replay import as_record
from farkle.game.events import Event
from farkle.notation import write
from farkle.replay import replay

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"
CODE = re.compile(r"^```(?:python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

COUNTS = tomllib.loads((EXAMPLES / "fives-count.toml").read_text(encoding="utf-8"))["expected"]
PRINTED = {
    "expected_counts.py": "".join(f"{name} = {numbers}\n" for name, numbers in COUNTS.items()),
    "light_a_board.py": "313 LEDs",
    "play_a_game.py": "refused (number_of_dice): expected 3 dice, got 2: '11'",
    "read_a_picture.py": "the dice show 1 5 2 5 4 2",
    "read_many_pictures.py": "missing.jpg: expected a picture in",
    "replay_a_game.py": "won by Ann",
    "score_a_roll.py": "8 (3, 3, 3, 2)",
}
"""A part of what each program prints."""


def test_every_program_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_runs_from_the_clone(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    assert PRINTED[name] in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.farkle")), ids=lambda path: path.stem)
def test_a_written_game_is_unchanged_when_written_again(path: Path) -> None:
    played = replay(path.read_text(encoding="utf-8"))
    assert played.turns
    again = write(played.events)
    assert replay(again) == played


def test_all_code_in_the_docs_is_a_file_that_is_tested(generate: ModuleType) -> None:
    tested = [*EXAMPLES.rglob("*.*"), *(ROOT / "tests" / "table").glob("*.scene")]
    files = {path.read_text(encoding="utf-8").rstrip() for path in tested if path.is_file() and path.suffix != ".pyc"}
    for path in generate.documents():
        text = generate.MARKED.sub(
            lambda part: part[0] if "signature" not in part["name"] else "", path.read_text("utf-8")
        )
        for block in CODE.findall(text):
            assert block.rstrip() in files, f"{path.name}: {block}"


# --- the examples of rules.md have the results of the sheets ---

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
