"""Speech by espeak-ng, played by ALSA's aplay, without waiting for the end of a sentence.

espeak-ng could play by itself, but it ends with status 0 where there is no sound card. aplay says why it cannot play.
"""

import shutil
import time
from collections.abc import Callable, Sequence

from pegboard.errors import DriverError, NoDeviceError
from pegboard.sound.port import Loudness, Tone
from pegboard.sound.sentence import SpokenSentence

PROGRAM = "espeak-ng"
PLAYER = ("aplay", "--quiet")
PACKAGES = {PROGRAM: "espeak-ng", PLAYER[0]: "alsa-utils"}
"""The Debian package of each program."""

WORDS_A_MINUTE = 165
LOUDEST = 160
"""espeak-ng's amplitude at a volume of 1; its default is 100."""

LONGEST = 400
CLOSE_S = 0.5
HANGS_S, CHARACTER_S = 5.0, 0.7
"""A sentence hangs after this time and this time for each of its characters. A digit takes longest: up to 0.6 s."""

START_S, LETTER_S, DIGIT_S = 1.5, 0.12, 0.65
"""The longest time to start a sentence, to say a character, and to say a digit; letters one by one take longest."""

MOST_OVERDUE = 3
"""How many sentences in a row may be cut after the time that their words need, until the player counts as hanging."""

PHONEMES = str.maketrans("[]<>&", "     ")
"""The marks that espeak-ng would read as phonemes or markup, replaced by spaces."""


class Espeak:
    """Speaks; a new sentence cuts the last one short. `command` and `player` may be other programs."""

    def __init__(
        self,
        loudness: Loudness,
        language: str = "en",
        command: Sequence[str] = (PROGRAM,),
        player: Sequence[str] = PLAYER,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = [_program(command[0]), *command[1:], "--stdout", "-v", language, "-s", str(WORDS_A_MINUTE)]
        self._player = [_program(player[0]), *player[1:]]
        self._loudness = loudness
        self._clock = clock
        self._speaking: SpokenSentence | None = None
        self._cut: list[SpokenSentence] = []
        self._failure = ""  # of the last sentence that was not cut short
        self._overdue = 0  # sentences that were cut after the time of their words, since one ended by itself
        self._closed = False

    def say(self, text: str) -> None:
        """Start speaking; an empty text only stops.

        Raises:
            DriverError: if the last sentence that ended by itself was not heard, or the player hangs; the new one is
                spoken all the same.
        """
        if self._closed:
            return
        self._stop()
        words = speakable(text)
        if words:
            loudness = str(round(LOUDEST * self._loudness.speech))
            command = [*self._command, "-a", loudness, "--", words]
            now_s = self._clock()
            hangs_at_s = now_s + HANGS_S + CHARACTER_S * len(words)
            self._speaking = SpokenSentence(command, self._player, now_s + needed_s(words), hangs_at_s)
        if self._failure:
            raise DriverError(self._failure)

    def check(self) -> bool:
        """Return whether a sentence is being spoken.

        Raises:
            DriverError: if the last sentence that ended by itself was not heard, or the player hangs.
        """
        if self._is_speaking():
            return True
        if self._failure:
            raise DriverError(self._failure)
        return False

    def set_loudness(self, loudness: Loudness) -> None:
        """Speak at this loudness from the next sentence on."""
        self._loudness = loudness

    def play(self, tone: Tone, times: int = 1) -> None:
        """Do nothing: espeak-ng has no tones."""

    def close(self) -> None:
        """Stop speaking."""
        self._closed = True
        self._stop()
        for sentence in self._cut:
            sentence.wait(CLOSE_S)
            sentence.close()
        self._cut = []

    def _is_speaking(self) -> bool:
        """Return whether the sentence goes on; else keep how it ended. A sentence that hangs is cut."""
        sentence = self._speaking
        if sentence is None:
            return False
        if sentence.ended:
            self._failure = _not_heard(failure) if (failure := sentence.failure()) else ""
            self._overdue = 0
            sentence.close()
        elif self._clock() < sentence.hangs_at_s:
            return True
        else:
            self._failure = _not_heard(f"{PLAYER[0]}: the sentence did not end")
            self._cut_short(sentence)
        self._speaking = None
        return False

    def _stop(self) -> None:
        """Cut the sentence short if it goes on; find a player that hangs although each sentence cuts the last one."""
        if self._is_speaking() and self._speaking is not None:
            self._overdue += self._clock() >= self._speaking.due_at_s
            if self._overdue >= MOST_OVERDUE:
                self._failure = _not_heard(f"{PLAYER[0]}: {self._overdue} sentences in a row did not end")
            self._cut_short(self._speaking)
            self._speaking = None
        for sentence in [each for each in self._cut if each.ended]:
            self._cut.remove(sentence)
            sentence.close()

    def _cut_short(self, sentence: SpokenSentence) -> None:
        sentence.cut()
        self._cut.append(sentence)


def _not_heard(why: str) -> str:
    return f"expected the sentence to be heard, got {why}; plug in a loudspeaker, and see: farklecrib doctor"


def _program(name: str) -> str:
    """Return the path of a program.

    Raises:
        NoDeviceError: if there is no such program; its text says which package holds it.
    """
    found = shutil.which(name)
    if found is None:
        raise NoDeviceError(f"expected the program {name}, got none: sudo apt install {PACKAGES.get(name, name)}")
    return found


def needed_s(words: str) -> float:
    """Return the most seconds that these words take at `WORDS_A_MINUTE`, with the start of the programs."""
    return START_S + sum(DIGIT_S if each.isdigit() else LETTER_S for each in words)


def speakable(text: str) -> str:
    """Return the text without unprintable characters and marks that espeak-ng would interpret."""
    printable = "".join(character if character.isprintable() else " " for character in text[: 4 * LONGEST])
    return " ".join(printable.translate(PHONEMES).split())[:LONGEST]
