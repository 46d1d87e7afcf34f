"""Detect when the tray has come to rest, and read it then. Pure: all times are the frames' own."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dicereader.data.frame import Frame, Pixels
from dicereader.live.episode import episode_between, without_shelf_doubts
from dicereader.live.motion import MotionDetector
from dicereader.live.timing import SettleTiming
from dicereader.live.votes import Vote, best, disputed, doubted, largest_group, were_still
from dicereader.reading import DiceReading, Episode, Fate, Motion, Observation, ReadDie, Zone
from dicereader.tray.calibration import Calibration

SLOW_S = 0.15
"""Mean seconds from frame to frame from which a hand may lay a die on the shelf unseen."""

UNSEEN_S = 0.4
"""Seconds without a frame in which dice may be thrown and come to rest unseen."""

ReadPixels = Callable[[Pixels], DiceReading]
"""Reads one picture."""


@dataclass(frozen=True, eq=False)
class Settled:
    """A new reading of the tray at rest, and the frame it was read from."""

    observation: Observation
    frame: Frame


SettleEvent = Motion | Settled
"""The tray's motion, when it has changed, or a new reading."""


class Settler:
    """Turns frames of one size into events. A few frames of a settled tray are read and vote.

    With a calibration only motion inside the tray counts.
    """

    def __init__(
        self,
        reader: ReadPixels,
        calibration: Calibration | None = None,
        timing: SettleTiming | None = None,
    ) -> None:
        self._reader = reader
        self._timing = timing or SettleTiming()
        self._detector = MotionDetector(calibration)
        self._calibration = calibration
        self._motion = Motion.MOVING
        self._last: DiceReading | None = None
        self._hopped: tuple[int, ...] = ()  # of the last reading
        self._unread = True  # something happened since the last reading
        self._hand = False  # a hand was seen in this episode
        self._hand_left_s: float | None = None
        self._moved_s: float | None = None
        self._over_s: float | None = None  # since when something has been over the border
        self._newest_s: float | None = None
        self._rested_s = 0.0  # when the tray was last at rest
        self._frames = 0  # since then
        self._gap_s = 0.0  # the longest time between two of them
        self._quiet: list[Frame] = []
        self._early: list[Vote] = []  # readings of quiet frames that will probably vote
        self._votes: list[Vote] = []
        self._held: Vote | None = None  # a reading held back for dice that may still come
        self._more_votes = False  # for an unexpected number of thrown dice, or a critical roll
        self._unsteady = 0  # times that dice were read while they turned
        self._throw_counts: tuple[int, ...] = ()
        self._critical_rolls: frozenset[tuple[int, ...]] = frozenset()

    def expect(self, throw_counts: tuple[int, ...], critical_rolls: Iterable[tuple[int, ...]] = ()) -> None:
        """Set what may be thrown next. Anything else takes longer, and is then reported as it is.

        Args:
            throw_counts: the allowed numbers of thrown dice, empty if unknown.
            critical_rolls: rolls, faces in rising order, that need five more votes.
        """
        self._throw_counts, self._critical_rolls = throw_counts, frozenset(critical_rolls)

    def forget(self) -> None:
        """Make the next settled picture a first one, which is reported even if nothing has changed."""
        self._last = None
        self._unread = True
        self._start_over()

    def calibrate(self, calibration: Calibration | None) -> None:
        """Set where the tray is from now on, if it has moved a little."""
        self._detector.calibrate(calibration)
        self._calibration = calibration

    @property
    def restless(self) -> bool:
        """Whether something moves, or has moved and is not yet read."""
        return self._motion is not Motion.STILL

    @property
    def dice(self) -> tuple[ReadDie, ...]:
        """The dice of the newest reading; none before the first."""
        return self._last.dice if self._last is not None else ()

    @property
    def at_rest(self) -> bool:
        """Whether frames of dice that have come to rest are being gathered: no time may be lost."""
        return bool(self._quiet)

    def feed(self, frame: Frame) -> list[SettleEvent]:
        """Add a frame; return the events it causes, in order."""
        if frame.still:
            return [self._photograph(frame)]
        if self._newest_s is not None:
            self._gap_s = max(self._gap_s, frame.at_s - self._newest_s)
        self._newest_s = frame.at_s
        self._frames += 1
        change = self._detector.look(frame)
        if self._moved_s is None or change.moved:
            self._moved_s = frame.at_s
        quiet_s = frame.at_s - self._moved_s
        if not change.over or self._over_s is None:
            self._over_s = frame.at_s if change.over else None
        if change.hand and quiet_s < self._timing.dead_still_s:
            self._hand = self._unread = True
            self._hand_left_s = None
            self._detector.remember_motion(in_shade=True)
            self._start_over()
            return self._become(Motion.HAND)
        if self._motion is Motion.HAND:
            self._hand_left_s = frame.at_s
            self._detector.remember_motion(in_shade=True)
            return self._become(Motion.MOVING)
        if change.moved:
            left_s = self._hand_left_s
            shade = left_s is not None and frame.at_s - left_s <= self._timing.hand_gone_s
            self._detector.remember_motion(in_shade=shade)
            self._unread = True
            self._start_over()
            return self._become(Motion.MOVING)
        if self._unread:
            return self._at_rest(frame, quiet_s)
        self._rest(frame.at_s)  # slow changes, such as a cloud, must not look like a hand later
        return []

    def _rest(self, now_s: float) -> None:
        """Take the tray as it is now; what has come over its border belongs to it only after a while."""
        self._rested_s, self._frames, self._gap_s = now_s, 0, 0.0
        self._detector.rest(whole=self._over_s is None or now_s - self._over_s >= self._timing.dead_still_s)

    def _at_rest(self, frame: Frame, quiet_s: float) -> list[SettleEvent]:
        if self._held is not None:
            return [] if quiet_s < self._timing.missing_s else self._settle(*self._held, frame.at_s)
        self._quiet.append(frame)
        del self._quiet[: -self._timing.still_frames]
        if not self._enough(quiet_s):
            if self._will_vote(quiet_s):
                self._early.append((frame, self._reader(frame.pixels)))
            return []
        voted = self._vote()
        self._quiet.clear()
        self._early.clear()
        if voted is None:
            return []
        if not were_still(largest_group(self._votes)):
            self._unsteady += 1
            if self._unsteady <= self._timing.unsteady:
                self._moved_s = frame.at_s
                self._votes.clear()
                return self._become(Motion.MOVING)
            voted = voted[0], doubted(voted[1])
        thrown = self._thrown(voted[1])
        unexpected = bool(thrown and self._throw_counts) and len(thrown) not in self._throw_counts
        too_few = unexpected and len(thrown) < min(self._throw_counts)
        if too_few and quiet_s < self._timing.missing_s:  # more may come
            self._held = voted
            return []
        if not self._more_votes and ((unexpected and not too_few) or thrown in self._critical_rolls):
            self._more_votes = True
            return []
        return self._settle(*voted, frame.at_s)

    def _enough(self, quiet_s: float) -> bool:
        """Return whether the quiet frames may be read: of a slow camera fewer are enough, over twice the time."""
        frames, still_s = self._timing.still_frames, self._timing.still_s
        if len(self._quiet) >= frames:
            return quiet_s >= still_s
        return len(self._quiet) >= self._timing.agreeing and quiet_s >= 2 * still_s

    def _will_vote(self, quiet_s: float) -> bool:
        """Return whether the newest quiet frame will be read, if frames go on as often: reading it now saves time."""
        if self._votes:
            return True
        if len(self._quiet) == 1:
            return False
        every_s = (self._quiet[-1].at_s - self._quiet[0].at_s) / (len(self._quiet) - 1)
        by_time = (self._timing.still_s - quiet_s) / max(every_s, 1e-3)
        to_come = max(self._timing.still_frames - len(self._quiet), by_time)
        return to_come <= self._timing.agreeing - 1

    def _settle(self, frame: Frame, reading: DiceReading, now_s: float) -> list[SettleEvent]:
        # The reading goes first: the game must never show a still tray that it has not understood.
        observation = self._observed(frame, reading)
        events: list[SettleEvent] = [] if observation is None else [Settled(observation, frame)]
        events += self._become(Motion.STILL)
        self._rest(now_s)
        self._unread = self._hand = False
        self._hand_left_s = None
        self._unsteady = 0
        self._start_over()
        return events

    def _vote(self) -> Vote | None:
        """Read the quiet frames and return the elected vote, or None if as many more frames are needed.

        Three that agree against at most one are enough; after ten frames more than half must agree.
        """
        frames = self._timing.still_frames
        for frame in reversed(self._quiet):
            early = next((reading for read, reading in self._early if read is frame), None)
            self._votes.append((frame, early or self._reader(frame.pixels)))
            group = largest_group(self._votes)
            against = len(self._votes) - len(group)
            few = len(self._votes) <= frames and not self._more_votes
            if few and len(group) >= self._timing.agreeing and against <= 1:
                return best(group)
        if len(self._votes) <= frames and not self._more_votes:
            return None
        group = largest_group(self._votes)
        frame, reading = best(group)
        return (frame, reading) if 2 * len(group) > len(self._votes) else (frame, disputed(reading, self._votes))

    def _thrown(self, reading: DiceReading) -> tuple[int, ...]:
        """Return the faces that surely came to rest by themselves since the last reading, in rising order."""
        episode, _ = self._episode(reading)
        return tuple(sorted(reading.dice[i].face for i in episode.thrown()))

    def _episode(self, reading: DiceReading) -> tuple[Episode, tuple[int, ...]]:
        """Return what happened since the last reading, and the dice about which that is in doubt.

        Without a last reading, or if a throw may have gone unseen, the episode is a first one.
        """
        first = Episode(first=True, hand=self._hand, fates=(Fate.PLACED,) * len(reading.dice))
        if self._last is None:
            return first, ()
        seen_s = (self._newest_s or 0.0) - self._rested_s
        slow = self._gap_s >= UNSEEN_S or seen_s >= SLOW_S * self._frames
        episode, doubtful = episode_between(
            self._last, reading, self._hand, self._detector, self._hopped, self._throw_counts, slow=slow
        )
        return (first, ()) if self._may_be_unseen_throw(reading, episode) else (episode, doubtful)

    def _observed(self, frame: Frame, reading: DiceReading) -> Observation | None:
        """Return the observation of a reading, None if it has nothing new."""
        episode, doubtful = self._episode(reading)
        stayed = set(episode.fates) <= {Fate.STAYED} and len(reading.dice) == len(self.dice)
        self._last, self._hopped = reading, episode.hopped
        if stayed and not doubtful and not self._hand and not episode.first:
            return None
        if doubtful:
            reading = doubted(reading, doubtful)
        return self._observation(frame, without_shelf_doubts(reading, episode), episode)

    def _may_be_unseen_throw(self, reading: DiceReading, episode: Episode) -> bool:
        """Return whether dice came to lie while no frames came, as many as may be thrown, and few seem thrown."""
        came = sum(
            die.zone is not Zone.SHELF and fate in {Fate.THROWN, Fate.PLACED}
            for die, fate in zip(reading.dice, episode.fates, strict=True)
        )
        counts = self._throw_counts
        return self._gap_s >= UNSEEN_S and came in counts and len(episode.thrown()) not in counts

    def _photograph(self, frame: Frame) -> Settled:
        reading = self._reader(frame.pixels)
        episode = Episode(first=False, hand=False, fates=(Fate.THROWN,) * len(reading.dice))
        return Settled(self._observation(frame, reading, episode), frame)

    def _observation(self, frame: Frame, reading: DiceReading, episode: Episode) -> Observation:
        known = self._calibration
        shelf = known.shelf_px() if known is not None and known.fits(frame.pixels) else ()
        return Observation(reading, episode, still=frame.still, name=frame.name, size=frame.size, shelf=shelf)

    def _become(self, motion: Motion) -> list[SettleEvent]:
        before, self._motion = self._motion, motion
        return [] if before is motion else [motion]

    def _start_over(self) -> None:
        self._held = None
        self._more_votes = False
        self._quiet.clear()
        self._early.clear()
        self._votes.clear()
