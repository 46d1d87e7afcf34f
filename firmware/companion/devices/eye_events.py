"""Sight: what the eye says, as inputs for the table; and what the table asks of the eye."""

from collections.abc import Callable

from companion.devices.eye_process import Watcher
from companion.runtime.feed import Feed, Update
from companion.table.cues import CueKind
from companion.table.inputs import Fault, Input, MotionReported, ReadingSettled, TrayFoundAgain
from dicereader.live import messages
from dicereader.reading import CameraFault, Observation

SAID: dict[CameraFault, str] = {
    CameraFault.BLACK: "The camera sees only black: is it covered, or the light off?",
    CameraFault.WHITE: "The camera sees only white: there is too much light.",
    CameraFault.FROZEN: "The camera shows the same picture again and again.",
    CameraFault.BLURRED: "The camera's picture is blurred: wipe or focus its lens.",
    CameraFault.COVERED: "Part of the tray is covered.",
    CameraFault.TORN: "The camera's pictures are torn: look at its cable.",
    CameraFault.EXPOSURE: "The camera's brightness jumps: lock its exposure.",
    CameraFault.FLICKER: "The light flickers: use another lamp, or set the camera to your mains.",
}
"""What the table says of each fault of the camera."""


DOUBTFUL = frozenset(CameraFault) - {CameraFault.BLACK, CameraFault.WHITE, CameraFault.FROZEN}
"""Faults that may be false alarms: the eye compares with what it takes for a well picture."""


class Sight:
    """Joins the watcher with the host's inbox. `observed` and `hello` may be taken over by who reads pictures first."""

    def __init__(self, submit: Callable[[Input], object], source: str) -> None:
        self._submit = submit
        self._source = source
        self._troubled = False
        self._blind = False
        self.observed: Callable[[Observation], object] = self.accept
        self.hello: Callable[[bool], object] = bool
        self.fatal = ""  # why the eye cannot start, while it cannot

    def accept(self, observation: Observation) -> None:
        """Put a settled reading into the inbox."""
        self._submit(ReadingSettled(observation, self._source))

    def on_message(self, message: messages.FromEye, payload: bytes) -> None:  # noqa: ARG002 - the watcher keeps pictures
        """Hear the eye; called on the watcher's thread."""
        match message:
            case messages.Observed(observation=observation):
                self.observed(observation)
            case messages.MotionChanged(motion=motion):
                self._submit(MotionReported(motion))
            case messages.TrayMoved():
                self._submit(TrayFoundAgain())
            case messages.Trouble(text=text, fatal=fatal):
                self._troubled = True
                self.fatal = text if fatal else self.fatal
                self._submit(Fault("eye", f"I can't see the tray: {text}"))
            case messages.FaultsChanged(faults=faults):
                self._blind = bool(faults)
                doubtful = bool(faults) and faults[0] in DOUBTFUL
                self._submit(Fault("camera", SAID[faults[0]] if faults else None, doubtful))
            case messages.Hello(live=live):
                if self._blind:  # of the eye before this one
                    self._blind = False
                    self._submit(Fault("camera", None))
                self.hello(live)
            case messages.Heartbeat():
                self._well()
            case messages.TrayPicture() | messages.NoFrames():
                pass

    def _well(self) -> None:
        if self._troubled:
            self._troubled = False
            self.fatal = ""
            self._submit(Fault("eye", None))


def follow(feed: Feed, watcher: Watcher) -> Callable[[], None]:
    """Tell the eye what may be thrown next, at each step back that its next settled picture is a first one, and when
    people say that its alarm is a false one.

    The answer ends that.
    """

    def on_update(update: Update) -> None:
        watcher.expect(update.expected.counts, update.expected.high_stakes)
        if any(cue.kind is CueKind.OUT_OF_STEP for cue in update.cues):
            watcher.forget()
        if any(cue.kind is CueKind.OVERLOOK for cue in update.cues):
            watcher.overlook()

    watcher.expect(feed.latest.expected.counts, feed.latest.expected.high_stakes)
    return feed.subscribe(on_update)
