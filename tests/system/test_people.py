"""The simulated players: an eye that is unsure or wrong does not stop a test's game."""

from pathlib import Path

import pytest
from hosted import Hosted, ToldClock, hosted, seen
from people import INPUTS, MOST_ASKED, asks, reply

from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.tray import SceneTray, ThrowDice
from companion.table.state.inputs import ChooseSelection, MotionReported, ReadingSettled, Tick
from companion.web.schema import adapter_of
from dicereader.reading import Motion


def settled(table: Hosted, thrown: list[int]) -> list[str]:
    """Reply as people do until the throw counts. Return their replies."""
    done = []
    while asks(state := adapter_of(table.view).dump_python(table.view, mode="json")):
        assert len(done) < MOST_ASKED
        path, body = reply(state, thrown)
        table.take(INPUTS[path](body))
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
    step = read_scene(f"players: Ann, Ben\n---\nthrow {read}\n").steps[0]
    assert isinstance(step.action, ThrowDice)
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben").take(ReadingSettled(SceneTray().see(step.action, 0.0), "synthetic"))
        assert settled(table, [1, 1, 1, 2, 2, 3]) == replies
        assert sorted(table.view.roll) == [1, 1, 1, 2, 2, 3]


def test_dice_that_the_eye_did_not_see_fall_are_said_to_be_thrown(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben").take(seen("124466", first=True))
        table.take(seen("111223", first=True))
        assert settled(table, [1, 1, 1, 2, 2, 3]) == ["answer"]
        assert sorted(table.view.roll) == [1, 1, 1, 2, 2, 3]


def test_players_wait_for_a_slow_eye(tmp_path: Path) -> None:
    clock = ToldClock()
    with hosted(tmp_path, clock.clock) as table:
        table.game("Ann", "Ben").take(MotionReported(Motion.MOVING))
        clock.now += table.host.state.times.unsettled_ask_s
        table.take(Tick())
        assert settled(table, [1, 1, 1, 2, 2, 3]) == ["answer"]
        table.take(seen("111223"))
        assert sorted(table.view.roll) == [1, 1, 1, 2, 2, 3]


def test_dice_that_a_new_eye_finds_from_the_throw_before_are_not_said_to_be_thrown(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben").take(seen("111234"))
        table.take(ChooseSelection((1, 1, 1)))
        table.take(seen("234", shelf="111", first=True))
        assert settled(table, [1, 5, 5]) == ["answer"]
        assert sorted(table.view.roll) == [1, 1, 1, 2, 3, 4]
        table.take(seen("155", shelf="111", first=True))
        assert settled(table, [1, 5, 5]) == ["answer"]
        assert sorted(table.view.roll) == [1, 5, 5]
