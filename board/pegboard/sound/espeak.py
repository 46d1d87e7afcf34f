"""Speech by espeak-ng, a program of its own for each sentence: it is started, and nobody waits for it."""

import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from pegboard.errors import DriverError, NoDeviceError
from pegboard.sound.loudness import Loudness
from pegboard.sound.port import Tone

PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 165
LOUDEST = 160
"""espeak-ng's amplitude for a volume of 1; its own middle is 100."""

LONGEST = 400
CLOSE_S = 0.5
PHONEMES = str.maketrans("[]<>&", "     ")
"""What espeak-ng takes for phonemes or markup, a name must not."""


class Espeak:
    """Speaks; a new sentence cuts the one before. `command` may be another program that takes the same options."""

    def __init__(self, loudness: Loudness, language: str = "en", command: Sequence[str] = (PROGRAM,)) -> None:
        program = shutil.which(command[0])
        if program is None:
            raise NoDeviceError(f"expected the program {command[0]}, got none: sudo apt install {PROGRAM}")
        amplitude = str(round(LOUDEST * loudness.speech))
        self._command = [
            program, *command[1:], "-v", language, "-a", amplitude, "-s", str(WORDS_A_MINUTE), "--"
        ]  # fmt: skip
        self._speaking: subprocess.Popen[bytes] | None = None
        self._cut: list[subprocess.Popen[bytes]] = []
        self._closed = False

    def say(self, text: str) -> None:
        """Start speaking, or with nothing to say only stop; raises DriverError when the last could not be spoken."""
        if self._closed:
            return
        failed = self._stop()
        words = spoken(text)
        if words:
            self._speaking = self._started(words)
        if failed:
            raise DriverError(f"expected {PROGRAM} to speak, got its status {failed}: is a loudspeaker set up?")

    def _started(self, words: str) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                [*self._command, words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise DriverError(f"expected to start {PROGRAM}, got: {error}") from error

    def play(self, tone: Tone, times: int = 1) -> None:
        """It has no tones; a buzzer has."""

    def close(self) -> None:
        """Be silent."""
        self._closed = True
        self._stop()
        for process in self._cut:
            with suppress(subprocess.TimeoutExpired):
                process.wait(CLOSE_S)

    def _stop(self) -> int:
        """Cut what is being said; the status of what has ended by itself, 0 where all is well."""
        self._cut = [process for process in self._cut if process.poll() is None]
        before, self._speaking = self._speaking, None
        if before is None:
            return 0
        status = before.poll()
        if status is None:
            before.kill()
            self._cut.append(before)
        return status or 0


def spoken(text: str) -> str:
    """Text as it may be spoken: what is no printable character is left out, and no name gives espeak-ng orders."""
    printable = "".join(character if character.isprintable() else " " for character in text[: 4 * LONGEST])
    return " ".join(printable.translate(PHONEMES).split())[:LONGEST]
