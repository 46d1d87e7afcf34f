"""Every written scene, played in its fast form: one test a scene."""

import re
from pathlib import Path

import pytest
from fast_scene import play

from companion.errors import SceneError
from companion.simulation.scenes.reading import read_scene

SCENES = sorted(Path(__file__).parent.glob("*.scene"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_a_scene_meets_its_expectations(path: Path) -> None:
    play(read_scene(path.read_text(encoding="utf-8")))


HEAD = "rules: farkle-cribbage\nplayers: Ann, Ben\n---\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a line '---' between the head and the evening, got none"),
        (HEAD, "expected something to be done after the ruler, got nothing"),
        (HEAD + "trow 123456\n", "line 4: expected one of throw, aside"),
        (HEAD + "throw 1234567\n", "line 4: expected throw DICE, such as 233346"),
        (
            HEAD + "throw 123456 gone\n",
            "line 4: expected throw DICE, such as 233346, with marks ? / ^ = behind one in doubt, and left DICE",
        ),
        (HEAD + "throw\n", "line 4: expected throw DICE, such as 233346"),
        (HEAD + "tap STICK\n", "line 4: expected tap KEEP, ROLL or BANK, got 'tap STICK'"),
        (HEAD + "wait long\n", "line 4: expected wait SECONDS or wait MINUTES min"),
        (HEAD + "fault camera dark\n", 'line 4: expected fault PART "words"'),
        (HEAD + "chord twice\n", "line 4: expected 'chord' alone"),
        (HEAD + "tap ROLL\n    phase\n", "line 5: expected something that can be seen or heard"),
        ("track: 122\n" + HEAD + "tap ROLL\n", "line 1: expected 'track: 61 or 121 or 241', got '122'"),
        ("times: nap_s=1\n" + HEAD + "tap ROLL\n", "line 1: expected NAME=SECONDS, NAME one of farkle_shown_s"),
        ("house: cocked=pray\n" + HEAD + "tap ROLL\n", "line 1: expected NAME=WORD, NAME one of off_table, cocked"),
        ("form: film\n" + HEAD + "tap ROLL\n", "line 1: expected 'form: eye', got 'film'"),
        ("rules: chess\nplayers: Ann\n---\ntap ROLL\n", "line 1: "),
        ("rules: classic\nplayers: Ann\nscores: Ben 1\n---\ntap ROLL\n", "line 3: "),
        ("rules: classic\ntrack: 121\nset: target=50000\nplayers: Ann\n---\ntap ROLL\n", "line 1: "),
        (HEAD + "aside 3\n", "line 4: expected a 3 in the throw area, where nothing lies"),
        (
            HEAD + "throw 123456\nthrow 12\n",
            "line 5: expected 6 dice, or 'left' and the dice that stay",
        ),
        (HEAD + "tap KEEP\n", "line 4: tap KEEP: refused: throw first"),
        (HEAD + "tap ROLL\n    Ann 9\n", "line 5: Ann 9: expected 9, got 0"),
        (HEAD + "tap ROLL\n    Cy 9\n", "line 5: Cy 9: expected one of the players Ann, Ben, got 'Cy'"),
        (HEAD + 'tap ROLL\n    refused "no"\n', "expected a refusal with 'no', got none"),
        (HEAD + 'tap ROLL\n    says "Ben"\n', "expected 'Ben' in 'Throw six dice'"),
        (HEAD + "    phase over\ntap ROLL\n", "line 4: phase over: expected 'over', got 'to_throw'"),
    ],
)
def test_a_mistake_in_a_scene_is_reported_with_its_line(text: str, words: str) -> None:
    with pytest.raises(SceneError, match=re.escape(words)):
        play(read_scene(text))
