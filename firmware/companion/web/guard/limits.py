"""The limits of requests: how many of a client, and how large their bodies may be and how slow."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from companion.nothing import nothing

BODY_DEADLINE_S = 10.0

UPLOAD_S = 600.0
"""Seconds in which a whole backup must come: 64 MB at a megabit a second."""

MOST_CLIENTS = 256
"""Number of the latest clients that the throttle remembers; a forgotten one starts afresh."""


@dataclass(frozen=True)
class Rate:
    """Requests a second, and how many may come at once after a pause; a further request waits `patience_s` at most."""

    a_second: float
    burst: int
    patience_s: float = 1.0


READS = Rate(20, 320)
"""A page and everything that it loads are about 25 reads, and twelve phones may share the address of a router."""

WRITES = Rate(5, 20)


@dataclass(frozen=True)
class BodyLimits:
    """What the bodies of writes may be: their type, their most bytes, and how many may come."""

    kind: str
    most_bytes: int
    rate: Rate


JSON = BodyLimits("application/json", 16 * 1024, WRITES)
JPEG = BodyLimits("image/jpeg", 500_000, Rate(20, 20))
"""A camera's pictures."""

ZIP = BodyLimits("application/zip", 64 << 20, Rate(1, 2))
"""A backup to restore. It and the camera's pictures are the only bodies that are not JSON."""


@dataclass
class Throttle:
    """One rate for each client: a phone by its token, else an address. It delays and refuses, and never bans."""

    rate: Rate
    _spent: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def wait_s(self, client: str, now_s: float) -> float | None:
        """Return how many seconds a request must wait, or None to refuse it; a refused request does not count.

        Args:
            client: the phone or the address that sent the request.
            now_s: the time in seconds, by any clock that never goes back.
        """
        spent, since_s = self._spent.pop(client, (0.0, now_s))
        spent = max(0.0, spent - (now_s - since_s) * self.rate.a_second)
        wait_s = max(0.0, (spent + 1 - self.rate.burst) / self.rate.a_second)
        refused = wait_s > self.rate.patience_s
        self._spent[client] = (spent if refused else spent + 1, now_s)
        while len(self._spent) > MOST_CLIENTS:
            self._spent.popitem(last=False)
        return None if refused else wait_s


async def read_body(receive: Receive, headers: dict[str, str], most_bytes: int) -> bytes:
    """Return the whole body of a request; `HTTPException` reaches the caller as from `limited_body`."""
    channel, body, more = limited_body(receive, headers, most_bytes, whole_s=BODY_DEADLINE_S), bytearray(), True
    while more:
        message = await channel()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


def limited_body(
    receive: Receive,
    headers: dict[str, str],
    most_bytes: int,
    check_again: Callable[[], object] = nothing,
    whole_s: float = UPLOAD_S,
) -> Receive:
    """Return a channel that gives a body part by part, and refuses it where it is too large or comes too slowly.

    Args:
        receive: the channel of the request.
        headers: the headers of the request.
        most_bytes: the most bytes of the body.
        check_again: called for each part.
        whole_s: the seconds in which the whole body must come.

    Raises:
        HTTPException: 413 if the head says that it is too large; the channel raises it later, or 408.
    """
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most_bytes:
        raise HTTPException(413, f"expected at most {most_bytes:,} bytes")
    clock = asyncio.get_running_loop().time
    left, until_s, more = most_bytes, clock() + whole_s, True

    async def limited() -> Message:
        nonlocal left, more
        try:
            async with asyncio.timeout_at(min(clock() + BODY_DEADLINE_S, until_s) if more else None):
                message = await receive()
        except TimeoutError as error:
            whole = clock() >= until_s
            what, within_s = ("whole body", whole_s) if whole else ("next part of the body", BODY_DEADLINE_S)
            raise HTTPException(408, f"expected the {what} within {within_s:g} seconds") from error
        check_again()
        if more and message["type"] == "http.disconnect":
            raise HTTPException(408, "expected the whole body")
        more = message.get("more_body", False)
        left -= len(message.get("body", b""))
        if left < 0:
            raise HTTPException(413, f"expected at most {most_bytes:,} bytes")
        return message

    return limited


def replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives a body which was already read, then the messages after it."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed
