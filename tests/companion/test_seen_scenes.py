"""Scenes with `form: eye`, played with simulated hands, drawn pictures and the reader, meet their expectations."""

from collections import Counter
from pathlib import Path

import pytest
from clumsy_hands import Manner
from drawn import DrawnTable
from fast_scene import play
from samples import sampled

from companion.errors import SceneError
from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.script import Scene
from companion.simulation.scenes.tray import FirstLook, HandAct, PutBack, SetAside, ThrowDice
from dicereader.reading import Observation
from dicereader.sources.synthetic.world import World

SEED = 41
SCENES = Path(__file__).parent.parent / "table"


def seen_scenes() -> dict[str, Scene]:
    read = {path.stem: read_scene(path.read_text(encoding="utf-8")) for path in sorted(SCENES.glob("*.scene"))}
    return {name: scene for name, scene in read.items() if scene.eye}


class DrawnTray:
    """Hands over a simulated tray, with an eye that reads the drawn frames once they are still."""

    def __init__(self, seed: int) -> None:
        self._table = DrawnTable(seed)

    def see(self, act: HandAct, at_s: float) -> Observation:
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


@pytest.mark.parametrize("name", sampled(seen_scenes(), "shelf-says-what-is-kept"))
def test_a_scene_meets_its_expectations_through_the_eye(name: str) -> None:
    play(seen_scenes()[name], DrawnTray(SEED))
