"""The pad: asks the button driver what hands have done and puts it into the host's inbox; on a desk, into the hands.

Where the buttons have lamps, a lamp is lit while its press is allowed. Buttons that fail are asked again, and the table
says so; the page goes on pressing.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Protocol, TypeVar

from companion.errors import CompanionError
from companion.runtime.feed import Feed, Update
from companion.runtime.host import Clock
from companion.table.inputs import Fault, Gesture, Pause, Press
from companion.table.view import View
from pegboard.buttons.port import Button, Buttons, Chord, Hold, Key, Lamps, Stuck, Tap
from pegboard.buttons.port import Gesture as ButtonGesture
from pegboard.errors import PegboardError

POLL_S = 0.02
ANSWER_S = 5.0
"""The next press waits so long for the one before, so that presses and throws keep their order."""

RETRY_S = 2.0
"""How long buttons that failed are left alone."""

DIE_KEYS = "123456"
"""The keyboard's keys that slide a simulated die, by its place in the throw; t throws."""

DESK_HELP = "t throw   1-6 set that die aside   Ctrl-C end"
"""The desk's keys in one line, behind those of the buttons."""

Dice = TypeVar("Dice")


class Hands(Protocol):
    """What the desk's keys need: throw, and slide a die."""

    def throw(self, faces: tuple[int, ...] | None) -> None:
        """Throw what is to be thrown."""

    def shelve(self, dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf."""


def lit(view: View) -> frozenset[Button]:
    """The buttons whose press is allowed."""
    return frozenset(button for button in Button if button.value in view.legal)


class Pad:
    """Polls the buttons on a thread of its own. A press that is not allowed is answered by who takes it.

    `answer` gets the words where the hands cannot do what a key tells them, `report` what is wrong with the buttons.
    """

    def __init__(
        self,
        buttons: Buttons,
        submit: Callable[[Press | Pause], "Future[View]"],
        clock: Clock,
        hands: Hands | None,
        answer: Callable[[str], object],
        report: Callable[[Fault], object],
        feed: Feed,
    ) -> None:
        self._buttons = buttons
        self._submit = submit
        self._clock = clock
        self._hands = hands
        self._answer = answer
        self._report = report
        self._failed = False
        self._lamps = buttons if isinstance(buttons, Lamps) else None
        self._lit = lit(feed.latest.view)
        self._shown: frozenset[Button] | None = None
        self._leave = feed.subscribe(self._on_update)
        self.seen_s: float | None = None  # when it last went round: a sign of life
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pad", daemon=True)

    def start(self) -> None:
        """Listen to the buttons from now on."""
        self._thread.start()

    def close(self) -> None:
        """Let go of the buttons."""
        self._leave()
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._buttons.close()

    @property
    def alive(self) -> bool:
        """Whether the buttons are asked."""
        return self._thread.is_alive()

    def _on_update(self, update: Update) -> None:
        self._lit = lit(update.view)

    def _run(self) -> None:
        pause_s = POLL_S
        while not self._ending.wait(pause_s):
            self.seen_s = time.monotonic()
            try:
                self._light()
                gestures = self._buttons.poll(self._clock.monotonic())
                self._say(None)
                pause_s = POLL_S
            except (PegboardError, OSError) as error:
                self._say(str(error))
                self._shown = None
                gestures, pause_s = (), RETRY_S / self._clock.speed
            for gesture in gestures:
                self._do(gesture)

    def _light(self) -> None:
        wanted = self._lit
        if self._lamps is not None and wanted != self._shown:
            self._lamps.light(wanted)
            self._shown = wanted

    def _say(self, why: str | None) -> None:
        if (why is not None) != self._failed:
            self._failed = why is not None
            self._report(Fault("buttons", None if why is None else f"The buttons do not answer: {why}"))

    def _do(self, gesture: ButtonGesture) -> None:
        match gesture:
            case Tap(button=button):
                self._press(Press(button, Gesture.TAP))
            case Hold(button=button):
                self._press(Press(button, Gesture.HOLD))
            case Key(char="t") if self._hands is not None:
                self._by_hand(self._hands.throw, None)
            case Key(char=char) if char in DIE_KEYS and self._hands is not None:
                self._by_hand(self._hands.shelve, (DIE_KEYS.index(char),))
            case Stuck(button=button, stuck=stuck):
                name = button.value.upper()
                said = f"{name} is stuck and is not listened to; the page has it too." if stuck else None
                self._report(Fault(f"button {button.value}", said))
            case Chord():
                self._press(Pause())
            case Key():
                pass

    def _press(self, given: Press | Pause) -> None:
        with suppress(CompanionError, TimeoutError):  # a slow disk must not cost the table its buttons
            self._submit(given).result(timeout=ANSWER_S)

    def _by_hand(self, do: Callable[[Dice], None], dice: Dice) -> None:
        try:
            do(dice)
        except CompanionError as error:
            self._answer(str(error))
