"""Every sentence of the table comes from the catalogue: in a marked one, no unmarked word is seen or heard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fast_scene import set_up
from marked import MARKED, unmarked
from samples import sampled
from test_captions import STATES, table_in
from test_scenes import SCENES

from companion.simulation.scenes.reading import read_scene
from companion.simulation.scenes.script import LineOutcome
from companion.table.state.inputs import Fault
from companion.table.state.state import TableState
from companion.table.view import View, view
from farkle.game.standing import side_name
from farkle.rules.catalogue import catalogue

PLAYERS = {f"Player {number}" for number in range(1, 13)}
NAMES = {"KEEP", "ROLL", "BANK", *PLAYERS, *(rules.title for rules in catalogue())}
"""The names of buttons, of players without one of their own, and of rule sets."""


def texts(shown: View) -> Iterator[str]:
    """Yield every text of a view."""
    message, question = shown.message, shown.question
    yield from (
        message.text,
        message.short,
        message.told,
        *shown.degraded,
        *shown.refused.values(),
        shown.lobby.problem,
    )
    for each in shown.captions.values():
        yield from (each.tap, each.hold)
    for each in (*shown.selections, *filter(None, (shown.chosen, shown.bank))):
        yield from (each.parts, each.why)
    for each in shown.moments:
        yield each.text
    if question is not None:
        yield from (question.text, *question.answers)


def people(state: TableState) -> set[str]:
    """Return the names of the players and the sides."""
    game = state.game
    named = {*state.lobby.draft.players, *state.lobby.draft.teams}
    return (
        named if game is None else {*named, *game.players, *(side_name(game, side) for side in range(len(game.sides)))}
    )


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_shown_in_the_words_of_the_catalogue(name: str) -> None:
    state = table_in(name).state
    faults = {text for _, text in state.faults}  # as the test reports them
    assert not list(unmarked(texts(MARKED.rendered(view(state))), NAMES | people(state) | faults))


@pytest.mark.parametrize("path", sampled(SCENES, *SCENES[::4]), ids=lambda path: path.stem)
def test_a_scene_is_heard_and_seen_in_the_words_of_the_catalogue(path: Path) -> None:
    scene = read_scene(path.read_text(encoding="utf-8"))
    stage = set_up(scene)
    stage.words, told = MARKED, set()
    for step in scene.steps:
        match step.action:
            case Fault(text=str(text)):
                told.add(text.rstrip("."))  # a scene names its faults itself
        stage.recorder = LineOutcome()
        stage.perform(step)
        seen = (*texts(MARKED.rendered(view(stage.state))), *stage.recorder.spoken)
        assert not list(unmarked(seen, NAMES | people(stage.state) | told))
