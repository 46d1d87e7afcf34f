"""From the camera's picture to the pegs: every part but the last wire is real, and every throw goes through the eye."""

from pathlib import Path

from hosted import eventually
from running import PATIENCE_S, program, throw

from companion.table.state.inputs import Button, Press
from pegboard.layouts import load_layout


def test_a_turn_goes_from_thrown_dice_to_a_moved_peg(tmp_path: Path) -> None:
    with program(tmp_path, "Ann", "Ben") as table:
        throw(table, "233346")
        assert sorted(table.feed.latest.view.roll) == [2, 3, 3, 3, 4, 6]
        view = table.host.submit(Press(Button.BANK)).result(PATIENCE_S)
        assert (view.players[0].score, view.players[0].hole, view.to_move) == (8, 8, "Ben")
        strip, led = table.opened.board.devices.strip, load_layout().lane_of(0).spots[8].led
        eventually(lambda: max(strip.last[led]) > 8)  # the bytes that were sent to the strip
