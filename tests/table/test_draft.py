"""The lobby: pages and buttons change the same draft, BANK starts what the form shows, and names that may play."""

from dataclasses import replace
from pathlib import Path

import pytest
from tables import Table, observation

from companion.errors import RefusedError
from companion.table.lobby.form import in_seats
from companion.table.state.inputs import Attended, EditLobby, Input, NewGame, ReadingSettled, StartDraft
from farkle.rules.catalogue import own_rule_set
from pegboard.pegs import IdleStage

HOUSE = Path(__file__).parents[2] / "docs" / "examples" / "house.toml"


def drafted(**given: object) -> Table:
    table = Table()
    table.take(EditLobby(**given))  # type: ignore[arg-type]
    return table


def names(table: Table) -> list[str]:
    return [player.name for player in table.view.players]


def test_bank_starts_what_a_page_wrote() -> None:
    table = drafted(names=("Ann", "Ben"), start=1, rules="classic", settings={"opening_min": 300}, track=241)
    table.taps("bank")
    view = table.view
    assert (names(table), view.to_move, view.rules) == (["Ann", "Ben"], "Ben", "classic")
    assert (view.settings, view.track) == ({"opening_min": 300}, 241)


def test_keep_adds_a_player_to_the_form_and_its_hold_takes_the_last_one_off() -> None:
    table = drafted(names=("Ann", "Ben")).taps("keep")
    assert (table.view.lobby.names, table.view.lobby.called) == (("Ann", "Ben", ""), ("Ann", "Ben", "Player 3"))
    assert table.view.message.told == "Player 3 joins."
    table.take(EditLobby(start=2))
    table.holds("keep").holds("keep")
    assert (table.view.lobby.names, table.view.lobby.start) == (("Ann",), "ask")
    assert table.view.message.told == "Ben leaves."


def test_roll_chooses_the_next_rules_as_on_their_sheet_and_keeps_the_players() -> None:
    table = drafted(names=("Ann", "Ben"), settings={"min_bank": 5}, track=241).taps("roll")
    lobby = table.view.lobby
    assert (lobby.rules, lobby.settings) == ("farkle-cribbage-advanced", {})
    assert (lobby.names, lobby.track, table.journal) == (("Ann", "Ben"), 241, [])


def test_an_edit_changes_what_it_names_and_nothing_else() -> None:
    table = drafted(names=("Ann", "Ben", "Cy"), start=2, rules="classic", track=241)
    table.take(EditLobby(settings={"opening_min": 500}))
    lobby = table.view.lobby
    assert (lobby.names, lobby.start, lobby.rules, lobby.track) == (("Ann", "Ben", "Cy"), 2, "classic", 241)
    assert lobby.settings == {"opening_min": 500}


def test_rows_without_a_name_play_as_the_form_calls_them() -> None:
    table = drafted(names=("Ann", "", "player 2", ""), start=0)
    assert table.view.lobby.called == ("Ann", "Player 3", "player 2", "Player 4")
    table.taps("bank")
    assert names(table) == ["Ann", "Player 3", "player 2", "Player 4"]


def test_who_begins_is_asked_unless_somebody_has_said_so() -> None:
    table = drafted(names=("Ann", "Ben")).taps("bank")
    assert (table.view.question and table.view.question.kind) == "starts"
    table.answers("throw for it")
    assert table.view.dice_to_throw == 2
    assert drafted(names=("Ann", "Ben"), start="throw").taps("bank").view.dice_to_throw == 2


def test_teams_take_turns_as_the_rows_stand() -> None:
    table = drafted(names=("Ann", "Ben", "Cy", "Di"), teams=("Reds", "Blues"), start=0).taps("bank")
    assert table.view.teams == {"Reds": ("Ann", "Cy"), "Blues": ("Ben", "Di")}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"names": ("Ann", "ann")}, "Two players are called Ann. Give one of them another name."),
        ({"names": ("Ann", "x" * 21)}, "has 21 characters. A name has at most 20."),
        ({"names": ('A"nn',)}, "The name of player 1 has a double quote or an invisible character."),
        ({"names": ("\u202eAnn",)}, "The name of player 1 has a double quote or an invisible character."),
        ({"names": ("A", "B", "C"), "teams": ("X", "Y")}, "3 players cannot make 2 teams"),
        ({"settings": {"find_loser": True}}, "Find a Loser needs three players or more, and there are 2."),
        ({"settings": {"target": "many"}}, "target"),
        ({"settings": {"target": 200}, "track": 121}, "200 points do not fit on 121 holes"),
    ],
)
def test_a_form_that_cannot_be_played_says_why_and_bank_is_dark(given: dict[str, object], words: str) -> None:
    table = drafted(**given)
    assert words in table.view.lobby.problem
    assert "bank" not in table.view.legal
    assert table.view.next == "wait"
    with pytest.raises(RefusedError, match=r".") as refused:
        table.taps("bank")
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (EditLobby(rules="nosuch"), "This table does not know such rules"),
        (EditLobby(names=()), "one player has to stay"),
        (EditLobby(names=("",) * 13), "no more than 12 players can play"),
        (EditLobby(start=2), "nobody sits there"),
        (EditLobby(track=5), "A track has 11 to 1,001 holes, not 5."),
        (NewGame("farkle-cribbage", ()), "a game needs a player"),
        (NewGame("farkle-cribbage", ("Ann",), start="Cy"), "Cy does not play, so cannot begin"),
        (NewGame("farkle-cribbage", ("Ann",), settings={"bonus": 1}), "There is no switch “bonus”"),
    ],
)
def test_a_choice_that_the_form_does_not_offer_is_refused(given: Input, words: str) -> None:
    table = Table()
    with pytest.raises(RefusedError, match=words):
        table.take(given)
    assert table.view == Table().view


def test_a_form_that_comes_after_the_game_began_changes_nothing() -> None:
    table = Table().start()
    before = table.state
    with pytest.raises(RefusedError, match="no game is being put together now"):
        table.take(EditLobby(names=("Eve",)))
    assert table.state == before


def test_the_form_over_a_running_game_shows_that_game_again_and_the_buttons_act_on_the_form() -> None:
    table = Table().start("Ann", "Ben", settings={"target": 61}, track=121).throws("233346")
    table.take(EditLobby(open=True))
    view = table.view
    assert (view.phase, view.lobby.open, view.lobby.names) == ("lobby", True, ("Ann", "Ben"))
    assert (view.lobby.settings, view.lobby.track) == ({"target": 61}, 121)
    table.taps("keep")
    assert (table.view.lobby.players, table.score("Ann")) == (3, 0)


@pytest.mark.parametrize("back", ["page", "button"])
def test_back_from_the_form_the_game_is_as_it_was(back: str) -> None:
    table = Table().start().throws("233346").sets_aside("333", "246")
    before = table.view
    table.take(EditLobby(open=True))
    if back == "page":
        table.take(EditLobby(open=False))
    else:
        table.holds("roll")
    assert (table.view.phase, table.view.chosen, table.view.out_of_step) == (before.phase, before.chosen, False)
    assert table.state.play is not None


def test_dice_that_were_touched_while_the_form_was_open_are_no_throw() -> None:
    table = Table().start().throws("233346")
    table.take(EditLobby(open=True))
    table.take(ReadingSettled(observation("111346", number=2), "synthetic"))
    table.take(EditLobby(open=False))
    assert (table.view.roll, table.view.out_of_step) == ((2, 3, 3, 3, 4, 6), True)


def test_the_form_waits_for_the_answer_to_an_open_question() -> None:
    table = Table().start().throws("133346", sure=False)
    with pytest.raises(RefusedError, match="answer the question first"):
        table.take(EditLobby(open=True))


def test_a_rule_set_of_the_house_stays_on_the_form() -> None:
    own = own_rule_set(HOUSE.read_text(encoding="utf-8"), "house.toml")
    table = Table()
    table.take(NewGame(own, ("Ann", "Ben")))
    table.take(EditLobby(open=True, rules="our-house"))
    assert (table.view.lobby.rules, table.view.lobby.settings) == ("our-house", {})
    table.take(EditLobby(rules="classic"))
    table.take(StartDraft(rules="our-house", start=0))
    assert table.view.rules == "our-house"


def test_an_edit_closes_the_question_who_begins() -> None:
    table = drafted(names=("Ann", "Ben")).taps("bank")
    assert table.view.phase == "asking"
    table.take(EditLobby(names=("Ann", "Ann")))
    assert (table.view.phase, table.view.legal) == ("lobby", ("keep", "roll"))


def test_one_name_in_two_encodings_is_one_name() -> None:
    assert Table().start("Zoe\u0308").view.players[0].name == "Zo\u00eb"
    with pytest.raises(RefusedError, match="two players have the name"):
        Table().start("Zoe\u0308", "Zo\u00eb")
    assert Table().start("Ann", "Zo\u00eb", start="zoe\u0308").view.to_move == "Zo\u00eb"


def test_a_table_that_is_calibrated_is_awake() -> None:
    table = Table()
    table.state = replace(table.state, idle=IdleStage.DIM)
    assert (table.view.captions["bank"].tap, table.view.captions["roll"].tap) == ("", "wake the table")
    table.take(Attended())
    assert table.view.captions["bank"].tap == "start"


def test_teams_stand_in_the_order_in_which_their_players_sit() -> None:
    teams = {"A": ("Ann", "Cy"), "B": ("Ben", "Di")}
    assert in_seats(("Ben", "Ann", "Di", "Cy"), teams) == (("Ben", "Ann", "Di", "Cy"), ("B", "A"))
    assert in_seats(("Ann", "Cy", "Ben", "Di"), teams) == (("Ann", "Ben", "Cy", "Di"), ("A", "B"))
