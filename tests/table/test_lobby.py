"""The lobby: the allowed names of players, and what it says of a draft."""

from dataclasses import replace

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.state.inputs import Attended, EditLobby
from pegboard.pegs import IdleStage


@pytest.mark.parametrize("name", ["Ann", "Zoë", "J. R. R. T.", "x" * 20, "小龙", "<b>", "1", "bank", "a:b, c"])
def test_a_name_is_shown_as_it_was_given(name: str) -> None:
    assert Table().start(name).view.players[0].name == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * 21, "has 21 characters. A name has at most 20."),
        ("", "a name cannot be empty"),
        (" Ann", "no spaces around it"),
        ("Ann\n", "no spaces around it"),
        ("An\nn", "no invisible signs"),
        ("An\x00n", "no quotes and no invisible signs"),
        ("\u202eAnn", "no quotes and no invisible signs"),
        ("An\u2066n", "no quotes and no invisible signs"),
        ('"Ann"', "no quotes and no invisible signs"),
    ],
)
def test_a_name_that_cannot_be_shown_or_written_is_refused(name: str, words: str) -> None:
    table = Table()
    with pytest.raises(RefusedError, match=words):
        table.start(name, "Ben")
    assert table.view.phase == "lobby"


def test_one_name_in_two_encodings_is_one_name() -> None:
    assert Table().start("Zoe\u0308").view.players[0].name == "Zo\u00eb"
    with pytest.raises(RefusedError, match="two players have the name"):
        Table().start("Zoe\u0308", "Zo\u00eb")


def test_who_starts_is_found_in_any_encoding() -> None:
    assert Table().start("Ann", "Zo\u00eb", start="zoe\u0308").view.to_move == "Zo\u00eb"


def test_the_lobby_says_that_it_is_ready_only_if_the_game_can_start() -> None:
    table = Table()
    table.take(EditLobby(names=("Ann", "Ben")))
    assert "Ready to start" in table.view.message.text
    table.take(EditLobby(names=("Ann", "Ann")))
    assert "Ready to start" not in table.view.message.text
    assert "bank" not in table.view.legal


def test_a_table_that_is_calibrated_is_awake() -> None:
    table = Table()
    table.state = replace(table.state, idle=IdleStage.DIM)
    assert (table.view.captions["bank"].tap, table.view.captions["roll"].tap) == ("", "wake the table")
    table.take(Attended())
    assert table.view.captions["bank"].tap == "start"
