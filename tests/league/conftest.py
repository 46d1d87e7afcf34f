"""A broker, a database and a board for the tests of a file."""

from collections.abc import Iterator

import psycopg
import pytest
from asked import run
from brokers import Broker, mosquitto
from postgres import postgres
from simulated_boards import SimulatedBoard, enrolled

from farkleague import store
from farkleague.intake import Intake

__all__ = ["run"]


@pytest.fixture(scope="module")
def broker(tmp_path_factory) -> Iterator[Broker]:
    with mosquitto(tmp_path_factory.mktemp("broker")) as running:
        yield running


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres("fsync=off") as running:
        yield running.database


@pytest.fixture
def database(server) -> Iterator[psycopg.Connection]:
    with psycopg.connect(server, autocommit=True) as made:
        made.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    store.upgrade(server)
    with store.connect(server) as opened:
        yield opened


@pytest.fixture
def intake(database) -> Intake:
    return Intake(database, store.league_key(database))


@pytest.fixture
def board(database) -> SimulatedBoard:
    return enrolled(database, SimulatedBoard(1))
