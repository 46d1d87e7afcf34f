"""What boards send is stored once, in order, or refused and shown."""

import json
from dataclasses import replace

import psycopg
import pytest
from simulated_boards import SimulatedBoard, check_games, enrolled, send, send_all

from farkle.rules.catalogue import find_rule_set
from farkle.rules.document import definition_of
from farkleague import organiser, store
from farkleague.errors import LeagueError
from farkleague.intake import Intake
from farkleague.messages import CLONED, SHUT_OUT
from farkleague.worker import taken

pytestmark = pytest.mark.exhaustive


START = {
    "rules": "classic",
    "settings": [],
    "players": ["Ann", "Ben"],
    "sides": [[0], [1]],
    "first": 0,
    "teams": [],
    "definition": "",
}
"""The body of a `GameStarted`."""

NAMELESS = definition_of(replace(find_rule_set("classic"), title="\0"))
"""The definition of rules whose title is a zero character."""


def stored(database) -> list[tuple[int, int]]:
    return [tuple(row) for row in database.execute("SELECT game, act FROM acts ORDER BY act")]


def refusals(database) -> list[str]:
    return [row.why for row in database.execute("SELECT why FROM refusals ORDER BY why")]


def test_acts_are_stored_once_and_folded(database, intake, board) -> None:
    board.act(number=250)
    send_all(intake, board)
    assert stored(database) == [(act["game"], act["act"]) for act in board.acts]
    assert board.hash == board.chain()
    assert len(board.games) > 1
    check_games(database, board)


def test_a_message_that_comes_again_changes_nothing(database, intake, board) -> None:
    board.act(number=30)
    message = board.message()
    first = send(intake, board, message, message)
    again = send(intake, board, message)
    assert first == again
    assert len(stored(database)) == 30
    assert database.execute("SELECT repeated FROM boards").fetchone().repeated == 60


def test_two_workers_share_the_messages_of_a_board(database, intake, board) -> None:
    with store.connect(database.info.dsn) as second:
        workers = [intake, Intake(second, store.league_key(second))]
        for number in range(120):
            board.act(number=1 + number % 3)
            send(workers[number % 2], board)
    check_games(database, board)
    assert board.hash == board.chain()


def test_a_worker_that_hangs_loses_its_boards_to_others(database, intake, board, monkeypatch) -> None:
    monkeypatch.setattr(store, "MOST_IDLE", "100ms")
    hanging = store.connect(database.info.dsn)
    hanging.execute("BEGIN")
    hanging.execute("SELECT 1 FROM boards FOR UPDATE")
    board.act()
    send_all(intake, board)
    hanging.close()


def test_acts_after_a_gap_wait_for_those_before(database, intake, board) -> None:
    board.act(number=20)
    send(intake, board, board.message(10))
    place, hash_ = board.place, board.hash
    board.place, board.hash = 15, "0" * 64
    answer = send(intake, board)
    assert (board.place, board.hash, answer["problem"]) == (place, hash_, "")
    assert len(stored(database)) == 10
    send_all(intake, board)
    assert len(stored(database)) == 20


def test_a_board_that_is_not_enrolled_gets_no_answer(database, intake) -> None:
    board = SimulatedBoard(2)
    board.act(number=5)
    assert send(intake, board) is None
    assert stored(database) == []
    assert refusals(database) == ["expected the code of an enrolled board"]


def altered(message: bytes) -> bytes:
    return message.replace(b'"at":1800000000.0', b'"at":1800000001.0', 1)


@pytest.mark.parametrize(
    ("forge", "why"),
    [
        (altered, "expected the signature of the board's key"),
        (lambda message: message[:64] + b"{}", "expected the message of a board"),
        (lambda message: b"short", "expected a signed message of at most 1048576 bytes"),
        (lambda message: SimulatedBoard(9).message(), "expected a key with the code of the topic"),
    ],
    ids=["altered", "empty", "short", "another board's"],
)
def test_a_forged_message_is_refused_and_counted(database, intake, board, forge, why) -> None:
    board.act(number=5)
    assert send(intake, board, forge(board.message()), forge(board.message())) is None
    assert stored(database) == []
    row = database.execute("SELECT board, why, count FROM refusals").fetchone()
    assert tuple(row) == (1, why, 2)


def test_a_cloned_board_is_noticed_and_refused(database, intake, board) -> None:
    board.act(number=10)
    send_all(intake, board)
    clone = SimulatedBoard(7, key=board.key)
    clone.acts, clone.games, clone.place, clone.hash = [*board.acts], dict(board.games), board.place, board.hash
    board.act()
    send_all(intake, board)
    clone.add(1, clone.acts[-1]["act"], ())
    assert send(intake, clone)["problem"] == CLONED
    board.act()
    assert send(intake, board)["problem"] == CLONED
    assert len(stored(database)) == 11


def test_a_newer_board_is_named_and_its_acts_wait(database, intake, board) -> None:
    board.act(number=3)
    answer = send(intake, board, board.message(version=2, program="0.9.0"))
    assert "farklecrib 0.9.0 sends form 2" in answer["problem"]
    assert stored(database) == []
    send_all(intake, board)
    assert len(stored(database)) == 3
    assert database.execute("SELECT problem FROM boards").fetchone().problem == ""


def test_an_event_that_the_league_does_not_know_is_named_and_stored(database, intake, board) -> None:
    board.act(number=3)
    board.acts[-1]["made"][0][1].append(["DiceJuggled", {"player": 0}])
    answer = send(intake, board)
    assert "DiceJuggled" in answer["problem"]
    assert len(stored(database)) == 3


def test_a_deleted_game_is_deleted_with_its_names(database, intake, board) -> None:
    board.act(number=1)
    while len(board.games) < 3:
        board.act()
    send_all(intake, board)
    board.deleted = [1]
    send(intake, board)
    check_games(database, board)
    assert 1 not in {game for game, _ in stored(database)}
    board.deleted = [1, 2, 3]
    send(intake, board)
    assert [row.name for row in database.execute("SELECT name FROM players")] == ["", ""]


def test_a_removed_name_stays_away(database, intake, board) -> None:
    board.act(number=3)
    send_all(intake, board)
    ann = database.execute("SELECT person FROM players WHERE name = 'Ann'").fetchone().person
    organiser.remove_name(database, ann)
    while len(board.games) < 2:
        board.act()
    send_all(intake, board)
    assert {row.name for row in database.execute("SELECT name FROM players")} == {"", "Ben"}
    assert "Ann" not in json.dumps([row.body for row in database.execute("SELECT body FROM acts")])


def test_a_game_with_the_number_of_a_deleted_one_replaces_it(database, intake, board) -> None:
    board.act(number=12)
    send_all(intake, board)
    first = len(stored(database))
    game, _, events = next(SimulatedBoard(5).playing)
    board.add(game, 0, events)
    send_all(intake, board)
    assert first == 12
    assert stored(database) == [(1, 13)]
    check_games(database, board)


@pytest.mark.parametrize("name", ["", "A" * 101, 7, None])
def test_an_act_with_a_name_that_is_none_waits(database, intake, board, name) -> None:
    board.act(number=2)
    right = board.acts[0]["made"][0][1][0][1]["players"]
    board.acts[0]["made"][0][1][0][1]["players"] = [name, "Ben"]
    assert "unknown act (players.0: " in send(intake, board)["problem"]
    assert stored(database) == []
    board.acts[0]["made"][0][1][0][1]["players"] = right
    send_all(intake, board)
    assert len(stored(database)) == 2


def test_two_spellings_of_a_name_in_one_message_are_one_player(database, intake, board) -> None:
    board.act(number=2)
    game, _, events = next(SimulatedBoard(5, names=("ANN", "Bot Ann")).playing)
    board.add(game + 1, 0, events)
    board.acts[-1]["bots"] = {"1": "bold"}
    send_all(intake, board)
    assert [row.live["players"] for row in database.execute("SELECT live FROM games ORDER BY id")] == [[1, 2], [1, 3]]


def test_a_name_may_look_like_a_zero_character(database, intake) -> None:
    board = enrolled(database, SimulatedBoard(1, names=("\\u0000", "Ben")))
    board.act()
    send_all(intake, board)
    assert {row.name for row in database.execute("SELECT name FROM players")} == {"\\u0000", "Ben"}


@pytest.mark.parametrize(
    "events",
    [
        [["GameEnded", {"winners": [9], "loser": None}]],
        [["GameEnded", {"winners": [], "loser": 9}]],
        [["ScoreAdjusted", {"side": 0, "score": 10**400}]],
        [["PointsCounted", {"player": 0, "points": -(10**30)}]],
        [["DiceRolled", {"player": 0, "faces": [99]}]],
        [["DiceRolled", {"player": 0, "faces": [99]}], ["Farkled", {"player": 0, "lost": 0, "in_a_row": 1}]],
        [["Farkled", {"in_a_row": 1, "lost": 0, "player": 7}]],
        [["DiceKept", {"player": 0, "dice": [1] * 500, "points": 1}]],
        [["TurnPassed", {"player": 7}]],
        [["PlayerJoined", {"name": "ann"}]],
        [["GameStarted", {**START, "definition": "[" * 100_000}]],
        [["GameStarted", {**START, "definition": NAMELESS}]],
        [["GameStarted", {**START, "sides": [[0], [5]]}]],
        [["GameStarted", {**START, "players": [], "sides": []}]],
    ],
    ids=lambda events: f"{events[-1][0]}-{[*events[-1][1]][-1]}",
)
def test_a_game_that_no_page_can_show_is_named_and_the_board_goes_on(database, intake, board, events) -> None:
    board.act()
    send_all(intake, board)
    shown = database.execute("SELECT live FROM games").fetchall()
    board.add(1, 1, ())
    board.acts[-1]["made"] = [[2, events]]
    assert send(intake, board)["problem"].startswith("expected ")
    assert stored(database) == [(1, 1), (1, 2)]
    assert database.execute("SELECT live FROM games").fetchall() == shown
    game, _, events = next(SimulatedBoard(5).playing)
    board.add(game + 1, 0, events)
    assert send(intake, board)["problem"] == ""


def test_a_long_reason_of_a_refusal_is_cut(database, intake, board) -> None:
    board.act()
    version = 10**4200 + int("7193582460" * 400)
    assert "this league knows form 1" in send(intake, board, board.message(version=version))["problem"]
    assert len(refusals(database)[0]) <= 500


def test_an_old_message_that_comes_again_deletes_no_game_that_has_begun_since(database, intake, board) -> None:
    board.act(number=5)
    send_all(intake, board)
    old = board.message(deleted=[1], newest=0)
    send(intake, board, old)
    assert stored(database) == []
    game, _, events = next(SimulatedBoard(5).playing)
    board.add(game, 0, events)
    new = board.message()
    send(intake, board, old, new)  # both in one batch
    send(intake, board, old)
    assert stored(database) == [(1, 6)]
    assert database.execute("SELECT count(*) FROM games").fetchone().count == 1


def test_the_newest_game_is_deleted_with_its_names_though_the_board_has_forgotten_its_number(
    database, intake, board
) -> None:
    board.act(number=5)
    game, _, events = next(SimulatedBoard(5, names=("Cleo", "Ben")).playing)
    board.add(game + 1, 0, events)
    board.acts[-1]["made"][0][1].append(["DiceJuggled", {"player": 0}])  # and though it cannot be folded
    send(intake, board)
    del board.games[2]
    send(intake, board)
    assert {game for game, _ in stored(database)} == {1}
    assert {row.name for row in database.execute("SELECT name FROM players")} == {"Ann", "Ben", ""}


@pytest.mark.parametrize(
    ("text", "why"), [("\0", "text without zero characters"), ("\ud800", "the message of a board")]
)
def test_text_that_no_database_stores_is_refused(database, intake, board, text, why) -> None:
    board.act()
    body = json.loads(board.message()[64:])
    body["program"] = text
    assert send(intake, board, board.signed(json.dumps(body).encode())) is None
    assert refusals(database) == [f"expected {why}"]


@pytest.mark.parametrize("error", [psycopg.DataError, psycopg.errors.DeadlockDetected])
def test_a_message_that_cannot_be_stored_does_not_stop_the_others(database, intake, board, monkeypatch, error) -> None:
    other = enrolled(database, SimulatedBoard(4), "Red Lion")
    board.act()
    other.act()
    take = Intake.take

    def taking(self, payloads):
        payloads = [*payloads]
        if any(code == other.code for code, _ in payloads):
            raise error("no such text")
        return take(self, payloads)

    monkeypatch.setattr(Intake, "take", taking)
    answers = taken(intake, [(each.code, each.message()) for each in (other, board)])
    assert [code for code, _ in answers] == [board.code]


def test_a_game_whose_end_is_taken_back_has_no_result(database, intake, board) -> None:
    board.act()
    while not board.state.over:
        board.act()
    send_all(intake, board)
    check_games(database, board)
    assert database.execute("SELECT 1 FROM results").fetchone()
    board.add(1, board.games[1][-2][0], ())
    send_all(intake, board)
    assert not database.execute("SELECT 1 FROM results").fetchone()
    check_games(database, board)


def test_nothing_is_taken_from_a_board_that_is_shut_out(database, intake, board) -> None:
    board.act(number=2)
    send_all(intake, board)
    organiser.shut_out(database, "Blue Dragon")
    board.act()
    assert send(intake, board)["problem"] == SHUT_OUT
    assert len(stored(database)) == 2
    assert refusals(database) == [SHUT_OUT]
    organiser.shut_out(database, "Blue Dragon", out=False)
    send_all(intake, board)
    assert len(stored(database)) == 3
    with pytest.raises(LeagueError, match="expected the name of a board, got 'Inn'"):
        organiser.shut_out(database, "Inn")
