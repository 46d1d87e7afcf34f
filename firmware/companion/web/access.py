"""The guard before every route: it checks Host, Origin, rate, type and size of each request, and denies by default.

A refusal that a person can meet is in that person's language. An error that only a program can make is in English.

Everyone may watch, except the camera's pictures. Writing needs the table's own page (Origin and Sec-Fetch-Site) or a
script on this machine. A body has at most 16 KiB and ten seconds; an address that sends too many requests is slowed
down. The guard stands before the router, so a new route cannot escape it.
"""

import asyncio
import ipaddress
import socket
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.table.state.inputs import Origin
from companion.web.language import words_of
from companion.web.schema import Access, problem

TRUSTED = "companion.trusted"
"""The key of the ASGI scope that says whether the request comes from somebody who may play."""

MOST_BODY_BYTES = 16 * 1024
BODY_DEADLINE_S = 10.0
_BODY_REFUSED = frozenset({408, 413})
"""The statuses of a body that comes too late, or is too large: it is not read to its end."""

_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_READS = frozenset({"GET", "HEAD"})
_FORWARDED = frozenset({b"forwarded", b"via", b"x-real-ip"})
"""Headers that proxies add, beside those that begin with `x-forwarded-`."""

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob:; frame-ancestors 'self'; base-uri 'none'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

MOST_ADDRESSES = 256
"""Number of the latest addresses that the throttle remembers; a forgotten address starts afresh."""


@dataclass(frozen=True)
class Rate:
    """Requests a second, and how many may come at once after a pause; a further request waits `patience_s` at most."""

    a_second: float
    burst: int
    patience_s: float = 1.0


READS = Rate(20, 320)
"""A page and everything that it loads are about 25 reads, and twelve phones may share the address of a router."""

WRITES = Rate(5, 20)


@dataclass
class Throttle:
    """One rate for each address. It delays and refuses requests, and never bans an address."""

    rate: Rate
    _spent: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def wait_s(self, address: str, now_s: float) -> float | None:
        """Return how many seconds a request must wait, or None to refuse it; a refused request does not count.

        Args:
            address: the address that sent the request.
            now_s: the time in seconds, by any clock that never goes back.
        """
        spent, since_s = self._spent.pop(address, (0.0, now_s))
        spent = max(0.0, spent - (now_s - since_s) * self.rate.a_second)
        wait_s = max(0.0, (spent + 1 - self.rate.burst) / self.rate.a_second)
        refused = wait_s > self.rate.patience_s
        self._spent[address] = (spent if refused else spent + 1, now_s)
        while len(self._spent) > MOST_ADDRESSES:
            self._spent.popitem(last=False)
        return None if refused else wait_s


def own_hosts(host: str, names: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of this table: localhost, its machine's now, the address that it is bound to, and `names`."""
    name = socket.gethostname().casefold()
    own = {"localhost", "127.0.0.1", "[::1]", name, f"{name}.local", host.casefold()}
    return frozenset(own | {each.casefold() for each in names})


def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own; an IPv4 address may be written as IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def is_trusted(request: Request) -> bool:
    """Return whether a request comes from somebody who may play, and so may see the camera's pictures."""
    return bool(request.scope.get(TRUSTED, False))


def access_of(request: Request) -> Access:
    """Return what the client of a request may do. Only this machine may set the table up."""
    play = is_trusted(request)
    return Access(play, _is_this_machine(request.scope), "" if play else words_of(request)("access.watching"))


def origin_of(request: Request) -> Origin:
    """Return where the presses and answers of a request come from."""
    return Origin.MACHINE if _is_this_machine(request.scope) else Origin.NETWORK


def require_trusted(request: Request) -> None:
    """Refuse a request for the camera's pictures from somebody who may not play; a dependency of routes.

    Raises:
        HTTPException: 403.
    """
    if not is_trusted(request):
        raise HTTPException(403, words_of(request)("access.no_pictures"))


class RequestGuard:
    """ASGI middleware that admits a request or answers it with a problem."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Callable[[], Iterable[str]],
        network_writes: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._clock = clock
        self._reads, self._writes = Throttle(READS), Throttle(WRITES)
        self._hosts = hosts
        self._network_writes = network_writes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        app = self._app
        try:
            receive = await self._admit(scope, receive)
        except HTTPException as refusal:
            if refusal.status_code not in _BODY_REFUSED:  # a connection that closes on an unread body loses its answer
                with suppress(HTTPException):
                    await _read_body(receive, _headers(scope))
            app = problem(refusal.status_code, refusal.detail, {"connection": "close", **(refusal.headers or {})})
        await app(scope, receive, _with_headers(send))

    async def _admit(self, scope: Scope, receive: Receive) -> Receive:
        """Return the channel that the application reads the body from.

        Raises:
            HTTPException: if the request is refused.
        """
        local = _is_this_machine(scope)
        if not local:
            await self._slow_down(scope)
        scope[TRUSTED] = self._network_writes or local
        headers = _headers(scope)
        method, host = scope["method"], headers.get("host", "")
        if not self._is_own(scope, host):
            raise HTTPException(421, f"expected this table's own address, got {host!r}")
        if method in _READS:
            return receive
        if method not in _WRITES:
            raise HTTPException(405, f"expected GET or POST, got {method!r}")
        self._check_write(scope, headers, host, local=local)
        return _replay(await _read_body(receive, headers), receive)

    async def _slow_down(self, scope: Scope) -> None:
        """Delay a request of an address that sends too many.

        Raises:
            HTTPException: 429 if it would have to wait too long.
        """
        throttle = self._writes if scope["method"] in _WRITES else self._reads
        wait_s = throttle.wait_s(_client(scope), self._clock())
        if wait_s is None:
            raise HTTPException(429, words_of(Request(scope))("access.too_many"), {"retry-after": "1", "refresh": "2"})
        if wait_s:
            await asyncio.sleep(wait_s)

    def _check_write(self, scope: Scope, headers: dict[str, str], host: str, *, local: bool) -> None:
        """Check that a write comes from the table's own page or from a script on this machine.

        Raises:
            HTTPException: 403 or 415 if not.
        """
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin != f"http://{host}":
            raise HTTPException(403, f"expected this table's own page as origin, got {origin!r}")
        if site is not None and site != "same-origin":
            raise HTTPException(403, f"expected a write from this table's own page, got Sec-Fetch-Site {site!r}")
        if not local and origin is None and site is None:
            raise HTTPException(403, "expected a write from this table's own page")
        if not local and not self._network_writes:
            raise HTTPException(403, words_of(Request(scope))("access.watch_only"))
        kind = headers.get("content-type", "application/json").partition(";")[0].strip().casefold()
        if kind != "application/json":
            raise HTTPException(415, f"expected application/json, got {kind!r}")

    def _is_own(self, scope: Scope, host: str) -> bool:
        """Return whether `host` is one of the table's names or the address that the request came in on."""
        name, colon, port = host.casefold().rpartition(":")
        if not colon or port.endswith("]"):
            name = host.casefold()
        server = scope.get("server") or ("", 0)
        return name in self._hosts() or name.strip("[]") == server[0]


def _is_this_machine(scope: Scope) -> bool:
    """Return whether a request comes from this machine: by loopback, or from the very address that it came in on.

    A request that a proxy forwarded comes from somewhere else, even if the proxy runs on this machine.
    """
    if any(name in _FORWARDED or name.startswith(b"x-forwarded-") for name, _ in scope["headers"]):
        return False
    client, server = _client(scope), scope.get("server") or ("", 0)
    return is_loopback(client) or client == server[0] != ""


def _client(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


async def _read_body(receive: Receive, headers: dict[str, str]) -> bytes:
    """Return the whole body of a request.

    Raises:
        HTTPException: 413 if it is too large, 408 if it does not come in time.
    """
    length = headers.get("content-length", "0")
    body, more = bytearray(), True
    late = HTTPException(408, "expected the whole body within ten seconds")
    try:
        async with asyncio.timeout(BODY_DEADLINE_S):
            while more and length.isdecimal() and max(int(length), len(body)) <= MOST_BODY_BYTES:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise late
                body += message.get("body", b"")
                more = message.get("more_body", False)
    except TimeoutError as error:
        raise late from error
    if more or len(body) > MOST_BODY_BYTES:
        raise HTTPException(413, "expected at most 16 KiB")
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives a body which was already read, then the messages after it."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return first.pop() if first else await receive()

    return replay


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return sending
