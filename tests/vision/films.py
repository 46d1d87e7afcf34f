"""Scripted frames of a tray: grey ground, a square for each die, a bar for the hand. A settler gets these frames."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from dicereader.data.frame import Frame
from dicereader.live.settle import Settled, SettleEvent, Settler
from dicereader.live.timing import SettleTiming
from dicereader.reading import Box, DiceReading, Observation, ReadDie

STEP_S = 1 / 30
DIE = 16

Place = tuple[int, int, int]  # x, y, face

A, B, C = (40, 40, 1), (120, 60, 2), (200, 100, 3)
D = (180, 100, 3)  # half under a hand that reaches this far


def tray(dice: Iterable[Place], hand: int | None = None, light: float = 1.0, hand_x: int = 130) -> np.ndarray:
    """Return a picture of 320 x 240: each die is a square as bright as its face. A hand covers `hand` pixels."""
    picture = np.full((240, 320, 3), 60, np.uint8)
    for x, y, face in dice:
        picture[y : y + DIE, x : x + DIE] = 120 + 20 * face
    if hand is not None:
        picture[240 - hand :, hand_x : hand_x + 60] = 100
    return np.clip(picture * light, 0, 255).astype(np.uint8)


def read(pixels: np.ndarray) -> DiceReading:
    dice = []
    for face in range(1, 7):
        n, _, stats, _ = cv2.connectedComponentsWithStats((pixels[..., 0] == 120 + 20 * face).astype(np.uint8))
        dice += [ReadDie(face, Box(*(int(v) for v in stats[i, :4])), 0.99) for i in range(1, n)]
    return DiceReading(tuple(dice), True)


@dataclass
class Film:
    """A film: it gives frames to a settler at 30 a second and keeps the settler's results."""

    reader: Callable[[np.ndarray], DiceReading] = read
    timing: SettleTiming = field(default_factory=SettleTiming)
    step_s: float = STEP_S

    def __post_init__(self) -> None:
        self.settler = Settler(self.reader, timing=self.timing)
        self.now = 10.0
        self.events: list[SettleEvent] = []
        self.rng = np.random.default_rng(1)

    def show(self, picture: np.ndarray, seconds: float = STEP_S, noise: float = 0.0) -> list[SettleEvent]:
        events = []
        for _ in range(max(1, round(seconds / self.step_s))):
            seen = picture
            if noise:
                seen = np.clip(picture + self.rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)
            events += self.settler.feed(Frame(seen, self.now))
            self.now += self.step_s
        self.events += events
        return events

    def lay(self, dice: Iterable[Place], seconds: float = STEP_S, **tray_as: Any) -> list[SettleEvent]:
        """Show dice that lie still for some seconds."""
        return self.show(tray(dice, **tray_as), seconds)

    def told(self) -> list[Observation]:
        return [event.observation for event in self.events if isinstance(event, Settled)]

    def slide(
        self, before: Place, after: Place, others: Iterable[Place] = (), frames: int = 8, hand: int | None = None
    ) -> None:
        for i in range(1, frames + 1):
            x, y = (round(a + (b - a) * i / frames) for a, b in zip(before[:2], after[:2], strict=True))
            self.show(tray([*others, (x, y, after[2])], hand=hand))


def settled(dice: Iterable[Place] = (), seconds: float = 0.5, expect: tuple[int, ...] = (), **film: Any) -> Film:
    """Return a film of dice that have come to rest."""
    made = Film(**film)
    made.settler.expect(expect)
    made.lay(dice, seconds)
    return made
