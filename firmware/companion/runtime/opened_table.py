"""The table at the start of the program: as the journal left it, with the configuration's house rules and times."""

from collections.abc import Callable
from dataclasses import replace

from companion.boards import tracks_of
from companion.cameras import camera_named
from companion.config import Config, words_of
from companion.storage.journal import Loaded
from companion.table.lobby.form import patched, with_draft
from companion.table.state.draft import ANY_TRACK, BoardTracks, GameDraft
from companion.table.state.house import AnyFeature, HouseRules, SoundLevel
from companion.table.state.inputs import DraftPatch, NewGame
from companion.table.state.state import TableState, restored
from companion.table.step import with_open_choice


def board_tracks(config: Config) -> BoardTracks:
    """Return the tracks of the table's board."""
    tracks = tracks_of(config)
    return BoardTracks(tracks, drawn=False) if tracks else ANY_TRACK


def opened_table(
    loaded: Loaded,
    config: Config,
    game: NewGame | None,
    features: tuple[AnyFeature, ...] = (),
    begins: Callable[[TableState], TableState] = lambda state: state,
) -> TableState:
    """Return the table as the journal left it; before the first game its lobby offers `game`.

    Args:
        loaded: what the journal held.
        config: the configuration.
        game: the game that the lobby offers first.
        features: the features of the table.
        begins: makes the table as it begins with its features.
    """
    state = restored(
        loaded.acts, seq=loaded.seq, game_number=loaded.game, last_game=loaded.last_game, features=features
    )
    state = replace(
        state,
        times=config.times,
        house=HouseRules(config.table.off_table, config.table.cocked),
        simulated=camera_named(config.camera.source).name in ("simulated", "recorded"),
        sound=None if config.sound.driver == "silent" else SoundLevel(round(100 * config.sound.volume)),
        tracks=board_tracks(config),
        no_name=words_of(config).forms("lobby.no_name")[0],
    )
    state = begins(state)
    if state.play is None:
        state = with_draft(state, patched(state, GameDraft(), game or DraftPatch()))
    return with_open_choice(state)
