"""The voice: speaks what just happened, and plays its tones, on the sound driver."""

from companion.feed import Feed, Update
from companion.table.cues import CueKind
from pegboard.sound.port import Sound, Tone

_TONES = {CueKind.SETTLED: Tone.TICK, CueKind.FARKLE: Tone.FALL, CueKind.FINAL_ROUND: Tone.BELL}


class Voice:
    """Says each update's cues, the newest last; a driver never waits, so neither does the table."""

    def __init__(self, feed: Feed, sound: Sound) -> None:
        self._sound = sound
        self._leave = feed.subscribe(self._on_update)

    def close(self) -> None:
        """Fall silent."""
        self._leave()
        self._sound.close()

    def _on_update(self, update: Update) -> None:
        for cue in update.cues:
            if cue.kind in _TONES:
                self._sound.play(_TONES[cue.kind])
        said = next((cue.text for cue in reversed(update.cues) if cue.text), "")
        if said:
            self._sound.say(said)
