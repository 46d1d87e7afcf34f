"""One scripted game, from the table's view to each driver's far end: every driver shows the same pegs."""

from functools import cache
from pathlib import Path

import pytest
from samples import sampled
from strips import look, opened
from tables import Table

from companion.devices.lights import board_view
from pegboard.animation.animator import Animator
from pegboard.layouts import load_layout
from pegboard.ledframe import LedFrame
from pegboard.leds.led_drivers import DRIVERS
from pegboard.palette import mark
from pegboard.pegs import BoardView

LAYOUTS = ("long-board-2", "classic-3", "serpentine-2")


@cache
def evening() -> tuple[BoardView, ...]:
    """Return every view of a short game: choices, banks, a farkle, hot dice, undo, a question, final round, the end."""
    table = Table().start("Ann", "Ben", settings={"target": 30})
    views = [table.view]

    def then(*_: object) -> None:
        views.append(table.view)

    then(table.throws("233346"))
    then(table.chooses("333"))
    then(table.throws("346", shelf="333"))
    then(table.throws("111222"))
    then(table.chooses("111222"))
    then(table.undoes())
    then(table.taps("bank"))
    then(table.throws("233346", sure=False))
    then(table.taps("keep"))
    then(table.taps("bank"))
    then(table.throws("111222"))
    then(table.taps("bank"))
    then(table.throws("334466") if table.view.phase == "to_throw" else None)
    return tuple(board_view(view) for view in views)


def frames(name: str) -> list[LedFrame]:
    """Return the frame of each view when all pegs rest, at a moment when pulsing pegs are bright."""
    animator = Animator(load_layout(name))
    found = []
    for number, view in enumerate(evening()):
        animator.show(view, 24.0 * number)
        found.append(animator.frame(24.0 * number + 12.0))
    return found


@pytest.mark.parametrize("name", sampled(LAYOUTS, "long-board-2"))
@pytest.mark.parametrize("driver", DRIVERS)
def test_one_scripted_game_shows_the_same_pegs_on_every_driver(
    driver: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(driver, load_layout(name), tmp_path, monkeypatch) as far:
        decoded = []
        for frame in frames(name):
            far.strip.show(frame)
            decoded.append(far.shown())
    assert decoded == [look(frame) for frame in frames(name)]
    assert len({tuple(sorted(each.items())) for each in decoded}) >= 7, "the game has something to show"
    assert {colour for each in decoded for colour in each.values()} >= {mark(0).colour.name, mark(1).colour.name}


@pytest.mark.parametrize("name", LAYOUTS[1:])
def test_the_pegs_stand_in_the_same_holes_on_every_board(name: str) -> None:
    walk = load_layout(name).lanes[0].walk

    def holes(layout_name: str) -> list[set[tuple[int, int]]]:
        layout = load_layout(layout_name)
        places = {
            lane.spots[hole].led: (side, (hole - 1) % walk)
            for side, lane in enumerate(layout.lanes[:2])
            for hole in range(1, lane.walk + 1)
        }
        return [{places[led] for led in frame.lit() if led in places} for frame in frames(layout_name)]

    assert holes(name) == holes("long-board-2")
    assert max(len(each) for each in holes(name)) >= 3
