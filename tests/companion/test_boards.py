"""The board of a table: which layout it has, and which tracks can be played on it."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.boards import check_track, layout_of, track_of, tracks_of
from companion.cli.config import unusable
from companion.cli.options import check_game
from companion.config import Config, LedsConfig, TableConfig
from companion.errors import ConfigError
from companion.runtime.opened_table import board_tracks
from companion.table.state.draft import ANY_TRACK
from companion.table.state.inputs import DraftPatch
from pegboard.layouts import layout_names, load_layout

RING = str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "ring.toml")


def configured(driver: str = "simulated", layout: str = "", track: int = 0) -> Config:
    """Return a configuration with these LEDs and this track."""
    return Config(table=TableConfig(track=track), leds=LedsConfig(driver=driver, layout=layout))


def test_the_lobby_offers_the_tracks_of_all_layouts_that_come_with_the_program() -> None:
    assert set(ANY_TRACK.offered) == {track for name in layout_names() for track in load_layout(name).tracks}


@pytest.mark.parametrize(
    ("config", "tracks", "track", "layout"),
    [
        (configured(), (), 121, "long-board-4"),
        (configured(track=91), (), 91, "long-board-4"),
        (configured("terminal"), (121, 241), 121, "long-board-4"),
        (configured("terminal", track=91), (91, 181), 91, "long-board-4 of 91 holes"),
        (configured("neopixel"), (121, 241), 121, "long-board-4"),
        (configured("neopixel", track=61), (121, 241), 61, "long-board-4"),
        (configured("wled:192.0.2.1", RING), (61, 121), 61, "ring"),
        (configured("simulated", RING), (61, 121), 61, "ring"),
        (configured("simulated", RING, 121), (61, 121), 121, "ring"),
        (configured("terminal", "classic-3"), (61, 121, 241), 121, "classic-3"),
    ],
)
def test_a_board_has_the_tracks_of_its_layout(config: Config, tracks: tuple[int, ...], track: int, layout: str) -> None:
    assert (tracks_of(config), track_of(config), layout_of(config).name) == (tracks, track, layout)
    assert board_tracks(config).drawn is not bool(tracks)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        (configured("neopixel", track=61), "expected 121 or 241, the tracks of long-board-4, got 61"),
        (configured("simulated", RING, 241), "expected 61 or 121, the tracks of ring, got 241"),
        (configured("terminal", "classic-3", 91), "expected 61 or 121 or 241, the tracks of classic-3, got 91"),
    ],
)
def test_a_track_that_the_board_has_not_is_refused_with_those_that_it_has(config: Config, says: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_track(config)
    assert str(refused.value) == says
    assert [line for line in unusable(config) if line.startswith("table.track")] == [f"table.track: {says}"]


@pytest.mark.parametrize(
    ("config", "rules", "track", "target"),
    [
        (configured(track=61), "farkle-cribbage", 61, 61),
        (configured("simulated", RING), "farkle-cribbage", 61, 61),
        (configured("simulated", RING), "classic", 61, 10_000),
        (configured(track=91), "farkle-cribbage", 91, 91),
    ],
)
def test_a_game_begins_on_the_boards_own_track(config: Config, rules: str, track: int, target: int) -> None:
    named = replace(config, table=replace(config.table, rules=rules, players=("Ann", "Ben")))
    game = check_game(named, DraftPatch())
    assert game.track == track
