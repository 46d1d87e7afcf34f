"""Servers of HTTP for tests that send pictures as cameras in a network do."""

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np

PATIENCE_S = 60.0


def jpeg(width: int = 320, height: int = 240, grey: int = 90) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """Serve an answer to each request; give the address."""

    class Requests(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with_broken_pipe(lambda: answer(self))

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Requests) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/video"
        finally:
            server.shutdown()


def with_broken_pipe(act: Callable[[], None]) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):
        act()


def stream(
    *parts: bytes,
    boundary: str = "frame",
    sized: bool = True,
    ended: threading.Event | None = None,
    silent: bool = False,
) -> Answer:
    """Return an answer that sends pictures as MJPEG, then the last ones in turn until `ended`.

    A silent one sends nothing more. A camera's noise never repeats, so two pictures are needed to go on.
    """

    def answer(request: BaseHTTPRequestHandler) -> None:
        def send(part: bytes) -> None:
            length = f"Content-Length: {len(part)}\r\n" if sized else ""
            head = f"--{boundary.removeprefix('--')}\r\nContent-Type: image/jpeg\r\n{length}\r\n"
            request.wfile.write(head.encode() + part + b"\r\n")

        request.send_response(200)
        request.send_header("content-type", f"multipart/x-mixed-replace; boundary={boundary}")
        request.end_headers()
        for each in parts:
            send(each)
        last = itertools.cycle(parts[-2:])
        while ended is not None and not ended.wait(PATIENCE_S if silent else 0.02):
            send(next(last))

    return answer


def said(status: int, kind: str, body: bytes = b"", **headers: str) -> Answer:
    """Return an answer that sends one body."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer
