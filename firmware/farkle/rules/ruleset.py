"""A rule set: one sheet's rules as data for one engine, with the switches as a house has set them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from farkle.errors import RuleSetError
from farkle.rules.combinations import Chart, list_combinations
from farkle.rules.dice import Faces
from farkle.rules.scoring import ScoreTable
from farkle.rules.switches import Switches, Value, changed, check_switches, with_values

FEWEST_HOLES, MOST_HOLES = 11, 1001
"""The numbers of holes of the shortest and the longest track."""


def is_track(holes: object) -> bool:
    """Return whether `holes` is a length that a track can have."""
    return type(holes) is int and FEWEST_HOLES <= holes <= MOST_HOLES


@dataclass(frozen=True)
class RuleSet:
    """The rules of one game.

    `tracks` gives the points of one hole for the tracks that the sheet names; the finest is the sheet's unit. With
    `to_track_end` the target is the track's end. `partners`
    are the allowed numbers of players in a team game, any number if empty. `sheet` are the switches of the sheet,
    `switches` those of this game. `definition` is the document of a house's own rule set, empty for a packaged one.
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
        """The number of dice in the game."""
        return self.switches.n_dice

    @property
    def group(self) -> str:
        """The group in which the rule set is listed: `house` for one's own, `cribbage` if points are holes."""
        if self.definition:
            return "house"
        return "cribbage" if self.chart.pegs else "ten_thousand"

    @cached_property
    def table(self) -> ScoreTable:
        """The scores of this rule set's combinations."""
        return ScoreTable(list_combinations(self.chart, self.switches))

    @cached_property
    def nobody_loses(self) -> int:
        """The points of a first throw without scoring dice; 0 if it farkles as usual."""
        paid = self.switches.nobody_loses
        return self.chart.convert_points(300) if paid is True else int(paid)

    @property
    def vant_hof(self) -> int:
        """The points of Van't Hof's six: six 1s kept over several throws."""
        return self.chart.convert_points(3000)

    @cached_property
    def ending(self) -> str:
        """What ends the game: `find_loser`, `rounds`, or what follows when a side reaches the target (`endgame`)."""
        switches = self.switches
        return "find_loser" if switches.find_loser else "rounds" if switches.rounds else switches.endgame

    @property
    def goal(self) -> int:
        """The points that end the game; 0 in a game of rounds, which no target ends."""
        return 0 if self.ending == "rounds" else self.switches.target

    @property
    def off_board(self) -> int:
        """The points from which on a peg is off the board: those of the goal, or else of the default track's end."""
        return self.goal or self.smallest_track * self.hole_points

    @cached_property
    def ends_with_one_throw(self) -> bool:
        """Whether each of the last turns is a single throw."""
        return self.ending == "one_more_turn" and self.switches.last_turns == "one_throw"

    def wins_at_once(self, roll: Faces) -> bool:
        """Return whether a throw ends the game for its roller, whatever the scores: six 1s, where a switch says so."""
        return self.switches.six_ones_win and roll == (1,) * 6

    @property
    def may_go_below_zero(self) -> bool:
        """Whether a farkle can cost a side more points than it has."""
        return bool(self.farkles_cost or self.switches.farkle_penalty) and self.switches.penalty_floor == "none"

    @property
    def farkles_cost(self) -> int:
        """The points that three farkles in a row cost; 0 if they cost nothing."""
        return self.switches.three_strikes_ouch or self.switches.farkle3_penalty

    def is_bomb(self, dice: Faces) -> bool:
        """Return whether kept dice are a Bomb: six of a kind under the bonus scores, which allow a swap of pegs."""
        switches = self.switches
        return switches.bonus_scores and switches.bomb_swap != "off" and len(dice) == 6 and len(set(dice)) == 1

    def with_settings(self, settings: Mapping[str, object]) -> "RuleSet":
        """Return this rule set with other values of some switches, by their names."""
        return replace(self, switches=with_values(self.switches, settings)) if settings != {} else self

    def settings(self) -> dict[str, Value]:
        """Return the switches whose values differ from the sheet's."""
        return changed(self.switches, self.sheet)

    def points_a_hole(self, track: int) -> int:
        """Return the points that move a peg by one hole on this track.

        A track that the sheet does not name has the smallest multiple of the sheet's unit with which the target is no
        farther than the track's end. Where points are pegs, one is one hole on every track.

        Raises:
            RuleSetError: if no track has this length.
        """
        if type(track) is not int or not FEWEST_HOLES <= track <= MOST_HOLES:
            text = f"expected a track of {FEWEST_HOLES} to {MOST_HOLES} holes, got {track!r}"
            raise RuleSetError(text, "no_such_track", least=FEWEST_HOLES, most=MOST_HOLES, track=track)
        if self.switches.points_a_hole or track in self.tracks:
            return self.switches.points_a_hole or self.tracks[track]
        unit = min(self.tracks.values())
        return unit if self.chart.pegs else unit * max(1, -(-self.switches.target // (unit * track)))

    @cached_property
    def smallest_track(self) -> int:
        """The default track: the shortest of the sheet's that the target fits on, or else the longest."""
        return self.shortest(self.tracks)

    @property
    def hole_points(self) -> int:
        """The points of one hole on the default track."""
        return self.points_a_hole(self.smallest_track)

    @property
    def lower_score_can_win(self) -> bool:
        """Whether a lower score can be the better choice, so that the table must not add dice to a selection."""
        return self.switches.charity or self.switches.piggyback or self.switches.one_peg_per_hole != "off"

    @property
    def lower_total_can_win(self) -> bool:
        """Whether a lower total of the same dice can be the better one to declare.

        It can be so, too, where the goal gives the others a last turn and ends one's own turns.
        """
        return self.lower_score_can_win or self.ending == "one_more_turn"

    def shortest(self, tracks: Collection[int]) -> int:
        """Return the shortest of these tracks that the target fits on, or else the longest."""
        return min(filter(self.fits, tracks), default=max(tracks))

    def fits(self, track: int) -> bool:
        """Return whether the target is a hole or the end of this track."""
        return is_track(track) and self.switches.target <= track * self.points_a_hole(track)

    def check_fit(self, track: int) -> None:
        """Check that the target is not beyond the track's end.

        Raises:
            RuleSetError: if it is, with the setting that would make it fit.
        """
        if not self.fits(track):
            target, ratio = self.switches.target, self.points_a_hole(track)
            most, needed = track * ratio, -(-target // track)
            text = (
                f"expected a target of at most {most} on a track of {track} holes at {ratio} "
                f"{'point' if ratio == 1 else 'points'} a hole, got {target}; points_a_hole={needed} makes it fit"
            )
            raise RuleSetError(text, "too_far", target=target, track=track, ratio=ratio, most=most, needed=needed)
