"""Hooks: a URL, a command or a listener is told what happens, and none of them can hold up the table."""

import json
import logging
import os
import queue
import runpy
import socket
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hosted import PATIENCE_S, Hosted, eventually, hosted, seen
from running import ended, launched

from companion.app import FEATURES
from companion.cli.checkup import selftest_hooks
from companion.cli.config import check_config, unusable
from companion.config import Config, HookConfig
from companion.config_files import config_from
from companion.errors import ConfigError
from companion.features.events.hook_calls import HookError, Listener, send
from companion.features.events.hooks import Hook, listener_of, trials
from companion.named_events import record as records
from companion.named_events.examples import examples
from companion.named_events.kinds import KINDS, AnyEvent, Farkle
from companion.named_events.record import EventRecord
from companion.nothing import nothing
from companion.table.state.inputs import NewGame, Undo
from companion.words import english

SPEED = 1000.0
"""How much faster than by the clock the waits of a test's hooks pass."""

FARKLE = "334466"


@dataclass
class Sent:
    """A request that came to a lamp."""

    path: str
    headers: dict[str, str]
    body: str

    @property
    def event(self) -> dict:
        return json.loads(self.body)


@dataclass
class Lamp:
    """A server on loopback in place of a lamp. It answers each request when the test gives it a status."""

    port: int
    requests: "queue.Queue[Sent]" = field(default_factory=queue.Queue)
    statuses: "queue.Queue[int]" = field(default_factory=queue.Queue)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def asked(self, status: int = 200) -> Sent:
        """Wait for the next request, and let it be answered."""
        found = self.requests.get(timeout=PATIENCE_S)
        self.statuses.put(status)
        return found


@pytest.fixture
def lamp() -> Iterator[Lamp]:
    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            made.requests.put(Sent(self.path, {key.lower(): value for key, value in self.headers.items()}, body))
            self.send_response(made.statuses.get(timeout=2 * PATIENCE_S))
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = True
        made = Lamp(server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield made
        for _ in range(10):
            made.statuses.put(200)  # none waits for ever
        server.shutdown()
        thread.join()


@dataclass
class Told:
    """A host, its record of events, and hooks."""

    table: Hosted
    events: EventRecord
    stack: ExitStack

    def hook(self, *hooks: HookConfig, speed: float = SPEED, **given: object) -> Hosted:
        """Start hooks, and return the host."""
        report = self.table.host.submit
        for number, hook in enumerate(hooks, 1):
            listener = listener_of(hook)
            made = Hook(str(number), hook, self.events, english(), report, listener, speed=speed, **given)
            self.stack.callback(made.close)
            made.start()
        return self.table

    def newest(self) -> int:
        """Return the newest act that the record has."""
        reader = self.events.reader(nothing)
        reader.close()
        return reader.row.act


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    with ExitStack() as stack:
        table = stack.enter_context(hosted(tmp_path, running=True))
        events = EventRecord(table.host, table.host.submit)
        stack.callback(events.close)
        events.start()
        yield Told(table, events, stack)


def degraded(table: Hosted) -> tuple[str, ...]:
    return tuple(english().text(each) for each in table.host.feed.latest.view.degraded)


# --- a lamp: a URL ---


def test_a_lamp_flashes_at_a_fresh_farkle(told: Told, lamp: Lamp) -> None:
    told.hook(HookConfig(url=f"{lamp.url}/flash", kinds=("farkle",))).game().throws(FARKLE)
    sent = lamp.asked()
    assert (sent.path, sent.headers["content-type"]) == ("/flash", "application/json")
    event = sent.event
    assert (event["event_type"], event["player"], event["text"]) == ("farkle", "Ann", "Farkle.")
    assert (event["late"], event["faces"], event["act"]) == (False, [3, 3, 4, 4, 6, 6], 2)


def test_a_lamp_does_not_flash_at_a_farkle_of_before_the_tables_start(tmp_path: Path, lamp: Lamp) -> None:
    hook = HookConfig(url=lamp.url, kinds=("farkle", "undo"))
    with hosted(tmp_path) as before:
        before.game().throws(FARKLE)
    with hosted(tmp_path, running=True) as table, ExitStack() as stack:
        events = EventRecord(table.host)
        stack.callback(events.close)
        events.start()
        Told(table, events, stack).hook(hook).take(Undo())
        assert lamp.asked().event["event_type"] == "undo"
        table.throws(FARKLE)
        assert lamp.asked().event["act"] == 4


@dataclass
class Age:
    """A clock by which events become older than they are. It counts how often it was read."""

    more_s: float = 0.0
    reads: int = 0

    def __call__(self) -> float:
        now_s = time.monotonic() + self.more_s
        self.reads += 1
        return now_s


def test_a_lamp_does_not_flash_at_a_farkle_that_has_become_too_old(told: Told, lamp: Lamp) -> None:
    age = Age()
    hook = HookConfig(url=lamp.url, kinds=("start", "farkle", "undo"), max_age_s=3600, timeout_s=60)
    table = told.hook(hook, clock=age).game()
    start = lamp.requests.get(timeout=PATIENCE_S)
    table.throws(FARKLE)  # no press waits for the lamp, which does not answer
    age.more_s = 3601
    lamp.statuses.put(200)
    eventually(lambda: age.reads == 2)
    age.more_s = 0
    table.take(Undo())
    assert [start.event["event_type"], lamp.asked().event["event_type"]] == ["start", "undo"]


def test_a_hook_that_has_fallen_behind_goes_on_with_what_is_new(
    told: Told, lamp: Lamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "KEPT", 1)
    age = Age()
    table = told.hook(HookConfig(url=lamp.url, kinds=("start", "farkle", "undo"), timeout_s=60), clock=age).game()
    start = lamp.requests.get(timeout=PATIENCE_S)
    table.throws(FARKLE).throws(FARKLE)
    eventually(lambda: told.newest() == 3)
    monkeypatch.undo()
    lamp.statuses.put(200)
    eventually(lambda: age.reads == 3)
    table.take(Undo())
    assert [start.event["event_type"], lamp.asked().event["event_type"]] == ["start", "undo"]


def test_a_hook_goes_on_after_the_journal_has_lost_its_place(
    told: Told, lamp: Lamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "KEPT", 1)
    table = told.hook(HookConfig(url=lamp.url, kinds=("start", "farkle"))).game()
    assert lamp.requests.get(timeout=PATIENCE_S).event["event_type"] == "start"  # it is not answered yet
    table.game().throws(FARKLE)
    table.host.consult(lambda journal: journal.delete(1)).result(PATIENCE_S)
    eventually(lambda: told.newest() == 3)
    monkeypatch.undo()
    lamp.statuses.put(200)

    def again() -> bool:
        table.throws(FARKLE)
        return not lamp.requests.empty()

    eventually(again)
    assert lamp.asked().event["event_type"] == "farkle"
    assert degraded(table) == ()


def test_what_fails_is_said_once_tried_again_and_said_to_work(told: Told, lamp: Lamp) -> None:
    table = told.hook(HookConfig(url=lamp.url, kinds=("farkle",), max_age_s=3600)).game().throws(FARKLE)
    acts = [lamp.asked(status).event["act"] for status in (503, 404, 302, 200)]
    assert acts == [2, 2, 2, 2]
    eventually(lambda: degraded(table) == ())
    said = {fault for update in table.told for fault in update.view.degraded}
    assert said == {"Hook 1 does not receive events: expected a status from 200 to 299, got 503"}


def test_an_event_that_nobody_took_in_time_is_dropped_and_the_next_one_is_sent(told: Told, lamp: Lamp) -> None:
    age = Age()
    table = told.hook(HookConfig(url=lamp.url, kinds=("farkle", "undo")), clock=age).game().throws(FARKLE)
    assert lamp.requests.get(timeout=PATIENCE_S).event["event_type"] == "farkle"
    age.more_s = 11
    lamp.statuses.put(503)
    eventually(lambda: age.reads == 2)
    age.more_s = 0
    table.take(Undo())
    assert lamp.asked().event["event_type"] == "undo"
    eventually(lambda: degraded(table) == ())


def test_an_event_that_comes_after_the_fact_says_so(told: Told, lamp: Lamp) -> None:
    told.hook(HookConfig(url=lamp.url, kinds=("farkle",)), clock=Age(6.0)).game().throws(FARKLE)
    assert lamp.asked().event["late"] is True


def test_templates_fill_in_the_fields_of_the_event_and_the_secret(told: Told, lamp: Lamp, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("one\n", encoding="utf-8")
    hook = HookConfig(
        url=lamp.url + "/{{ event_type }}/{{ player | urlencode }}",
        headers=("authorization: Bearer {{ secret }}", "Content-Type: text/plain", "x-text: {{ text }}"),
        body="{{ player }} ({{ seat }}): {{ faces | tojson }}, then {{ standing.to_move }}",
        kinds=("farkle",),
        secret_file=str(secret),
    )
    table = told.hook(hook).game("Zoë Ray", "Ben").throws(FARKLE)
    sent = lamp.asked()
    assert sent.path == "/farkle/Zo%C3%AB%20Ray"
    assert sent.body == "Zoë Ray (1): [3, 3, 4, 4, 6, 6], then 2"
    assert (sent.headers["authorization"], sent.headers["content-type"]) == ("Bearer one", "text/plain")
    secret.write_text("two", encoding="utf-8")  # it is read each time
    table.throws(FARKLE)
    assert lamp.asked().headers["authorization"] == "Bearer two"


def refused(**given: object) -> str:
    """Return what a try of a hook says, which fails."""
    with pytest.raises(HookError) as caught:
        send(HookConfig(**given), examples()[KINDS.index("farkle")], threading.Event())
    return str(caught.value)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize(
    ("hook", "said"),
    [
        ({"url": "http://127.0.0.1:FREE/{{ secret }}"}, "expected an answer within 5 s, got: Connection refused"),
        ({"url": "https://127.0.0.1:LAMP/{{ secret }}"}, "expected an answer within 5 s, got: "),
        ({"url": "http://127.0.0.1:{{ secret }}"}, "expected an answer within 5 s, got: InvalidURL"),
        ({"url": "http://127.0.0.1:LAMP/{{ secret }}"}, "expected a status from 200 to 299, got 500"),
        ({"url": "http://127.0.0.1:LAMP/s3same", "timeout_s": 0.1}, "expected an answer within 0.1 s, got: "),
        (
            {"url": "http://127.0.0.1:FREE", "headers": ("x: s3same\n{{ secret }}",)},
            "within 5 s, got: ",
        ),
        (
            {"url": "http://127.0.0.1:FREE", "body": "{{ standing[secret] }}"},
            "expected a template that a farkle can fill in as body, got UndefinedError",
        ),
        ({"command": ("/nowhere/{{ secret }}",)}, "expected a program that can be started, got: No such file or direc"),
        ({"command": ("false", "{{ secret }}")}, "expected the command to end with status 0, got status 1"),
    ],
)
def test_no_secret_reaches_an_error_or_the_log(
    hook: dict, said: str, lamp: Lamp, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = tmp_path / "secret"
    secret.write_text("s3same", encoding="utf-8")
    if "timeout_s" not in hook:
        lamp.statuses.put(500)
    for key in {"url"} & hook.keys():
        hook = {**hook, key: hook[key].replace("LAMP", str(lamp.port)).replace("FREE", str(free_port()))}
    reason = refused(**hook, secret_file=str(secret))
    assert said in reason
    assert "s3same" not in reason + caplog.text
    assert "127.0.0.1" not in reason + caplog.text


def test_a_secret_that_is_missing_is_a_clear_error() -> None:
    assert refused(url="http://127.0.0.1:1", secret_file="/nowhere") == (
        "expected the text of secret_file, got: No such file or directory"
    )


# --- a command ---


def test_a_command_gets_the_event_on_its_standard_input_without_a_shell(told: Told, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    os.mkfifo(heard)
    script = tmp_path / "told.sh"
    script.write_text(f'#!/bin/sh\n{{ echo "$1"; cat; }} > {heard}\n', encoding="utf-8")
    script.chmod(0o755)
    told.hook(HookConfig(command=(str(script), "$HOME {{ player }}; ls"), kinds=("farkle",))).game().throws(FARKLE)
    words, event = heard.read_text(encoding="utf-8").splitlines()
    assert words == "$HOME Ann; ls"
    assert json.loads(event)["event_type"] == "farkle"


def test_a_command_that_does_not_end_in_time_is_killed() -> None:
    said = refused(command=("sleep", "3600"), timeout_s=0.1)
    assert said == "expected the command to end within 0.1 s, and it was killed"


def test_a_command_ends_with_its_table_and_its_children_too(told: Told, tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    script = 'sleep 3600 & echo $$ $! > "$1"; wait'
    hook = HookConfig(command=("sh", "-c", script, "sh", str(started)), kinds=("farkle",), timeout_s=60)
    told.hook(hook).game().throws(FARKLE)
    processes = [int(each) for each in started.read_text(encoding="utf-8").split()]
    told.stack.close()
    assert [ended(each, PATIENCE_S) for each in processes] == [True, True]


# --- a listener ---

LISTENER = """
import threading

got = threading.listened_by_the_test

def on_event(event):
    got.put(event)
    if event.event_type == "farkle":
        raise SystemExit("s3same")
"""


@pytest.fixture
def got(monkeypatch: pytest.MonkeyPatch) -> "queue.Queue[AnyEvent]":
    """Give the events that `LISTENER` has got."""
    events: queue.Queue[AnyEvent] = queue.Queue()
    monkeypatch.setattr(threading, "listened_by_the_test", events, raising=False)
    return events


def file_of(folder: Path, text: str) -> str:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_listener_that_fails_is_degraded_alone_and_the_game_goes_on(
    told: Told, lamp: Lamp, got: "queue.Queue[AnyEvent]", tmp_path: Path
) -> None:
    kinds = ("farkle", "undo")
    hooks = HookConfig(listener=file_of(tmp_path, LISTENER), kinds=kinds), HookConfig(url=lamp.url, kinds=kinds)
    table = told.hook(*hooks).game().throws(FARKLE)
    event = got.get(timeout=PATIENCE_S)
    assert isinstance(event, Farkle)
    assert (event.text, event.player, event.in_a_row) == ("Farkle.", "Ann", 1)
    assert lamp.asked().event["event_type"] == "farkle"
    eventually(lambda: bool(degraded(table)))
    assert degraded(table) == (
        "Hook 1 does not receive events: expected on_event to return, got: SystemExit at mine.py:9",
    )
    assert table.take(Undo()).phase == "to_throw"
    assert lamp.asked().event["event_type"] == "undo"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "got: expected a function on_event in '"),
        ("def on_event(): pass", "got: on_event() takes 0 positional arguments but 1 was given"),
        ("def on_event(event):\n  return (", "got: SyntaxError at mine.py:2"),
        ("import nothing_of_that_name", "got: No module named 'nothing_of_that_name'; "),
        ("raise OSError('s3same')", "got: OSError at mine.py:1"),
        ("def on_event(event):\n  event.act = 's3same'", "got: FrozenInstanceError at mine.py:2 > <string>:"),
        ("import threading\ndef on_event(event): threading.Event().wait(60)", "to return within 0.2 s"),
    ],
)
def test_a_listener_that_cannot_be_used_says_why(tmp_path: Path, text: str, said: str) -> None:
    listener = listener_of(HookConfig(listener=file_of(tmp_path, text), timeout_s=0.2))
    with pytest.raises(HookError) as caught:
        listener.tell(examples()[0])
    assert said in str(caught.value)
    assert "s3same" not in str(caught.value)


def test_a_listener_that_still_runs_is_not_called_again(tmp_path: Path) -> None:
    go = threading.Event()
    listener = Listener(lambda: lambda _: go.wait(PATIENCE_S), 0.1)
    for said in ("expected on_event to return within 0.1 s", "expected on_event to return, and it still runs"):
        with pytest.raises(HookError) as caught:
            listener.tell(examples()[0])
        assert str(caught.value) == said
    go.set()


# --- the configuration and the trial ---


@pytest.mark.parametrize(
    ("hooks", "said"),
    [
        ([{}], "hook[1]: expected one of url, command and listener, got none"),
        (
            [{"url": "http://a", "command": ["b"]}],
            "hook[1]: expected one of url, command and listener, got url and",
        ),
        (
            [{"url": "http://a"}, {"url": "http://a", "kinds": ["farkel"]}],
            f"hook[2].kinds: expected one of {', '.join(KINDS)}, got 'farkel'",
        ),
        ([{"url": "ftp://lamp/s3same"}], "hook[1].url: expected http:// or https:// and a host, got 'ftp://la'"),
        ([{"url": "http:///{{ secret }}"}], "hook[1].url: expected http:// or https:// and a host, got 'http:///'"),
        ([{"url": "http://a", "body": "{{ player"}], "hook[1].body: expected a template of the event's fields, got: "),
        (
            [{"url": "http://a", "body": "{{ faces }}", "kinds": ["throw", "bank"]}],
            "hook[1].body: expected a template of the event's fields, got: 'faces' is undefined (kind bank)",
        ),
        ([{"url": "http://a", "headers": ["s3same"]}], "hook[1].headers: expected NAME: VALUE, got a text without a c"),
        ([{"listener": "/nowhere/lamp.py"}], "hook[1].listener: expected a Python file, got '/nowhere/lamp.py', which"),
        ([{"url": "http://a", "timeout_s": 0}], "hook[1].timeout_s: expected 0.1 to 60, got 0"),
        ([{"url": "{{ secret }}"}, {"command": ["{{ player }}"]}], ""),
    ],
)
def test_a_mistake_of_the_configuration_names_the_hook_and_its_key(hooks: list[dict], said: str) -> None:
    try:
        found = [line for line in unusable(config_from({"hook": hooks})) if line.startswith("hook")]
    except ConfigError as error:
        found = [str(error)]
    assert [line[: len(said)] for line in found] == ([said] if said else [])
    assert "s3same" not in "".join(found)


def test_a_check_of_the_configuration_says_what_is_wrong_with_each_hook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    hooks = ("url = 'http://a'\nmax_age_s = 0", "url = 'ftp://a'", "url = 'http://a'\nkind = ['win']", "body = 'a'")
    file.write_text("".join(f"[[hook]]\n{hook}\n" for hook in hooks), encoding="utf-8")
    assert check_config(file) == 1
    said = [line.removeprefix(f"{file}: ").partition(": ")[0] for line in capsys.readouterr().out.splitlines()]
    assert said == ["hook[1].max_age_s", "hook[3].kind", "hook[2].url", "hook[4]"]


def test_the_trial_sends_each_hook_one_of_each_of_its_kinds(
    tmp_path: Path, lamp: Lamp, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    url = f"url = '{lamp.url}/s3same'"
    file.write_text(f"[[hook]]\n{url}\nkinds = ['win', 'farkle']\n[[hook]]\n{url}\nkinds = ['bank']", encoding="utf-8")
    for status in (200, 404, 204):
        lamp.statuses.put(status)
    assert selftest_hooks(file) == 1
    assert capsys.readouterr().out.splitlines() == [
        "hook 1, farkle: status 200",
        "hook 1, win: expected a status from 200 to 299, got 404",
        "hook 2, bank: status 204",
    ]
    assert [lamp.requests.get().event["event_type"] for _ in range(3)] == ["farkle", "win", "bank"]
    lamp.statuses.put(200)
    file.write_text(f"[[hook]]\n{url}\nkinds = ['win']\n", encoding="utf-8")
    assert selftest_hooks(file) == 0


def test_the_trial_without_a_hook_says_what_it_needs(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"expected a section \[\[hook\]\] in the configuration, got none"):
        selftest_hooks(file)


# --- the examples of docs/hooks.md ---

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLE_HOOKS = DOCS / "examples" / "hooks"


def hooks_in(file: str, **fields: str) -> tuple[HookConfig, ...]:
    """Return the hooks of an example, with some texts replaced by others."""
    text = (EXAMPLE_HOOKS / file).read_text(encoding="utf-8")
    for key, other in fields.items():
        assert key in text
        text = text.replace(key, other)
    return config_from(tomllib.loads(text)).hook


def test_the_docs_name_every_kind() -> None:
    text = (DOCS / "hooks.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f"`{kind}`" not in text] == []


def test_the_presets_of_a_wled_are_called(lamp: Lamp) -> None:
    hooks = hooks_in("wled.toml", **{"http://wled.local": lamp.url})
    for _ in hooks:
        lamp.statuses.put(200)
    assert [good for _, good in trials(replace(Config(), hook=hooks))] == [True] * 3
    sent = [lamp.requests.get() for _ in hooks]
    assert [(each.path, each.event) for each in sent] == [("/json/state", {"ps": number}) for number in (1, 2, 3)]


def test_a_message_goes_to_a_phone_and_a_sound_is_played(
    lamp: Lamp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, played = tmp_path / "token", tmp_path / "played"
    secret.write_text("one", encoding="utf-8")
    (tmp_path / "aplay").write_text(f'#!/bin/sh\necho "$*" > {played}\n', encoding="utf-8")
    (tmp_path / "aplay").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    places = {"https://push.example.org": lamp.url, "/etc/farklecrib/push-token": str(secret)}
    lamp.statuses.put(200)
    config = replace(Config(), hook=hooks_in("phone_and_sound.toml", **places))
    assert [good for _, good in trials(config)] == [True, True]
    sent = lamp.requests.get()
    assert (sent.path, sent.headers["authorization"]) == ("/crib?title=Farkle%20Crib", "Bearer one")
    assert sent.body.strip() == "Ann wins."
    assert played.read_text(encoding="utf-8") == "--quiet /etc/farklecrib/bump.wav\n"


def test_listeners_of_a_file_and_of_a_package_hear_what_happens_at_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, serial = tmp_path / "farkles.json", tmp_path / "ttyUSB0"
    os.mkfifo(serial)
    monkeypatch.setenv("FARKLES", str(counts))
    monkeypatch.setenv("LAMP", str(serial))
    feature = runpy.run_path(str(EXAMPLE_HOOKS / "lamp.py"))["FEATURE"]
    hook = HookConfig(listener=str(EXAMPLE_HOOKS / "farkles.py"))
    config = replace(Config(), hook=(hook,))
    with launched(
        tmp_path / "games", NewGame("farkle-cribbage", ("Ann", "Ben")), config, features=(*FEATURES, feature)
    ) as made:
        made.host.submit(seen(FARKLE)).result(PATIENCE_S)
        assert serial.read_bytes() == bytes.fromhex("e69f00")
        eventually(lambda: counts.exists() and counts.read_text(encoding="utf-8") == '{"Ann": 1}')
