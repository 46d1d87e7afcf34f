"""Speech by espeak-ng, played by ALSA's aplay, without waiting for the end of a sentence.

espeak-ng could play by itself, but it ends with status 0 where there is no sound card. aplay says why it cannot play.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from pegboard.errors import DriverError, NoDeviceError, ending
from pegboard.sound.port import Loudness, Tone
from pegboard.sound.wav_file import LONGEST_S, at_volume

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


MOST_COMPLAINTS = 1 << 16
"""The bytes of standard error that are kept of a process: the first ones; no more is written, and it goes on."""


class _Process:
    """A process, and what it writes to standard error."""

    def __init__(self, command: Sequence[str], source: "IO[bytes] | int", target: int, fds: Sequence[int] = ()) -> None:
        self._name = Path(command[0]).name
        # A file in memory that cannot grow: a pipe could fill up, and another file needs a disk.
        self._complaints = os.memfd_create(self._name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self._complaints, MOST_COMPLAINTS)
        fcntl.fcntl(self._complaints, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK)
        try:
            self.popen = subprocess.Popen(
                command, stdin=source, stdout=target, stderr=self._complaints, start_new_session=True, pass_fds=fds
            )
        except OSError as error:
            self.forget()
            raise DriverError(f"expected to start {self._name}, got: {error}") from error

    def failure(self) -> str:
        """Return the last line on standard error, without the program's name and line; else how the process ended."""
        written = os.pread(self._complaints, MOST_COMPLAINTS, 0).rstrip(b"\0")
        last = next((line for line in reversed(written.decode(errors="replace").splitlines()) if line.strip()), "")
        told = re.sub(rf"^({self._name}: )?([a-z_]+:[0-9]+: )?", "", last.strip())
        return f"{self._name}: {told or ending(self.popen.poll())}"

    def forget(self) -> None:
        """Forget what the process wrote."""
        os.close(self._complaints)


class SpokenSentence:
    """A sentence that is spoken now, or was: one process writes its sound, the other one plays it.

    Close it after its end.
    """

    def __init__(
        self, speech: Sequence[str], player: Sequence[str], due_at_s: float, hangs_at_s: float, fds: Sequence[int] = ()
    ) -> None:
        """Start both processes.

        Args:
            speech: The command that writes the sound to standard output.
            player: The command that plays standard input.
            due_at_s: When its words should have been spoken.
            hangs_at_s: When the sentence counts as hanging.
            fds: The files that the player inherits.

        Raises:
            DriverError: if a program cannot be started.
        """
        self.due_at_s = due_at_s
        self.hangs_at_s = hangs_at_s
        self._speech = _Process(speech, subprocess.DEVNULL, subprocess.PIPE)
        assert self._speech.popen.stdout is not None
        with self._speech.popen.stdout as sound:  # the player alone holds it then, so its end ends the speech, too
            try:
                self._player = _Process(player, sound, subprocess.DEVNULL, fds)
            except DriverError:
                self._speech.popen.kill()
                self._speech.forget()
                raise

    @property
    def ended(self) -> bool:
        """Whether both processes have ended."""
        return self._player.popen.poll() is not None and self._speech.popen.poll() is not None

    def cut(self) -> None:
        """End both processes."""
        self._player.popen.kill()
        self._speech.popen.kill()

    def failure(self) -> str:
        """Return why the sentence was not heard; empty if it was. A speech whose player has ended gets a SIGPIPE."""
        if self._speech.popen.poll() not in (0, -signal.SIGPIPE):
            return self._speech.failure()
        return self._player.failure() if self._player.popen.poll() != 0 else ""

    def close(self, patience_s: float = 0.0) -> None:
        """Wait for the end of each process, for `patience_s` at most, and forget what they wrote."""
        for process in (self._player, self._speech):
            with suppress(subprocess.TimeoutExpired):
                process.popen.wait(patience_s)
            process.forget()


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

    def say(self, text: str, after: bytes = b"") -> None:
        """Start speaking, after a WAV file if there is one; an empty text alone only stops.

        Raises:
            DriverError: if the last sentence that ended by itself was not heard, or the player hangs; the new one is
                spoken all the same.
        """
        if self._closed:
            return
        self._stop()
        words = speakable(text)
        if words or after:
            loudness = str(round(LOUDEST * self._loudness.speech))
            command = [*self._command, "-a", loudness, "--", words]
            now_s = self._clock() + (LONGEST_S if after else 0)
            times = now_s + needed_s(words), now_s + HANGS_S + CHARACTER_S * len(words)
            with ExitStack() as ends:
                player, fds = self._player, []
                if after:  # aplay plays a file and then its standard input; it cannot change the volume
                    fds = [os.memfd_create("wav")]
                    ends.callback(os.close, *fds)
                    os.write(fds[0], at_volume(after, self._loudness.volume))
                    player = [*player, f"/dev/fd/{fds[0]}", *(["-"] if words else [])]
                self._speaking = SpokenSentence(command, player, *times, fds)
        if self._failure:
            raise DriverError(self._failure)

    def say_after(self, wav: bytes, text: str) -> None:
        """Start playing a WAV file, and speak after it; at night only speak. An error is that of `say`."""
        self.say(text, wav if self._loudness.tones else b"")

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
            sentence.close(CLOSE_S)
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
