"""Plays tones and speaks what has just happened, on the sound driver."""

import queue
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from companion.devices.phrases import call_out
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Fault
from companion.table.view import View
from companion.words import Catalogue, message
from pegboard.sound.port import Adjustable, Checkable, Loudness, Sound, Tone, WavPlayer

_TONES = {CueKind.SETTLED: Tone.TICK, CueKind.FARKLE: Tone.FALL, CueKind.FINAL_ROUND: Tone.BELL}

CHECK_S = 0.2
"""Seconds between two checks of a sentence or tone that is being played."""

MOST_WAITING = 10
"""The most updates whose sounds wait for a slow driver; the sounds of further updates are lost."""


@dataclass(frozen=True)
class _Heard:
    """The sounds of one update: its tones, the ticks of a walking peg, words, the volume, and a WAV file before words.

    With `cut` the present speech is cut short. With `later` the words wait for its end, and are lost if more is to be
    heard meanwhile.
    """

    tones: tuple[Tone, ...] = ()
    ticks: int = 0
    words: str = ""
    volume: float | None = None
    wav: bytes = b""
    cut: bool = False
    later: bool = False


@dataclass(eq=False)
class Speaker(Worker):
    """Plays the sounds of each update on a thread of its own.

    A driver that fails is reported, and used again at the next update. If a driver hangs, sounds are lost.

    Args:
        feed: The views and cues to speak.
        sound: The sound driver, which is closed with the speaker.
        words: The words of the voice.
        report: Gets the faults of the driver.
        loudness: The loudness at which the driver was opened; later views may change it.
        wavs: WAV files by the kind of a moment or cue, the loudest first. An update plays at most one of them, in place
            of the tone. Features add them before the speaker starts.
    """

    feed: Feed
    sound: Sound
    words: Catalogue
    report: Callable[[Fault], object]
    loudness: Loudness = field(default_factory=Loudness)
    wavs: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__("voice", Guard("sound", message("fault.sound"), self.report))
        self._before = self.feed.latest.view
        self._waiting: queue.Queue[_Heard] = queue.Queue(MOST_WAITING)
        self._unchecked = False
        self._later = ""
        self._unsubscribe = self.feed.subscribe(self._on_update, "voice")

    def close(self) -> None:
        """End all sound, and close the driver."""
        self._unsubscribe()
        self._ending.set()
        self._put(_Heard())
        if self._end():
            self.sound.close()

    def say(self, words: str, *, later: bool = False) -> None:
        """Say words that no view may hold, unless the table is muted.

        Args:
            words: The words.
            later: Say them after the present speech, and not at all if anything else is to be heard before.
        """
        sound = self._before.sound
        if sound is None or not sound.muted:
            self._put(_Heard(words=words, later=later))

    def _on_update(self, update: Update) -> None:
        before, self._before = self._before, update.view
        words = self.words.aloud(call_out(self.words, update.view, update.cues))
        cues = [cue.kind for cue in update.cues if cue.kind in _TONES]
        moments = [each.kind for each in update.view.moments if update.view.seq != before.seq]
        wav = next((self.wavs[kind] for kind in self.wavs if kind in (*cues, *moments)), b"")
        tones = [_TONES[kind] for kind in cues if kind not in self.wavs]
        ticks = 0 if tones else holes_walked(before, update.view)
        sound = update.view.sound
        if sound is not None and sound.muted:
            if before.sound is not None and not before.sound.muted:
                self._put(_Heard(cut=True))
        elif words or tones or ticks or wav:
            volume = None if sound is None else sound.volume / 100
            self._put(_Heard(tuple(tones), ticks, words, volume, wav))

    def _put(self, heard: "_Heard") -> None:
        with suppress(queue.Full):
            self._waiting.put_nowait(heard)

    def _work(self) -> float:
        self._idle()
        try:
            heard = self._waiting.get(timeout=CHECK_S if self._unchecked else None)
        except queue.Empty:
            heard = None
        self._beat()
        if self._ending.is_set():
            return 0.0
        sound = self.sound if isinstance(self.sound, Checkable) else None
        try:
            if heard is not None:
                self._later = ""
                if heard.later and self._unchecked:
                    self._later = heard.words
                else:
                    self._unchecked = False
                    self._play(heard)
            self._unchecked = sound is not None and sound.check()
            if not self._unchecked:
                self._guard.works()
                self._play_later()
        except Exception as error:  # noqa: BLE001 - a person's own driver may raise any error
            self._guard.fail(error)
            with suppress(Exception):  # the error may be of the sentence before, while this one is being spoken
                self._unchecked = heard is not None and sound is not None and sound.check()
        return 0.0

    def _play_later(self) -> None:
        """Say what has waited for the end of the present speech."""
        words, self._later = self._later, ""
        if words:
            self.sound.say(words)
            self._unchecked = isinstance(self.sound, Checkable)

    def _play(self, heard: "_Heard") -> None:
        if heard.volume not in (None, self.loudness.volume):
            self.loudness = replace(self.loudness, volume=heard.volume)
            if isinstance(self.sound, Adjustable):
                self.sound.set_loudness(self.loudness)
        for tone in heard.tones:
            self.sound.play(tone)
        if heard.ticks:
            self.sound.play(Tone.TICK, heard.ticks)
        if heard.wav and isinstance(self.sound, WavPlayer):
            self.sound.say_after(heard.wav, heard.words)
        elif heard.words or heard.cut:
            self.sound.say(heard.words)


def holes_walked(before: View, after: View) -> int:
    """Return how many holes the peg that moves furthest forward walks between two views of one game."""
    if [player.name for player in before.players] != [player.name for player in after.players]:
        return 0
    pairs = zip(before.players, after.players, strict=True)
    walks = [max(new.front_hole - old.front_hole, new.hole - old.hole) for old, new in pairs]
    return max(walks, default=0) if after.seq >= before.seq else 0
