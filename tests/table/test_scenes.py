"""Every written scene, played in its fast form: one test a scene."""

from pathlib import Path

import pytest

from companion.scene.playing import play
from companion.scene.reading import read_scene

SCENES = sorted(Path(__file__).parent.glob("*.scene"))


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_the_evening_goes_as_it_is_written(path: Path) -> None:
    play(read_scene(path.read_text(encoding="utf-8")))
