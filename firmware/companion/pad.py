"""The pad: asks the button driver what hands have done and puts it into the host's inbox; on a desk, into the hands."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Protocol, TypeVar

from companion.errors import CompanionError
from companion.host import Clock
from companion.table.inputs import Button, Gesture, Press
from companion.table.view import View
from pegboard.buttons.port import Buttons
from pegboard.buttons.press import Chord, DeskSlide, DeskThrow
from pegboard.buttons.press import Gesture as HandGesture
from pegboard.buttons.press import Press as HandPress

POLL_S = 0.02
ANSWER_S = 5.0
"""The next press waits so long for the one before, so that presses and throws keep their order."""

Dice = TypeVar("Dice")


class Hands(Protocol):
    """What the desk's keys need: throw, and slide a die."""

    def throw(self, faces: tuple[int, ...] | None) -> None:
        """Throw what is to be thrown."""

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf."""


class Pad:
    """Polls the buttons on a thread of its own. A press that is not allowed is answered by who takes it.

    `answer` gets the words where the hands cannot do what a key tells them.
    """

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

    @property
    def alive(self) -> bool:
        """Whether the buttons are asked."""
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._ending.wait(POLL_S):
            for gesture in self._buttons.poll(self._clock.monotonic()):
                self._do(gesture)

    def _do(self, gesture: HandGesture) -> None:
        match gesture:
            case HandPress(button=button, hold=hold):
                kind = Gesture.HOLD if hold else Gesture.TAP
                with suppress(CompanionError, TimeoutError):  # a slow disk must not cost the table its buttons
                    self._submit(Press(Button(button.value), kind)).result(timeout=ANSWER_S)
            case DeskThrow() if self._hands is not None:
                self._by_hand(self._hands.throw, None)
            case DeskSlide(die=die) if self._hands is not None:
                self._by_hand(self._hands.shelve, (die,))
            case DeskThrow() | DeskSlide() | Chord():
                pass

    def _by_hand(self, do: Callable[[Dice], None], dice: Dice) -> None:
        try:
            do(dice)
        except CompanionError as error:
            self._answer(str(error))
