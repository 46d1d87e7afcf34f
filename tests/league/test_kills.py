"""Kills of broker, workers, database and boards lose no act, and store none twice."""

import os
import random
import time
from collections import Counter

import pytest
from brokers import mosquitto
from fleet import Fleet, worker, workers
from postgres import postgres
from simulated_boards import SimulatedBoard, check_games

from farkleague import organiser, store

pytestmark = pytest.mark.exhaustive

BOARDS, WORKERS = 50, 2
PLAY_S = float(os.environ.get("LEAGUE_PLAY_S", "20"))
"""The seconds of play; `make test-league` gives it ten minutes."""

EVERY_S, KILL_EVERY_S = 1.0, 3.0
"""The mean seconds between two acts of a board, and between two kills."""

PATIENCE_S = 300


@pytest.mark.timeout(PLAY_S + 2 * PATIENCE_S)
def test_kills_at_random_leave_each_act_stored_once(tmp_path, capsys) -> None:
    chance, kills = random.Random(1), Counter[str]()
    boards = [SimulatedBoard(seed, names=("Ann", "Ben", "Cy")[: 2 + seed % 2]) for seed in range(BOARDS)]
    with postgres() as server, mosquitto(tmp_path / "broker") as broker:
        store.upgrade(server.database)
        with store.connect(server.database) as opened:
            for number, board in enumerate(boards):
                organiser.enrol(opened, board.code, f"Table {number}")
        with workers(WORKERS, server.database, broker.port, tmp_path) as running:
            fleet = Fleet(boards, broker.port, EVERY_S)
            ends_s = time.monotonic() + PLAY_S
            kill_s = time.monotonic() + KILL_EVERY_S
            while time.monotonic() < ends_s:
                fleet.step()
                time.sleep(0.01)
                if time.monotonic() > kill_s:
                    kill_s = time.monotonic() + KILL_EVERY_S * (0.5 + chance.random())
                    what = chance.choice(["broker", "worker", "worker", "database", "board", "board"])
                    kills[what] += 1
                    match what:
                        case "broker":
                            broker.kill()
                            broker.start()
                        case "worker":
                            place = chance.randrange(WORKERS)
                            running[place].kill()
                            running[place].wait()
                            running[place] = worker(server.database, broker.port, tmp_path)
                        case "database":
                            server.kill()
                            server.start()
                        case "board":
                            fleet.kill(chance.choice(boards))
            deadline = time.monotonic() + PATIENCE_S
            while fleet.waiting:
                fleet.step(plays=False)
                time.sleep(0.01)
                assert time.monotonic() < deadline, (fleet.waiting, (tmp_path / "work.log").read_text()[-2000:])
            fleet.close()
        with store.connect(server.database) as opened:
            for number, board in enumerate(boards, 1):
                rows = opened.execute("SELECT game, act, hash FROM acts WHERE board = %s ORDER BY act", [number])
                assert [(row.game, f"{row.act}-{row.hash.hex()}") for row in rows] == [
                    (act["game"], act["id"]) for act in board.acts
                ]
                assert store.the_row(opened, "SELECT hash FROM boards WHERE id = %s", [number]).hash == board.chain()
                check_games(opened, board, number)
            repeated = store.the_row(opened, "SELECT sum(repeated) AS times FROM boards").times
            assert not opened.execute("SELECT 1 FROM refusals").fetchall()
    acts = sum(len(board.acts) for board in boards)
    with capsys.disabled():
        killed = ", ".join(f"{number} of {what}" for what, number in kills.items())
        print(f"\n{BOARDS} boards, {acts} acts, kills: {killed}; 0 acts missing, {repeated} came again")
