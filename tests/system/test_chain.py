"""From the camera's picture to the pegs: every part but the last wire is real, and every throw goes through the eye."""

import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from running import PATIENCE_S, program, throw, until

from companion.app import Program
from companion.table.state.inputs import Button, ChooseSelection, CorrectRoll, Gesture, NewGame, Press, Undo
from dicereader import read
from dicereader.reading import Zone
from pegboard.layouts import load_layout
from pegboard.leds.led_drivers import LedRecorder


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    with program(tmp_path_factory.mktemp("chain"), "Ann", "Ben") as made:
        yield made


@pytest.fixture
def table(running: Program) -> Program:
    """Return the running table with a new game: in whichever order the tests come, none finds another one's throw."""
    running.host.submit(NewGame("farkle-cribbage", ("Ann", "Ben"))).result(PATIENCE_S)
    return running


def tap(made: Program, button: str) -> None:
    made.host.submit(Press(Button(button))).result(PATIENCE_S)


def lit(made: Program, side: int, hole: int) -> bool:
    """Return whether the LED of a hole in a side's lane shines, by the bytes sent to the strip."""
    assert isinstance(made.opened.board.devices.strip, LedRecorder)
    lamp = load_layout().lane_of(side).spots[hole]
    return max(made.opened.board.devices.strip.last[lamp.led]) > 8


def settled_lights(made: Program, side: int, hole: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    pause = 0.02
    while not lit(made, side, hole):
        assert time.monotonic() < deadline, f"hole {hole} of lane {side} stays dark"
        made.feed.wait(lambda _: False, pause)


def picture(made: Program) -> np.ndarray:
    view = made.feed.latest.view
    assert view.reading is not None
    jpeg = made.opened.tray.eye.process.picture(int(view.reading.picture.rpartition("=")[2]))
    assert jpeg is not None
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def test_a_turn_goes_from_thrown_dice_to_a_moved_peg(table: Program) -> None:
    throw(table, "233346")
    view = table.feed.latest.view
    assert sorted(view.roll) == [2, 3, 3, 3, 4, 6]
    table.host.submit(ChooseSelection((3, 3, 3))).result(PATIENCE_S)
    throw(table, "146")
    view = table.feed.latest.view
    assert (view.turn_points, sorted(view.roll), sorted(view.locked)) == (6, [1, 4, 6], [3, 3, 3])
    assert sorted(view.shelf) == [3, 3, 3]
    tap(table, "bank")
    view = table.feed.latest.view
    assert (view.players[0].score, view.players[0].hole, view.to_move) == (7, 7, "Ben")
    settled_lights(table, 0, 7)


@pytest.mark.exhaustive
def test_the_picture_of_a_throw_read_again_gives_the_faces_of_the_state(table: Program) -> None:
    throw(table, "112345")
    view = table.feed.latest.view
    assert view.reading is not None
    again = read(picture(table))  # as `farklecrib read` does, without the table's calibration
    assert sorted(again.faces) == sorted(die.face for die in view.reading.dice)
    thrown = [die.face for die in view.reading.dice if die.zone == Zone.THROW]
    assert sorted(thrown) == sorted(view.roll) == [1, 1, 2, 3, 4, 5]
    tap(table, "bank")


@pytest.mark.exhaustive
def test_dice_slid_onto_the_shelf_are_seen_there_and_kept(table: Program) -> None:
    throw(table, "112346")
    roll = table.feed.latest.view.roll
    before = table.feed.latest.view.reading.picture
    table.opened.tray.hands.shelve(tuple(index for index, face in enumerate(roll) if face == 1))
    until(table, lambda update: update.view.reading.picture > before and update.view.chosen is not None)
    view = table.feed.latest.view
    assert (sorted(view.shelf), view.chosen.points) == ([1, 1], 2)
    throw(table, "2346")
    assert table.feed.latest.view.turn_points == 2
    tap(table, "bank")


@pytest.mark.exhaustive
def test_undo_and_correction_work_through_the_real_eye(table: Program) -> None:
    throw(table, "233346")
    faces = list(table.feed.latest.view.roll)
    faces[faces.index(2)] = 1
    table.host.submit(CorrectRoll(tuple(faces))).result(PATIENCE_S)
    assert table.feed.latest.view.out_of_step
    assert table.feed.latest.view.bank.points == 7
    table.host.submit(Undo()).result(PATIENCE_S)
    assert table.feed.latest.view.phase == "to_throw"
    throw(table, "244466")
    assert not table.feed.latest.view.out_of_step
    table.host.submit(Press(Button.ROLL, Gesture.HOLD)).result(PATIENCE_S)
    throw(table, "244466")
    tap(table, "bank")
