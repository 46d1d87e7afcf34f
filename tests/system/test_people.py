"""The tests' own people: an eye that is not sure, or that is wrong, does not stop what a test plays."""

from pathlib import Path

import pytest
from hosted import Hosted, hosted
from people import MOST_ASKED, asks, reply

from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.tray import Throw, Tray
from companion.table.inputs import Answer, CorrectRoll, EnterRoll, ReadingSettled
from companion.web.schema import VIEW


def settled(table: Hosted, thrown: list[int]) -> list[str]:
    """Reply as people do until the throw counts; how they replied."""
    done = []
    inputs = {
        "answer": lambda body: Answer(body["answer"]),
        "correct": lambda body: CorrectRoll(tuple(body["roll"])),
        "roll": lambda body: EnterRoll(tuple(body["roll"])),
    }
    while asks(state := VIEW.dump_python(table.host.feed.latest.view, mode="json")):
        assert len(done) < MOST_ASKED
        path, body = reply(state, thrown)
        table.take(inputs[path](body))
        done.append(path)
    return done


@pytest.mark.parametrize(
    ("read", "replies"),
    [
        ("111223", []),
        ("1?11223", ["answer"]),
        ("1?1?1?223", ["answer"] * 3),
        ("1?1?1?2?2?3?", ["answer"]),
        ("5?11223", ["correct"]),
        ("5?1?1?2?2?3?", ["correct"]),
        ("1/11223", ["roll"]),
        ("1=1=1223", ["roll"]),
    ],
)
def test_a_throw_counts_as_it_fell_however_sure_the_eye_is(tmp_path: Path, read: str, replies: list[str]) -> None:
    beat = read_scene(f"players: Ann, Ben\n---\nthrow {read}\n").beats[0]
    assert isinstance(beat.doing, Throw)
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben").take(ReadingSettled(Tray().see(beat.doing, 0.0), "synthetic"))
        assert settled(table, [1, 1, 1, 2, 2, 3]) == replies
        assert sorted(table.view.roll) == [1, 1, 1, 2, 2, 3]
