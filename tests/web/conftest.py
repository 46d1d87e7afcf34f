"""A small server that gives the page prepared states and records its writes, and a real Chromium to open the page."""

import json
import queue
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

import cv2
import numpy as np
import pytest
from resized import laid_out

from companion.web.assets import assets
from companion.web.pages import in_language, page_environment
from companion.web.rules.api import form_of, playable_rule_sets, requested_rules, rule_sets
from companion.web.streams import PING_S
from companion.words import english
from farkle.errors import FarkleError
from pegboard.drawing import plan_json
from pegboard.layouts import load_layout
from pegboard.layouts.long_board import lap_of, long_board

HERE = Path(__file__).parent
SIZES = {
    "small": {"width": 320, "height": 568},
    "phone": {"width": 390, "height": 844},
    "across": {"width": 844, "height": 390},
    "laptop": {"width": 1280, "height": 800},
}
PAGES = page_environment()
WORDS = in_language(english())
BEST = [{"player": "Ben", "points": 26, "kept": [[1, 1, 1, 2, 2, 2], [2]]}]
BOARDS = [json.loads(plan_json(load_layout(f"long-board-{lanes}"))) for lanes in (2, 3, 4)]


def canned(name):
    """The state written in `state_<name>.json`."""
    return json.loads((HERE / f"state_{name}.json").read_text(encoding="utf-8"))


def called(names):
    """Return the players' names, with a default name for each empty one."""
    return [name or f"Player {row}" for row, name in enumerate(names, 1)]


def rules_answer(path, query):
    """Return the table's answer about its rules: status and JSON."""
    if path == "/api/v1/rules":
        return 200, rule_sets(playable_rule_sets(None), english()).model_dump_json()
    try:
        rules = requested_rules(path.rpartition("/")[2], dict(parse_qsl(query)), None)
    except FarkleError as error:
        return 422, json.dumps({"detail": str(error)})
    return 200, form_of(rules, english()).model_dump_json(exclude_defaults=True)


def felt():
    """Return a picture of an empty, dark green tray."""
    return cv2.imencode(".jpg", np.full((720, 960, 3), (48, 70, 40), np.uint8))[1].tobytes()


class CannedTable:
    """The state that the server shows, the writes that it got, and its next answers."""

    def __init__(self):
        self.version = 0
        self.state = canned("to_throw")
        self.address = ""
        self.written = []
        self.answers = []
        self.listeners = []
        self.sent_bytes = 0
        self.picture = felt()
        self.events_open = True
        self.frozen = []  # listeners to which nothing comes any more, while their streams stay open
        self.late_events = None
        self.missed = 0  # views that pages have not got, as pings tell them
        self.wrote = threading.Condition()
        self.boards = BOARDS
        self.hold_s = 1.5
        self.play = True
        self.earlier = {"names": [], "groups": [], "unfinished": []}
        self.failing = {}  # how many more requests for a path get 503

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, state):
        self.version += 1
        self._state = {**state, "version": self.version}

    def canned(self, name):
        return canned(name)

    def called(self, names):
        return called(names)

    def show(self, state):
        """Send a state to every page that listens."""
        self.state = canned(state) if isinstance(state, str) else state
        if self.late_events is None:
            self.send_event(self.state)
        else:
            self.late_events.append(self.state)

    def send_event(self, state):
        for listener in list(self.listeners):
            listener.put(state)

    def keep_events_back(self):
        """Hold events back in `late_events` until the test sends them, so that answers arrive first."""
        self.late_events = []

    def freeze(self):
        """Let nothing more come on the connections of the streams that are open now."""
        self.frozen = list(self.listeners)

    def hang_up(self):
        """End every stream of events."""
        for listener in list(self.listeners):
            listener.put(None)

    def remember(self, path, body):
        with self.wrote:
            self.written.append((path, body))
            self.wrote.notify_all()

    def edit(self, changes):
        """Change the draft as a table does, which tells every page."""
        told = {"names": [""] * self.state["lobby"]["players"], **self.state["lobby"], **changes}
        told = {**told, "players": len(told["names"]), "called": called(told["names"])}
        self.show({**self.state, "lobby": {name: each for name, each in told.items() if name != "expected_seq"}})

    def body_of(self, path):
        """Wait for the first write to a path and return its body."""
        with self.wrote:
            assert self.wrote.wait_for(lambda: any(path == one for one, _ in self.written), timeout=120), self.written
            return next(body for one, body in self.written if one == path)

    def writes(self, count=1):
        """Wait for `count` writes and return them."""
        with self.wrote:
            assert self.wrote.wait_for(lambda: len(self.written) >= count, timeout=120), self.written
            return self.written

    def page(self):
        return PAGES.get_template("table.html").render(
            **WORDS, state=self.state, hold_s=self.hold_s, play=self.play, camera=True
        )

    def wall(self, query):
        device = query == "scheme=device"
        return PAGES.get_template("wall.html").render(**WORDS, state=self.state, device=device)


def handler_of(table):
    """Return a request handler that serves one table."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def reply(self, status, kind, body):
            data = body.encode() if isinstance(body, str) else body
            table.sent_bytes += len(data)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' blob:")
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):  # the page was reloaded meanwhile
                self.wfile.write(data)

        def do_GET(self):
            path, _, query = self.path.partition("?")
            name = path.rpartition("/")[2] or path
            if table.failing.get(name, 0):
                table.failing[name] -= 1
                self.reply(503, "application/json", "{}")
            elif path == "/":
                self.reply(200, "text/html; charset=utf-8", table.page())
            elif path == "/wall":
                self.reply(200, "text/html; charset=utf-8", table.wall(query))
            elif path.startswith("/boards/"):
                lanes = min(max(int(path.removesuffix(".json").rpartition("/")[2]), 2), 4)
                track = int(dict(parse_qsl(query)).get("track", 121))
                plan = (
                    table.boards[lanes - 2] if lap_of(track) == 120 else json.loads(plan_json(long_board(lanes, track)))
                )
                self.reply(200, "application/json", json.dumps(plan, separators=(",", ":")))
            elif path.startswith("/static/") and (asset := assets().files.get(path.rpartition("/")[2])):
                self.reply(200, asset.kind, asset.body)
            elif path == "/api/v1/state":
                self.reply(200, "application/json", json.dumps(table.state))
            elif path == "/api/v1/games/now/best":
                self.reply(200, "application/json", json.dumps(BEST))
            elif path == "/api/v1/access":
                self.reply(200, "application/json", json.dumps({"play": table.play, "set_up": False, "why": ""}))
            elif path == "/api/v1/lobby/earlier":
                self.reply(200, "application/json", json.dumps(table.earlier))
            elif path.startswith("/api/v1/rules"):
                status, answer = rules_answer(path, query)
                self.reply(status, "application/json", answer)
            elif path == "/api/v1/tray.jpg" and table.picture:
                self.reply(200, "image/jpeg", table.picture)
            elif path == "/api/v1/events" and table.events_open:
                self.events()
            else:
                self.reply(404, "application/json", "{}")

        def events(self):
            mine = queue.Queue()
            table.listeners.append(mine)  # before the answer: what is shown from now on reaches this page
            mine.put(table.state)
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            version = 0
            while True:
                try:
                    if (state := mine.get(timeout=PING_S)) is None:
                        return
                    version = state["version"]
                    event = f"id: {state['seq']}\ndata: {json.dumps(state)}\n\n"
                except queue.Empty:
                    event = f'event: ping\ndata: {{"version": {version + table.missed}}}\n\n'
                if any(mine is each for each in table.frozen):
                    continue
                try:
                    self.wfile.write(event.encode())
                    self.wfile.flush()
                except OSError:
                    return

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            path = self.path.removeprefix("/api/v1/")
            if path == "lobby" and not table.answers:
                table.edit(body)
            table.remember(path, body)
            status, answer = table.answers.pop(0) if table.answers else (200, table.state)
            self.reply(status, "application/json", json.dumps(answer))

    return Handler


@contextmanager
def serving():
    """Serve a canned table on a free port of this machine."""
    table = CannedTable()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(table))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    table.address = f"http://127.0.0.1:{server.server_port}/"
    try:
        yield table
    finally:
        table.hang_up()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def canned_table():
    with serving() as table:
        yield table


@pytest.fixture(scope="session")
def tabs(chromium):
    """Yield the open tabs, one for each set of the browser's options. Tests share them, because a new tab is slow."""
    found = {}

    def tab(options, size="laptop"):
        key = tuple(sorted(options.items()))
        if key not in found:
            page = chromium.new_context(**options).new_page()
            page.on("console", lambda said: said.type in ("error", "warning") and complaints.append(said.text))
            page.on("pageerror", lambda error: complaints.append(str(error)))
            found[key] = page
        found[key].set_viewport_size(SIZES[size])  # a test before may have left it as small as a phone
        return found[key]

    complaints = tab.complaints = []
    return tab


@pytest.fixture
def open_page(tabs, canned_table):
    """Yield a function that opens the page. At the end there must be no error, warning or refused content."""
    from playwright.sync_api import expect

    used = []
    tabs.complaints.clear()

    def opened(size="laptop", state="to_throw", **options):
        canned_table.state = canned(state) if isinstance(state, str) else state
        page = tabs({"reduced_motion": "reduce", **options}, size)
        used.append(page)
        page.goto(canned_table.address)  # each table has its own port, and so its own storage in the browser
        if options.get("java_script_enabled", True):
            expect(page.locator("#buttons" if canned_table.play else "#watching")).to_be_visible()
            page.locator("#room[data-seq]").wait_for()
            page.locator(".peg-layer[aria-label]").wait_for(state="attached")
            phase = canned_table.state["phase"]
            pictured = canned_table.picture and (canned_table.state["reading"] or {}).get("picture")
            if canned_table.play and pictured and phase == "choosing":
                # The page draws the dice again when their picture arrives: a test must not hold the old elements.
                page.locator(".picture[href]:not([hidden])").wait_for(state="attached")
            laid_out(page)
        return page

    yield opened
    for page in used:
        page.goto("about:blank")
    expected = ("409", "422", "404", "ERR_")  # the browser writes refused and lost answers to its console
    assert [one for one in tabs.complaints if not any(word in one for word in expected)] == []
