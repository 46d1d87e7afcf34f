"""A rule set: one sheet's rules as data for one engine, with the switches as the house has set them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from farkle.errors import RuleSetError
from farkle.rules.combinations import Chart, table_of
from farkle.rules.contradictions import check_switches
from farkle.rules.scoring import ScoreTable
from farkle.rules.switches import Switches, Value, changed, with_values

TRACKS = (121, 241)
"""The boards, by their holes."""


@dataclass(frozen=True)
class RuleSet:
    """The rules of one game.

    `tracks` gives the points of one hole for each track; `to_track_end` marks a game whose target is the track's end,
    `partners` the numbers of players a team game takes, any where empty. `sheet` are the switches of the sheet itself,
    `switches` those that are played. `definition` is the document of a rule set of the house's own, empty for those
    that come with the program.
    """

    key: str
    title: str
    source: str
    about: str
    aliases: tuple[str, ...]
    chart: Chart
    tracks: Mapping[int, int] = field(hash=False)
    to_track_end: bool = False
    partners: tuple[int, ...] = ()
    sheet: Switches = field(default_factory=Switches)
    switches: Switches = field(default_factory=Switches)
    definition: str = ""

    def __post_init__(self) -> None:
        check_switches(self.switches, self.sheet)

    @property
    def n_dice(self) -> int:
        """How many dice the game is played with."""
        return self.switches.n_dice

    @cached_property
    def table(self) -> ScoreTable:
        """The scores of this rule set's combinations."""
        return ScoreTable(table_of(self.chart, self.switches))

    @cached_property
    def nobody_loses(self) -> int:
        """What a dead first throw pays; 0 where it pays nothing."""
        paid = self.switches.nobody_loses
        return self.chart.points(300) if paid is True else int(paid)

    @property
    def vant_hof(self) -> int:
        """What six 1s over several throws may be given."""
        return self.chart.points(3000)

    @property
    def farkles_cost(self) -> int:
        """What three farkles in a row cost; 0 where they cost nothing."""
        return self.switches.three_strikes_ouch or self.switches.farkle3_penalty

    def with_settings(self, settings: Mapping[str, object]) -> "RuleSet":
        """This rule set with switches set as the house wants them; raises `RuleSetError`."""
        return replace(self, switches=with_values(self.switches, settings)) if settings else self

    def settings(self) -> dict[str, Value]:
        """The switches that the house has set otherwise than the sheet."""
        return changed(self.switches, self.sheet)

    def points_a_hole(self, track: int) -> int:
        """How many points move a peg by one hole on this track; raises `RuleSetError` where there is no such track."""
        if track not in self.tracks:
            fitting = " or ".join(str(each) for each in sorted(self.tracks))
            raise RuleSetError(f"expected a track of {fitting} holes for {self.title}, got {track!r}")
        return self.switches.points_a_hole or self.tracks[track]

    @property
    def smallest_track(self) -> int:
        """The track a game is shown on where nobody named one: the shortest that it fits, else the longest."""
        return min((track for track in self.tracks if self.fits(track)), default=max(self.tracks))

    @property
    def hole_points(self) -> int:
        """How many points one hole is on the track that the game is shown on where nobody named one."""
        return self.points_a_hole(self.smallest_track)

    @property
    def less_may_be_wiser(self) -> bool:
        """Whether to score less can be the better choice, so that what is set aside is meant literally."""
        return self.switches.charity or self.switches.piggyback or self.switches.one_peg_per_hole != "off"

    def fits(self, track: int) -> bool:
        """Whether the target is a hole of this track or its end."""
        return track in self.tracks and self.switches.target <= track * self.points_a_hole(track)

    def check_fit(self, track: int) -> None:
        """Raise `RuleSetError` where the target lies beyond the track's end, and say what would help."""
        ratio = self.points_a_hole(track)
        if not self.fits(track):
            needed = -(-self.switches.target // track)
            raise RuleSetError(
                f"expected a target of at most {track * ratio} on a track of {track} holes at {ratio} "
                f"{'point' if ratio == 1 else 'points'} a hole, got {self.switches.target}; "
                f"points_a_hole={needed} makes it fit"
            )
