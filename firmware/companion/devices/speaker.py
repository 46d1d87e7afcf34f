"""The voice: speaks what just happened, and plays its tones, on the sound driver."""

from collections.abc import Callable

from companion.devices.phrases import Catalogue, call_out
from companion.runtime.feed import Feed, Update
from companion.table.cues import CueKind
from companion.table.inputs import Fault
from companion.table.view import View
from pegboard.errors import PegboardError
from pegboard.sound.port import Sound, Tone

_TONES = {CueKind.SETTLED: Tone.TICK, CueKind.FARKLE: Tone.FALL, CueKind.FINAL_ROUND: Tone.BELL}


class Voice:
    """Says each update's cues, the newest last; a driver never waits, so neither does the table.

    A sound that fails is reported, and used again with the next update.
    """

    def __init__(self, feed: Feed, sound: Sound, words: Catalogue, report: Callable[[Fault], object]) -> None:
        self._sound = sound
        self._words = words
        self._report = report
        self._failed = False
        self._before = feed.latest.view
        self._leave = feed.subscribe(self._on_update)

    def close(self) -> None:
        """Fall silent."""
        self._leave()
        self._sound.close()

    def _on_update(self, update: Update) -> None:
        before, self._before = self._before, update.view
        said = call_out(self._words, update.view, update.cues)
        tones = [_TONES[cue.kind] for cue in update.cues if cue.kind in _TONES]
        walked = 0 if tones else walk(before, update.view)
        if not (said or tones or walked):
            return
        try:
            for tone in tones:
                self._sound.play(tone)
            if walked:
                self._sound.play(Tone.TICK, walked)
            if said:
                self._sound.say(said)
            self._say_fault(None)
        except (PegboardError, OSError) as error:
            self._say_fault(str(error))

    def _say_fault(self, why: str | None) -> None:
        if (why is not None) != self._failed:
            self._failed = why is not None
            self._report(Fault("sound", None if why is None else f"No sound: {why}"))


def walk(before: View, after: View) -> int:
    """How many holes the peg that goes furthest forward walks between two views of one game: a tick each."""
    if [player.name for player in before.players] != [player.name for player in after.players]:
        return 0
    pairs = zip(before.players, after.players, strict=True)
    ways = [(new.front_hole - old.front_hole, new.hole - old.hole) for old, new in pairs]
    return max((max(way) for way in ways), default=0) if after.seq >= before.seq else 0
