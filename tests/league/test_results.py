"""Finished games decide matches and ratings, and what an organiser may do."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime

import pytest
from brokers import Broker, listener
from served_league import until
from simulated_boards import SimulatedBoard, enrolled, send, send_all

from farkle.game.events import GameEnded
from farkle.game.seating import start
from farkle.league import acts_topic
from farkle.rules.catalogue import find_rule_set
from farkleague import organiser, store
from farkleague.errors import LeagueError
from farkleague.intake import Intake
from farkleague.ratings import rate
from farkleague.results import table_of
from farkleague.worker import Broker as Address
from farkleague.worker import Worker

pytestmark = pytest.mark.exhaustive

DAYS = {"begins": date(2027, 1, 1), "ends": date(2027, 1, 31)}
ANN, BEN, CLEO = 1, 2, 3
FIRST, SECOND, SHARED = (0,), (1,), (0, 1)


def noon(day: int, month: int = 1) -> float:
    return datetime(2027, month, day, 12, tzinfo=UTC).timestamp()


NOON = noon(15)


def play(board: SimulatedBoard, winners=FIRST, at=NOON, names=()) -> None:
    """Play a game that is won at once."""
    began = start(find_rule_set("classic"), names or board.names, first=0)
    board.add(max(board.games, default=0) + 1, 0, (*began, GameEnded(winners)), at)


def finish(intake, board: SimulatedBoard, *winners, **given) -> None:
    """Play a game that is won at once, and store it."""
    play(board, *winners, **given)
    send_all(intake, board)


def begin(database, form="round_robin", persons=(ANN, BEN), name="Winter", **given) -> int:
    return organiser.begin_competition(database, name, form, persons=persons, **{**DAYS, **given})


def matches(database) -> list[tuple]:
    return [tuple(row) for row in database.execute("SELECT competition, first, second, first_place FROM matches")]


@pytest.fixture
def board(database, intake) -> SimulatedBoard:
    """A board whose players are Ann, Ben and Cleo."""
    found = enrolled(database, SimulatedBoard(1))
    finish(intake, found, names=("Ann", "Ben", "Cleo"))
    return found


@pytest.mark.parametrize(
    ("game", "given", "counts"),
    [
        ({}, {}, True),
        ({"at": noon(1)}, {}, True),
        ({"at": noon(31)}, {}, True),
        ({"at": noon(1, month=2)}, {}, False),
        ({}, {"begins": date(2027, 1, 16)}, False),
        ({}, {"rules": "classic"}, True),
        ({}, {"rules": "farkle-cribbage"}, False),
        ({}, {"persons": (ANN, CLEO)}, False),
        ({"names": ("Ann", "Ben", "Cleo")}, {}, False),
        ({"names": ("Ann", "Bot Ben")}, {}, False),
        ({"winners": SHARED}, {}, True),
        ({"winners": SHARED}, {"form": "knock_out"}, False),
        ({"winners": SECOND}, {"form": "knock_out"}, True),
        ({}, {"form": "knock_out", "persons": (ANN, CLEO, BEN)}, False),  # Ann waits for who wins the first match
    ],
)
def test_a_game_of_two_people_is_their_open_match(database, intake, board, game, given, counts) -> None:
    begin(database, **given)
    finish(intake, board, **game)
    assert bool(matches(database)) == counts


def test_the_table_has_the_points_of_the_matches_and_the_names(database, intake, board) -> None:
    season = begin(database, persons=(ANN, BEN, CLEO))
    finish(intake, board, SECOND)
    finish(intake, board, names=("Cleo", "Ben"))
    organiser.remove_name(database, BEN)
    found = [(each.place, each.name, each.points, each.played) for each in table_of(database, season)]
    assert found == [(1, "Cleo", 2, 1), (2, "", 2, 2), (3, "Ann", 0, 1)]


def test_the_first_game_of_a_pair_counts_until_it_is_deleted(database, intake, board) -> None:
    begin(database)
    for winners in (FIRST, SECOND, SECOND):
        finish(intake, board, winners)
    assert matches(database) == [(1, ANN, BEN, 1)]
    board.deleted = [2]
    send(intake, board)
    assert matches(database) == []
    finish(intake, board, SECOND)
    assert matches(database) == [(1, ANN, BEN, 2)]


def test_one_game_counts_in_each_competition_of_its_players(database, intake, board) -> None:
    begin(database, persons=(BEN, ANN))
    begin(database, "knock_out", name="Cup")
    finish(intake, board)
    assert matches(database) == [(1, ANN, BEN, 1), (2, ANN, BEN, 1)]


def test_a_match_stays_when_the_game_gets_an_act_after_the_last_day(database, intake, board) -> None:
    begin(database)
    finish(intake, board)
    board.add(2, board.acts[-1]["act"], (), noon(3, month=2))
    send_all(intake, board)
    assert matches(database) == [(1, ANN, BEN, 1)]
    board.add(2, 0, (), noon(3, month=2))  # the end is taken back
    assert "begins with its start" in send(intake, board)["problem"]


def test_two_workers_decide_matches_of_the_same_competitions(database, intake, board) -> None:
    crown = enrolled(database, SimulatedBoard(2, names=("Dan", "Eve")), "The Crown")
    finish(intake, crown, names=("Dan", "Eve", "Flo"))
    dan, eve, flo = 4, 5, 6
    begin(database, persons=(ANN, BEN, dan, eve))
    begin(database, persons=(ANN, CLEO, dan, flo), name="Spring")
    games = ((board, (("Ann", "Ben"), ("Ann", "Cleo"))), (crown, (("Dan", "Flo"), ("Dan", "Eve"))))
    with store.connect(database.info.dsn) as other, ThreadPoolExecutor(2) as pool:
        workers = (intake, Intake(other, store.league_key(other)))
        for _ in range(10):
            for each, pairs in games:
                for names in pairs:
                    play(each, names=names)
            assert len([*pool.map(send, workers, (board, crown))]) == 2
    assert {each[:3] for each in matches(database)} == {(1, ANN, BEN), (2, ANN, CLEO), (2, dan, flo), (1, dan, eve)}


def test_games_of_a_player_who_was_joined_count_in_the_season(database, intake, board) -> None:
    crown = enrolled(database, SimulatedBoard(2, names=("Anna", "Dan")), "The Crown")
    begin(database)
    finish(intake, crown)
    anna = database.execute("SELECT id FROM players WHERE name = 'Anna'").fetchone().id
    organiser.join(database, anna, ANN)
    finish(intake, board)
    assert matches(database) == [(1, ANN, BEN, 1)]
    finish(intake, enrolled(database, SimulatedBoard(3, names=("Eve", "Flo")), "Old Oak"))
    eve = database.execute("SELECT id FROM players WHERE name = 'Eve'").fetchone().id
    organiser.join(database, ANN, eve)
    assert matches(database) == [(1, eve, BEN, 1)]


def test_players_in_one_game_are_not_joined_though_it_goes_on(database, intake) -> None:
    board = enrolled(database, SimulatedBoard(1))
    board.act()
    send_all(intake, board)
    with pytest.raises(LeagueError, match="in one game or competition"):
        organiser.join(database, ANN, BEN)


def values(database) -> dict[int, float]:
    return {row.person: row.value for row in database.execute("SELECT person, value FROM ratings")}


def test_a_result_that_is_corrected_and_players_that_are_joined_are_rated_anew(database, intake) -> None:
    board = enrolled(database, SimulatedBoard(1))
    finish(intake, board)
    known = rate(database, None)
    assert values(database)[ANN] > values(database)[BEN]
    assert rate(database, known) == known
    board.add(1, 0, (*board.games[1][0][1][:-1], GameEnded(SECOND)))
    board.acts[-1]["made"][0][0] -= 1  # the first act is made again
    send_all(intake, board)
    known = rate(database, known)
    assert values(database)[ANN] < values(database)[BEN]
    crown = enrolled(database, SimulatedBoard(2, names=("Anna", "Dan")), "The Crown")
    finish(intake, crown)
    organiser.join(database, CLEO, ANN)
    rate(database, known)
    assert values(database).keys() == {ANN, BEN, CLEO + 1}


def test_a_worker_rates_though_messages_never_cease(database, intake, board, broker: Broker) -> None:
    ended = threading.Event()
    worker = Worker(database.info.dsn, Address("127.0.0.1", broker.port))
    working = threading.Thread(target=worker.run, args=[ended.is_set])
    with listener(broker.port, "none") as sending:

        def send_on() -> None:
            while not ended.wait(0.02):
                sending.client.publish(acts_topic("X"), b"no message", 1)

        publishing = threading.Thread(target=send_on)
        for thread in (publishing, working):
            thread.start()
        try:
            until(lambda: database.execute("SELECT count FROM refusals").fetchone())
            until(lambda: values(database))
        finally:
            ended.set()
            for thread in (publishing, working):
                thread.join()


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"form": "swiss"}, "expected one of round_robin, knock_out"),
        ({"name": " "}, "a name of 1 to 60 characters"),
        ({"name": "A\0B"}, "a name of 1 to 60 characters"),
        ({"name": "Taken"}, "a new name"),
        ({"begins": date(2027, 2, 1)}, "a last day after the first one"),
        ({"persons": (ANN,)}, "2 to 64 different players"),
        ({"persons": (ANN, ANN)}, "2 to 64 different players"),
        ({"persons": (ANN, 77)}, "persons of the league"),
        ({"rules": "whist"}, "whist"),
    ],
)
def test_a_competition_that_cannot_be_played_does_not_begin(database, board, given, why) -> None:
    begin(database, name="Taken")
    with pytest.raises(LeagueError, match=why):
        begin(database, **given)
    assert database.execute("SELECT count(*) FROM competitions").fetchone().count == 1


@pytest.mark.parametrize(
    ("act", "given", "why"),
    [
        (organiser.enrol, ("K7QF-2MXA-9TPB", "Inn"), "expected the code that the board shows"),
        (organiser.enrol, ("K7QF-2MXA-ATPB", "I" * 41), "expected a name of 1 to 40 characters"),
        (organiser.enrol, ("K7QF-2MXA-ATPB", " Blue Dragon "), "expected a new name, got 'Blue Dragon'"),
        (organiser.enrol, ("{code}", "Inn"), "expected a new code"),
        (organiser.join, (ANN, ANN), "expected two persons"),
        (organiser.join, (ANN, 77), "expected two persons"),
        (organiser.join, (ANN, BEN), "in one game or competition"),
        (organiser.separate, (ANN,), "expected a player who was joined"),
        (organiser.remove_name, (77,), "expected the number of a person"),
    ],
)
def test_what_an_organiser_may_not_do_changes_nothing(database, board, act, given, why) -> None:
    given = [each.format(code=board.code) if isinstance(each, str) else each for each in given]
    with pytest.raises(LeagueError, match=why):
        act(database, *given)
    assert database.execute("SELECT count(*) FROM boards").fetchone().count == 1
    names = {tuple(row) for row in database.execute("SELECT id, person, name FROM players")}
    assert names == {(ANN, ANN, "Ann"), (BEN, BEN, "Ben"), (CLEO, CLEO, "Cleo")}
