"""The options of a new game: what they describe, whether it can be played, and where a kept game differs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.config import Config
    from companion.table.state.inputs import NewGame
    from farkle.game.state import GameState
    from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class GameOptions:
    """The options that describe a new game; None leaves a value to the configuration."""

    rules: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    start: str | None = None
    track: int | None = None


def parse_players(text: str | None) -> tuple[str, ...] | None:
    """Return the names of `Ann,Ben`; None if the option was not given."""
    return None if text is None else tuple(name.strip() for name in text.split(","))


def parse_teams(text: str | None) -> dict[str, tuple[str, ...]]:
    """Return the players of each team in `A=Ann,Cy;B=Ben,Di`; no teams if the option was not given.

    Raises:
        CompanionError: if the text has another form.
    """
    teams: dict[str, tuple[str, ...]] = {}
    for item in [] if text is None else text.split(";"):
        name, equals, members = (part.strip() for part in item.partition("="))
        players = parse_players(members) or ()
        if not (equals and name and all(players)) or name in teams:
            raise CompanionError(f"expected --teams 'A=Ann,Cy;B=Ben,Di', got {text!r}")
        teams[name] = players
    return teams


def new_game(config: "Config", options: GameOptions, *, autoplay: bool = False) -> "NewGame | None":
    """Return the game that starts on an empty data folder; None opens the lobby."""
    from companion.table.lobby.seat_order import taking_turns

    in_teams = taking_turns(options.teams) if options.players is None else ()
    players = in_teams or config.table.players or (("Ann", "Ben") if autoplay else ())
    if not players:
        return None
    return replace(preset_game(config, options), players=players, start=options.start, teams=options.teams)


def check_game(config: "Config", options: GameOptions, *, autoplay: bool = False) -> "tuple[NewGame | None, NewGame]":
    """Return the game that starts on an empty data folder, and the one that the lobby offers in its place.

    A `FarkleError` reaches the caller if the rules do not allow it.

    Raises:
        CompanionError: if such a game is impossible, even if another game goes on.
    """
    from companion.runtime.opened_table import board_tracks
    from companion.table.lobby.lobby import new_game as begin
    from companion.table.state.draft import draft_of_preset
    from companion.table.state.state import restored

    game, preset = new_game(config, options, autoplay=autoplay), preset_game(config, options)
    tracks = board_tracks(config)
    draft_of_preset(preset, tracks)
    if game is None and options.start is not None:
        raise CompanionError(f"expected --players with --start, got --start {options.start!r} alone")
    if game is not None:
        begin(replace(restored((), seq=0, game_number=0), tracks=tracks), game, 0.0)
    return game, preset


def preset_game(config: "Config", options: GameOptions) -> "NewGame":
    """Return the game that the configuration and the options describe, without players."""
    from companion.boards import track_of
    from companion.table.state.inputs import NewGame

    track = track_of(config) if options.track is not None or "target" not in options.settings else None
    return NewGame(known_rules(config, config.table.rules), (), settings=dict(options.settings), track=track)


def known_rules(config: "Config", name: str) -> "RuleSet":
    """Return the rule set of this name: one that the house has saved in its data folder, a packaged one, or a file."""
    from companion.config import data_folder
    from companion.rule_files import rules_named
    from companion.storage.rules_folder import rules_folder, saved_rules

    return rules_named(name, saved_rules(rules_folder(data_folder(config))))


def differences(game: "GameState", track: int, options: GameOptions, saved: "tuple[RuleSet, ...]" = ()) -> list[str]:
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
    if options.players is not None and named_bots(options.players) != game.players:
        kept.append(f"players {', '.join(game.players)}")
    if options.teams and {name: tuple(each) for name, each in options.teams.items()} != teams_of(game):
        kept.append("its own teams" if game.teams else "each player alone")
    if options.rules is not None and not _means(options.rules, game.rules, saved):
        kept.append(f"rules {game.rules.key}")
    if not _has(game.rules, options.settings):
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


def _has(rules: "RuleSet", settings: Mapping[str, str]) -> bool:
    """Return whether the rules have these settings already."""
    from farkle.errors import FarkleError

    try:
        return rules.with_settings(settings).switches == rules.switches
    except FarkleError:
        return False
