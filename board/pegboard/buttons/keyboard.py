"""The keys of a terminal as buttons: k keep, r roll, b bank, the capital letter holds; t throws, 1 to 6 slide a die.

The terminal stops echoing and gives each key at once (not raw: Ctrl-C still ends the program); it is given back as it
was at `close`, and at the end of the program however that comes.
"""

import atexit
import os
import re
import select
import sys
import termios
import tty

from pegboard.buttons.press import Button, Chord, DeskSlide, DeskThrow, Gesture, Press
from pegboard.errors import DriverError

KEYS: dict[str, Gesture] = {
    "k": Press(Button.KEEP),
    "r": Press(Button.ROLL),
    "b": Press(Button.BANK),
    "K": Press(Button.KEEP, hold=True),
    "R": Press(Button.ROLL, hold=True),
    "B": Press(Button.BANK, hold=True),
    "p": Chord(),
    "t": DeskThrow(),
    **{str(die + 1): DeskSlide(die) for die in range(6)},
}

SEQUENCE = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
"""What an arrow or a function key sends: an escape and letters of its own, which are no buttons (ECMA-48, 5.4)."""

HELP = "k keep   r roll   b bank   (a capital letter holds)   t throw   1-6 set that die aside   Ctrl-C end"
"""The keys in one line."""


class KeyboardButtons:
    """Reads the keys of a terminal, by its file descriptor."""

    def __init__(self, terminal: int) -> None:
        if not os.isatty(terminal):
            raise DriverError("expected a terminal for the keyboard's buttons, got none; use the buttons 'page'")
        self._terminal = terminal
        self._closed = False
        self._before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal)
        atexit.register(self.close)

    def poll(self, _now_s: float) -> tuple[Gesture, ...]:
        """The known keys pressed since; others are nothing. A terminal that has gone away gives nothing more."""
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
            found.extend(KEYS[letter] for letter in letters if letter in KEYS)
        return tuple(found)

    def close(self) -> None:
        """Give the terminal back as it was."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        try:
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)
        except termios.error:
            return  # the terminal is gone, and with it what was changed


def open_keyboard() -> KeyboardButtons:
    """The keyboard of standard input; DriverError where that is no terminal."""
    return KeyboardButtons(sys.stdin.fileno())
