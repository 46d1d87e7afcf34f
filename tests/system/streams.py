"""Clients that read the table's stream of views, many in one thread, and note when each view had come."""

import json
import re
import selectors
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from namespaces import Place, inside

PATIENCE_S = 120.0
_VIEW = re.compile(rb'data: (\{"seq":\d+,"version":(\d+),.*\})')


@dataclass
class Stream:
    """One client: its socket, what has come of the next event, and each view's version with its time of arrival."""

    socket: socket.socket
    came: bytes = b""
    views: list[tuple[int, float]] = field(default_factory=list)

    def has(self, version: int) -> bool:
        """Return whether this view or a later one has come."""
        return bool(self.views) and self.views[-1][0] >= version

    def came_s(self, version: int) -> float:
        """Return when this view or a later one had come, by `time.monotonic`."""
        return next(at_s for each, at_s in self.views if each >= version)


class Streams:
    """Reads all streams in a thread of its own until `close`."""

    def __init__(self) -> None:
        self.all: list[Stream] = []
        self.ended = 0
        self.latest: dict = {}
        self._selector = selectors.DefaultSelector()
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def open(self, place: Place, address: str, port: int, cookie: str = "") -> Stream:
        """Open a stream from an address of a place; with a cookie it is a paired phone's."""
        with inside(place.namespace):
            made = socket.create_connection((place.table, port), PATIENCE_S, (address, 0))
        sent = f"cookie: {cookie}\r\n" if cookie else ""
        head = f"GET /api/v1/events HTTP/1.1\r\nhost: {place.table}:{port}\r\n{sent}accept: text/event-stream\r\n\r\n"
        made.sendall(head.encode())
        made.setblocking(False)
        stream = Stream(made)
        self.all.append(stream)
        self._selector.register(made, selectors.EVENT_READ, stream)
        return stream

    def until(self, fits: Callable[[], bool]) -> None:
        """Wait until something holds; it is asked again after each view."""
        with self._changed:
            assert self._changed.wait_for(fits, PATIENCE_S), self.latest

    def until_view(self, fits: Callable[[dict], bool]) -> dict:
        """Return the first view of the first stream that fits, from now on."""
        self.until(lambda: bool(self.latest) and fits(self.latest))
        return self.latest

    def all_have(self, version: int) -> None:
        """Wait until each stream has this view or a later one."""
        self.until(lambda: all(each.has(version) for each in self.all))

    def close(self) -> None:
        """End the thread and all streams."""
        self._ending.set()
        self._thread.join(PATIENCE_S)
        for each in self.all:
            each.socket.close()
        self._selector.close()

    def _read(self) -> None:
        while not self._ending.is_set():
            for key, _ in self._selector.select(0.1):
                self._take(key.data)

    def _take(self, stream: Stream) -> None:
        try:
            data = stream.socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        now_s = time.monotonic()
        if not data:
            self._selector.unregister(stream.socket)
            self.ended += 1
        *events, stream.came = (stream.came + data).split(b"\n\n")
        found = [view for each in events if (view := _VIEW.search(each))]
        if not found and data:
            return
        with self._changed:
            stream.views += [(int(view[2]), now_s) for view in found]
            if found and stream is self.all[0]:
                self.latest = json.loads(found[-1][1])
            self._changed.notify_all()
