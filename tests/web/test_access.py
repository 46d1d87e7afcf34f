"""The guard of the API: Host, Origin, rate and the size of a body are checked on every route, also on new ones."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from served import Served, refusal, served
from starlette.routing import BaseRoute, Mount, Route

from companion.config import WebConfig
from companion.errors import PortInUseError
from companion.web.app import make_trouble_app
from companion.web.guard import limits
from companion.web.guard.access import RequestGuard
from companion.web.guard.limits import JSON, MOST_CLIENTS, READS, WRITES, Rate, Throttle
from companion.web.server import another_port, bind
from companion.words import Languages, english

EVIL_HOSTS = [
    "127.0.0.1:8121@evil.example",
    "evil.example",
    "evil.example:8080",
    "127.0.0.1.evil.example",
    "192.0.2.7",
    "",
    "localhost.evil.example",
]
EVIL_ORIGINS = ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a table on which a minute passes between any two requests, so that none is delayed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RequestGuard.__init__.__kwdefaults__, "clock", count(step=60).__next__)
        with served(tmp_path_factory.mktemp("access")) as running:
            yield running


FILLED = {"button": "keep", "key": "classic", "page": "sound", "paper": "a4", "kind": "svg", "path": "none"}
"""What stands for the parameters of a path that are no numbers."""


def iter_routes(routes: Iterable[BaseRoute]) -> Iterator[Route | Mount]:
    for route in routes:
        if isinstance(route, Route | Mount):
            yield route
        else:
            yield from iter_routes(route.original_router.routes)  # FastAPI's form of an included router


def routes(app: FastAPI) -> list[tuple[str, str]]:
    """Return every method and path of the application, documented or not, and one of each kind that it lacks.

    The parameters of the paths are filled in.
    """
    found = []
    for route in iter_routes(app.routes):
        path = route.path + ("/{path:path}" if isinstance(route, Mount) else "")
        filled = re.sub(r"{(\w+)(:path)?}", lambda gap: FILLED.get(gap[1], "1"), path)
        found += [(method, filled) for method in getattr(route, "methods", None) or ("GET",)]
    return [*found, ("POST", "/nowhere"), ("POST", "/static/none"), ("GET", "/nowhere")]


def test_another_hosts_name_is_refused_on_every_route(table: Served) -> None:
    asked = [(method, path, EVIL_HOSTS[0]) for method, path in routes(table.app)]
    asked += [("GET", "/", host) for host in EVIL_HOSTS] + [("POST", "/api/v1/undo", host) for host in EVIL_HOSTS]
    for method, path, host in asked:
        answer = table.client.request(method, path, headers={"host": host}, json={} if method == "POST" else None)
        assert answer.status_code in ({400, 421} if not host else {421}), (method, path, host)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_sites_page_reads_nothing_in_passing(table: Served, site: str) -> None:
    for dest, status in (("image", 403), ("iframe", 403), ("empty", 403), ("document", 200)):
        headers = {"sec-fetch-site": site, "sec-fetch-dest": dest}
        assert table.client.get("/games", headers=headers).status_code == status


def test_another_origin_is_refused_on_every_write(table: Served) -> None:
    foreign = [*({"origin": each} for each in EVIL_ORIGINS)]
    foreign += [{"sec-fetch-site": each} for each in ("cross-site", "same-site", "none")]
    asked = [("POST", "/api/v1/undo", each) for each in foreign]
    for method, path in routes(table.app):
        if method in {"POST", "PUT", "DELETE"}:
            asked += [(method, path, foreign[0]), (method, path, foreign[-1])]
    for method, path, headers in asked:
        answer = table.client.request(method, path, json={}, headers=headers)
        assert answer.status_code == 403, (method, path, headers)


def test_names_of_the_machine_and_of_the_configuration_are_answered_and_none_like_them(tmp_path: Path) -> None:
    with served(tmp_path, hosts=("Farklecrib.lan",)) as named:
        for host in ("farklecrib.lan", "FARKLECRIB.LAN:8080", "localhost:8080", socket.gethostname()):
            assert named.client.get("/api/v1/state", headers={"host": host}).status_code == 200, host
        assert named.client.get("/api/v1/state", headers={"host": "a.farklecrib.lan"}).status_code == 421
        assert named.post("undo", host="farklecrib.lan", origin="http://evil.lan").status_code == 403


def test_the_page_of_a_table_that_cannot_play_has_the_same_names() -> None:
    app = make_trouble_app(WebConfig(hosts=("farklecrib.lan",)), Languages(english()), "no folder", bool)

    async def status(host: str) -> int:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://table") as client:
            return (await client.get("/", headers={"host": host})).status_code

    with start_blocking_portal() as portal:
        assert portal.call(status, "farklecrib.lan") == 503
        assert portal.call(status, "evil.lan") == 421


def test_a_refused_write_is_read_to_its_end_so_that_its_answer_is_not_lost(table: Served) -> None:
    parts = [bytes(50_000)] * 2  # as much as a picture of a camera

    async def body() -> AsyncIterator[bytes]:
        while parts:
            yield parts.pop()

    assert table.afar("POST", "/api/v1/undo", body(), origin="http://evil.example").status_code == 403
    assert parts == []


def test_a_body_above_16_kib_is_refused_by_its_header_and_by_its_true_length(table: Served) -> None:
    big = b'{"dice": [' + b"1," * JSON.most_bytes + b"1]}"
    kind = {"content-type": "application/json"}
    assert table.client.post("/api/v1/keep", content=big, headers=kind).status_code == 413

    def chunks() -> Iterator[bytes]:
        for start in range(0, len(big), 4096):
            yield big[start : start + 4096]

    assert table.client.post("/api/v1/keep", content=chunks(), headers=kind).status_code == 413


def test_a_body_that_does_not_come_in_time_is_refused(table: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.guard.limits.BODY_DEADLINE_S", 0.01)

    async def endless() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    answer = table.afar("POST", "/api/v1/undo", endless(), **table.phone())
    assert refusal(answer) == (408, "expected the whole body within 0.01 seconds")


def test_other_methods_and_other_kinds_of_bodies_are_refused(table: Served) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert table.client.request(method, "/api/v1/state").status_code == 405, method
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert table.client.post("/api/v1/undo", content=b"{}", headers={"content-type": kind}).status_code == 415, kind


def test_every_answer_carries_the_policies_and_no_cross_origin_header(table: Served) -> None:
    for path in ("/", "/api/v1/state", "/nowhere", "/static/none"):
        headers = table.client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_a_taken_port_is_one_clear_line() -> None:
    taken = bind("127.0.0.1", 0)
    taken.listen()
    port = taken.getsockname()[1]
    with pytest.raises(PortInUseError) as caught:
        bind("127.0.0.1", port)
    taken.close()
    said, _, offered = str(caught.value).partition("; ")
    assert said == f"expected a free address for the page, got 127.0.0.1:{port}: Address already in use"
    assert offered == f"--port takes another one: farklecrib play --port {another_port(port)}"


def test_small_answers_are_sent_at_once() -> None:
    async def delays() -> int:
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        class Told(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted = transport.get_extra_info("socket")
                told.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
                transport.close()

        bound = bind("127.0.0.1", 0)
        async with await asyncio.get_running_loop().create_server(Told, sock=bound):
            _, writer = await asyncio.open_connection(*bound.getsockname())
            no_delay = await asyncio.wait_for(told, 60)
            writer.close()
        return no_delay

    with start_blocking_portal() as portal:
        assert portal.call(delays) == 1


@pytest.mark.parametrize(("port", "another"), [(8080, 8081), (80, 8081), (65535, 8081), (1023, 1024)])
def test_another_port_is_one_that_everyone_may_take(port: int, another: int) -> None:
    assert another_port(port) == another


def test_too_many_writes_are_refused_from_the_network_but_not_from_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RequestGuard.__init__.__kwdefaults__, "clock", float)  # no time passes on a slow machine
    monkeypatch.setattr(limits, "JSON", replace(limits.JSON, rate=Rate(a_second=1000, burst=3, patience_s=0.0015)))
    with served(tmp_path) as table:
        phone, other = table.phone(), table.phone()
        statuses = [table.afar("POST", "/api/v1/undo", **phone).status_code for _ in range(6)]
        assert statuses == [422, 422, 422, 422, 429, 429]  # the fourth one is delayed
        assert [table.post("undo").status_code for _ in range(5)] == [422] * 5
        assert table.afar("POST", "/api/v1/undo", **other).status_code == 422  # of the same address


def test_a_burst_passes_at_once_and_what_comes_too_fast_waits_and_is_then_refused() -> None:
    throttle = Throttle(WRITES)
    waits = [throttle.wait_s("a", 0.0) for _ in range(27)]
    assert waits == [0.0] * 20 + [0.2, 0.4, 0.6, 0.8, 1.0] + [None, None]


def test_a_refused_client_may_soon_ask_again() -> None:
    throttle = Throttle(WRITES)
    for _ in range(100):
        throttle.wait_s("a", 0.0)
    assert throttle.wait_s("a", 1.2) is not None
    assert throttle.wait_s("a", 10.0) == 0.0


def test_one_address_does_not_slow_another() -> None:
    throttle = Throttle(READS)
    for _ in range(1000):
        throttle.wait_s("flood", 0.0)
    assert throttle.wait_s("honest", 0.0) == 0.0


def test_twelve_phones_that_load_the_page_through_one_router_are_no_flood() -> None:
    throttle = Throttle(READS)
    assert all(throttle.wait_s("router", number * 0.001) == 0.0 for number in range(12 * 26))


@pytest.mark.parametrize(("others", "remembered"), [(MOST_CLIENTS - 1, True), (MOST_CLIENTS, False)])
def test_of_many_addresses_only_the_latest_are_remembered(others: int, remembered: bool) -> None:
    throttle = Throttle(READS)
    for _ in range(READS.burst):
        throttle.wait_s("flood", 0.0)
    for number in range(others):
        throttle.wait_s(str(number), 0.0)
    assert (throttle.wait_s("flood", 0.0) != 0.0) == remembered


@given(st.lists(st.floats(0, 0.5), min_size=1, max_size=300))
def test_in_any_rhythm_no_more_pass_than_the_rate_and_one_burst(gaps: list[float]) -> None:
    rate = Rate(4, 6)
    throttle, now, passed = Throttle(rate), 0.0, 0
    for gap in gaps:
        now += gap
        passed += throttle.wait_s("a", now) is not None
    assert passed <= rate.burst + (now + rate.patience_s) * rate.a_second + 1e-6
