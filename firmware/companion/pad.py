"""The pad: asks the button driver what hands have done and puts it into the host's inbox; on a desk, into the hands."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from companion.errors import CompanionError
from companion.host import Clock
from companion.table.inputs import Button, Gesture, Press
from companion.table.view import View
from pegboard.buttons.port import Buttons
from pegboard.buttons.press import Chord, DeskSlide, DeskThrow
from pegboard.buttons.press import Gesture as HandGesture
from pegboard.buttons.press import Press as HandPress

POLL_S = 0.02


class Hands(Protocol):
    """What the desk's keys need: throw, and slide a die."""

    def throw(self, faces: tuple[int, ...] | None) -> None:
        """Throw what is to be thrown."""

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf."""


class Pad:
    """Polls the buttons on a thread of its own. `answer` gets the words that answer a press which is not allowed."""

    def __init__(
        self,
        buttons: Buttons,
        submit: Callable[[Press], "Future[View]"],
        clock: Clock,
        hands: Hands | None,
        answer: Callable[[str], object],
    ) -> None:
        self._buttons = buttons
        self._submit = submit
        self._clock = clock
        self._hands = hands
        self._answer = answer
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pad", daemon=True)

    def start(self) -> None:
        """Listen to the buttons from now on."""
        self._thread.start()

    def close(self) -> None:
        """Let go of the buttons."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._buttons.close()

    def _run(self) -> None:
        while not self._ending.wait(POLL_S):
            for gesture in self._buttons.poll(self._clock.monotonic()):
                try:
                    self._do(gesture)
                except CompanionError as error:
                    self._answer(str(error))

    def _do(self, gesture: HandGesture) -> None:
        match gesture:
            case HandPress(button=button, hold=hold):
                kind = Gesture.HOLD if hold else Gesture.TAP
                self._submit(Press(Button(button.value), kind)).result(timeout=5)
            case DeskThrow() if self._hands is not None:
                self._hands.throw(None)
            case DeskSlide(die=die) if self._hands is not None:
                self._hands.shelve((die,))
            case DeskThrow() | DeskSlide() | Chord():
                pass
