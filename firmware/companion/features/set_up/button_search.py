"""Finds the pins of the table's buttons: a person presses each, and says which lamp is lit."""

import threading
import time
from collections.abc import Callable

from companion.errors import RefusedError
from companion.words import because, message
from pegboard.buttons.pin_finder import PinFinder
from pegboard.errors import PegboardError

IDLE_S = 20.0
"""Seconds without a look after which the pins are released."""


class ButtonSearch:
    """Watches the pins of the header while a page looks. Any thread may call it."""

    def __init__(
        self, finder: Callable[[], PinFinder] = PinFinder, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin without a look.

        Args:
            finder: opens the pins.
            clock: seconds that never go back.
        """
        self._open, self._clock = finder, clock
        self._lock = threading.Lock()
        self._finder: PinFinder | None = None
        self._end: threading.Timer | None = None

    def pressed(self) -> tuple[int, ...]:
        """Return the pins that were pressed since the last look, in order; the first look opens the pins.

        `RefusedError` reaches the caller if there is no header with free pins.
        """
        with self._lock:
            return self._opened().pressed()

    def light(self, pin: int | None) -> None:
        """Light one lamp, or none.

        Raises:
            RefusedError: if the pin cannot be lit.
        """
        with self._lock:
            finder = self._opened()
            try:
                finder.light(pin)
            except PegboardError as error:
                raise RefusedError(because(message("fault.no_buttons"), str(error))) from error

    def close(self) -> None:
        """Release the pins."""
        with self._lock:
            self._close()

    def _opened(self) -> PinFinder:
        """Return the opened pins, for `IDLE_S` more.

        Raises:
            RefusedError: if there is no header with free pins.
        """
        if self._finder is None:
            try:
                self._finder = self._open()
            except PegboardError as error:
                raise RefusedError(because(message("fault.no_buttons"), str(error))) from error
        if self._end is not None:
            self._end.cancel()
        self._end = threading.Timer(IDLE_S, self.close)
        self._end.daemon = True
        self._end.start()
        return self._finder

    def _close(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None
        if self._finder is not None:
            self._finder.close()
            self._finder = None
