"""Reports of requests to their connections, and the answers at the table's end and to plain HTTP on the port of TLS."""

import asyncio

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.guard.connections import CONNECTION
from companion.web.schema import problem

_CLOSE = {"connection": "close"}


class RequestReports:
    """ASGI middleware that reports each request to its connection; it stands before all other middleware.

    A response that is sent before the request's body was read says `connection: close`: nobody will read the rest.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Report the request's start, run the application, and report the request's end.

        Raises:
            CancelledError: if the server ends in the middle of an answer.
        """
        connection = scope.get("state", {}).get(CONNECTION)
        if connection is None:  # the lifespan, and tests that call the application without a socket
            await self._app(scope, receive, send)
            return
        unread = any(
            name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
            for name, value in scope["headers"]
        )

        began = False

        async def receiving() -> Message:
            nonlocal unread
            message = await receive()
            connection.unread = unread = unread and message.get("more_body", False)
            return message

        async def sending(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                headers = [*message.get("headers", ())]
                if any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers):
                    connection.stream_began()
                if unread:
                    message = {**message, "headers": [*headers, (b"connection", b"close")]}
            await send(message)

        connection.request_began()
        connection.unread = unread
        try:
            await self._app(scope, receiving, sending)
        except asyncio.CancelledError:  # the server ends, and would answer 500
            if began:
                raise
            await problem(503, "the table has ended")(scope, receiving, sending)
        finally:
            connection.request_ended()


def is_misdirected(scope: Scope) -> bool:
    """Return whether a client speaks plain HTTP to the port of TLS."""
    connection = scope.get("state", {}).get(CONNECTION)
    return connection is not None and connection.misdirected


async def redirect_to_https(scope: Scope, receive: Receive, send: Send) -> None:
    """Send a browser that has asked for `http://` to `https://` at the same address; refuse anything else.

    The guard has checked that the address is the table's own.
    """
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    path, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
    if scope["method"] in {"GET", "HEAD"} and path.startswith("/"):
        to = f"https://{host}{path}{f'?{query}' if query else ''}"
        await RedirectResponse(to, 307, _CLOSE)(scope, receive, send)
    else:
        await PlainTextResponse("expected https:// at this port, got http://", 400, _CLOSE)(scope, receive, send)
