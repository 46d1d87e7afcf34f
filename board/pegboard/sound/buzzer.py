"""Tones on a passive buzzer at the Pi's header, through gpiozero's TonalBuzzer and a thread that times the notes."""

import threading
from collections.abc import Mapping, Sequence

from pegboard.errors import DriverError, NoDeviceError, one_line
from pegboard.gpio import imported_gpiozero
from pegboard.installation import add_extra
from pegboard.sound.port import Loudness, Tone

PIN = 12

Note = tuple[str | None, float]
"""A note, or None for silence, and its duration in seconds."""

MELODIES: Mapping[Tone, Sequence[Note]] = {
    Tone.TICK: (("A6", 0.012), (None, 0.048)),  # 60 ms, the time of a peg from hole to hole
    Tone.FALL: (("A5", 0.14), ("F5", 0.14), ("D5", 0.14), ("A4", 0.3)),
    Tone.BELL: (("E6", 0.12), (None, 0.05), ("E6", 0.12), (None, 0.05), ("A6", 0.4)),
}
MOST_TIMES = 40


class Buzzer:
    """Plays the newest melody."""

    def __init__(self, loudness: Loudness) -> None:
        self._loud = loudness.tones
        self._failure = ""  # of the last melody
        try:
            with imported_gpiozero() as gpiozero:
                self._buzzer = gpiozero.TonalBuzzer(PIN, mid_tone="A5", octaves=2)
        except Exception as error:
            wrong = f"expected a buzzer on GPIO{PIN}, got: {one_line(error)}; {add_extra('pi')}"
            raise NoDeviceError(wrong) from error
        self._wanted: tuple[Note, ...] = ()
        self._plays = False
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def say(self, text: str) -> None:
        """Do nothing: a buzzer cannot speak."""

    def play(self, tone: Tone, times: int = 1) -> None:
        """Play a tone from now on; nothing at night."""
        with self._changed:
            if self._loud and not self._closed:
                self._wanted = tuple(MELODIES[tone]) * min(times, MOST_TIMES)
                self._plays = True
                self._changed.notify()

    def check(self) -> bool:
        """Return whether a melody is being played.

        Raises:
            DriverError: if the pin was lost in the last melody.
        """
        with self._changed:
            if not self._plays and self._failure:
                raise DriverError(f"expected the buzzer on GPIO{PIN} to play, got: {self._failure}")
            return self._plays

    def set_loudness(self, loudness: Loudness) -> None:
        """Play the following tones, or leave them out if the loudness has none: a buzzer has one volume."""
        self._loud = loudness.tones

    def close(self) -> None:
        """Stop playing and release the pin."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._wanted = ()
            self._changed.notify()
        self._thread.join(1.0)
        self._buzzer.close()

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                self._changed.wait_for(lambda: self._wanted or self._closed)
                notes, self._wanted = self._wanted, ()
                try:
                    self._play(notes)
                    self._failure = ""
                except Exception as error:  # noqa: BLE001 - a lost pin; the next melody tries it again
                    self._failure = one_line(error)
                self._plays = bool(self._wanted)

    def _play(self, notes: Sequence[Note]) -> None:
        """Play a melody until another one is wanted, and be silent."""
        for note, seconds in notes:
            self._buzzer.play(note)
            if self._changed.wait_for(lambda: self._wanted or self._closed, seconds):
                break
        self._buzzer.play(None)
