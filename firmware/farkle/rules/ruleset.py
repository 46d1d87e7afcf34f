"""A rule set: one sheet's rules as data for one engine, made from its TOML file and the switches the house has set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from farkle.errors import RuleSetError
from farkle.rules.combinations import KINDS, Combination, of_equal_dice
from farkle.rules.scoring import ScoreTable
from farkle.rules.switches import Switches, changed, with_values

TRACKS = (121, 241)


@dataclass(frozen=True)
class RuleSet:
    """The rules of one game. `tracks` gives the points of one hole for each track the game fits on."""

    key: str
    title: str
    source: str
    aliases: tuple[str, ...]
    combinations: tuple[Combination, ...]
    tracks: Mapping[int, int] = field(hash=False)
    defaults: Switches = field(default_factory=Switches)
    switches: Switches = field(default_factory=Switches)

    n_dice: int = 6

    @cached_property
    def table(self) -> ScoreTable:
        """The scores of this rule set's combinations."""
        return ScoreTable(self.combinations)

    def with_settings(self, settings: Mapping[str, object]) -> "RuleSet":
        """This rule set with switches set as the house wants them; raises `RuleSetError`."""
        if not settings:
            return self
        return RuleSet(
            key=self.key,
            title=self.title,
            source=self.source,
            aliases=self.aliases,
            combinations=self.combinations,
            tracks=self.tracks,
            defaults=self.defaults,
            switches=with_values(self.switches, settings),
            n_dice=self.n_dice,
        )

    def settings(self) -> dict[str, int]:
        """The switches that the house has set otherwise than the sheet."""
        return changed(self.switches, self.defaults)

    def points_a_hole(self, track: int) -> int:
        """How many points move a peg by one hole on this track; raises `RuleSetError` where the game does not fit."""
        if track not in self.tracks:
            fitting = " or ".join(str(each) for each in sorted(self.tracks))
            raise RuleSetError(f"expected a track of {fitting} holes for {self.title}, got {track!r}")
        return self.tracks[track]


def rule_set_from(document: Mapping[str, object], where: str) -> RuleSet:
    """Make a rule set from its TOML document; `where` names the file in errors. Raises `RuleSetError`."""
    known = {"key", "title", "source", "aliases", "tracks", "points", "settings", "expected"}
    for name in document:
        if name not in known:
            raise RuleSetError(f"{where}: expected one of the keys {', '.join(sorted(known))}, got {name!r}")
    settings = _table(document, "settings", where)
    switches = with_values(Switches(), settings)
    return RuleSet(
        key=_text(document, "key", where),
        title=_text(document, "title", where),
        source=_text(document, "source", where),
        aliases=_texts(document, "aliases", where),
        combinations=_combinations(_table(document, "points", where), where),
        tracks=_tracks(_table(document, "tracks", where), where),
        defaults=switches,
        switches=switches,
    )


def _text(document: Mapping[str, object], key: str, where: str) -> str:
    value = document.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RuleSetError(f"{where}: {key}: expected a text, got {value!r}")
    return value


def _texts(document: Mapping[str, object], key: str, where: str) -> tuple[str, ...]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise RuleSetError(f"{where}: {key}: expected a list of texts, got {value!r}")
    return tuple(value)


def _table(document: Mapping[str, object], key: str, where: str) -> Mapping[str, object]:
    value = document.get(key, {})
    if not isinstance(value, dict):
        raise RuleSetError(f"{where}: {key}: expected a table, got {value!r}")
    return value


def _combinations(points: Mapping[str, object], where: str) -> tuple[Combination, ...]:
    found: list[Combination] = []
    for kind, faces in points.items():
        if kind not in KINDS:
            raise RuleSetError(f"{where}: points.{kind}: expected one of {', '.join(KINDS)}, got {kind!r}")
        if not isinstance(faces, dict):
            raise RuleSetError(f"{where}: points.{kind}: expected a table of faces, got {faces!r}")
        worth: dict[int, int] = {}
        for face, value in faces.items():
            if face not in {"1", "2", "3", "4", "5", "6"}:
                raise RuleSetError(f"{where}: points.{kind}: expected faces from 1 to 6, got {face!r}")
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise RuleSetError(f"{where}: points.{kind}.{face}: expected points of 0 or more, got {value!r}")
            worth[int(face)] = value
        found.extend(of_equal_dice(kind, worth))
    if not found:
        raise RuleSetError(f"{where}: points: expected at least one combination, got none")
    return tuple(found)


def _tracks(tracks: Mapping[str, object], where: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for track, value in tracks.items():
        if track not in {str(each) for each in TRACKS}:
            raise RuleSetError(f"{where}: tracks: expected {' or '.join(map(str, TRACKS))}, got {track!r}")
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise RuleSetError(f"{where}: tracks.{track}: expected points a hole of 1 or more, got {value!r}")
        found[int(track)] = value
    if not found:
        raise RuleSetError(f"{where}: tracks: expected at least one track, got none")
    return found
