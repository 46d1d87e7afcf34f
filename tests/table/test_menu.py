"""The pause menu and the acts behind it: entries, sound, address, counted points, players, throws for the start."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from tables import Table, game, paused

from companion.errors import RefusedError
from companion.table.asking.house import spelled
from companion.table.asking.menu import MENUS
from companion.table.state.cues import CueKind
from companion.table.state.house import SoundLevel
from companion.table.state.inputs import (
    CountPoints,
    DoorChanged,
    JoinGame,
    Located,
    SetSound,
    Started,
)
from companion.table.state.menus import CLOSES, Menu
from companion.words import english


def keys(table: Table) -> tuple[str, ...]:
    """Return the entries of the open menu, or the answers of the open question."""
    return table.view.question.keys


@pytest.mark.parametrize("kind", MENUS)
def test_an_unknown_entry_of_a_menu_does_nothing(kind: str) -> None:
    table = Table().start()
    table.state = replace(table.state, menu=Menu(kind, (CLOSES,)))
    before = table.state
    with pytest.raises(RefusedError, match="no such item"):
        table.answers("tea")
    assert table.state == before


def test_who_lets_a_phone_in_hears_on_whose_phone_to_type() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Started(real_buttons=True, lets_in=True))
    table.take(DoorChanged("Zoe"))
    assert table.taps("keep").view.message.told == "Type what the table shows on Zoe’s phone, within a minute."


def test_nobody_leads_a_game_that_ended_without_points() -> None:
    table = paused(Table().start("Ann", "Ben"), "end game", "end the game")
    assert table.view.message.text == "The game was ended early. Nobody has any points. Another game?"


def sounding(volume: int = 80, *, muted: bool = False) -> Table:
    table = Table().start()
    table.state = replace(table.state, sound=SoundLevel(volume, muted))
    return table


def level(table: Table) -> tuple[int, bool]:
    sound = table.view.sound
    return sound.volume, sound.muted


def test_the_menu_makes_the_sound_louder_and_quieter_and_stays_open() -> None:
    table = paused(sounding(), "sound")
    assert keys(table) == ("quieter", "louder", "mute", "go_on")
    assert level(table.answers("louder").answers("louder").answers("louder")) == (100, False)
    assert level(table.answers("quieter")) == (90, False)
    assert (table.view.question.text, table.cues[0].text) == ("Sound at 90 per cent.", "Sound at 90 per cent.")
    assert not table.journal[1:]
    assert level(table.answers("mute")) == (90, True)
    assert keys(table) == ("sound_on", "go_on")
    assert level(table.answers("sound on")) == (90, False)


def test_by_buttons_bank_repeats_the_step_of_the_sound() -> None:
    table = paused(sounding(), "sound").taps("bank").taps("bank")
    assert level(table) == (60, False)
    assert level(table.taps("roll").taps("bank")) == (70, False)
    assert table.taps("keep").view.question is None


def test_the_page_sets_the_sound() -> None:
    table = sounding()
    table.take(SetSound(volume=30))
    table.take(SetSound(muted=True))
    assert level(table) == (30, True)
    assert paused(table, "sound").view.question.text == "The sound is off."  # type: ignore[union-attr]
    table.take(SetSound(muted=False))
    assert keys(table) == ("quieter", "louder", "mute", "go_on")


def test_a_table_without_sound_offers_none() -> None:
    table = paused(Table().start())
    assert table.view.sound is None
    assert "sound" not in keys(table)
    with pytest.raises(RefusedError, match="makes no sound"):
        table.take(SetSound(muted=True))


@pytest.mark.parametrize(
    ("address", "network_address", "digits"),
    [
        ("http://192.168.1.23:8080/", "192.168.1.23", (2, 3)),
        ("http://farkle-crib.local:80/", "10.0.0.105", (1, 0, 5)),
        ("http://127.0.0.1:80/", "", ()),
        ("", "", ()),
    ],
)
def test_the_address_is_spoken_and_its_last_number_shown_as_lights(
    address: str, network_address: str, digits: tuple[int, ...]
) -> None:
    table = Table().start()
    table.take(Located(address, network_address))
    paused(table, "network address")
    (cue,) = table.cues
    assert (cue.kind, "no page" in cue.text) == (CueKind.ADDRESS, not address)
    assert cue.text.endswith(f"its last number: {' '.join(map(str, digits))}.") is bool(digits)
    assert address in table.view.message.told
    assert (english().text(spelled(urlsplit(address).hostname or "none")) in cue.text) is bool(address)
    assert table.view.address_digits == digits


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("192.168.1.23", "1 9 2 dot 1 6 8 dot 1 dot 2 3"),
        ("farkle-crib.local", "farkle dash crib dot local"),
        ("fe80::1", "f e 8 0 colon colon 1"),
    ],
)
def test_a_host_is_spelled(host: str, said: str) -> None:
    assert english().text(spelled(host)) == said


def test_the_unit_of_a_sheet_in_hundreds_is_fifty() -> None:
    table = paused(game("classic"), "count_points")
    assert table.view.count_unit == 50
    table.take(CountPoints(450))
    table.take(CountPoints(350))
    assert (table.view.message.told, table.view.turn_points) == ("Ann counts 350 points.", 350)
    assert table.taps("bank").score("Ann") == 350


@pytest.mark.parametrize(
    ("points", "why"),
    [
        (0, "the points of a turn are 50 or more"),
        (-50, "50 or more"),
        (375, "the points of a turn are a multiple of 50"),
        (10**9, "a turn brings at most 1,000,000 points"),
        (350, "350 points are counted already"),
    ],
)
def test_a_number_that_no_turn_brings_is_refused(points: int, why: str) -> None:
    table = paused(game("classic"), "count_points")
    table.take(CountPoints(350))
    with pytest.raises(RefusedError, match=why):
        table.take(CountPoints(points))


def test_a_table_that_reads_the_dice_takes_no_number() -> None:
    with pytest.raises(RefusedError, match="the table reads the dice"):
        Table().start().take(CountPoints(5))


def test_a_player_joins_by_name() -> None:
    table = Table().start()
    table.take(JoinGame(" Zoë "))
    assert [player.name for player in table.view.players] == ["Ann", "Ben", "Zoë"]
    assert table.view.message.told == "Zoë joins."


def test_nobody_joins_in_the_middle_of_a_turn_or_under_a_name_that_plays_already_or_is_too_long() -> None:
    for name, why in (("ann", "ann plays already"), ("x" * 21, "at most 20")):
        with pytest.raises(RefusedError, match=why):
            Table().start().take(JoinGame(name))
    with pytest.raises(RefusedError, match="finish the turn first"):
        Table().start().throws("233346").take(JoinGame("Cy"))


def test_the_players_may_throw_for_the_start_until_the_game_has_begun() -> None:
    table = paused(Table().start(), "throw for who begins")
    assert table.view.message.text == "Ann, throw two dice to see who begins."
    assert Table(table.state).undoes().view.message.told == "Undone: Throw for who begins."
    table.throws("12").throws("66")
    assert table.view.to_move == "Ben"
    table.throws("233346").taps("bank")
    assert "throw_for_start" not in keys(paused(table))


def test_a_question_that_was_open_is_open_again_if_the_game_goes_on() -> None:
    table = Table().start().throws("133346", sure=False)
    asked = table.view.question
    assert paused(table, "end game").answers("go on").view.question == asked
    assert paused(table, "power off").holds("roll").view.question == asked
