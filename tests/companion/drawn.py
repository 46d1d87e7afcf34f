"""A simulated table in one process: hands, drawn frames, settling and reading, on a clock that the test moves."""

from clumsy_hands import ClumsyHands

from dicereader import read as read_pixels
from dicereader.data.frame import Pixels
from dicereader.live.settle import Settled, Settler
from dicereader.reading import DiceReading, Observation
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.sources.synthetic.world import World

STEP_S = 1 / 12


class DrawnTable:
    def __init__(self, seed: int) -> None:
        self.now = 10.0
        self.hands = ClumsyHands(seed)
        self.source = SyntheticSource(lambda: self.now, seed=seed)
        self.settler = Settler(self.read, self.source.camera)

    def read(self, pixels: Pixels) -> DiceReading:
        return read_pixels(pixels, calibration=self.source.camera, expect=6)

    def play(self, world: World) -> list[Observation]:
        self.source.set_world(world)
        end, told = self.now + world.length_s + 0.7, []
        while self.now < end:
            self.now += STEP_S
            frame = self.source.next(1.0)
            assert frame is not None
            told += [event.observation for event in self.settler.feed(frame) if isinstance(event, Settled)]
        return told
