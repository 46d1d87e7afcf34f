"""A league for tests: PostgreSQL, boards that play, and the pages, served on loopback."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx
import psycopg
from postgres import PATIENCE_S, Postgres, free_port
from simulated_boards import SimulatedBoard

from farkleague import organiser, store
from farkleague.intake import Intake
from farkleague.pages.app import Server, make_app
from farkleague.ratings import rate

PASSWORD = "oak and brass"
ORGANISER = ("organiser", PASSWORD)


def until(found, what: str = "") -> object:
    """Return what `found` returns as soon as it is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not (value := found()):
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
    return value


@dataclass
class ServedLeague:
    """A league whose pages are at `url`."""

    postgres: Postgres
    server: Server
    url: str
    database: psycopg.Connection
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE_S)

    def board(self, name: str, seed: int = 1, **options: object) -> SimulatedBoard:
        """Enrol a board."""
        board = SimulatedBoard(seed, **options)
        organiser.enrol(self.database, board.code, name)
        return board

    def take(self, *boards: SimulatedBoard) -> None:
        """Store what the boards have played."""
        intake = Intake(self.database, store.league_key(self.database))
        for board in boards:
            while True:
                answers = intake.take([(board.code, board.message())])
                board.hear(answers[0][1])
                if board.place == len(board.acts):
                    break

    def plays(self, board: SimulatedBoard, acts: int = 1) -> None:
        """Let a board play some acts, and store them."""
        board.act(number=acts)
        self.take(board)

    def finishes(self, board: SimulatedBoard, games: int = 1) -> None:
        """Let a board finish games, and store them."""
        wanted = max(board.games, default=0) + games
        while max(board.games, default=0) < wanted or not board.state.over:
            board.act()
        self.take(board)

    def rates(self) -> None:
        rate(self.database, None)

    def person(self, name: str) -> int:
        return self.one("SELECT id FROM players WHERE name = %s AND id = person", name)

    def one(self, query: str, *given: object) -> object:
        return self.database.execute(query, given).fetchone()[0]

    def text(self, path: str, **options: object) -> str:
        answer = self.client.get(path, **options)
        assert answer.status_code == 200, answer.text
        return answer.text

    def posts(self, act: str, **fields: object) -> httpx.Response:
        """Send a form of the organiser's page."""
        return self.client.post(
            f"/organise/{act}",
            data=fields,
            auth=ORGANISER,
            headers={"origin": self.url, "sec-fetch-site": "same-origin"},
        )

    @contextmanager
    def watched(self, path: str) -> Iterator["Events"]:
        """Watch a stream."""
        with self.client.stream("GET", path) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "text/event-stream"
            yield Events(answer)


class Events:
    """The events of a stream."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def until(self, *texts: str) -> str:
        """Return the next event that holds these texts."""
        for line in self._lines:
            if line.startswith("data: ") and all(text in line for text in texts):
                return line.removeprefix("data: ")
        raise AssertionError(f"the stream has ended before {texts}")


@contextmanager
def served_league(postgres: Postgres, password: str = PASSWORD) -> Iterator[ServedLeague]:
    """Serve the pages of an empty league."""
    with psycopg.connect(postgres.database, autocommit=True) as made:
        made.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    store.upgrade(postgres.database)
    port = free_port()
    server = Server(make_app(postgres.database, password), "127.0.0.1", port)
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started or not thread.is_alive())
    try:
        with store.connect(postgres.database) as opened:
            league = ServedLeague(postgres, server, f"http://127.0.0.1:{port}", opened)
            with league.client:
                yield league
    finally:
        server.should_exit = True
        thread.join()
