"""The board of a table: its layout, and the tracks that can be played on it."""

from companion.config import Config
from companion.errors import ConfigError
from pegboard.layouts import DEFAULT, Layout, load_layout
from pegboard.layouts.long_board import long_board
from pegboard.track import HOLES

ON_THE_PAGE = ("simulated", "recorder")
"""The LED drivers that show nothing, so that only the page draws the board."""

DRAWN_LANES = 4


def layout_of(config: Config) -> Layout:
    """Return the configured layout, or else the default one; a terminal draws a board for any track.

    `LayoutError` reaches the caller if the configured layout cannot be used.
    """
    layout = load_layout(config.leds.layout or DEFAULT)
    if config.leds.layout or config.leds.driver != "terminal" or track_of(config) in layout.tracks:
        return layout
    return long_board(DRAWN_LANES, track_of(config))


def tracks_of(config: Config) -> tuple[int, ...]:
    """Return the lengths of the tracks that the board has; empty if the page alone draws it, for a track of any length.

    `LayoutError` reaches the caller if the configured layout cannot be used.
    """
    if not config.leds.layout and config.leds.driver in ON_THE_PAGE:
        return ()
    return layout_of(config).tracks


def track_of(config: Config) -> int:
    """Return the length of the configured track; without one it is the configured layout's, or the usual one.

    `LayoutError` reaches the caller if the configured layout cannot be used.
    """
    if config.table.track:
        return config.table.track
    return load_layout(config.leds.layout).lap + 1 if config.leds.layout else HOLES


def check_track(config: Config) -> None:
    """Check that the board has the configured track.

    Raises:
        ConfigError: if it has not, with the tracks that it has.
    """
    tracks, track = tracks_of(config), track_of(config)
    if tracks and track not in tracks:
        expected = " or ".join(map(str, tracks))
        raise ConfigError(f"expected {expected}, the tracks of {layout_of(config).name}, got {track}")
