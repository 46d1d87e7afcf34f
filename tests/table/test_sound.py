"""The table's sound: muted, louder and quieter, from the pause menu and from the page."""

from dataclasses import replace

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.state.house import SoundLevel
from companion.table.state.inputs import Pause, SetSound


def sounding(volume: int = 80, *, muted: bool = False) -> Table:
    table = Table().start()
    table.state = replace(table.state, sound=SoundLevel(volume, muted))
    return table


def level(table: Table) -> tuple[int, bool]:
    sound = table.view.sound
    assert sound is not None
    return sound.volume, sound.muted


def menu(table: Table) -> Table:
    table.take(Pause())
    return table.answers("sound")


def test_the_menu_makes_it_louder_and_quieter_and_stays_open() -> None:
    table = menu(sounding())
    assert table.view.question is not None
    assert table.view.question.text == "Sound at 80 per cent."
    assert table.view.question.keys == ("quieter", "louder", "mute", "go_on")
    assert level(table.answers("louder").answers("louder").answers("louder")) == (100, False)
    assert level(table.answers("quieter")) == (90, False)
    assert table.view.question.answers == ("quieter", "louder", "mute", "go on")
    assert table.cues[0].text == "Sound at 90 per cent."
    assert not table.journal[1:]


def test_by_buttons_bank_repeats_the_step() -> None:
    table = menu(sounding()).taps("bank").taps("bank")
    assert level(table) == (60, False)
    assert level(table.taps("roll").taps("bank")) == (70, False)
    assert table.taps("keep").view.question is None


def test_it_is_muted_and_heard_again() -> None:
    table = menu(sounding()).answers("mute")
    assert level(table) == (80, True)
    assert table.view.question is not None
    assert table.view.question.answers == ("sound on", "go on")
    assert level(table.answers("sound on")) == (80, False)


def test_the_page_sets_it() -> None:
    table = sounding()
    table.take(SetSound(volume=30))
    table.take(SetSound(muted=True))
    assert level(table) == (30, True)
    assert menu(table).view.question.text == "The sound is off."  # type: ignore[union-attr]
    table.take(SetSound(muted=False))
    assert table.view.question.answers == ("quieter", "louder", "mute", "go on")  # type: ignore[union-attr]


def test_a_table_without_sound_offers_none() -> None:
    table = Table().start()
    table.take(Pause())
    assert table.view.sound is None
    assert table.view.question is not None
    assert "sound" not in table.view.question.answers
    with pytest.raises(RefusedError, match="makes no sound"):
        table.take(SetSound(muted=True))
