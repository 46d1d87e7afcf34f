"""Makes pictures of every animation of the lights: `.venv/bin/python docs/animations.py`, into out/lights.

Each picture shows the bytes for the strip as an eye would see them. At its top is the board at six moments; below,
time runs downwards: each line is one frame, each column one LED, lane by lane (farkle lights, start, holes, game
hole), then the shelf and the status light. There are sixty frames a second, and a line of white dots each second.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from pegboard.animation import Animator, LightSettings
from pegboard.layouts import Layout, load_layout
from pegboard.ledframe import LedFrame, screen_colour
from pegboard.palette import mark
from pegboard.pegs import BoardView, Effect, LaneView, Prompt, ShelfLight, Status
from pegboard.track import Hole

OUT = Path(__file__).resolve().parent.parent / "out" / "lights"
FPS = 60
SECONDS = 6.0
COLUMN = 5
LINE = 2
GAP = 12
SCALE = 2.3
WOOD = (52, 72, 104)
GROUND = (16, 14, 13)

Picture = npt.NDArray[np.uint8]
Scene = Sequence[tuple[float, BoardView, Effect | None]]
"""The views of a scene, each with the second in which it begins and the effect that it is shown with."""


def sides(*pegs: tuple[int, int], turn: int | None = 0) -> BoardView:
    """Return a board with a back and a front peg for each side."""
    lanes = (LaneView(mark(side), Hole(back), Hole(front)) for side, (back, front) in enumerate(pegs))
    return BoardView(tuple(lanes), turn=turn)


PLAY = sides((7, 13), (20, 20))
SHELF = (ShelfLight.COUNTS, ShelfLight.COUNTS, ShelfLight.REFUSED, *(ShelfLight.OFF,) * 3)
ASIDE = replace(sides((7, 27), (20, 20)), shelf=SHELF)
ONE_MORE = replace(PLAY, lanes=(replace(PLAY.lanes[0], front=Hole(7), farkles=1), PLAY.lanes[1]))
GUESS = replace(PLAY, lanes=(replace(PLAY.lanes[0], preview=Hole(25)), PLAY.lanes[1]))
OVER = replace(sides((121, 121), (88, 88), turn=None), status=Status.OVER, leaders=(0,))

SCENES: Mapping[str, Scene] = {
    "attract": [(0.0, replace(PLAY, status=Status.ATTRACT), None)],
    "your-turn": [(0.0, sides((7, 7), (20, 20)), Effect.SWEEP)],
    "dice-moving": [(0.0, PLAY, None), (1.0, replace(PLAY, status=Status.QUIET), None)],
    "a-guess": [(0.0, GUESS, None)],
    "setting-aside": [
        (0.0, sides((7, 7), (20, 20)), None),
        (1.0, replace(sides((7, 27), (20, 20)), shelf=SHELF), None),
    ],
    "hot-dice": [(0.0, PLAY, None), (1.0, PLAY, Effect.SPARKLE)],
    "farkle": [(0.0, sides((7, 45), (20, 20)), None), (1.0, ONE_MORE, Effect.FARKLE)],
    "bank-and-bump": [(0.0, sides((7, 20), (20, 20)), None), (1.0, sides((20, 20), (8, 8), turn=1), Effect.SWEEP)],
    "swap": [(0.0, sides((7, 7), (60, 60)), None), (1.0, sides((60, 60), (7, 7)), None)],
    "question": [(0.0, replace(PLAY, status=Status.ASK, prompt=Prompt((Hole(13), Hole(25)))), None)],
    "is-it-a-five": [(0.0, replace(PLAY, status=Status.LOOK, prompt=Prompt(lit=5, blinking=1)), None)],
    "two-in-doubt": [(0.0, replace(PLAY, status=Status.LOOK, prompt=Prompt(blinking=2)), None)],
    "cannot-see": [(0.0, replace(PLAY, status=Status.BLIND), None)],
    "final-round": [(0.0, replace(sides((60, 60), (118, 118)), status=Status.FINAL, leaders=(1,)), None)],
    "win": [(0.0, sides((100, 121), (88, 88)), None), (0.5, OVER, None)],
    "shared-lane": [(0.0, sides((30, 30), (30, 30), (44, 44), turn=2), None)],
    "twelve-sides": [(0.0, sides(*((8 * side, 8 * side) for side in range(12))), None)],
}

LAYOUTS: Mapping[str, str] = {"shared-lane": "long-board-1"}
"""The layout of each scene that does not use the long board for two."""


def frames(layout: Layout, scene: Scene, calm: bool) -> list[LedFrame]:
    """Return every frame of a scene."""
    animator = Animator(layout, LightSettings(calm=calm))
    coming = list(scene)
    found = []
    for number in range(int(SECONDS * FPS)):
        now = number / FPS
        while coming and coming[0][0] <= now:
            at_s, view, effect = coming.pop(0)
            animator.show(view, at_s, effect)
        found.append(animator.frame(now))
    return found


def bgr(frame: LedFrame, led: int) -> tuple[int, int, int]:
    """Return the colour of an LED as a screen shows it, in OpenCV's order."""
    red, green, blue = screen_colour(frame[led])
    return blue, green, red


def on_the_wood(layout: Layout, frame: LedFrame) -> Picture:
    """Return a picture of the board at one moment; lit LEDs glow."""
    wide, high = (round(side * SCALE) for side in layout.size_mm)
    wood = np.full((high, wide, 3), WOOD, np.uint8)
    glow = np.zeros((high, wide, 3), np.float32)
    for lamp in layout.lamps():
        place = round(lamp.x * SCALE), round(lamp.y * SCALE)
        cv2.circle(wood, place, 4, (30, 44, 66), -1)
        colour = bgr(frame, lamp.led)
        if any(colour):
            cv2.circle(glow, place, 11, tuple(part * 0.5 for part in colour), -1)
            cv2.circle(wood, place, 5, colour, -1)
    return np.clip(wood + cv2.GaussianBlur(glow, (0, 0), 7), 0, 255).astype(np.uint8)


def over_time(layout: Layout, shown: Sequence[LedFrame]) -> Picture:
    """Return a picture of the frames: time downwards, LEDs across."""
    groups = [[*lane.farkles, *lane.spots] for lane in layout.lanes] + [list(layout.shelf), [layout.status]]
    columns: list[int | None] = []
    for group in groups:
        columns += [lamp.led for lamp in group] + [None, None]
    picture = np.full((len(shown) * LINE, len(columns) * COLUMN, 3), GROUND, np.uint8)
    for number, frame in enumerate(shown):
        for column, led in enumerate(columns):
            if led is not None:
                left = column * COLUMN
                picture[number * LINE : (number + 1) * LINE, left : left + COLUMN - 1] = bgr(frame, led)
        if number % FPS == 0:
            picture[number * LINE, ::8] = (200, 200, 200)
    return picture


def picture(name: str, calm: bool = False) -> Picture:
    """Return the picture of one animation."""
    layout = load_layout(LAYOUTS.get(name, "long-board-2"))
    shown = frames(layout, SCENES[name], calm)
    moments = [on_the_wood(layout, shown[int(len(shown) * part / 6)]) for part in range(6)]
    rows = [np.hstack(moments[start : start + 2]) for start in (0, 2, 4)]
    parts = [*rows, over_time(layout, shown)]
    wide = max(part.shape[1] for part in parts)
    padded = [
        cv2.copyMakeBorder(part, 0, GAP, 0, wide - part.shape[1], cv2.BORDER_CONSTANT, value=GROUND) for part in parts
    ]
    return np.vstack(padded)


def main() -> None:
    """Write a picture of each animation, lively and calm."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name in SCENES:
        for calm in (False, True):
            file = OUT / f"{name}{'-calm' if calm else ''}.png"
            cv2.imwrite(str(file), picture(name, calm))
            sys.stdout.write(f"{file}\n")


if __name__ == "__main__":
    main()
