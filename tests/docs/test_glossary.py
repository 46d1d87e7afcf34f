"""Every binding word of code and docs is explained in the glossary."""

import re
from pathlib import Path

import pytest

WORDS = """
die, dice, face, pip, roll, throw, combination, selection, set aside, kept, locked, turn points, bank, score
farkle, hot dice, roll over, opening, side, back peg, front peg, position, hole, street, lane, track, frame, tray
throw area, shelf, settle, episode, observation, calibration, reading, doubt, act, journal, fold, replay, host, table
view, cue, preview, out of step, World, scene
"""

REPLACED = """
archive, record, tally, counter, still, grave roll, scooped, body, desk, rest, pending, family, sign of life, watcher
sight, pad, album, lying, byhand, stir
"""
"""Words that a plainer name has replaced; none of them may come back as an entry."""


@pytest.fixture(scope="module")
def entries(docs: Path) -> dict[str, str]:
    """Return each word with the meaning that follows it."""
    found: dict[str, str] = {}
    for item in re.split(r"\n(?=- |\n)", (docs / "glossary.md").read_text(encoding="utf-8")):
        for word in re.findall(r"\*\*(.+?)\*\*", item):
            found[word] = item.partition(":")[2].strip()
    return found


@pytest.mark.parametrize("word", re.split(r",\s|\n", WORDS.strip()))
def test_a_binding_word_has_its_meaning(entries: dict[str, str], word: str) -> None:
    assert entries.get(word), f"expected {word!r} in docs/glossary.md"


def test_no_replaced_word_has_come_back(entries: dict[str, str]) -> None:
    assert not set(re.split(r",\s|\n", REPLACED.strip())) & set(entries)


def test_each_word_is_explained_in_one_sentence(entries: dict[str, str]) -> None:
    for word, meaning in entries.items():
        assert meaning.endswith("."), word
        assert not re.search(r"\. [A-Z]", meaning), word
