"""Scenes shown on a whole table with its page open in a real browser: the page shows what the scene expects."""

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from companion.cli.play import table_without_eye
from companion.config import Config, WebConfig
from companion.runtime.end_signals import EndEvent
from companion.simulation.scenes import show as shown
from companion.simulation.scenes.reading import read_scene
from companion.table.view import View
from companion.words import english

pytestmark = pytest.mark.browser

SCENES = Path(__file__).parent.parent / "table"
PATIENCE_MS = 120_000


def is_seen(page: Page, view: View) -> None:
    """Check that the page shows the open question with its answers, the sentence, the scores and the lit buttons."""
    if view.question is not None:
        expect(page.locator("#question")).to_contain_text(view.question.text)
        for answer in view.question.answers:
            expect(page.locator("#question").get_by_role("button", name=answer).first).to_be_visible()
    elif view.phase == "to_throw":
        expect(page.locator("body")).to_contain_text(view.message.text.split(". ")[-1])
    for player in view.players:
        expect(page.locator("body")).to_contain_text(f"{player.score}")
    for button in ("keep", "roll", "bank"):
        lit = "true" if button not in view.legal else "false"
        expect(page.locator(f".dome.{button}")).to_have_attribute("aria-disabled", lit)


@pytest.mark.parametrize(
    "name",
    [
        "wrong-player-threw",
        "camera-unplugged-points-mode",
        "doubt-about-one-die",
    ],
)
def test_what_a_scene_says_is_seen_on_the_page(
    name: str, tmp_path: Path, chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("PACE_S", "THROW_S", "LONGEST_S"):
        monkeypatch.setattr(shown, each, 0.0)
    scene = read_scene((SCENES / f"{name}.scene").read_text(encoding="utf-8"))
    show = shown.SceneShow(scene, Config(web=WebConfig(port=0)), tmp_path, EndEvent(), table_without_eye)
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.set_default_timeout(PATIENCE_MS)
    try:
        show.table.start()
        page.goto(show.table.address)
        for step in scene.steps:
            show.perform(step)
            is_seen(page, english().rendered(show.table.feed.latest.view))
    finally:
        page.close()
        show.table.close()
