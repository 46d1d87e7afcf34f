"""The guard before every route: it checks Host, Origin, rate, type and size of each request, and denies by default.

A refusal that a person can meet is in that person's language. An error that only a program can make is in English.

Everyone may watch, except the camera's pictures. Playing needs a paired phone, which shows its token in a cookie, or
this machine. A write comes from the table's own page (Origin and Sec-Fetch-Site) or from a script on this machine. A
body is JSON of at most 16 KiB, a picture of the phone that is the camera, or a backup; it has ten seconds. Who may
write is checked when the head is here and again when the body is: a phone may be taken away meanwhile. A client that
sends too many requests is slowed down. The guard stands before the router, so a new route cannot escape it.
"""

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.config import WebConfig
from companion.web.address import own_hosts
from companion.web.guard import clients, limits
from companion.web.guard.connections import CONNECTION
from companion.web.request_reports import is_misdirected, redirect_to_https
from companion.web.schema import problem

if TYPE_CHECKING:
    from companion.web.table import WebTable

OPEN_WRITES = frozenset({"/api/v1/pairing/ask", "/api/v1/pairing/answer"})
"""The paths of the writes by which a phone gets in. Everyone may send them from the table's own page."""

CAMERA_WRITES = "/api/v1/camera"
"""The beginning of the paths of a phone that is the table's camera. Such a phone may send no others."""

PICTURES = f"{CAMERA_WRITES}/pictures"
"""The path to which the camera's phone sends its pictures."""

RESTORE = "/api/v1/set-up/games"
"""The path to which a backup is brought. Its body is not kept in memory."""

_BODY_REFUSED = frozenset({408, 413})
"""The statuses of a body that comes too late, or is too large: it is not read to its end."""

_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
"""A host and its port in lower case."""

_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_READS = frozenset({"GET", "HEAD"})
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


class RequestGuard:
    """ASGI middleware that admits a request or answers it with a problem."""

    def __init__(self, app: ASGIApp, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Stand before an application, whose state has its `table`, or its `config` alone while there is none.

        Args:
            app: the application.
            clock: seconds that never go back.
        """
        self._app = app
        self._clock = clock
        self._throttles = {
            rate: limits.Throttle(rate) for rate in (limits.READS, limits.JSON.rate, limits.JPEG.rate, limits.ZIP.rate)
        }
        self._sends_pictures = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with a problem."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        app, more = redirect_to_https if is_misdirected(scope) else self._app, True

        async def following() -> Message:
            nonlocal more
            message = await receive()
            more = message.get("more_body", False)
            return message

        channel: Receive = following
        try:
            channel = await self._admit(scope, following)
        except HTTPException as refusal:
            # A connection that closes on an unread body loses its answer.
            if more and refusal.status_code not in _BODY_REFUSED:
                with suppress(HTTPException):
                    await limits.read_body(following, _headers(scope), limits.JPEG.most_bytes)
            app = problem(refusal.status_code, refusal.detail, {"connection": "close", **(refusal.headers or {})})
        await app(scope, channel, _with_headers(send))

    async def _admit(self, scope: Scope, receive: Receive) -> Receive:
        """Return the channel that the application reads the body from.

        Raises:
            HTTPException: if the request is refused.
        """
        headers = _headers(scope)
        method, host = scope["method"], headers.get("host", "")
        client = self._client_of(scope, headers)
        if not client.local:
            await self._slow_down(scope, client)
            client = self._client_of(scope, headers)
        if not _is_own(scope, host):
            raise HTTPException(421, f"expected this table's own address, got {host!r}")
        if is_misdirected(scope):
            return receive
        if method in _READS:
            _check_read(headers)
            return receive
        if method not in _WRITES:
            raise HTTPException(405, f"expected GET or POST, got {method!r}")
        self._check_write(scope, headers, client)
        scope[clients.CHECK_AGAIN] = check_again = partial(self._check_again, scope, headers)
        if scope["path"] == RESTORE:
            return limits.limited_body(receive, headers, limits.ZIP.most_bytes, check_again)
        if scope["path"] != PICTURES:
            body = await limits.read_body(receive, headers, limits.JSON.most_bytes)
            check_again()
            return limits.replay(body, receive)
        if self._sends_pictures:
            raise HTTPException(429, "expected one picture at a time")
        self._sends_pictures = True
        try:
            body = await limits.read_body(receive, headers, limits.JPEG.most_bytes)
            check_again()
            return limits.replay(body, receive)
        finally:
            self._sends_pictures = False

    def _check_again(self, scope: Scope, headers: dict[str, str]) -> None:
        """Check that a write may still be sent; `HTTPException` reaches the caller if not."""
        self._check_write(scope, headers, self._client_of(scope, headers))

    def _client_of(self, scope: Scope, headers: dict[str, str]) -> clients.Client:
        """Note who sends a request, and return it: this machine only by a name that its network knows it by."""
        table = _table_of(scope)
        local = clients.is_this_machine(scope) and _is_own(scope, headers.get("host", ""), by_neighbours=True)
        readable = scope["scheme"] == "https" or not (table and table.secure_address())
        token = clients.token_in(headers.get("cookie", ""), clients.cookie_name(scope)) if readable else ""
        phone = table.pairing.phones.use(token) if table and token else None
        sets_up = table is not None and phone is not None and table.pairing.may_set_up(phone.id)
        scope[clients.CLIENT] = client = clients.Client(local, phone, local or sets_up)
        if (connection := scope.get("state", {}).get(CONNECTION)) is not None:
            connection.phone = phone.id if phone else ""
        return client

    async def _slow_down(self, scope: Scope, client: clients.Client) -> None:
        """Delay a request of a client that sends too many.

        Raises:
            HTTPException: 429 if it would have to wait too long.
        """
        writes = scope["method"] in _WRITES
        sender = client.phone.digest if writes and client.phone else clients.address_of(scope)
        rate = _bodies(scope).rate if writes else limits.READS
        wait_s = self._throttles[rate].wait_s(sender, self._clock())
        if wait_s is None:
            raise HTTPException(
                429, clients.words_of(Request(scope))("access.too_many"), {"retry-after": "1", "refresh": "2"}
            )
        if wait_s:
            await asyncio.sleep(wait_s)

    def _check_write(self, scope: Scope, headers: dict[str, str], client: clients.Client) -> None:
        """Check that a write comes from the table's own page, or from a script on this machine, and may be sent.

        Raises:
            HTTPException: 403 or 415 if not.
        """
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin != f"{scope['scheme']}://{headers.get('host', '')}":
            raise HTTPException(403, f"expected this table's own page as origin, got {origin!r}")
        if site is not None and site != "same-origin":
            raise HTTPException(403, f"expected a write from this table's own page, got Sec-Fetch-Site {site!r}")
        if not client.local and origin is None and site is None:
            raise HTTPException(403, "expected a write from this table's own page")
        if not client.may_play and scope["path"] not in OPEN_WRITES:
            raise HTTPException(403, clients.words_of(Request(scope))("access.watch_only"))
        table = _table_of(scope)
        camera = table is not None and table.camera is not None and table.camera.is_camera(client.id)
        if camera and client.phone and not scope["path"].startswith(CAMERA_WRITES):
            raise HTTPException(403, clients.words_of(Request(scope))("access.is_camera"))
        if scope["path"] == PICTURES and not camera:
            raise HTTPException(403, clients.words_of(Request(scope))("access.not_camera"))
        if scope["path"] == RESTORE and not client.may_set_up:
            raise HTTPException(403, clients.words_of(Request(scope))("access.only_set_up"))
        wanted = _bodies(scope).kind
        kind = headers.get("content-type", wanted).partition(";")[0].strip().casefold()
        if kind != wanted:
            raise HTTPException(415, f"expected {wanted}, got {kind!r}")


def _table_of(scope: Scope) -> "WebTable | None":
    table: WebTable | None = getattr(scope["app"].state, "table", None)
    return table


def _is_own(scope: Scope, host: str, *, by_neighbours: bool = False) -> bool:
    """Return whether `host` is a name of the table or the address that the request came in on.

    Args:
        scope: the request.
        host: the host that it names.
        by_neighbours: leave out the names that the configuration gives the table, by which others may reach it.
    """
    table = _table_of(scope)
    config: WebConfig = table.config if table else scope["app"].state.config
    names = (*(table.names() if table else ()), *(() if table and by_neighbours else config.hosts))
    found = _HOST.fullmatch(host.casefold())
    name = found[1] if found else ""
    server = scope.get("server") or ("", 0)
    return name in own_hosts(config.host, names) or name.strip("[]") == server[0]


def _check_read(headers: dict[str, str]) -> None:
    """Check that no other site's page has asked: a read may cost work, and this machine has every right.

    Raises:
        HTTPException: 403 if one has. A person may follow its link.
    """
    site = headers.get("sec-fetch-site", "none")
    if site not in {"none", "same-origin"} and headers.get("sec-fetch-dest") != "document":
        raise HTTPException(403, f"expected a read of this table's own page, got Sec-Fetch-Site {site!r}")


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _bodies(scope: Scope) -> limits.BodyLimits:
    return {PICTURES: limits.JPEG, RESTORE: limits.ZIP}.get(scope["path"], limits.JSON)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return sending
