"""Send events to the configured hooks and to listeners of other packages, each on its own thread.

The shared record of events is the queue of each hook. A hook begins with what happens after the table's start, and
drops an event that is too old, so that a lamp flashes at a fresh farkle alone.
"""

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from companion.config import Config, HookConfig, words_of
from companion.errors import ConfigError
from companion.features.events.hook_calls import TEMPLATES, Listener, OnEvent, fields_of, filled, send
from companion.named_events.examples import examples
from companion.named_events.kinds import KINDS, AnyEvent
from companion.named_events.record import REST_S, Entry, EventReader, EventRecord, PlaceLostError
from companion.runtime.guard import Guard, Worker
from companion.runtime.parts import ProgramPart
from companion.table.state.inputs import Fault
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.words import Catalogue, message
from pegboard.drivers import load_function
from pegboard.errors import one_line


class Hook(Worker):
    """A hook at a running table.

    Args:
        name: its name in faults.
        hook: its configuration.
        record: the events.
        words: the table's language.
        report: gets its faults.
        listener: what it calls; None for the URL or the command of the configuration.
        clock: the clock of the events' age, in seconds.
        speed: how many seconds of waits pass in a second.
    """

    closing_s = 0.2  # many may hang at once

    def __init__(
        self,
        name: str,
        hook: HookConfig,
        record: EventRecord,
        words: Catalogue,
        report: Callable[[Fault], object],
        listener: Listener | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        speed: float = 1.0,
    ) -> None:
        super().__init__(f"hook {name}", Guard(f"hook {name}", message("fault.hook", name=name), report), speed)
        self._hook, self._record, self._words = hook, record, words
        self._listener, self._clock = listener, clock
        self._reader: EventReader | None = None
        self._waiting: deque[Entry] = deque()

    def start(self) -> None:
        """Start the thread. The hook receives the events from now on."""
        with self._guard:
            self._reader = self._record.reader(self._wake)
        super().start()

    def close(self) -> None:
        """End the thread."""
        super().close()
        if self._reader is not None:
            self._reader.close()

    def _work(self) -> float:
        with self._guard:
            if self._listener is not None:
                self._listener.load()
            while not self._ending.is_set() and self._is_told():
                first, now_s = self._waiting[0], self._clock()
                if first.seen_s is not None and now_s - first.seen_s < self._hook.max_age_s:
                    (event,) = first.sent_at(now_s)
                    tell(self._hook, self._listener, self._words.rendered(event), self._ending)
                    self._guard.works()
                self._waiting.popleft()
            return REST_S
        # At most half the age, so that a fresh event is tried while it is young enough. No event ends the wait.
        self._ending.wait(min(self._guard.wait_s, self._hook.max_age_s / 2) / self._speed)
        return 0.0

    def _is_told(self) -> bool:
        """Return whether an event is to be sent; read new entries if none is."""
        while not self._waiting and (entries := self._read()):
            self._waiting += (
                replace(each, events=(event,)) for each in entries for event in each.events if is_for(self._hook, event)
            )
        return bool(self._waiting)

    def _read(self) -> list[Entry]:
        """Return the next entries; if the journal has lost the place, continue with new events."""
        while True:
            self._reader = self._reader or self._record.reader(self._wake)
            try:
                return self._reader.read()
            except PlaceLostError:
                self._reader.close()
                self._reader = None


def listener_of(hook: HookConfig) -> Listener | None:
    """Return the listener of a hook, or None if the hook has a URL or a command."""
    return Listener(partial(load_function, hook.listener, "on_event"), hook.timeout_s) if hook.listener else None


def is_for(hook: HookConfig, event: AnyEvent) -> bool:
    """Return whether a hook receives events of this kind."""
    return not hook.kinds or event.event_type in hook.kinds


def tell(hook: HookConfig, listener: Listener | None, event: AnyEvent, ended: threading.Event) -> str:
    """Send an event to a hook and return the result in words; `HookError` reaches the caller."""
    return listener.tell(event) if listener is not None else send(hook, event, ended)


def hooks_of(table: TableParts) -> tuple[ProgramPart, ...]:
    """Return the hooks of the configuration."""
    if not table.config.hook:
        return ()
    words = words_of(table.config)
    hooks = enumerate(table.config.hook, 1)
    return tuple(_part(table, words, str(number), hook, listener_of(hook)) for number, hook in hooks)


def listening(name: str, on_event: OnEvent, kinds: tuple[str, ...] = ()) -> Feature:
    """Return a feature that calls a function with each event, for use in another package.

    Args:
        name: the feature's name.
        on_event: gets each event; it is guarded as the listener of a hook is.
        kinds: the kinds of events; empty for all.
    """
    hook = HookConfig(kinds=kinds)

    def opened(table: TableParts) -> OpenedFeature:
        listener = Listener(lambda: on_event, hook.timeout_s)
        return OpenedFeature((_part(table, words_of(table.config), name, hook, listener),))

    return Feature(name, opened=opened)


def _part(table: TableParts, words: Catalogue, name: str, hook: HookConfig, listener: Listener | None) -> ProgramPart:
    made = Hook(name, hook, table.events, words, table.host.submit, listener, speed=table.speed)
    return ProgramPart.of(f"hook {name}", made)


def check_hook(number: int, hook: HookConfig) -> None:
    """Check the configuration of a hook.

    Args:
        number: its number in the configuration, from 1.
        hook: the hook.

    Raises:
        ConfigError: if something is wrong; the text names the key, and no value that may hold a secret.
    """
    at, given = f"hook[{number}]", [key for key in ("url", "command", "listener") if getattr(hook, key)]
    if len(given) != 1:
        raise ConfigError(f"{at}: expected one of url, command and listener, got {' and '.join(given) or 'none'}")
    for kind in hook.kinds:
        if kind not in KINDS:
            raise ConfigError(f"{at}.kinds: expected one of {', '.join(KINDS)}, got {kind!r}")
    if hook.listener and not (hook.listener.endswith(".py") and Path(hook.listener).is_file()):
        raise ConfigError(f"{at}.listener: expected a Python file, got {hook.listener!r}, which is none")
    for key, example in ((key, example) for key in TEMPLATES for example in examples() if is_for(hook, example)):
        try:
            texts = filled(hook, key, fields_of(example, "https://secret"))  # which may be the whole address
        except Exception as error:
            reason = f"{one_line(error)} (kind {example.event_type})"
            raise ConfigError(f"{at}.{key}: expected a template of the event's fields, got: {reason}") from error
        for text in texts:
            if key == "headers" and ":" not in text:
                raise ConfigError(f"{at}.headers: expected NAME: VALUE, got a text without a colon")
            if key == "url" and text and not re.match(r"https?://[^/?#]", text):
                raise ConfigError(f"{at}.url: expected http:// or https:// and a host, got {text[:8]!r}")


def trials(config: Config) -> Iterator[tuple[str, bool]]:
    """Send each hook an example of each of its kinds; yield the result in words, and whether it succeeded.

    Raises:
        ConfigError: if there is no hook, or one cannot be used.
    """
    if not config.hook:
        raise ConfigError("expected a section [[hook]] in the configuration, got none")
    for number, hook in enumerate(config.hook, 1):
        check_hook(number, hook)
        listener = listener_of(hook)
        for example in (example for example in examples() if is_for(hook, example)):
            try:
                came, good = tell(hook, listener, example, threading.Event()), True
            except OSError as error:  # a HookError is one
                came, good = str(error), False
            yield f"hook {number}, {example.event_type}: {came}", good
