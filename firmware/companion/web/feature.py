"""What a feature of the program is: its part at the table, what it runs, and its pages.

`app.py` has the list of features. A builder's own package joins it by an entry point in the group `ENTRY_POINTS`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, make_dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeVar

from fastapi import APIRouter, Request, Response

from companion.calibration.session import CalibrationSession
from companion.config import Config
from companion.games.repository import GameRepository
from companion.log import logger_of
from companion.named_events.record import EventRecord
from companion.odds.live_odds import LiveOdds
from companion.runtime.changes import Changes
from companion.runtime.host import Host
from companion.runtime.parts import ProgramPart
from companion.table.feature import TableFeature
from companion.table.state.state import TableState
from companion.table.view import View, view_type
from companion.words import Text
from pegboard.buttons.port import Button

ENTRY_POINTS = "farklecrib.features"

VIEW = {each.name for each in fields(View)}
"""The names of the table's own fields of the view."""

T = TypeVar("T")

_log = logger_of("features")


@dataclass(frozen=True)
class TableParts:
    """The parts of a running table that a feature may use.

    Args:
        config: the configuration.
        data: the data folder.
        host: the table.
        games: the games that the journal keeps.
        odds: the odds of games.
        events: the named events, those that happen and those of the journal.
        answer: says a sentence to the whole table at once.
        tell: says a sentence after what is being said.
        trial: shows a trial on the strip.
        dim: shows the board at a share of its brightness, until the next start.
        say: speaks a sentence.
        restart: builds the table anew.
        missing: what is wrong with the devices that could not be opened, by part.
        calibration: the calibration session; None without a camera that can be calibrated.
        changes: the settings that a page may change; None if it may change none.
        saved: whether the data folder can be written.
        speed: how many seconds of waits pass in a second.
        wavs: the WAV files that the voice plays, see `Speaker`; a feature may add some.
    """

    config: Config
    data: Path
    host: Host
    games: GameRepository
    odds: LiveOdds
    events: EventRecord
    answer: Callable[[Text], object]
    tell: Callable[[Text], object]
    trial: Callable[[str], object]
    dim: Callable[[float], object]
    say: Callable[[str], object]
    restart: Callable[..., object]
    missing: Mapping[str, Text]
    calibration: CalibrationSession | None = None
    changes: Changes | None = None
    saved: bool = True
    speed: float = 1.0
    wavs: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class OpenedFeature:
    """What a feature runs.

    Args:
        parts: its parts, in the order of their start.
        offers: what its pages ask the table for, by type (`WebTable.offered`).
        better: the button that breathes while an act is the newest; None if none does.
    """

    parts: tuple[ProgramPart, ...] = ()
    offers: tuple[object, ...] = ()
    better: Callable[[int], Button | None] = lambda _: None


@dataclass(frozen=True, eq=False)
class Feature:
    """A feature of the program.

    Args:
        name: its name.
        table: its part at the table, which is pure.
        begins: the table as it begins with the feature, by the configuration and the data folder.
        opened: opens what it runs.
        routers: its pages and its part of the API.
        context: what it adds to the context of every template.
        front: a page in place of the table's; None for the table's own.
        folder: the folder with its `templates` and its `static` files.
    """

    name: str
    table: TableFeature | None = None
    begins: Callable[[TableState, Config, Path], TableState] = lambda state, _config, _data: state
    opened: Callable[[TableParts], OpenedFeature] = lambda _: OpenedFeature()
    routers: tuple[APIRouter, ...] = ()
    context: Callable[[Request], Mapping[str, object]] = lambda _: {}
    front: Callable[[Request], Response | None] = lambda _: None
    folder: Path | None = None


def types_of(features: tuple[Feature, ...]) -> dict[str, type]:
    """Return the view and the answer to a lost race of a table with these features, for the documentation."""
    shown = view_type(*[feature.table.part for feature in features if feature.table and feature.table.part])
    lost = make_dataclass("LostRace", [("detail", Text)], bases=(shown,), frozen=True, kw_only=True)
    return {"View": shown, "LostRace": lost}


def tried(feature: Feature, call: Callable[[], T], otherwise: T) -> T:
    """Return what a feature answers to the program, or `otherwise` if it fails, which is logged."""
    try:
        return call()
    except Exception:  # noqa: BLE001 - a person's own package may raise any error
        _log.exception("feature %s", feature.name)
        return otherwise


def installed_features(known: tuple[Feature, ...]) -> Iterator[Feature]:
    """Yield the features of other packages beside the known ones; one that cannot be used is logged and left out."""
    for point in entry_points(group=ENTRY_POINTS):
        try:
            feature = point.load()
        except Exception as error:  # noqa: BLE001 - a person's own package may raise any error
            _log.warning("feature %s: %s: %s", point.name, type(error).__name__, error)
            continue
        if not isinstance(feature, Feature):
            _log.warning("feature %s: expected a companion.web.feature.Feature, got %r", point.name, feature)
        elif taken := _names(feature) & {name for other in known for name in _names(other)} | _names(feature) & VIEW:
            _log.warning("feature %s: expected new names in the view, got %s", point.name, ", ".join(sorted(taken)))
        else:
            yield feature


def _names(feature: Feature) -> set[str]:
    """Return the names of a feature's fields of the view."""
    part = feature.table and feature.table.part
    return {each.name for each in fields(part)} if part else set()
