"""When the tray has come to rest, and what is read then. Pure over frames: all times are the frames' own."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from dicereader.frame import Frame, Pixels
from dicereader.live.episode import episode_between, shelved
from dicereader.live.motion import TrayWatch
from dicereader.live.patience import Patience
from dicereader.live.votes import Vote, best, disputed, doubted, largest_group, lay_still
from dicereader.reading import DiceReading, Episode, Fate, Observation, first_episode
from dicereader.tray.calibration import Calibration

Reader = Callable[[Pixels], DiceReading]
"""What reads one picture."""


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
        self._hopped: tuple[int, ...] = ()  # of the last reading
        self._unread = True  # something happened since the last reading
        self._hand = False  # in this episode
        self._hand_left_s: float | None = None
        self._stirred_s: float | None = None
        self._over_s: float | None = None  # since when something has been over the border
        self._quiet: list[Frame] = []
        self._votes: list[Vote] = []
        self._held: Vote | None = None  # read, and held back for dice that may yet come
        self._unlikely = False  # no number of dice that may be thrown was read, or a grave roll: more votes
        self._unsteady = 0  # times that dice were read while they turned
        self._expected: tuple[int, ...] = ()
        self._grave: frozenset[tuple[int, ...]] = frozenset()

    def expect(self, thrown: tuple[int, ...], grave: Iterable[tuple[int, ...]] = ()) -> None:
        """How many dice may be thrown next, none where nobody knows: what else comes is waited for, and then told.

        `grave` are rolls, faces in rising order, that five more votes are wanted for.
        """
        self._expected, self._grave = thrown, frozenset(grave)

    def forget(self) -> None:
        """The next settled picture is a first one, and is told even where nothing has changed."""
        self._last = None
        self._unread = True
        self._start_over()

    def stands(self, calibration: Calibration | None) -> None:
        """Where the tray stands from now on: a little elsewhere, if at all. What was seen so far still counts."""
        self._tray.stands(calibration)

    @property
    def stirring(self) -> bool:
        """Whether something moves, or has moved and is not yet read."""
        return self._state is not StillNow

    def feed(self, frame: Frame) -> list[Event]:
        """One more frame; what it brings to light, in order."""
        if frame.still:
            return [self._photograph(frame)]
        seen = self._tray.look(frame.pixels, frame.small)
        if self._stirred_s is None or seen.moved:
            self._stirred_s = frame.at_s
        quiet_s = frame.at_s - self._stirred_s
        if not seen.over or self._over_s is None:
            self._over_s = frame.at_s if seen.over else None
        if seen.hand and quiet_s < self._patience.dead_still_s:
            self._hand = self._unread = True
            self._hand_left_s = None
            self._tray.remember_motion(in_shade=True)
            self._start_over()
            return self._become(HandIn, frame.at_s)
        if self._state is HandIn:
            self._hand_left_s = frame.at_s
            self._tray.remember_motion(in_shade=True)
            return self._become(Moving, frame.at_s)
        if seen.moved:
            left_s = self._hand_left_s
            shade = left_s is not None and frame.at_s - left_s <= self._patience.hand_gone_s
            self._tray.remember_motion(in_shade=shade)
            self._unread = True
            self._start_over()
            return self._become(Moving, frame.at_s)
        if self._unread:
            return self._at_rest(frame, quiet_s)
        self._rest(frame.at_s)  # what creeps, as a tray that warms or a cloud, is not taken for a hand later on
        return []

    def _rest(self, now_s: float) -> None:
        """The tray is as it shows now; what has come over its border is a part of it only after a while."""
        self._tray.rest(whole=self._over_s is None or now_s - self._over_s >= self._patience.dead_still_s)

    def _at_rest(self, frame: Frame, quiet_s: float) -> list[Event]:
        if self._held is not None:
            return [] if quiet_s < self._patience.missing_s else self._settle(*self._held, frame.at_s)
        self._quiet.append(frame)
        del self._quiet[: -self._patience.still_frames]
        if len(self._quiet) < self._patience.still_frames or quiet_s < self._patience.still_s:
            return []
        voted = self._vote()
        self._quiet.clear()
        if voted is None:
            return []
        if not lay_still(largest_group(self._votes)):
            self._unsteady += 1
            if self._unsteady <= self._patience.unsteady:
                self._stirred_s = frame.at_s
                self._votes.clear()
                return self._become(Moving, frame.at_s)
            voted = voted[0], doubted(voted[1])
        thrown = self._thrown(voted[1])
        other = bool(thrown and self._expected) and len(thrown) not in self._expected
        few = other and len(thrown) < min(self._expected)
        if few and quiet_s < self._patience.missing_s:  # more may come
            self._held = voted
            return []
        if not self._unlikely and ((other and not few) or thrown in self._grave):
            self._unlikely = True  # five more votes
            return []
        return self._settle(*voted, frame.at_s)

    def _settle(self, frame: Frame, reading: DiceReading, now_s: float) -> list[Event]:
        # What was read goes before the word that all is still: the game never shows a still tray it has not understood.
        observation = self._observed(frame, reading)
        events: list[Event] = [] if observation is None else [Settled(observation, frame)]
        events += self._become(StillNow, now_s)
        self._rest(now_s)
        self._unread = self._hand = False
        self._hand_left_s = None
        self._unsteady = 0
        self._start_over()
        return events

    def _vote(self) -> Vote | None:
        """Read the quiet frames until enough agree; None: five more frames are wanted.

        Three that agree against at most one are enough; after ten frames it takes more than half.
        """
        frames = self._patience.still_frames
        for frame in reversed(self._quiet):
            self._votes.append((frame, self._reader(frame.pixels)))
            group = largest_group(self._votes)
            against = len(self._votes) - len(group)
            few = len(self._votes) <= frames and not self._unlikely
            if few and len(group) >= self._patience.agreeing and against <= 1:
                return best(group)
        if len(self._votes) <= frames and not self._unlikely:
            return None
        group = largest_group(self._votes)
        frame, reading = best(group)
        return (frame, reading) if 2 * len(group) > len(self._votes) else (frame, disputed(reading, self._votes))

    def _thrown(self, reading: DiceReading) -> tuple[int, ...]:
        """The faces that came to rest by themselves since the last reading, in rising order."""
        if self._last is None:
            return ()
        thrown = self._episode(self._last, reading)[0].thrown()
        return tuple(sorted(reading.dice[i].face for i in thrown))

    def _episode(self, before: DiceReading, now: DiceReading) -> tuple[Episode, tuple[int, ...]]:
        return episode_between(before, now, self._hand, self._tray, self._hopped, self._expected)

    def _observed(self, frame: Frame, reading: DiceReading) -> Observation | None:
        before, self._last = self._last, reading
        if before is None:
            first = first_episode(reading.dice)
            self._hopped = ()
            return self._told(frame, shelved(reading, first), replace(first, hand=self._hand))
        episode, doubtful = self._episode(before, reading)
        self._hopped = episode.hopped
        if doubtful:
            reading = doubted(reading, doubtful)
        unchanged = len(reading.dice) == len(before.dice) and set(episode.fates) <= {Fate.STAYED} and not doubtful
        return None if unchanged and not self._hand else self._told(frame, shelved(reading, episode), episode)

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
        self._held = None
        self._unlikely = False
        self._quiet.clear()
        self._votes.clear()
