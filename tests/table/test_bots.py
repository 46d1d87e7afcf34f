"""A bot's turn: the bot decides, people throw for it, and the table says what to do with its dice."""

import pytest
from tables import Table, paused

from companion.errors import RefusedError
from companion.storage.codec import decode, encode
from companion.table.lobby.lobby import play_again
from companion.table.state.events import BotDecided, BotSeated
from companion.table.state.history import Act
from companion.table.state.inputs import (
    BotBank,
    BotChoice,
    Button,
    ChooseSelection,
    EditLobby,
    EnterRoll,
    JoinGame,
    PhonesSeated,
    Press,
    Tick,
)
from companion.table.state.state import restored
from companion.table.view import view
from companion.words import english


def seated(*players: str) -> Table:
    return Table().start(*(players or ("bot:bold", "Ann")))


def decides(table: Table, dice: str, points: int, *, bank: bool) -> Table:
    table.take(BotChoice(tuple(map(int, dice)), points, bank))
    return table


def said(table: Table) -> str:
    return str(english().rendered(view(table.state)).message.text)


def test_each_bot_has_a_name_of_its_own_and_its_kind_is_journalled() -> None:
    table = seated("bot:bold", "Bones", "bot:cautious")
    assert table.state.current.game.players == ("Pips", "Bones", "Tumble")
    seats = [event for event in table.journal[0] if isinstance(event, BotSeated)]
    assert seats == [BotSeated(0, "bold", (("lean", 1.15),)), BotSeated(2, "cautious", (("lean", 0.85),))]
    assert [decode(*encode(each)) for each in seats] == seats
    table.take(JoinGame("bot:cautious"))
    assert [player.bot for player in table.view.players] == ["bold", "", "cautious", "cautious"]


def test_teams_and_a_rematch_keep_their_bots() -> None:
    teams = {"A": ("Ann", "bot:bold"), "B": ("Ben", "bot:bold")}
    table = Table().start("Ann", "Ben", "bot:bold", "bot:bold", teams=teams)
    assert set(table.view.teams.values()) == {("Ann", "Bones"), ("Ben", "Pips")}
    again = play_again(table.state, 0.0).state.current
    assert again.game.players == table.state.current.game.players
    assert [bot.player for bot in again.bots] == [2, 3]


def test_an_unknown_kind_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(RefusedError, match=r"bot:cautious, bot:bold or bot:best .*bot:timid"):
        seated("Ann", "bot:timid")
    lobby = Table()
    lobby.take(EditLobby(names=("Ann", "bot:timid")))
    assert "bot:timid" in lobby.view.lobby.problem
    lobby.take(EditLobby(names=("Ann", "bot:best")))
    assert (lobby.view.lobby.problem, lobby.view.lobby.called) == ("", ("Ann", "Bones"))


def test_the_table_asks_people_to_throw_and_to_set_aside_for_a_bot() -> None:
    table = seated()
    assert said(table) == "Throw six dice for Bones."
    assert (table.view.next, table.view.legal) == ("throw", ("roll",))
    table.throws("552346")
    assert said(table).endswith("Bones decides.")
    assert (table.view.next, table.view.legal, table.view.may_throw) == ("wait", (), ())
    decides(table, "2", 2, bank=False)
    assert said(table) == "Set the two aside, then throw five dice for Bones."
    assert [cue.text for cue in table.cues] == ["Set the two aside, then throw five dice for Bones."]
    assert (table.view.next, table.view.may_throw, table.view.bot.then) == ("throw", (5,), "throw")
    table.throws("11345", shelf="2")
    assert (table.view.locked, table.view.turn_points) == ((2,), 2)
    paused(table, "count_points")
    assert (table.view.bot, "keep" in table.view.legal) == (None, True)


def test_a_wrong_die_on_the_shelf_is_told_and_the_decision_stands() -> None:
    table = decides(seated().throws("122346"), "1", 1, bank=False)
    table.sets_aside("2", "12346")
    table.now += 5.0
    table.sets_aside("2", "12346")
    table.take(Tick())
    assert said(table).startswith("Bones keeps the one: put the two back.")
    assert table.view.chosen.dice == (1,)
    table.throws("33456", shelf="2")  # five dice were due: what lies aside does not change what the bot keeps
    assert table.view.to_move == "Ann"  # a farkle


def test_a_throw_of_another_number_does_not_count_and_one_before_the_decision_neither() -> None:
    table = seated().throws("122346")
    written = len(table.journal)
    table.throws("33456", shelf="1")
    assert "Bones decides first" in said(table)
    decides(table, "1", 1, bank=False)
    table.throws("3345", shelf="12")
    assert "You threw four dice. Throw five dice instead." in said(table)
    assert len(table.journal) == written + 1


def test_people_cannot_decide_for_a_bot() -> None:
    table = seated().throws("122346")
    for given in (Press(Button.BANK), Press(Button.KEEP), ChooseSelection((1,))):
        with pytest.raises(RefusedError, match="the board decides for Bones"):
            table.take(given)
    with pytest.raises(RefusedError):
        table.take(EnterRoll((1, 2, 3)))
    table.corrects("112346")  # decided again
    assert (table.view.chosen, table.view.bot.then) == (None, "")


def test_a_bot_banks_and_a_person_has_no_such_act() -> None:
    table = decides(seated().throws("122346"), "122", 5, bank=True)
    assert said(table) == "Bones keeps the one and the two twos, and banks 5."
    thrown = Table(table.state).throws("134556")  # the next player's throw banks, too
    assert (thrown.view.to_move, thrown.view.players[0].score, thrown.view.roll) == ("Ann", 5, (1, 3, 4, 5, 5, 6))
    table.take(BotBank())
    assert (table.view.to_move, table.view.players[0].score) == ("Ann", 5)
    table.throws("122346")
    with pytest.raises(RefusedError, match="no bot has anything to decide now"):
        table.take(BotChoice((1,), 1, bank=True))
    with pytest.raises(RefusedError, match="no bot has anything to decide now"):
        table.take(BotBank())


def test_after_an_undo_a_bot_waits_until_keep_lets_it_go_on() -> None:
    table = decides(seated().throws("122346"), "122", 5, bank=True)
    table.take(BotBank())
    table.holds("roll").holds("roll")
    assert table.view.bot.waits
    assert table.view.chosen is None
    assert table.view.next == "keep"
    assert said(table).endswith("press KEEP to let Bones decide.")
    table.taps("keep")
    assert not table.view.bot.waits
    table.holds("roll")
    assert (table.view.phase, table.view.bot.waits) == ("to_throw", False)


def test_a_restart_knows_the_bots_and_what_they_have_decided() -> None:
    table = decides(seated().throws("122346"), "1", 1, bank=False)
    acts = tuple(Act(number, events) for number, events in enumerate(table.journal, 1))
    assert BotDecided(bank=False) in acts[-1].events
    again = restored(acts, seq=len(acts), game_number=1)
    assert again.current.bot == table.state.current.bot
    assert again.current.bot_banks is False
    assert view(again).bot == view(table.state).bot


def test_a_phones_name_is_not_shown_at_a_bot_of_the_name_of_an_earlier_player() -> None:
    table = seated()
    table.take(PhonesSeated({"Bones": ("Mia’s phone",), "Ann": ("Ann’s phone",)}))
    assert [player.phones for player in table.view.players] == [(), ("Ann’s phone",)]
