"""A tournament at the table: it begins in the lobby, games are its matches, and the journal alone holds it."""

import pytest
from tables import FEATURES, Table, paused

from companion.errors import RefusedError
from companion.features.tournament.table.matches import EndTournament, LeaveTournament, NextMatch
from companion.features.tournament.table.shown import TournamentView
from companion.storage.codec import decode, encode
from companion.table.state.history import Act
from companion.table.state.inputs import (
    BotBank,
    BotChoice,
    ChooseNextStarter,
    EditLobby,
    NewGame,
    ResumeGame,
    StartDraft,
)
from companion.table.state.state import restored
from companion.table.view import view
from companion.words import english

SHORT = {"target": 2, "endgame": "immediate"}
"""A game to two points: the first who banks a two has won."""


def begun(form: str, *names: str) -> Table:
    table = Table()
    table.take(StartDraft(names=names or ("Ann", "Ben", "Cleo", "Dan"), settings=SHORT, plays=form))
    return table


def tournament(table: Table) -> TournamentView:
    return table.view.tournament


def wins(table: Table, name: str) -> Table:
    """Let a player win the game at the table: the others farkle before."""
    for _ in range(4):
        if table.view.to_move == name:
            break
        table.throws("334466")
    assert table.view.to_move == name
    if table.view.bot is not None:
        table.throws("334462").take(BotChoice((2,), 2, bank=True))
        table.take(BotBank())
        return table
    return table.throws("334462").sets_aside("2", "33446").taps("bank")


def goes_on(table: Table) -> Table:
    return table.taps("bank").taps("keep")


def reopened(table: Table) -> Table:
    """Return the table as it is after a restart: from the game that its journal holds last, through the codec."""
    rows = [tuple(decode(*encode(event)) for event in events) for events in table.journal]
    first = table.state.seq - len(rows) + 1
    acts = tuple(Act(first + place, events) for place, events in enumerate(rows))
    table.state = restored(acts, seq=table.state.seq, game_number=table.state.game_number, features=FEATURES)
    return table


def lines(table: Table) -> list[str]:
    return [str(match.text) for each in tournament(table).rounds for match in each.matches]


def test_a_knock_out_is_played_by_pressing_bank_and_keep_to_its_end() -> None:
    table = begun("knock_out")
    assert table.view.to_move == "Ann"
    assert [player.name for player in table.view.players] == ["Ann", "Ben"]
    assert tournament(table).now == "Semi-finals: Ann against Ben"
    assert tournament(table).next == "Next: Cleo against Dan."
    with pytest.raises(RefusedError):
        table.take(NextMatch())  # over a match that is under way
    wins(table, "Ben")
    assert table.view.message.text.endswith("Ben wins! Next: Cleo against Dan.")
    assert table.view.captions["bank"].tap == "next match"
    table.taps("bank")
    assert table.view.message.text.endswith("Next: Cleo against Dan. Do they begin?")
    wins(table.taps("keep"), "Cleo")
    wins(goes_on(table), "Cleo")
    assert table.view.message.text.endswith("Cleo wins the game and the tournament!")
    assert lines(table) == ["Ben beat Ann", "Cleo beat Dan", "Cleo beat Ben"]
    assert tournament(table).winners == ("Cleo",)
    assert table.view.captions["bank"].tap == "another game"
    goes_on(table)
    assert table.view.tournament is None


def test_an_undo_and_a_correction_change_the_result_of_the_game_at_the_table() -> None:
    table = wins(begun("knock_out"), "Ann")
    assert lines(table)[0] == "Ann beat Ben"
    table.undoes()
    assert lines(table)[0] == "Ann against Ben"
    assert tournament(table).now
    table.throws("33446", shelf="2")
    wins(table, "Ben")
    assert lines(table)[0] == "Ben beat Ann"


def test_the_last_match_comes_back_to_the_table_and_its_result_is_corrected() -> None:
    table = wins(begun("knock_out"), "Ann")
    first, acts = table.state.game_number, tuple(table.state.acts)
    assert tournament(table).corrects == 0  # it is at the table: holding ROLL corrects it
    goes_on(table).take(LeaveTournament("Dan"))
    assert tournament(table).corrects == first
    table.take(ResumeGame(first, acts))
    assert (table.view.phase, tournament(table).corrects) == ("over", 0)
    assert lines(table)[:2] == ["Ann beat Ben", "Cleo wins, Dan has left"]
    table.undoes().throws("33446", shelf="2")
    wins(table, "Ben")
    assert lines(table) == ["Ben beat Ann", "Cleo wins, Dan has left", "Ben against Cleo"]
    wins(goes_on(table), "Cleo")
    with pytest.raises(RefusedError, match="this game is finished"):
        table.take(ResumeGame(first, acts))


def test_a_bot_of_a_match_may_begin_by_the_lobby() -> None:
    table = wins(begun("knock_out", "Ann", "bot:bold", "Cleo", "bot:bold"), "Ann")
    table.take(EditLobby(open=True))
    table.take(StartDraft(start=1))
    assert table.view.to_move == "Pips"


def test_a_tournament_that_is_over_stays_over_when_a_match_that_was_left_goes_on() -> None:
    table = goes_on(wins(begun("knock_out", "Ann", "Ben", "Cleo"), "Ben"))
    left, acts = table.state.game_number, tuple(table.state.acts)
    table.take(EditLobby(open=True))
    table.take(StartDraft())
    wins(table, "Ann")
    assert tournament(table).winners == ("Ann",)
    table.take(ResumeGame(left, acts))
    assert (tournament(table).over, tournament(table).winners) == (True, ("Ann",))
    with pytest.raises(RefusedError, match="no tournament is under way"):
        table.take(EndTournament(ended=False))


def test_a_game_that_is_ended_or_left_is_played_again() -> None:
    table = begun("knock_out")
    paused(table, "end_game", "end_game")
    assert table.view.message.text.endswith("The game has no winner. Again: Ann against Ben.")
    goes_on(table)
    assert [player.name for player in table.view.players] == ["Ann", "Ben"]
    first = table.state.game_number
    acts = tuple(table.state.acts)
    table.take(EditLobby(open=True))
    assert table.view.lobby.called == ("Ann", "Ben")
    table.take(StartDraft())
    wins(table, "Ann")
    assert lines(table)[0] == "Ann beat Ben"
    table.take(ResumeGame(first, acts))  # the game that was left: its match has been decided meanwhile
    wins(table, "Ben")
    assert lines(table)[0] == "Ann beat Ben"
    assert tournament(table).next == "Next: Cleo against Dan."


def test_the_lobby_fills_in_the_next_match_and_one_press_starts_it_by_the_rules_of_the_tournament() -> None:
    table = wins(begun("round_robin"), "Ann")
    table.take(NewGame("classic", ("Eva", "Fred"), settings={"target": 500}))  # a game beside the tournament
    assert (tournament(table).now, tournament(table).next) == ("", "Next: Ben against Cleo.")
    table.take(EditLobby(open=True))
    assert (table.view.lobby.called, table.view.lobby.rules) == (("Ben", "Cleo"), "farkle-cribbage")
    assert table.view.message.text.startswith("Next: Ben against Cleo")
    table.taps("bank")
    assert (table.view.target, table.view.to_move) == (2, "Ben")


def test_any_match_may_be_played_first_and_another_game_of_the_same_players_counts_for_nothing() -> None:
    table = begun("round_robin")
    table.take(NewGame("farkle-cribbage", ("Ben", "Dan"), settings=SHORT))
    wins(table, "Dan")
    assert "Dan beat Ben" in lines(table)
    table.take(NewGame("farkle-cribbage", ("Ben", "Dan"), settings=SHORT))
    wins(table, "Ben")
    assert "Dan beat Ben" in lines(table)
    assert (tournament(table).players[0].name, tournament(table).players[0].points) == ("Dan", 2)


def test_after_a_restart_the_tournament_is_as_it_was() -> None:
    table = wins(begun("knock_out", "Ann", "bot:bold", "Cleo", "bot:bold"), "Bones")
    goes_on(table)
    assert [(player.name, player.bot) for player in table.view.players] == [("Cleo", ""), ("Pips", "bold")]
    before = view(table.state).tournament
    assert view(reopened(table).state).tournament == before
    wins(table, "Pips")
    ended = english().rendered(view(table.state).tournament)
    assert english().rendered(view(reopened(table).state).tournament) == ended
    assert lines(table) == ["Bones beat Ann", "Pips beat Cleo", "Bones against Pips"]


def test_who_leaves_loses_the_matches_to_come() -> None:
    table = wins(begun("knock_out"), "Ann")
    table.take(LeaveTournament("Dan"))
    assert lines(table) == ["Ann beat Ben", "Cleo wins, Dan has left", "Cleo against Ann"]
    with pytest.raises(RefusedError, match="Dan is not in the tournament"):
        table.take(LeaveTournament("Dan"))
    table.take(LeaveTournament("Ann"))
    assert lines(table) == ["Ann beat Ben", "Cleo wins, Dan has left", "Cleo wins, Ann has left"]
    assert tournament(table).winners == ("Cleo",)
    table.holds("roll")  # takes off the bank, and not that Dan has left
    assert lines(table)[1] == "Cleo wins, Dan has left"


def test_a_tournament_may_end_early_and_go_on_after_all() -> None:
    table = wins(begun("round_robin"), "Ann")
    table.take(EndTournament())
    assert (tournament(table).over, tournament(table).winners) == (True, ("Ann",))
    with pytest.raises(RefusedError):
        table.take(NextMatch())
    table.take(EndTournament(ended=False))
    assert not tournament(table).over
    table.take(EndTournament())
    goes_on(table)
    assert table.view.tournament is None


def test_a_tournament_is_chosen_by_buttons_in_the_lobby() -> None:
    table = Table()
    table.take(EditLobby(names=("Ann", "Ben")))
    paused(table, "tournament", "knock_out")
    assert (table.view.lobby.plays, table.view.lobby.about) == ("knock_out", "names")
    table.taps("keep")
    assert table.view.message.text == "Player 3 joins. Knock-out, 3 players, Farkle Cribbage. Ready to start."
    table.taps("bank")
    assert [player.name for player in table.view.players] == ["Ben", "Player 3"]


@pytest.mark.parametrize(("rule", "begins"), [("seat", "Ann"), ("loser", "Ann"), ("winner", "Ben")])
def test_who_begins_by_the_game_before_begins_the_next_match_if_in_it(rule: str, begins: str) -> None:
    table = wins(begun("knock_out", "Ann", "Ben", "Cleo"), "Ben")
    table.take(ChooseNextStarter(rule))  # type: ignore[arg-type]
    goes_on(table)
    assert [player.name for player in table.view.players] == ["Ann", "Ben"]
    assert table.view.to_move == begins
