"""From the camera's picture to the pegs: every part but the last wire is real, and every throw goes through the eye."""

from pathlib import Path

from hosted import eventually
from running import PATIENCE_S, program, throw

from companion.app import Program
from companion.table.state.inputs import Button, ChooseSelection, Press
from pegboard.layouts import load_layout


def until_lit(made: Program, side: int, hole: int) -> None:
    """Wait until the LED of a hole in a side's lane shines, by the bytes sent to the strip."""
    strip, led = made.opened.board.devices.strip, load_layout().lane_of(side).spots[hole].led
    eventually(lambda: max(strip.last[led]) > 8)


def test_a_turn_goes_from_thrown_dice_to_a_moved_peg(tmp_path: Path) -> None:
    with program(tmp_path, "Ann", "Ben") as table:
        throw(table, "233346")
        assert sorted(table.feed.latest.view.roll) == [2, 3, 3, 3, 4, 6]
        table.host.submit(ChooseSelection((3, 3, 3))).result(PATIENCE_S)
        throw(table, "146")
        view = table.feed.latest.view
        assert (view.turn_points, sorted(view.roll), sorted(view.locked)) == (6, [1, 4, 6], [3, 3, 3])
        assert sorted(view.shelf) == [3, 3, 3]
        view = table.host.submit(Press(Button.BANK)).result(PATIENCE_S)
        assert (view.players[0].score, view.players[0].hole, view.to_move) == (7, 7, "Ben")
        until_lit(table, 0, 7)
