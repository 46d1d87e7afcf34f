"""An evening of a league: three tables play in browsers, while broker, database, worker and a table are killed."""

import random
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from brokers import free_port, mosquitto
from fleet import program, worker, workers
from postgres import postgres
from running import Table, table

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Error, Page

from companion.storage.database import read
from companion.storage.files import FILE
from farkle.live_game import Game
from farkleague import organiser, store
from farkleague.games import GameFold, read_on

pytestmark = [pytest.mark.exhaustive, pytest.mark.browser]

SHOTS = Path(__file__).resolve().parents[2] / "out" / "screenshots"
NAMES = {"Blue Dragon": "Ann,Ben", "Red Lion": "Ann,Cy", "Old Oak": "Di,Ed,Flo"}
TARGET = 61
PATIENCE_S = 900.0
KILL_EVERY_S = 8.0
AWAY_S = 2.0
"""The seconds that broker and database stay away after a kill, so that acts happen without them."""

CLICK_MS = 2_000


def until(fits: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not fits():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def tap(page: Page, chance: random.Random) -> None:
    """Tap a control that glows, if there is one."""
    glowing = page.locator("[data-glows]:visible")
    with suppress(Error):  # the page has gone on, or its table is away
        if count := glowing.count():
            glowing.nth(chance.randrange(count)).click(timeout=CLICK_MS)


def over(made: Table) -> bool:
    with suppress(OSError):
        return made.get("state")["phase"] == "over"
    return False


def code_of(page: Page) -> str:
    found: list[str] = page.locator("body").inner_text().split()
    return next((word.strip(".") for word in found if organiser.CODE.fullmatch(word.strip("."))), "")


@pytest.mark.timeout(3600)
def test_an_evening_of_three_tables_loses_nothing(tmp_path, chromium, capsys) -> None:
    chance = random.Random(3)
    SHOTS.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        server = stack.enter_context(postgres())
        broker = stack.enter_context(mosquitto(tmp_path / "broker"))
        store.upgrade(server.database)
        running = stack.enter_context(workers(2, server.database, broker.port, tmp_path))
        port = free_port()
        served = program("serve", "--database", server.database, "--port", str(port), log=tmp_path / "serve.log")
        stack.callback(served.kill)
        tables, pages = dict[str, Table](), dict[str, Page]()
        for name, players in NAMES.items():
            config = tmp_path / f"{name}.toml"
            config.write_text(f'[league]\nhost = "127.0.0.1"\nport = {broker.port}\n', encoding="utf-8")
            options = ("--config", str(config), "--players", players, "--set", f"target={TARGET}")
            tables[name] = stack.enter_context(table(tmp_path / name, *options)).ready()
            page = pages[name] = chromium.new_page(viewport={"width": 390, "height": 664})
            page.goto(f"{tables[name].address}league")
            until(lambda page=page: code_of(page) or (page.reload() and False), "a code")
            with store.connect(server.database) as opened:
                organiser.enrol(opened, code_of(page), name)
            page.goto(tables[name].address)
        watching = chromium.new_page(viewport={"width": 1920, "height": 1080})
        watching.goto(f"http://127.0.0.1:{port}/")
        kills, kill_s, shot = ["broker", "database", "worker", "table"] * 50, time.monotonic() + KILL_EVERY_S, 0
        ends_s = time.monotonic() + PATIENCE_S
        while not all(over(each) for each in tables.values()):
            assert time.monotonic() < ends_s, {name: each.get("state")["message"] for name, each in tables.items()}
            for name, page in pages.items():
                if not over(tables[name]):
                    tap(page, chance)
            if time.monotonic() < kill_s:
                continue
            kill_s = time.monotonic() + KILL_EVERY_S
            match kills.pop(0):
                case "broker":
                    broker.kill()
                    time.sleep(AWAY_S)
                    broker.start()
                case "database":
                    server.kill()
                    time.sleep(AWAY_S)
                    server.start()
                case "worker":
                    running[0].kill()
                    running[0].wait()
                    running[0] = worker(server.database, broker.port, tmp_path)
                case "table":
                    name = chance.choice([*tables])
                    tables[name].process.kill()
                    config = tmp_path / f"{name}.toml"
                    address = tables[name].address
                    again = table(tmp_path / name, "--config", str(config), "--port", address.strip("/").split(":")[-1])
                    tables[name] = stack.enter_context(again).ready()
            watching.screenshot(path=SHOTS / f"league-tv-{shot}.png")
            shot += 1
        journals = {name: read(tmp_path / name / FILE).rows for name in tables}
        with store.connect(server.database) as opened:
            for number, (name, rows) in enumerate(journals.items(), 1):
                ids = list(dict.fromkeys(row.act for row in rows))
                query = "SELECT act FROM acts WHERE board = %s ORDER BY act"
                until(
                    lambda query=query, number=number, ids=ids: (
                        [row.act for row in opened.execute(query, [number])][-1:] == ids[-1:]
                    ),
                    f"the last act of {name}",
                )
                stored = [row.act for row in opened.execute(query, [number])]
                assert stored == [act for act in ids if act >= stored[0]]
                fold = GameFold()
                read_on(opened, fold, number, rows[-1].game)
                with urllib.request.urlopen(f"{tables[name].address}api/v1/notation.txt") as written:
                    played = Game.read(written.read().decode())
                assert [side.score for side in fold.state.sides] == [side.score for side in played.state.sides]
                assert fold.state.winners == played.state.winners
        with capsys.disabled():
            acts = sum(len({row.act for row in rows}) for rows in journals.values())
            print(f"\n{len(tables)} tables, {acts} acts, {shot} kills: 0 acts missing")
        for path, shown in {
            "": "boards",
            "games/1": "game",
            "games/1/review": "review",
            "boards": "all-boards",
        }.items():
            watching.goto(f"http://127.0.0.1:{port}/{path}")
            watching.screenshot(path=SHOTS / f"league-{shown}-tv.png")
            watching.set_viewport_size({"width": 390, "height": 664})
            watching.screenshot(path=SHOTS / f"league-{shown}-phone.png")
            watching.set_viewport_size({"width": 1920, "height": 1080})
