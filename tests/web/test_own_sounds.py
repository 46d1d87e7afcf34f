"""The sounds of a house: the files of a folder, what a page gets of them, and how it plays them."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from served import Served
from speech import wav_of

from companion.config import Config, SoundConfig
from companion.features.own_sounds.feature import FEATURE, KINDS, OwnSounds, own_sounds

BEEP = wav_of(8000)

DOCS = Path(__file__).resolve().parents[2] / "docs"


def bring(table: Served, *kinds: str) -> None:
    """Let a table have a sound for each of these moments."""
    served = table.app.state.table  # type: ignore[attr-defined]
    object.__setattr__(served, "offers", (*served.offers, OwnSounds(dict.fromkeys(kinds, BEEP))))


def test_files_are_found_by_their_moments_and_each_other_one_is_told_of_in_a_line(tmp_path: Path) -> None:
    told: list[str] = []
    assert own_sounds(tmp_path, told.append) == {}
    folder = tmp_path / "sounds"
    folder.mkdir()
    for name in ("farkle", "hot_dice", "farkel"):
        (folder / f"{name}.wav").write_bytes(BEEP)
    (folder / "bump.wav").write_text("no sound")
    assert [*own_sounds(tmp_path, told.append).items()] == [("hot dice", BEEP), ("farkle", BEEP)]
    assert len(told) == 2
    assert told[0] == f"{folder}: expected files named {', '.join(KINDS)}, got farkel"
    assert told[1].startswith(f"{folder}/bump.wav: expected a WAV file")


def test_the_docs_list_each_sound_and_the_loudest_first() -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    section = text.partition("### Sounds of your own")[2].partition("###")[0]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == [*KINDS]


@pytest.mark.parametrize(
    ("driver", "missing", "played"),
    [
        ("espeak", {}, ["win"]),
        ("espeak+buzzer", {}, ["win"]),
        ("espeak+buzzer", {"sound espeak": "no aplay"}, []),
        ("buzzer", {}, []),
    ],
)
def test_a_table_without_speech_keeps_its_tones(
    tmp_path: Path, driver: str, missing: dict[str, str], played: list[str]
) -> None:
    (tmp_path / "sounds").mkdir()
    (tmp_path / "sounds" / "win.wav").write_bytes(BEEP)
    config = Config(sound=SoundConfig(driver=driver))
    table = SimpleNamespace(data=tmp_path, config=config, missing=missing, wavs={})
    assert FEATURE.opened(table).offers == ({"win": BEEP},)  # type: ignore[arg-type]
    assert [*table.wavs] == played


def test_a_page_is_told_of_the_sounds_that_it_plays_and_gets_no_other_file(table: Served) -> None:
    assert "data-own" not in table.client.get("/").text
    assert table.client.get("/sounds/farkle.wav").status_code == 404
    bring(table, "hot dice", "settled")
    assert """data-own='["hot dice"]'""" in table.client.get("/").text
    sound = table.afar("GET", "/sounds/hot%20dice.wav")
    assert (sound.status_code, sound.headers["content-type"], sound.content) == (200, "audio/wav", BEEP)
    assert table.client.get("/sounds/bank.wav").status_code == 404


@pytest.mark.browser
def test_a_page_plays_the_sounds_of_the_house_and_its_own_notes_for_the_others(open_page, table: Served) -> None:
    bring(table, "hot dice")
    page = open_page()
    page.evaluate("""async () => {
      [window.played, window.notes] = [[], 0];
      AudioBufferSourceNode.prototype.start = function () { window.played.push(this.buffer.duration); };
      OscillatorNode.prototype.start = () => { window.notes += 1; };
      OscillatorNode.prototype.stop = () => {};
      window.sounds = await import("/static/sounds.js");
    }""")
    page.wait_for_function("() => { sounds.play('hot dice', 0.5); return window.played.length; }")
    assert page.evaluate("[window.notes = 0, sounds.play('bank', 0.5), window.played, window.notes]")[2:] == [[0.5], 2]
