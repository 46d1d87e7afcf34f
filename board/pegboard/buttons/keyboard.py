"""The keys of a terminal as buttons: k keep, r roll, b bank; a capital letter holds, p is a chord.

The terminal stops echoing and passes on each key at once; it is not in raw mode, so Ctrl-C still ends the program.
`close` restores it, and the end of the program in any case.
"""

import atexit
import os
import re
import select
import termios
import tty

from pegboard.buttons.port import Button, Chord, Gesture, Hold, Key, Tap
from pegboard.errors import DriverError

KEYS: dict[str, Gesture] = {
    **{button.value[0]: Tap(button) for button in Button},
    **{button.value[0].upper(): Hold(button) for button in Button},
    "p": Chord(),
}

SEQUENCE = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
"""The bytes of an arrow or function key, which are ignored: an escape and its own letters (ECMA-48, 5.4)."""

HELP = "k keep   r roll   b bank   (a capital letter holds)"
"""The keys in one line."""


class KeyboardButtons:
    """The keys of a terminal, given by its file descriptor. Raises `DriverError` if it is not a terminal."""

    def __init__(self, terminal: int) -> None:
        if not os.isatty(terminal):
            raise DriverError("expected a terminal for the keyboard's buttons, got none; use the buttons 'page'")
        self._terminal = terminal
        self._closed = False
        self._before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal)
        atexit.register(self.close)

    def poll(self, _now_s: float) -> tuple[Gesture, ...]:
        """Return the gestures of the keys pressed since the last call, and a `Key` for each other character.

        Returns nothing once the terminal is gone.
        """
        found: list[Gesture] = []
        while not self._closed and select.select([self._terminal], [], [], 0)[0]:
            try:
                keys = os.read(self._terminal, 64)
            except OSError:
                keys = b""
            if not keys:
                self.close()
                break
            letters = SEQUENCE.sub(b"", keys).decode("ascii", "ignore")
            found.extend(KEYS.get(letter, Key(letter)) for letter in letters)
        return tuple(found)

    def close(self) -> None:
        """Restore the terminal."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        try:
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)
        except termios.error:
            return  # the terminal is gone
