"""Games in a real browser by a player who taps any control that glows: page, table, eye and pegs are real.

Only the dice move in fast motion.
"""

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from running import PATIENCE_S, program, until

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Error, Page, expect
from test_page_layout import CUT

from companion.app import Program
from companion.cli.replay import as_record
from companion.devices.phrases import call_out
from companion.nothing import nothing
from companion.table.state.inputs import EditLobby, NewGame
from companion.words import Catalogue, english, language_files, load_catalogue
from farkle.replay import replay
from farkle.rules.catalogue import catalogue

pytestmark = pytest.mark.browser

KEPT = Path(__file__).resolve().parents[2] / "out" / "screenshots"
PATIENCE_MS = 120_000
CLICK_MS = 5_000
AGAIN_S = 10.0
MOST_TRIES = 12
MOST_TAPS = 2000
TARGET = 61
"""Points to win the first game: more than one street of the track, and half of what the sheet says."""


def tap_what_glows(page: Page, made: Program, chance: random.Random) -> None:
    """Tap a control that glows, by chance, until the table has gone on."""
    until(made, lambda update: update.view.glows)
    before = made.feed.latest.view
    if before.phase == "over":  # by a throw: what glows would begin another game
        return
    # Only while the page shows this act: a second tap must not press the next control, such as the rematch.
    glowing = page.locator(f"body:has(#room[data-seq='{before.seq}']) [data-glows]:visible")
    for _ in range(MOST_TRIES):
        with suppress(Error):  # the page is behind or ahead, and shows another act
            glowing.nth(chance.randrange(max(1, glowing.count()))).click(timeout=CLICK_MS)
        if made.feed.wait(lambda update: update.view != before, AGAIN_S):
            return
    raise AssertionError(f"nothing followed a press of what glows: {before.message.text}")


def play(page: Page, made: Program, *, shot: Path | None = None, look: Callable[[], object] = nothing) -> None:
    """Tap what glows until the game is over."""
    chance = random.Random(1)
    for taps in range(MOST_TAPS):
        if made.feed.latest.view.phase == "over":
            return
        if shot is not None and taps == 30:
            page.screenshot(path=shot)
        tap_what_glows(page, made, chance)
        look()
    raise AssertionError(f"not over after {MOST_TAPS} taps: {made.feed.latest.view.message.text}")


@pytest.mark.timeout(900)
def test_a_first_game_is_played_by_what_glows_alone(tmp_path: Path, chromium) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    page = chromium.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_MS)
    with program(tmp_path, seed=11) as made:
        made.host.submit(EditLobby(settings={"target": TARGET})).result(PATIENCE_S)
        page.goto(made.address)
        expect(page.get_by_label("Points to win")).to_have_value(f"{TARGET}")  # else it would start as on the sheet
        play(page, made, shot=KEPT / "game-laptop.png")
        view = made.feed.latest.view
        expect(page.locator(".won")).to_contain_text("win")
        expect(page.locator(".places .winner .who").first).to_have_text(view.winners[0])
        page.screenshot(path=KEPT / "over-laptop.png")
        page.set_viewport_size({"width": 390, "height": 844})
        page.screenshot(path=KEPT / "over-phone.png")
        again = as_record(replay(page.request.get(f"{made.address}api/v1/notation.txt").text()))
    page.close()
    assert again["winners"] == list(view.winners)
    assert [player["score"] for player in again["players"]] == [player.score for player in view.players]
    assert max(player.score for player in view.players) >= TARGET


def words_in(texts: Iterable[str]) -> set[str]:
    """Return the words of four letters or more, in lower case."""
    return {word.casefold() for text in texts for word in re.findall(r"[^\W\d_]{4,}", text)}


def words_of_language(words: Catalogue) -> set[str]:
    return words_in(re.sub(r"\{\w+(:[a-z]+)?\}", " ", form) for key in words for form in words.forms(key))


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("code", [code for code in language_files() if code != "en"])
def test_a_first_game_is_played_and_told_in_one_language(tmp_path: Path, chromium, code: str) -> None:
    words = load_catalogue(code)
    english_alone = words_of_language(english()) - words_of_language(words) - {"farkle", "crib", "play"}
    page = chromium.new_context(locale=code, viewport={"width": 390, "height": 664}, has_touch=True).new_page()
    page.set_default_timeout(PATIENCE_MS)
    heard: list[str] = []
    seen: set[str] = set()

    cut: set[str] = set()

    def look() -> None:
        seen.update(page.evaluate(TEXTS))
        cut.update(page.evaluate(CUT))

    with program(tmp_path, seed=11, language=code) as made:
        made.feed.subscribe(lambda update: heard.append(call_out(words, update.view, update.cues)), "test")
        made.host.submit(EditLobby(settings={"target": TARGET})).result(PATIENCE_S)
        page.goto(made.address)
        page.locator("#lobby-rules option").first.wait_for(state="attached")
        look()
        play(page, made, look=look)
        page.locator("#ending .race").wait_for()
        for path in (
            "",
            "wall",
            "games/1",
            "rules/now",
            "rules",
            "statistics",
            "games/now/throws",
            "phone",
            "tournament",
        ):
            page.goto(f"{made.address}{path}")
            look()
    page.context.close()
    assert sorted(words_in(seen) & english_alone) == sorted(words_in(heard) & english_alone) == []
    assert not cut
    assert len({*heard}) > 10
    if shutil.which("espeak-ng") is None:
        pytest.skip("needs espeak-ng to speak all that was said")
    for text in {*heard} - {""}:
        spoken = subprocess.run(
            ["espeak-ng", "-v", words.voice, "--stdout", "--", text], capture_output=True, check=True
        )
        assert len(spoken.stdout) > 1000, text


TEXTS = """() => [document.title, document.body.innerText,
  ...[...document.querySelectorAll("[aria-label], [title], [placeholder]")]
    .flatMap((one) => [one.ariaLabel, one.title, one.placeholder]).filter(Boolean)]"""
"""What a person sees on a page, and what a screen reader says."""


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("rules", [rules.key for rules in catalogue()])
def test_a_game_in_every_rule_set_is_played_by_what_glows(tmp_path: Path, chromium, rules: str) -> None:
    page = chromium.new_page(viewport={"width": 390, "height": 664}, has_touch=True)
    page.set_default_timeout(PATIENCE_MS)
    with program(tmp_path, seed=5) as made:
        made.host.submit(NewGame(rules, ("Ann", "Ben"))).result(PATIENCE_S)
        page.goto(made.address)
        play(page, made)
    page.close()
