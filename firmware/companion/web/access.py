"""The guard before every route: whose Host, whose Origin, how much. Deny by default.

Watching is open, but for the camera's pictures; writing needs the table's own page (Origin and Sec-Fetch-Site) or a
script on this machine. A body has 16 KiB and ten seconds; an address that asks too fast is held back. The guard stands
before the router, so a new route cannot escape it.
"""

import asyncio
import ipaddress
import socket
import time
from collections.abc import Callable, Iterable

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.problems import send_problem
from companion.web.throttle import READS, WRITES, Throttle

MAY_NOT_SEE = "the camera's pictures are not shown to the network (web.writes in the configuration)"
NEAR = "companion.near"

MOST_BODY_BYTES = 16 * 1024
BODY_DEADLINE_S = 10.0
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_READS = frozenset({"GET", "HEAD"})

HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def own_hosts(host: str) -> frozenset[str]:
    """The names this table answers to: localhost, this machine's name, and the address it is bound to."""
    name = socket.gethostname().casefold()
    return frozenset({"localhost", "127.0.0.1", "[::1]", name, f"{name}.local", host.casefold()})


def near(request: Request) -> bool:
    """Whether the request comes from who may play, and so may see the camera's pictures; the guard says so."""
    return bool(request.scope.get(NEAR, False))


class Guard:
    """ASGI middleware; see the module."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str],
        network_writes: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._clock = clock
        self._reads, self._writes = Throttle(READS), Throttle(WRITES)
        self._hosts = frozenset(hosts)
        self._network_writes = network_writes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if not await self._in_time(scope):
            await send_problem(send, 429, "expected fewer requests; wait a moment", (*HEADERS, (b"retry-after", b"1")))
            return
        scope[NEAR] = self._network_writes or _is_loopback(_client(scope))
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await send_problem(send, *refusal, HEADERS)
            return
        if scope["method"] in _WRITES:
            body = await _body(receive, headers)
            if isinstance(body, int):
                words = "expected at most 16 KiB" if body == 413 else "expected the whole body within ten seconds"
                await send_problem(send, body, words, HEADERS)
                return
            receive = _again(body, receive)
        await self._app(scope, receive, _with_headers(send))

    async def _in_time(self, scope: Scope) -> bool:
        """Hold a request back that comes too fast; whether it may go on. This machine's own are never too many."""
        address = _client(scope)
        if _is_loopback(address):
            return True
        throttle = self._writes if scope["method"] in _WRITES else self._reads
        wait_s = throttle.wait_s(address, self._clock())
        if wait_s is None:
            return False
        if wait_s:
            await asyncio.sleep(wait_s)
        return True

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        method = scope["method"]
        host = headers.get("host", "")
        if not self._own(scope, host):
            return 421, f"expected this table's own address, got {host!r}"
        if method in _READS:
            return None
        if method not in _WRITES:
            return 405, f"expected GET or POST, got {method!r}"
        return self._write_refusal(scope, headers, host)

    def _write_refusal(self, scope: Scope, headers: dict[str, str], host: str) -> tuple[int, str] | None:
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        local = _is_loopback(_client(scope))
        if origin is not None and origin != f"http://{host}":
            return 403, f"expected this table's own page as origin, got {origin!r}"
        if site is not None and site != "same-origin":
            return 403, f"expected a write from this table's own page, got Sec-Fetch-Site {site!r}"
        if not local and origin is None and site is None:
            return 403, "expected a write from this table's own page"
        if not local and not self._network_writes:
            return 403, "writing from the network is off (web.writes in the configuration)"
        kind = headers.get("content-type", "application/json").partition(";")[0].strip().casefold()
        if kind != "application/json":
            return 415, f"expected application/json, got {kind!r}"
        return None

    def _own(self, scope: Scope, host: str) -> bool:
        """Whether the Host is ours: one of our names, or the very address that the request came in on."""
        name, colon, port = host.casefold().rpartition(":")
        if not colon or port.endswith("]"):
            name = host.casefold()
        server = scope.get("server") or ("", 0)
        return name in self._hosts or name.strip("[]") == server[0]


def _client(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


async def _body(receive: Receive, headers: dict[str, str]) -> bytes | int:
    """The whole body, or the status that refuses it."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MOST_BODY_BYTES:
        return 413
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_DEADLINE_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return 408
                body += message.get("body", b"")
                if len(body) > MOST_BODY_BYTES:
                    return 413
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        return 408


def _again(body: bytes, rest: Receive) -> Receive:
    given = False

    async def receive() -> Message:
        nonlocal given
        if given:
            return await rest()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return sending
