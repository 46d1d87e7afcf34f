"""Polls the button driver and puts presses into the host's inbox; keys of a keyboard move the simulated hands.

Buttons with lamps are lit where they glow on the page, and the lamp of the better one may breathe. Buttons that fail
are polled again later, and the table reports them; the buttons of the page still work.
"""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from companion.errors import CompanionError
from companion.runtime.feed import Feed
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Clock
from companion.table.state.inputs import Fault, Gesture, Origin, Pause, Press
from companion.table.view import View
from companion.words import Text, message
from pegboard.buttons.keyboard import HELP
from pegboard.buttons.port import BreathingLamps, Button, Buttons, Chord, Hold, Key, Lamps, LongHold, Stuck, Tap
from pegboard.buttons.port import Gesture as ButtonGesture

POLL_S = 0.02
ANSWER_S = 5.0
"""Seconds to wait for the answer to a press before the next one, so that presses and throws keep their order."""

PRESSES = {Tap: Gesture.TAP, Hold: Gesture.HOLD, LongHold: Gesture.LONG_HOLD}

DIE_KEYS = "123456"
"""The keys that slide a simulated die to the shelf, by its place in the throw; `t` throws."""

HANDS_HELP = "t throw   1-6 set that die aside   Ctrl-C end"
"""The keys of the hands in one line, shown after those of the buttons."""


class Hands(Protocol):
    """Simulated hands that keys move."""

    def throw(self, faces: tuple[int, ...] | None) -> None:
        """Throw the dice that are to be thrown; None leaves the faces to chance."""

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf."""


def lit_buttons(view: View) -> frozenset[Button]:
    """Return the buttons whose lamps are lit: those that glow.

    In the lobby each that is allowed, because a table without a phone has no form that says what they do.
    """
    return frozenset(map(Button, view.legal if view.phase == "lobby" else view.glows))


def keys_help(driver: str) -> tuple[str, ...]:
    """Return the lines that explain the keys of a button driver; only the keyboard has any."""
    return (f"{HELP}   {HANDS_HELP}",) if driver == "keyboard" else ()


@dataclass(eq=False)
class ButtonReader(Worker):
    """Reads the buttons on a thread of its own. The host answers a press that is not allowed.

    Args:
        buttons: The driver, which is closed with the reader.
        submit: The host's inbox for presses.
        clock: The clock of gestures and waits.
        hands: The simulated hands that keys move; None without simulated hands.
        answer: Called with the reason when the hands refuse a key.
        report: Gets faults of the buttons.
        feed: The views that say which presses glow.
        better: Returns the button whose lamp breathes after an act, if it is lit; None for none.
    """

    buttons: Buttons
    submit: Callable[[Press | Pause], "Future[View]"]
    clock: Clock
    hands: Hands | None
    answer: Callable[[Text], object]
    report: Callable[[Fault], object]
    feed: Feed
    better: Callable[[int], Button | None] = lambda _: None

    def __post_init__(self) -> None:
        guard = Guard("buttons", message("fault.buttons"), self.report, self.clock.monotonic)
        super().__init__("buttons", guard, self.clock.speed)
        self._lit: tuple[frozenset[Button], Button | None] | None = None

    def close(self) -> None:
        """End the thread, and close the driver."""
        if self._end():
            self.buttons.close()

    def _work(self) -> float:
        try:
            self._light_lamps()
            gestures = self.buttons.poll(self.clock.monotonic())
        except Exception:
            self._lit = None  # when the lamps work again, all are set again
            raise
        for gesture in gestures:
            self._handle(gesture)
            self._beat()  # the answer may have taken seconds
        self._guard.works()
        return POLL_S

    def _light_lamps(self) -> None:
        if isinstance(self.buttons, Lamps):
            view = self.feed.latest.view
            glowing, better = lit_buttons(view), self.better(view.seq)
            lit = (glowing, better if better in glowing else None)
            if lit != self._lit:
                self.buttons.light(glowing)
                if isinstance(self.buttons, BreathingLamps) and lit[1] is not None:
                    self.buttons.breathe(lit[1])
                self._lit = lit

    def _handle(self, gesture: ButtonGesture) -> None:
        match gesture:
            case Tap(button=button) | Hold(button=button) | LongHold(button=button):
                self._press(Press(button, PRESSES[type(gesture)], Origin.TABLE))
            case Chord():
                self._press(Pause())
            case Stuck(button=button, stuck=stuck):
                text = message("fault.stuck", button=button.value.upper())
                self.report(Fault(f"button {button.value}", text if stuck else None))
            case Key(char=char) if self.hands is not None:
                self._press_key(char, self.hands)

    def _press(self, given: Press | Pause) -> None:
        with suppress(CompanionError, TimeoutError):  # a slow disk must not stop the buttons
            self.submit(given).result(timeout=ANSWER_S)

    def _press_key(self, char: str, hands: Hands) -> None:
        try:
            if char == "t":
                hands.throw(None)
            elif char in DIE_KEYS:
                hands.shelve((DIE_KEYS.index(char),))
        except CompanionError as error:
            self.answer(error.spoken)
