"""The skunk: who loses far behind the finish is named and counted apart, and the win is one win."""

import pytest
from tables import Table

from companion.devices.phrases import call_out
from companion.table.state.cues import CueKind
from companion.table.state.outlook import skunks_of
from companion.table.view import view
from companion.words import english
from farkle import Game
from pegboard.track import skunk_holes


@pytest.mark.parametrize(
    ("finish", "lines"), [(61, (46, 31)), (100, (76, 51)), (121, (91, 61)), (181, (137, 92)), (241, (182, 122))]
)
def test_the_lines_of_a_skunk_stand_at_the_same_share_of_every_game(finish: int, lines: tuple[int, int]) -> None:
    assert skunk_holes(finish) == lines
    assert Table().start(track=241, settings={"target": finish}).view.skunk_lines == lines


def ended(*scores: int, winner: int = 121, track: int = 121, **settings: object) -> tuple[int, ...]:
    """Return the skunks of a game that the first player wins, while the others have these scores."""
    names = ["Mia", *(f"P{place}" for place in range(len(scores)))]
    game = Game("farkle-cribbage", names, settings={"endgame": "immediate", **settings})
    for name, score in zip(names[1:], scores, strict=True):
        if score:
            game.adjust(name, score)
    game.adjust("Mia", winner - 2)
    game.roll(1, 1, 3, 4, 6, 6)
    game.keep(1, 1)
    game.bank()
    assert game.over
    assert game.winners == ("Mia",)
    return skunks_of(game.state, track)


@pytest.mark.parametrize(
    ("scores", "target", "skunks"),
    [
        ((91, 90, 61), 121, (0, 1, 1)),
        ((60, 0, -40), 121, (2, 2, 2)),
        ((76, 75, 51, 50), 100, (0, 1, 1, 2)),  # the line belongs to the game and not to the board
    ],
)
def test_a_loser_before_the_line_is_skunked(scores: tuple[int, ...], target: int, skunks: tuple[int, ...]) -> None:
    assert ended(*scores, winner=target, target=target) == (0, *skunks)


def test_nobody_is_skunked_who_left_or_whose_game_was_ended_early() -> None:
    game = Game("farkle-cribbage", ["Mia", "Tom", "Ida"], settings={"endgame": "immediate", "target": 61})
    game.leave("Ida")
    game.adjust("Mia", 59)
    early = Game("farkle-cribbage", ["Mia", "Tom"])
    early.adjust("Mia", 100)
    early.end()
    game.roll(1, 1, 3, 4, 6, 6)
    game.keep(1, 1)
    game.bank()
    assert (skunks_of(game.state, 121), skunks_of(early.state, 121)) == ((0, 2, 0), (0, 0))


def skunk_table(**settings: object) -> Table:
    table = Table().start("Mia", "Tom", "Ida", settings={"target": 40, "endgame": "immediate", **settings})
    return table.throws("111222").chooses("111222").throws("111346").taps("bank")


def test_the_table_names_a_skunk_on_the_page_in_lights_and_aloud() -> None:
    table = skunk_table()
    seen = table.view
    assert seen.message.text.endswith("Mia wins! Tom and Ida are double skunked. Another game?")
    assert seen.message.short == "skunk: Tom, Ida"
    assert [player.skunk for player in seen.players] == [0, 2, 2]
    assert [(each.kind, each.text) for each in seen.moments[1:]] == [
        ("win", "Mia wins. Tom and Ida are double skunked."),
        ("skunk", "Tom and Ida are double skunked."),
    ]
    over = [cue for cue in table.cues if cue.kind is CueKind.GAME_OVER]
    assert call_out(english(), english().rendered(view(table.state)), over) == (
        "Mia wins. Tom and Ida are double skunked"
    )


def test_a_team_is_skunked_as_a_side() -> None:
    teams = {"A": ("Mia", "Ida"), "B": ("Tom", "Ben")}
    table = Table().start("Mia", "Tom", "Ida", "Ben", settings={"target": 20, "endgame": "immediate"}, teams=teams)
    table.throws("111346").taps("bank")
    assert table.view.message.text.endswith("A wins! B is double skunked. Another game?")
    assert [player.skunk for player in table.view.players] == [0, 2, 0, 2]


def test_nobody_is_skunked_where_the_game_finds_a_loser() -> None:
    table = Table().start("Mia", "Tom", "Ida", settings={"target": 20, "find_loser": True})
    for _ in range(2):
        table.throws("111346").taps("bank")
    assert (table.view.loser, [player.skunk for player in table.view.players]) == ("Ida", [0, 0, 0])
    assert table.view.skunk_lines == ()
    assert table.view.message.text.endswith("Ida is the last on the board, and loses. Another game?")


def test_the_outlook_says_what_the_player_to_move_needs() -> None:
    table = Table().start("Mia", "Tom", settings={"target": 20, "endgame": "immediate"})
    assert table.view.outlook == "Mia needs 20 to win."
    table.throws("111346")
    assert table.view.outlook == "Mia needs 20 to win."
    table.chooses("1")
    assert table.view.outlook == "Mia needs 19 to win."
    table.chooses("111")
    assert table.view.outlook == ""
    assert [player.needs for player in table.view.players] == [20, 20]


def test_the_outlook_counts_the_last_turns() -> None:
    table = Table().start("Mia", "Tom", "Ida", settings={"target": 20})
    assert table.view.outlook == "Mia needs 20 to begin the final round."
    table.throws("111346").taps("bank")
    assert table.view.outlook == "2 turns left. Tom needs 20 to catch up."
    assert [player.needs for player in table.view.players] == [0, 20, 20]
    assert table.throws("344662").chooses("2").view.outlook == "2 turns left. Tom needs 18 to catch up."
    table.taps("bank")
    assert table.view.outlook == "1 turn left. Ida needs 20 to catch up."
    assert Table().start("Mia", "Tom", "Ida", settings={"target": 20, "find_loser": True}).view.outlook == (
        "Mia needs 20 to be safe."
    )
    assert Table().view.outlook == ""
