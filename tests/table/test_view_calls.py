"""A view takes few function calls, because the turn is derived once. The calls are counted, not timed."""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import fast_scene
import pytest
from test_scenes import SCENES

from companion.simulation.scenes.reading import read_scene
from companion.table.state.state import TableState
from companion.table.view import View, view

ROOT = Path(__file__).parents[2]
OURS = tuple(str(ROOT / folder) for folder in ("firmware", "vision", "board"))
MOST = 850
"""A view takes fewer calls of our own functions than this."""


def calls_of_view(state: TableState) -> tuple[View, Counter[tuple[str, str]]]:
    """Make a view. Return it and the calls of our own functions, by the caller's file and the function."""
    view(state)  # the rules compute their scores at their first use
    found: Counter[tuple[str, str]] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            caller = frame.f_back.f_code.co_filename if frame.f_back else ""
            found[caller, frame.f_code.co_name] += 1

    sys.setprofile(count)
    try:
        made = view(state)
    finally:
        sys.setprofile(None)
    return made, found


def calls_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Counter[tuple[str, str]]]:
    """Return the calls of each view of a scene."""
    found = []

    def counted(state: TableState) -> View:
        made, calls = calls_of_view(state)
        found.append(calls)
        return made

    monkeypatch.setattr(fast_scene, "view", counted)
    fast_scene.play(read_scene(path.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_a_view_takes_few_calls_and_derives_its_turn_once(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    views = {path.stem: calls_in(path, monkeypatch) for path in SCENES[::every]}
    most = max((calls.total(), scene) for scene, each in views.items() for calls in each)
    assert most[0] < MOST, most
    for scene, each in views.items():
        for calls in each:
            assert calls[str(ROOT / "firmware/companion/table/view.py"), "situation_of"] == 1, scene
            assert sum(calls[file, name] for file, name in calls if name == "turn_of") == 1, scene
            table = [file for file, name in calls if name == "legal_selections" and "companion" in file]
            assert sum(calls[file, "legal_selections"] for file in table) <= 1, scene
