"""The door of the table, and the secret that it shows: one phone asks at a time, and the door is open for a minute.

Somebody at the table opens it. A phone gets in that answers with what the table shows: lit holes or digits. Five wrong
answers in all close it, whoever gave them, so a stranger only delays. Clocks count seconds and never go back.
"""

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto

HOLES = 3
NEAR = 1
"""How far a guessed hole may lie beside the lit one. Holes are counted by eye, in groups of five."""

FEWEST_HOLES = 60
"""The fewest holes that hide a secret: of 60 holes there are 34,220 triples, and 27 at most fit a guess."""

DIGITS = 6

OPEN_S = 60.0
WRONG_ANSWERS = 5
ASK_AGAIN_S = 60.0
"""Seconds between two lines that ask, whoever asks."""

ASKS_S = 60.0
"""Seconds for which the line stands."""

_random = secrets.SystemRandom()


class Shows(StrEnum):
    """The kinds of secret that the table shows to people in the room."""

    HOLES = "holes"
    DIGITS = "digits"
    NOTHING = "nothing"  # a desk that listens to itself alone: one click pairs


@dataclass(frozen=True)
class LitHoles:
    """Three holes of the track, in ascending order. `repr` hides them, because only the strip may show them."""

    numbers: tuple[int, ...] = field(repr=False)
    kind = Shows.HOLES

    def fits(self, guess: object) -> bool:
        """Return whether a guess is a tuple that names each hole or a hole next to it, in any order."""
        if not isinstance(guess, tuple) or len(guess) != len(self.numbers):
            return False
        return all(abs(one - other) <= NEAR for one, other in zip(sorted(guess), self.numbers, strict=True))


@dataclass(frozen=True)
class ShownDigits:
    """Six digits, for a table without a private LED strip. `repr` hides them."""

    text: str = field(repr=False)
    kind = Shows.DIGITS

    def fits(self, guess: object) -> bool:
        """Return whether a guess is a text with these digits; spaces between them do not count."""
        if not isinstance(guess, str):
            return False
        return secrets.compare_digest("".join(guess.split()).encode(), self.text.encode())


Secret = LitHoles | ShownDigits


def draw_holes(holes: int) -> LitHoles:
    """Return three random holes from 1 to `holes`."""
    return LitHoles(tuple(sorted(_random.sample(range(1, holes + 1), HOLES))))


def draw_digits() -> ShownDigits:
    """Return six random digits."""
    return ShownDigits("".join(_random.choices("0123456789", k=DIGITS)))


class Answered(Enum):
    """What an answer did."""

    IN = auto()
    IN_TO_SET_UP = auto()
    WRONG = auto()
    SHUT = auto()


@dataclass(frozen=True)
class Opening:
    """One opening of the door: what the table shows, until when, and how many wrong answers are left.

    `to_set_up`: the phones that get in may set the table up, too. `asked` is the name of the phone that asked for it,
    and `came` that of the newest one that got in; both may be empty.
    """

    secret: Secret
    until_s: float
    to_set_up: bool = False
    left: int = WRONG_ANSWERS
    asked: str = ""
    came: str = ""


class Door:
    """The phone that asks now, and the present opening. Thread-safe."""

    def __init__(self, clock: Callable[[], float], *, asking: bool = True) -> None:
        """Shut the door.

        Args:
            clock: The time in seconds; it never goes back.
            asking: Whether phones may ask; without that, people at the table open the door by themselves.
        """
        self._clock = clock
        self.may_ask = asking
        self._lock = threading.Lock()
        self._asks: tuple[str, float] | None = None  # who, and until when the line stands
        self._asked_s = float("-inf")
        self._opening: Opening | None = None

    @property
    def asking(self) -> str:
        """The name of the phone that asks now; empty if none does."""
        with self._lock:
            return self._asking()

    def ask(self, name: str) -> float:
        """Show that a phone asks.

        Returns:
            0 if it is shown, the seconds to wait if another phone asked before, or infinity if phones may not ask.
        """
        with self._lock:
            now_s = self._clock()
            if not self.may_ask:
                return float("inf")
            wait_s = self._asked_s + ASK_AGAIN_S - now_s
            if wait_s > 0:
                return wait_s
            self._asked_s, self._asks = now_s, (name, now_s + ASKS_S)
            return 0.0

    def open(self, secret: Secret, *, to_set_up: bool = False) -> Opening:
        """Open the door for a minute. This ends an earlier opening and the line of a phone that asks."""
        with self._lock:
            asked, self._asks = self._asking(), None
            self._opening = Opening(secret, self._clock() + OPEN_S, to_set_up, asked=asked)
            return self._opening

    def refuse(self) -> None:
        """Take the line of the phone that asks away. None may ask again within its minute."""
        with self._lock:
            self._asks = None

    def welcome(self, name: str) -> None:
        """Note that the phone of this name has got in. The table shows its secret no longer; friends still get in."""
        with self._lock:
            if self._opening is not None:
                self._opening = replace(self._opening, came=name)

    def shut(self) -> None:
        """Shut the door."""
        with self._lock:
            self._opening = None

    @property
    def opening(self) -> Opening | None:
        """The opening that is under way, or None."""
        with self._lock:
            return self._current()

    def answer(self, given: object) -> Answered:
        """Check an answer: a tuple with the numbers of three holes, or a text with six digits."""
        with self._lock:
            opening = self._current()
            if opening is None:
                return Answered.SHUT
            if opening.secret.fits(given):
                return Answered.IN_TO_SET_UP if opening.to_set_up else Answered.IN
            left = opening.left - 1
            self._opening = replace(opening, left=left) if left else None
            return Answered.WRONG

    def _asking(self) -> str:
        return self._asks[0] if self._asks is not None and self._clock() < self._asks[1] else ""

    def _current(self) -> Opening | None:
        if self._opening is not None and self._clock() >= self._opening.until_s:
            self._opening = None
        return self._opening
