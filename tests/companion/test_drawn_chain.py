"""World in, observation out: hands, drawn frames, settling and reading together, on a clock moved by hand.

Scenes with `form: eye` meet their expectations in the same way.
"""

import random
from collections import Counter
from pathlib import Path

import pytest
from clumsy_hands import ClumsyHands, Manner
from fast_scene import play
from hosted import eventually
from running import PATIENCE_S, program, throw
from spoiled_camera import UnsteadyTray

from companion.errors import SceneError
from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.script import Scene
from companion.simulation.scenes.tray import FirstLook, HandAct, PutBack, SetAside, ThrowDice
from companion.table.state.inputs import Button, Press
from dicereader import read as read_pixels
from dicereader.data.frame import Pixels
from dicereader.live.settle import Settled, Settler
from dicereader.reading import DiceReading, Observation, Zone
from dicereader.sources.synthetic.world import World
from pegboard.layouts import load_layout

STEP_S = 1 / 12


class DrawnTable:
    def __init__(self, seed: int) -> None:
        self.now = 10.0
        self.hands = ClumsyHands(seed)
        self.source = UnsteadyTray(lambda: self.now, seed=seed)
        self.settler = Settler(self.read, self.source.camera)

    def read(self, pixels: Pixels) -> DiceReading:
        return read_pixels(pixels, calibration=self.source.camera, expect=6)

    def play(self, world: World) -> list[Observation]:
        self.source.set_world(world)
        end, told = self.now + world.length_s + 0.7, []
        while self.now < end:
            self.now += STEP_S
            frame = self.source.next(1.0)
            told += [event.observation for event in self.settler.feed(frame) if isinstance(event, Settled)]
        return told


def thrown_faces(seen: Observation) -> list[int]:
    return sorted(seen.reading.dice[i].face for i in seen.episode.thrown())


def thrown_table(seed: int) -> tuple[DrawnTable, ClumsyHands]:
    """Return a table where a throw lies, and its hands."""
    table = DrawnTable(seed)
    table.play(table.hands.throw([1, 5, 2, 3, 4, 4]).at_rest())
    return table, table.hands


@pytest.mark.parametrize(
    ("seed", "counts"),
    [(37, (6, 4)), *(pytest.param(seed, (6, 4, 3, 1, 6), marks=pytest.mark.exhaustive) for seed in (37, 38))],
)
def test_quick_throws_are_each_seen_once_and_read_right_with_what_they_put_aside(seed, counts):
    table, rng = DrawnTable(seed), random.Random(seed)
    table.play(table.hands.still())
    for count in counts:
        aside = rng.sample(table.hands.rolled, len(table.hands.rolled) - count) if 0 < count < 6 else ()
        faces = sorted(rng.randint(1, 6) for _ in range(count))
        dice = [i for i in table.hands.rolled if i not in aside] if aside else range(6)
        table.settler.expect((count,))
        (seen,) = table.play(table.hands.quick_throw(faces, dice, aside))
        assert thrown_faces(seen) == faces
        assert seen.reading.sure
        on_shelf = [die.face for die in seen.reading.dice if die.zone is Zone.SHELF]
        assert sorted(on_shelf) == sorted(table.hands.faces[i] for i in table.hands.shelved)


@pytest.mark.exhaustive
@pytest.mark.parametrize("manner", [Manner(lingers_s=0.8, spin_s=0.8), Manner(hops=1), Manner(strikes=0)])
def test_a_throw_with_a_mishap_is_that_throw_and_no_other(manner):
    table, hands = thrown_table(34)
    (seen,) = table.play(hands.throw([2, 3, 6, 6], [2, 3, 4, 5], manner))
    assert thrown_faces(seen) == [2, 3, 6, 6]
    assert len(seen.episode.hopped) == manner.hops


@pytest.mark.exhaustive
def test_what_hands_do_beside_throwing_is_no_throw():
    table, hands = thrown_table(35)
    seen = table.play(hands.nudge(1))
    table.source.change(0.15, x_mm=0.6, y_mm=-0.5)
    seen += [each for world in (hands.hover(), hands.take_away([0])) for each in table.play(world)]
    table.source.change(level=0.7)
    seen += table.play(hands.still())
    assert [thrown_faces(each) for each in seen if each.episode.thrown()] == []


SEED = 41
SCENES = Path(__file__).parent.parent / "table"


def seen_scenes() -> dict[str, Scene]:
    read = {path.stem: read_scene(path.read_text(encoding="utf-8")) for path in sorted(SCENES.glob("*.scene"))}
    return {name: scene for name, scene in read.items() if scene.eye}


class DrawnTray:
    """Hands over a simulated tray, with an eye that reads the drawn frames once they are still."""

    def __init__(self, seed: int) -> None:
        self._table = DrawnTable(seed)

    def see(self, act: HandAct) -> Observation:
        seen = self._table.play(self._world(act))
        assert seen, f"the eye said nothing of {act}"
        return seen[-1]

    def _world(self, act: HandAct) -> World:
        hands = self._table.hands
        match act:
            case ThrowDice(dice=dice, left=left, hopped=hopped):
                faces = [*hopped, *(Counter(die.face for die in dice) - Counter(hopped)).elements()]
                stay = hands.find(left) if left is not None else ()
                thrown = [i for i in hands.rolled if i not in stay] if stay else None
                return hands.throw(faces, thrown, Manner(hops=len(hopped)))
            case SetAside(faces=faces, off=False):
                return hands.shelve(hands.find(faces))
            case PutBack(faces=faces):
                shelved = list(hands.shelved)
                return hands.unshelve([shelved.pop([hands.faces[i] for i in shelved].index(face)) for face in faces])
            case FirstLook(dice=None):
                return hands.still()
            case _:
                raise SceneError(f"expected an act that hands over a drawn tray can do, got {act}")


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", seen_scenes())
def test_a_scene_meets_its_expectations_through_the_eye(name: str) -> None:
    play(seen_scenes()[name], DrawnTray(SEED))


# --- from the camera's picture to the pegs: every part but the last wire is real ---


def test_a_turn_goes_from_thrown_dice_to_a_moved_peg(tmp_path: Path) -> None:
    with program(tmp_path, "Ann", "Ben") as table:
        throw(table, "233346")
        assert sorted(table.feed.latest.view.roll) == [2, 3, 3, 3, 4, 6]
        view = table.host.submit(Press(Button.BANK)).result(PATIENCE_S)
        assert (view.players[0].score, view.players[0].hole, view.to_move) == (8, 8, "Ben")
        strip, led = table.opened.board.devices.strip, load_layout().lane_of(0).spots[8].led
        eventually(lambda: max(strip.last[led]) > 8)  # the bytes that were sent to the strip
