"""Plays tones and speaks what has just happened, on the sound driver."""

import queue
from collections.abc import Callable
from contextlib import suppress

from companion.devices.phrases import Catalogue, call_out
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.table.cues import CueKind
from companion.table.inputs import Fault
from companion.table.view import View
from pegboard.sound.port import Sound, Tone

_TONES = {CueKind.SETTLED: Tone.TICK, CueKind.FARKLE: Tone.FALL, CueKind.FINAL_ROUND: Tone.BELL}

MOST_WAITING = 10
"""Updates whose sounds may wait for a slow driver; those of further ones are lost."""


class Speaker(Worker):
    """Plays the sounds of each update on a thread of its own.

    A sound that fails is reported, and used again with the next update. If a driver hangs, sounds get lost.
    """

    def __init__(self, feed: Feed, sound: Sound, words: Catalogue, report: Callable[[Fault], object]) -> None:
        super().__init__("voice", Guard("sound", "No sound", report))
        self._sound = sound
        self._words = words
        self._before = feed.latest.view
        self._waiting: queue.Queue[tuple[list[Tone], int, str]] = queue.Queue(MOST_WAITING)
        self._unsubscribe = feed.subscribe(self._on_update, "voice")

    def close(self) -> None:
        """End all sound, and close the driver."""
        self._unsubscribe()
        self._ending.set()
        self._put([], 0, "")
        self._end()
        self._sound.close()

    def _on_update(self, update: Update) -> None:
        before, self._before = self._before, update.view
        words = call_out(self._words, update.view, update.cues)
        tones = [_TONES[cue.kind] for cue in update.cues if cue.kind in _TONES]
        ticks = 0 if tones else holes_walked(before, update.view)
        if words or tones or ticks:
            self._put(tones, ticks, words)

    def _put(self, tones: list[Tone], ticks: int, words: str) -> None:
        with suppress(queue.Full):
            self._waiting.put_nowait((tones, ticks, words))

    def _work(self) -> float:
        tones, ticks, words = self._waiting.get()
        if self._ending.is_set():
            return 0.0
        for tone in tones:
            self._sound.play(tone)
        if ticks:
            self._sound.play(Tone.TICK, ticks)
        if words:
            self._sound.say(words)
        self._guard.works()
        return 0.0


def holes_walked(before: View, after: View) -> int:
    """Return how many holes the peg that moves furthest forward walks between two views of one game."""
    if [player.name for player in before.players] != [player.name for player in after.players]:
        return 0
    pairs = zip(before.players, after.players, strict=True)
    walks = [max(new.front_hole - old.front_hole, new.hole - old.hole) for old, new in pairs]
    return max(walks, default=0) if after.seq >= before.seq else 0
