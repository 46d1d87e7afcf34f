"""Send an event to the URL, the command or the listener of a hook.

Error texts name no address, header or secret, because they appear on the page, in the log and in bug reports.
"""

import logging
import os
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from companion.config import HookConfig
from companion.errors import CompanionError
from companion.named_events.kinds import AnyEvent
from companion.web.schema import adapter_of
from dicereader.data.files import read_text
from pegboard import drivers
from pegboard.errors import ending
from pegboard.installation import add

OnEvent = Callable[[AnyEvent], object]

TEMPLATES = ("url", "headers", "command", "body")
"""The keys of a hook that are templates."""

LOOK_S = 0.05
"""The interval in seconds at which a running command is checked."""

_template = lru_cache(SandboxedEnvironment(undefined=StrictUndefined).from_string)
_trusted = cache(ssl.create_default_context)


class HookError(CompanionError, OSError):
    """A hook did not receive an event."""


def fields_of(event: AnyEvent, secret: str) -> Mapping[str, Any]:
    """Return the fields of an event in their JSON form, and the secret."""
    fields: dict[str, Any] = adapter_of(event).dump_python(event, mode="json")
    return {**fields, "secret": secret}


def filled(hook: HookConfig, key: str, fields: Mapping[str, Any]) -> list[str]:
    """Return the rendered templates of a key; Jinja's errors reach the caller."""
    value = getattr(hook, key)
    return [_template(text).render(fields) for text in (value if isinstance(value, tuple) else [value])]


def send(hook: HookConfig, event: AnyEvent, ended: threading.Event) -> str:
    """Send an event to the URL or the command of a hook, and return the result in words.

    Args:
        hook: the hook.
        event: the event, with its texts in words.
        ended: ends a command that still runs.

    Raises:
        HookError: if the hook did not receive it.
    """
    try:
        secret = read_text(hook.secret_file).strip() if hook.secret_file else ""
    except (OSError, ValueError) as error:
        raise HookError(f"expected the text of secret_file, got: {_reason(error)}") from None
    fields, found = fields_of(event, secret), dict[str, list[str]]()
    for key in TEMPLATES:
        try:
            found[key] = filled(hook, key, fields)
        except Exception as error:  # noqa: BLE001 - a template may raise any error
            kind = type(error).__name__
            raise HookError(f"expected a template that a {event.event_type} can fill in as {key}, got {kind}") from None
    body = found["body"][0].encode() or adapter_of(event).dump_json(event)
    if hook.command:
        return _run(found["command"], body, hook.timeout_s, ended)
    return _post(found["url"][0], found["headers"], body, hook.timeout_s)


def _post(url: str, headers: Sequence[str], body: bytes, timeout_s: float) -> str:
    """Send a POST and return the status of the answer.

    Raises:
        HookError: if no answer came, or its status is no success.
    """
    import httpx

    for each in ("httpx", "httpcore"):
        logging.getLogger(each).setLevel(logging.WARNING)  # they log addresses and headers at lower levels
    given = httpx.Headers({"content-type": "application/json"})
    try:
        for name, value in (header.split(":", 1) for header in headers):
            given.update([(name.strip().encode(), value.strip().encode())])
        verify = url.startswith("https:") and _trusted()
        with (
            httpx.Client(verify=verify, trust_env=False, timeout=timeout_s) as client,
            client.stream("POST", url, headers=given, content=body) as answer,
        ):
            status = answer.status_code
    except Exception as error:  # noqa: BLE001 - the texts of most hold the address
        raise HookError(f"expected an answer within {timeout_s:g} s, got: {_reason(error)}") from None
    if not 200 <= status < 300:
        raise HookError(f"expected a status from 200 to 299, got {status}")
    return f"status {status}"


def _reason(error: BaseException) -> str:
    """Return the reason of an error: the text of the operating system, or else the type of the error."""
    below = error
    while (cause := below.__cause__ or below.__context__) is not None:
        below = cause
    words = getattr(below, "reason", None) or getattr(below, "strerror", None)  # of TLS, of the operating system
    return words if isinstance(words, str) else type(error).__name__


def _run(command: Sequence[str], data: bytes, timeout_s: float, ended: threading.Event) -> str:
    """Run a command with data on its standard input; kill it and its children at the time-out.

    Raises:
        HookError: if it cannot be started, fails, or does not end in time.
    """
    with tempfile.TemporaryFile() as source:
        source.write(data)
        source.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=source,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise HookError(f"expected a program that can be started, got: {_reason(error)}") from None
    until_s = time.monotonic() + timeout_s
    while process.poll() is None:
        if ended.wait(LOOK_S) or time.monotonic() > until_s:
            with suppress(OSError, subprocess.TimeoutExpired):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(1.0)
            raise HookError(f"expected the command to end within {timeout_s:g} s, and it was killed")
    if process.returncode:
        raise HookError(f"expected the command to end with status 0, got {ending(process.returncode)}")
    return "status 0"


class Listener:
    """Calls a function `on_event` on a separate thread, because the function may never return.

    Args:
        load: returns the function.
        timeout_s: how long it may take.
    """

    def __init__(self, load: Callable[[], OnEvent], timeout_s: float) -> None:
        self._load, self._timeout_s = load, timeout_s
        self._on_event: OnEvent | None = None
        self._thread: threading.Thread | None = None

    def load(self) -> None:
        """Load the function if it is not loaded yet; `HookError` reaches the caller."""
        if self._on_event is None:
            self._on_event = self._called(self._load)

    def tell(self, event: AnyEvent) -> str:
        """Call the function with an event; `HookError` reaches the caller if it fails or is late."""
        self.load()
        assert self._on_event is not None
        self._called(self._on_event, event)
        return "returned"

    def _called(self, call: Callable[..., Any], *given: object) -> Any:
        if self._thread is not None and self._thread.is_alive():
            raise HookError("expected on_event to return, and it still runs")
        returned: list[Any] = []
        raised: list[BaseException] = []

        def run() -> None:
            try:
                returned.append(call(*given))
            except BaseException as error:  # noqa: BLE001 - SystemExit, too, must not end the program
                raised.append(error)

        self._thread = threading.Thread(target=run, name="on_event", daemon=True)
        self._thread.start()
        self._thread.join(self._timeout_s)
        if raised:
            raise HookError(f"expected on_event to return, got: {_place(raised[0])}") from None
        if not returned:
            raise HookError(f"expected on_event to return within {self._timeout_s:g} s")
        return returned[0]


def _place(error: BaseException) -> str:
    """Return the type and the lines of a listener's error, without its text, which may hold a secret."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{error}; {add(error.name)}"
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno))
    own = (__file__, drivers.__file__, "<frozen ")
    lines = [f"{Path(file).name}:{line}" for file, line in frames if not file.startswith(own)]
    return f"{type(error).__name__} at {' > '.join(lines)}" if lines else str(error)  # of no line of the listener
