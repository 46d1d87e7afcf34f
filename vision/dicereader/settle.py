"""When the tray has come to rest, and what is read then. Pure over frames: all times are the frames' own."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from dicereader.calibration import Calibration
from dicereader.episode import episode_between, same_dice
from dicereader.frame import Frame, Pixels
from dicereader.reading import DiceReading, Doubt, Episode, Fate, Observation, first_episode
from dicereader.stir import TrayWatch

Reader = Callable[[Pixels], DiceReading]
"""What reads one picture."""


@dataclass(frozen=True)
class Patience:
    """How long to wait and how often to look. Seconds are those of the frames."""

    still_s: float = 0.35
    still_frames: int = 5  # these frames are the votes
    agreeing: int = 3  # votes that are enough
    hand_gone_s: float = 0.07  # a hand's last shadow still passes over the dice for so long
    dead_still_s: float = 5.0  # what lies over the border and has not stirred for so long is no hand


@dataclass(frozen=True)
class Moving:
    """Something in the tray has begun to move, or a hand has gone."""

    at_s: float


@dataclass(frozen=True)
class HandIn:
    """A hand has come over the tray's border."""

    at_s: float


@dataclass(frozen=True)
class StillNow:
    """All has come to rest; what lies there has been read."""

    at_s: float


@dataclass(frozen=True, eq=False)
class Settled:
    """A reading of the tray at rest that says something new, and the frame it was read from."""

    observation: Observation
    frame: Frame


Event = Moving | HandIn | StillNow | Settled


class Settler:
    """Frames in, events out.

    The reader reads a few frames of a settled tray, which vote. With a calibration only motion inside the tray counts.
    """

    def __init__(
        self, reader: Reader, calibration: Calibration | None = None, patience: Patience | None = None
    ) -> None:
        self._reader = reader
        self._patience = patience or Patience()
        self._tray = TrayWatch(calibration)
        self._state: type[Moving | HandIn | StillNow] = Moving
        self._number = 0
        self._last: DiceReading | None = None
        self._unread = True  # something happened since the last reading
        self._hand = False  # in this episode
        self._hand_left_s: float | None = None
        self._stirred_s: float | None = None
        self._quiet: list[Frame] = []
        self._votes: list[tuple[Frame, DiceReading]] = []

    def forget(self) -> None:
        """The next settled picture is a first one, and is told even where nothing has changed."""
        self._last = None
        self._unread = True
        self._start_over()

    @property
    def stirring(self) -> bool:
        """Whether something moves, or has moved and is not yet read."""
        return self._state is not StillNow

    def feed(self, frame: Frame) -> list[Event]:
        """One more frame; what it brings to light, in order."""
        if frame.still:
            return [self._photograph(frame)]
        seen = self._tray.look(frame.pixels)
        if self._stirred_s is None or seen.moved:
            self._stirred_s = frame.at_s
        quiet_s = frame.at_s - self._stirred_s
        if seen.hand and quiet_s < self._patience.dead_still_s:
            self._hand = self._unread = True
            self._hand_left_s = None
            self._tray.forget_motion()
            self._start_over()
            return self._become(HandIn, frame.at_s)
        if self._state is HandIn:
            self._hand_left_s = frame.at_s
            return self._become(Moving, frame.at_s)
        if seen.moved:
            if self._hand_left_s is None or frame.at_s - self._hand_left_s > self._patience.hand_gone_s:
                self._tray.remember_motion()
            self._unread = True
            self._start_over()
            return self._become(Moving, frame.at_s)
        return self._at_rest(frame, quiet_s) if self._unread else []

    def _at_rest(self, frame: Frame, quiet_s: float) -> list[Event]:
        self._quiet.append(frame)
        del self._quiet[: -self._patience.still_frames]
        if len(self._quiet) < self._patience.still_frames or quiet_s < self._patience.still_s:
            return []
        voted = self._vote()
        self._quiet.clear()
        if voted is None:
            return []
        # What was read goes before the word that all is still: the game never shows a still tray it has not understood.
        observation = self._observed(*voted)
        events: list[Event] = [] if observation is None else [Settled(observation, voted[0])]
        events += self._become(StillNow, frame.at_s)
        self._tray.rest()
        self._tray.forget_motion()
        self._unread = self._hand = False
        self._hand_left_s = None
        self._votes.clear()
        return events

    def _vote(self) -> tuple[Frame, DiceReading] | None:
        """Read the quiet frames until enough agree; None: five more frames are wanted.

        Three that agree against at most one are enough; after ten frames it takes more than half.
        """
        frames = self._patience.still_frames
        for frame in reversed(self._quiet):
            self._votes.append((frame, self._reader(frame.pixels)))
            group = _largest_group(self._votes)
            against = len(self._votes) - len(group)
            if len(self._votes) <= frames and len(group) >= self._patience.agreeing and against <= 1:
                return _best(group)
        if len(self._votes) <= frames:
            return None
        group = _largest_group(self._votes)
        frame, reading = _best(group)
        if 2 * len(group) > len(self._votes):
            return frame, reading
        return frame, replace(reading, sure=False, doubts=_with(reading.doubts, Doubt.FACE))

    def _observed(self, frame: Frame, reading: DiceReading) -> Observation | None:
        before, self._last = self._last, reading
        if before is None:
            first = first_episode(reading.dice)
            return self._told(frame, reading, replace(first, hand=self._hand))
        episode, disputed = episode_between(before, reading, self._hand, self._tray.traced)
        if disputed:
            dice = tuple(
                replace(die, doubts=_with(die.doubts, Doubt.FACE)) if i in disputed else die
                for i, die in enumerate(reading.dice)
            )
            reading = replace(reading, dice=dice, sure=False)
        unchanged = len(reading.dice) == len(before.dice) and set(episode.fates) <= {Fate.STAYED} and not disputed
        return None if unchanged and not self._hand else self._told(frame, reading, episode)

    def _photograph(self, frame: Frame) -> Settled:
        reading = self._reader(frame.pixels)
        dice = len(reading.dice)
        episode = Episode(first=False, hand=False, fates=(Fate.THROWN,) * dice, was=(None,) * dice)
        return Settled(self._told(frame, reading, episode), frame)

    def _told(self, frame: Frame, reading: DiceReading, episode: Episode) -> Observation:
        self._number += 1
        return Observation(
            self._number, frame.at_s, reading, episode, still=frame.still, name=frame.name, size=frame.size
        )

    def _become(self, state: type[Moving | HandIn | StillNow], at_s: float) -> list[Event]:
        if self._state is state:
            return []
        self._state = state
        return [state(at_s)]

    def _start_over(self) -> None:
        self._quiet.clear()
        self._votes.clear()


def _largest_group(votes: list[tuple[Frame, DiceReading]]) -> list[tuple[Frame, DiceReading]]:
    groups = [[vote for vote in votes if same_dice(vote[1], one[1])] for one in votes]
    return max(groups, key=len)


def _best(group: list[tuple[Frame, DiceReading]]) -> tuple[Frame, DiceReading]:
    """The vote to go by: of the readings that are as sure as most of them are, the one with the surest weakest die."""
    sure = 2 * sum(reading.sure for _, reading in group) > len(group)
    like_most = [vote for vote in group if vote[1].sure == sure]
    return max(like_most, key=lambda vote: min((die.confidence for die in vote[1].dice), default=1.0))


def _with(doubts: tuple[Doubt, ...], doubt: Doubt) -> tuple[Doubt, ...]:
    return doubts if doubt in doubts else (*doubts, doubt)
