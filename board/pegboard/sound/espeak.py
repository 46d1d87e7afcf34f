"""Speech by espeak-ng: a process for each sentence, without waiting for its end."""

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from pegboard.errors import DriverError, NoDeviceError
from pegboard.sound.port import Loudness, Tone

PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 165
LOUDEST = 160
"""espeak-ng's amplitude at a volume of 1; its default is 100."""

LONGEST = 400
CLOSE_S = 0.5
PHONEMES = str.maketrans("[]<>&", "     ")
"""The marks that espeak-ng would read as phonemes or markup, replaced by spaces."""


class Espeak:
    """Speaks; a new sentence cuts the last one short. `command` may be another program with the same options."""

    def __init__(self, loudness: Loudness, language: str = "en", command: Sequence[str] = (PROGRAM,)) -> None:
        program = shutil.which(command[0])
        if program is None:
            raise NoDeviceError(f"expected the program {command[0]}, got none: sudo apt install {PROGRAM}")
        self._command = [program, *command[1:], "-v", language, "-s", str(WORDS_A_MINUTE)]
        self._loudness = loudness
        self._speaking: subprocess.Popen[bytes] | None = None
        self._cut: list[subprocess.Popen[bytes]] = []
        self._closed = False

    def say(self, text: str) -> None:
        """Start speaking; an empty text only stops.

        Raises:
            DriverError: if the last sentence could not be spoken.
        """
        if self._closed:
            return
        failed = self._stop()
        words = speakable(text)
        if words:
            self._speaking = self._started(words)
        if failed:
            raise DriverError(f"expected {PROGRAM} to speak, got its status {failed}: is a loudspeaker set up?")

    def set_loudness(self, loudness: Loudness) -> None:
        """Speak at this loudness from the next sentence on."""
        self._loudness = loudness

    def _started(self, words: str) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                [*self._command, "-a", str(round(LOUDEST * self._loudness.speech)), "--", words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise DriverError(f"expected to start {PROGRAM}, got: {error}") from error

    def play(self, tone: Tone, times: int = 1) -> None:
        """Do nothing: espeak-ng has no tones."""

    def close(self) -> None:
        """Stop speaking."""
        self._closed = True
        self._stop()
        for process in self._cut:
            with suppress(subprocess.TimeoutExpired):
                process.wait(CLOSE_S)

    def _stop(self) -> int:
        """Cut the sentence short; return the exit status of a process that has already ended, else 0."""
        self._cut = [process for process in self._cut if process.poll() is None]
        before, self._speaking = self._speaking, None
        if before is None:
            return 0
        status = before.poll()
        if status is None:
            before.kill()
            self._cut.append(before)
        return status or 0


def speakable(text: str) -> str:
    """Return the text without unprintable characters and marks that espeak-ng would interpret."""
    printable = "".join(character if character.isprintable() else " " for character in text[: 4 * LONGEST])
    return " ".join(printable.translate(PHONEMES).split())[:LONGEST]
