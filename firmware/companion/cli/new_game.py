"""The options of a new game: what they describe, whether it can be played, and where a kept game differs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.config import Config
    from companion.table.state.inputs import DraftPatch, NewGame
    from farkle.game.state import GameState
    from farkle.rules.ruleset import RuleSet


def parse_players(text: str | None) -> tuple[str, ...] | None:
    """Return the names of `Ann,Ben`; None if the option was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))


def parse_teams(text: str | None) -> dict[str, tuple[str, ...]] | None:
    """Return the players of each team in `A=Ann,Cy;B=Ben,Di`; None if the option was not given.

    Raises:
        CompanionError: if the text has another form.
    """
    if text is None:
        return None
    teams: dict[str, tuple[str, ...]] = {}
    for item in text.split(";"):
        name, equals, members = (part.strip() for part in item.partition("="))
        players = parse_players(members) or ()
        if not (equals and name and all(players)) or name in teams:
            raise CompanionError(f"expected --teams 'A=Ann,Cy;B=Ben,Di', got {text!r}")
        teams[name] = players
    return teams


def asked_game(config: "Config", options: "DraftPatch", *, autoplay: bool = False) -> "NewGame":
    """Return the game that the configuration and the options describe; without names it waits in the lobby."""
    from companion.boards import track_of
    from companion.table.lobby.form import taking_turns
    from companion.table.state.inputs import NewGame

    teams = options.teams if isinstance(options.teams, Mapping) else {}
    names = options.names or taking_turns(teams) or config.table.players or (("Ann", "Ben") if autoplay else None)
    settings = options.settings or {}
    track = track_of(config) if options.track is not None or "target" not in settings else None
    rules = known_rules(config, config.table.rules)
    return NewGame(rules, names or None, settings, track, options.start, teams or None)


def check_game(config: "Config", options: "DraftPatch", *, autoplay: bool = False) -> "NewGame":
    """Return the game that starts on an empty data folder; without names the lobby offers it.

    A `FarkleError` reaches the caller if the rules do not allow it.

    Raises:
        CompanionError: if such a game is impossible, even if another game goes on.
    """
    from companion.runtime.opened_table import board_tracks
    from companion.table.lobby.form import patched
    from companion.table.lobby.lobby import begin_game
    from companion.table.state.draft import GameDraft, rules_on_track
    from companion.table.state.state import restored

    game, tracks = asked_game(config, options, autoplay=autoplay), board_tracks(config)
    if game.names is None and options.start is not None:
        raise CompanionError(f"expected --players with --start, got --start {options.start!r} alone")
    table = replace(restored((), seq=0, game_number=0), tracks=tracks)
    rules_on_track(patched(table, GameDraft(), game), tracks)
    if game.names is not None:
        begin_game(table, game, 0.0)
    return game


def known_rules(config: "Config", name: str) -> "RuleSet":
    """Return the rule set of this name: one that the house has saved in its data folder, a packaged one, or a file."""
    from companion.config import data_folder
    from companion.features.house_rules.rules_folder import rules_folder, saved_rules
    from companion.rule_files import rules_named

    return rules_named(name, saved_rules(rules_folder(data_folder(config))))


def differences(game: "GameState", track: int, options: "DraftPatch", saved: "tuple[RuleSet, ...]" = ()) -> list[str]:
    """Return in words how the kept game on this track differs from the options.

    Args:
        game: the kept game.
        track: its number of holes.
        options: the options of the command line.
        saved: the rule sets that the house has saved.
    """
    from companion.table.state.bots import named_bots
    from farkle.game.standing import teams_of

    kept: list[str] = []
    if options.names is not None and named_bots(options.names) != game.players:
        kept.append(f"players {', '.join(game.players)}")
    if isinstance(options.teams, Mapping) and options.teams != teams_of(game):
        kept.append("its own teams" if game.teams else "each player alone")
    if isinstance(options.rules, str) and not _means(options.rules, game.rules, saved):
        kept.append(f"rules {game.rules.key}")
    if options.settings is not None and not _has(game.rules, options.settings):
        current = [f"{name}={value}" for name, value in game.rules.settings().items()]
        kept.append(", ".join(current) or "the switches of its sheet")
    if options.track is not None and options.track != track:
        kept.append(f"a track of {track} holes")
    return kept


def _means(name: str, rules: "RuleSet", saved: "tuple[RuleSet, ...]") -> bool:
    """Return whether a key, title, alias or file names these rules."""
    from companion.rule_files import rules_named
    from farkle.errors import FarkleError

    try:
        named = rules_named(name, saved)
    except (FarkleError, CompanionError):
        return False
    return (named.key, named.definition) == (rules.key, rules.definition)


def _has(rules: "RuleSet", settings: Mapping[str, object]) -> bool:
    """Return whether the rules have these settings already."""
    from farkle.errors import FarkleError

    try:
        return rules.with_settings(settings).switches == rules.switches
    except FarkleError:
        return False
