"""Measure a league: `python bench/league_bench.py [--boards N] [--watchers N] [--acts N] [--only PART]`.

- `workers`: boards send one act after the other to 1, 2 and 4 workers, as fast as they are answered. The figures are
  the acts a second, the boards that they would be at one act in five seconds, and the processor time of an act.
- `watchers`: boards play, one act in five seconds each, while a crowd watches one game. The figure is the time from an
  act to each watcher.
- `history`: a database of many acts. The figures are the times of the queries behind the pages, with their plans.

All parts share this machine's cores: boards, broker, workers, database, pages and watchers.
"""

import argparse
import asyncio
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path

from figures import mean_and_spread, spread

sys.path.extend(
    str(Path(__file__).resolve().parent.parent / "tests" / room) for room in ("league", "system", "companion", "table")
)

from brokers import free_port, mosquitto
from fleet import Fleet, program, workers
from postgres import postgres
from simulated_boards import SimulatedBoard

from farkleague import organiser, results, store

ACT_EVERY_S = 5.0
PLAY_S, WARM_S = 20.0, 5.0
WATCHED_ACTS, WATCHED_EVERY_S = 20, 2.0
"""The acts of the game that is watched, and the seconds between them, in which each watcher has got the last one."""

FLEETS = 20
"""The connections that the boards share."""

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
DATABASE = ("shared_buffers=1GB", "max_wal_size=8GB")


class WrittenBoard(SimulatedBoard):
    """A board whose acts were made before, so that playing costs nothing while it is measured."""

    def write(self, number: int) -> "WrittenBoard":
        super().act(number=number)
        self.written, self.acts = iter(self.acts), []
        return self

    def act(self, at: float = 0.0, number: int = 1) -> None:  # noqa: ARG002 - one at a time
        if act := next(self.written, None):
            self.acts.append({**act, "at": at})


def cpu_s(pids: Sequence[int]) -> float:
    """Return the processor seconds of processes and of those that they started."""
    found = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat.parent.name) in pids or int(fields[1]) in pids:
            found += int(fields[11]) + int(fields[12])
    return found / TICKS_A_SECOND


def enrolled(database: str, number: int, acts: int) -> list[WrittenBoard]:
    store.upgrade(database)
    boards = [WrittenBoard(seed).write(acts) for seed in range(number)]
    with store.connect(database) as opened, opened.transaction():
        for place, board in enumerate(boards):
            organiser.enrol(opened, board.code, f"Table {place}")
    return boards


@contextmanager
def playing(boards: Sequence[WrittenBoard], port: int, every_s: float) -> Iterator[Callable[[float], None]]:
    """Give a function that lets all boards play for some seconds."""
    fleets = [Fleet(boards[place::FLEETS], port, every_s, place) for place in range(min(FLEETS, len(boards)))]

    def play(seconds: float) -> None:
        ends_s = time.monotonic() + seconds
        while time.monotonic() < ends_s:
            for fleet in fleets:
                fleet.step()
            time.sleep(0.002)

    try:
        yield play
    finally:
        for fleet in fleets:
            fleet.close()


def measure_workers(number: int) -> None:
    first = 0.0
    for count in (1, 2, 4):
        with tempfile.TemporaryDirectory() as folder, postgres(*DATABASE) as server, mosquitto(Path(folder)) as broker:
            boards = enrolled(server.database, number, 40_000 // number)
            with (
                workers(count, server.database, broker.port, Path(folder)) as running,
                playing(boards, broker.port, 0.0) as play,
            ):
                play(WARM_S)
                parts = {"workers": [each.pid for each in running], "database": [server.process.pid]}
                parts |= {"broker": [broker.process.pid], "boards": [os.getpid()]}
                before = {name: cpu_s(pids) for name, pids in parts.items()}
                stored, began_s = sum(board.place for board in boards), time.monotonic()
                play(PLAY_S)
                acts, took_s = sum(board.place for board in boards) - stored, time.monotonic() - began_s
                each_ms = {name: 1000 * (cpu_s(pids) - before[name]) / acts for name, pids in parts.items()}
            rate = acts / took_s
            first = first or rate
            print(
                f"{count} workers, {number} boards: {rate:.0f} acts a second (n {acts}), {rate / first:.2f} times one "
                f"worker; as many as {rate * ACT_EVERY_S:.0f} boards at one act in {ACT_EVERY_S:g} s"
            )
            costs = ", ".join(f"{name} {cost:.2f}" for name, cost in each_ms.items())
            alone = 1000 * ACT_EVERY_S / each_ms["workers"]
            print(f"  ms of a core an act: {costs}; a worker with a core of its own: {alone:.0f} boards")


HISTORY = """
INSERT INTO boards (code, name) SELECT 'T' || n, 'Table ' || n FROM generate_series(1, {boards}) n;
INSERT INTO players (id, board, key, name, person, bot)
  SELECT n, 1 + n % {boards}, int4send(n), 'Player ' || n, n, false FROM generate_series(1, {players}) n;
INSERT INTO games (board, number, act, over, last_at, live)
  SELECT 1 + n % {boards}, 1 + n / {boards}, 200 * (1 + n / {boards}), true,
    timestamptz '2026-01-01' + n * interval '5 minutes',
    jsonb_build_object('title', 'Farkle Cribbage', 'goal', 121, 'over', true,
      'players', jsonb_build_array(1 + n % {players}, 1 + (n * 7 + 1) % {players}), 'bots', '[]'::jsonb,
      'sides', jsonb_build_array(jsonb_build_object('players', jsonb_build_array(1 + n % {players}), 'score', 121),
        jsonb_build_object('players', jsonb_build_array(1 + (n * 7 + 1) % {players}), 'score', 98)),
      'to_move', null, 'turn_points', 0, 'roll', '[]'::jsonb, 'locked', '[]'::jsonb, 'dice_left', 6,
      'winners', '[0]'::jsonb, 'loser', null)
  FROM generate_series(0, {games} - 1) n;
INSERT INTO results (game, player, side, place)
  SELECT id, (live->'players'->>0)::int, 0, 1 FROM games UNION ALL
  SELECT id, (live->'players'->>1)::int, 1, 2 FROM games WHERE live->'players'->0 <> live->'players'->1;
INSERT INTO acts (board, game, act, hash, at, body)
  SELECT board, number, act - n, sha256(int4send(id) || int4send(n)), last_at - n * interval '3 seconds',
    '[12345, [[12346, [["DiceRolled", {{"player": 1, "faces": [1, 2, 3, 4, 5, 6]}}]]]], []]'
  FROM games, generate_series(0, 199) n;
INSERT INTO competitions (name, form, rules, begins, ends)
  SELECT 'Season ' || n, 'round_robin', '', '2026-01-01', '2026-12-31' FROM generate_series(1, 50) n;
INSERT INTO entrants (competition, seed, person)
  SELECT c, n, 40 * (c - 1) + n + 1 FROM generate_series(1, 50) c, generate_series(0, 39) n;
INSERT INTO matches (competition, game, first, second, first_place, second_place)
  SELECT c, row_number() OVER (PARTITION BY c), 40 * (c - 1) + a, 40 * (c - 1) + b, 1 + (a + b) % 2, 2 - (a + b) % 2
  FROM generate_series(1, 50) c, generate_series(1, 40) a, generate_series(1, 40) b WHERE a < b;
"""

QUERIES = {
    "the matches of a season": "SELECT first, second, first_place, second_place FROM matches WHERE competition = 7"
    " ORDER BY game",
    "the acts of a game": "SELECT act, at, body FROM acts WHERE board = 7 AND game = 9 AND act > 0 ORDER BY act",
    "acts that come again": "SELECT act, hash FROM acts WHERE board = 7 AND act = ANY('{1700,1701,1702}')",
}


def measure_history(acts: int) -> None:
    games = acts // 200
    with postgres(*DATABASE, "fsync=off", "synchronous_commit=off") as server:
        store.upgrade(server.database)
        began_s = time.monotonic()
        with store.connect(server.database) as opened:
            for statement in HISTORY.format(boards=min(1000, games), players=2000, games=games).split(";\n"):
                if statement.strip():
                    opened.execute(statement)
            opened.execute("VACUUM ANALYZE")
            size = store.the_row(
                opened, "SELECT count(*) AS acts, pg_size_pretty(pg_database_size('postgres')) AS size FROM acts"
            )
            print(f"{size.acts} acts, {games} games, {size.size}; written in {time.monotonic() - began_s:.0f} s")
            for name, query in QUERIES.items():
                plan = [
                    row[0] for row in opened.execute("EXPLAIN ANALYZE " + query.replace("{{", "{").replace("}}", "}"))
                ]
                print(f"{name}:", *plan, sep="\n    ")
            took = []
            for season in range(1, 51):
                began_s = time.perf_counter()
                table = results.table_of(opened, season)
                took.append(1000 * (time.perf_counter() - began_s))
                assert len(table) == 40
            print(f"a season's table of 40 players and 780 matches, ms: {mean_and_spread(took, 1)}")


GET = "GET /games/{game}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n"


async def watch(number: int, port: int, game: int, heard: list[float], ready: Callable[[], object]) -> None:
    """Watch a game on many connections, and note when each event comes."""
    waiting = number

    async def one() -> None:
        nonlocal waiting
        reading, writing = await asyncio.open_connection("127.0.0.1", port)
        writing.write(GET.format(game=game, port=port).encode())
        await reading.readuntil(b"data: ")
        waiting -= 1
        if not waiting:
            ready()
        while data := await reading.read(65536):
            if b"data: " in data:
                heard.append(time.time())

    async with asyncio.TaskGroup() as tasks:
        for place in range(number):
            tasks.create_task(one())
            if place % 100 == 99:
                await asyncio.sleep(0.05)


def watching(number: int, port: int, game: int, ready: Event, ended: Event, answer: Connection) -> None:
    """Watch a game until the end, as a process of its own, and send when each event came."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    heard: list[float] = []

    async def run() -> None:
        crowd = asyncio.create_task(watch(number, port, game, heard, ready.set))
        await asyncio.to_thread(ended.wait)
        crowd.cancel()

    asyncio.run(run())
    answer.send(heard)


def measure_watchers(number: int, crowd: int) -> None:
    port, process = free_port(), multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder, postgres(*DATABASE) as server, mosquitto(Path(folder)) as broker:
        boards = enrolled(server.database, number, 40)
        watched = WrittenBoard(number, rules="dice-10000").write(200)
        with store.connect(server.database) as opened:
            organiser.enrol(opened, watched.code, "Watched")
        pages = program("serve", "--database", server.database, "--port", str(port), log=Path(folder) / "serve.log")
        with workers(1, server.database, broker.port, Path(folder)) as running:
            fleet, sent = Fleet([watched], broker.port, 0.0), list[float]()
            with playing(boards, broker.port, ACT_EVERY_S) as play:
                while not watched.place:
                    fleet.step(plays=not watched.acts)
                    play(0.1)
                with store.connect(server.database) as opened:
                    game = store.the_row(opened, "SELECT id FROM games WHERE board = %s", [number + 1]).id
                ready, ended = process.Event(), process.Event()
                here, there = process.Pipe()
                listening = process.Process(target=watching, args=(crowd, port, game, ready, ended, there))
                listening.start()
                while not ready.wait(0.0):
                    play(0.2)
                play(WARM_S)
                parts = {"pages": [pages.pid], "workers": [running[0].pid], "watchers": [listening.pid]}
                before = {name: cpu_s(pids) for name, pids in parts.items()}
                for _ in range(WATCHED_ACTS):
                    sent.append(time.time())
                    fleet.step()
                    play(WATCHED_EVERY_S)
                used = {name: cpu_s(pids) - before[name] for name, pids in parts.items()}
            ended.set()
            heard = here.recv()
            listening.join()
            fleet.close()
        pages.terminate()
        pages.wait()
    lags = [1000 * (at - sent[place - 1]) for at in heard if (place := bisect_right(sent, at))]
    print(
        f"{number} boards at one act in {ACT_EVERY_S:g} s, {crowd} watchers of one game, {WATCHED_ACTS} acts: "
        f"ms from an act to a watcher: {spread(lags, 0)}; {len(lags) / (crowd * WATCHED_ACTS):.3f} of the events came"
    )
    costs = ", ".join(f"{name} {1e6 * cost / (crowd * WATCHED_ACTS):.0f}" for name, cost in used.items())
    print(f"  processor time of an event of a watcher, microseconds: {costs}")


PARTS = ("workers", "watchers", "history")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=400)
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--acts", type=int, default=200_000)
    parser.add_argument("--only", choices=PARTS)
    given = parser.parse_args()
    if given.only in (None, "workers"):
        measure_workers(given.boards)
    if given.only in (None, "watchers"):
        measure_watchers(given.boards, given.watchers)
    if given.only in (None, "history"):
        measure_history(given.acts)


if __name__ == "__main__":
    main()
