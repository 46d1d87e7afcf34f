"""`farklecrib play`: run the table and its page until a signal, the menu or the end of an autoplayed game."""

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.config import require_usable
from companion.cli.options import ConfigFile, Data, Settings, parse_settings
from companion.errors import CompanionError, DataFolderError

if TYPE_CHECKING:
    from companion.app import Program
    from companion.config import Config
    from companion.runtime.host import Clock
    from companion.runtime.systemd import Supervisor
    from companion.table.state.inputs import NewGame
    from farkle.game.state import GameState
    from farkle.rules.ruleset import RuleSet

BEAT_S = 0.25


@dataclass(frozen=True)
class GameOptions:
    """The options that describe a new game; None leaves a value to the configuration."""

    rules: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    start: str | None = None
    track: int | None = None


def play(
    config: ConfigFile = None,
    rules: Annotated[str | None, typer.Option(metavar="RULES", help="The rule set of a new game, or its file.")] = None,
    settings: Settings = [],  # noqa: B006 - Typer's own way of a list that may be left out
    players: Annotated[str | None, typer.Option(metavar="Ann,Ben", help="The players of a new game.")] = None,
    teams: Annotated[
        str | None, typer.Option(metavar="A=Ann,Cy;B=Ben,Di", help="The teams of a new game; they take turns.")
    ] = None,
    start: Annotated[str | None, typer.Option(metavar="Ann", help="Who begins a new game.")] = None,
    track: Annotated[int | None, typer.Option(metavar="121|241", help="The board.")] = None,
    data: Data = None,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where the page listens: 0.0.0.0 lets every network watch.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="8080", min=0, max=65535, help="The page's port.")] = None,
    camera: Annotated[
        str | None, typer.Option(metavar="NAME[:ARG]", help="simulated, picamera2, usb:N, or recorded:PATH.")
    ] = None,
    leds: Annotated[
        str | None, typer.Option(metavar="NAME", help="simulated, terminal, neopixel or wled:HOST.")
    ] = None,
    buttons: Annotated[str | None, typer.Option(metavar="NAME", help="page, keyboard or gpio.")] = None,
    sound: Annotated[str | None, typer.Option(metavar="NAME", help="silent, espeak, buzzer or espeak+buzzer.")] = None,
    autoplay: Annotated[
        bool, typer.Option("--autoplay", help="Let the table play by itself, and print the game's notation at its end.")
    ] = False,
    scene: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Show a written evening, and say what goes otherwise.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log what helps to find a fault, too.")] = False,
) -> int:
    """Run the table and its page; without a configuration everything is simulated."""
    from companion.config import load_config

    options = GameOptions(rules, parse_settings(settings), parse_players(players), parse_teams(teams), start, track)
    overrides = {
        "table.rules": rules,
        "table.players": options.players,
        "table.track": track,
        "table.data": data,
        "web.host": host,
        "web.port": port,
        "camera.source": camera,
        "leds.driver": leds,
        "buttons.driver": buttons,
        "sound.driver": sound,
    }
    loaded = load_config(config, overrides)
    require_usable(loaded, folder="NOTIFY_SOCKET" not in os.environ)  # a service shows a page that says so
    if scene is not None:
        from companion.simulation.scenes.show import show_scene

        return show_scene(scene, loaded, table_without_eye)
    game, preset = check_game(loaded, options, autoplay=autoplay)
    return run_table(loaded, options, game, preset, autoplay=autoplay, verbose=verbose)


def table_without_eye(config: "Config", data: Path, table_clock: "Clock") -> "Program":
    """Return a table for a scene, which gives the readings itself."""
    from companion.app import Program
    from companion.runtime.host import Clock

    return Program(config, data=data, clock=Clock(), game=None, eye=False, table_clock=table_clock)


def run_table(
    config: "Config",
    options: GameOptions,
    game: "NewGame | None",
    preset: "NewGame",
    *,
    autoplay: bool,
    verbose: bool,
) -> int:
    """Run a table; return 1 if a part of it died. `game` and `preset` are those of `check_game`.

    Raises:
        DataFolderError: if the data folder cannot be used, and a person can read it here.
    """
    from companion.app import Program
    from companion.config import data_folder
    from companion.log import start_log
    from companion.runtime.host import Clock
    from companion.runtime.systemd import supervisor_from

    data, supervisor = data_folder(config), supervisor_from(os.environ)
    while True:
        try:
            program = Program(config, data=data, clock=Clock(), game=game, autoplay=autoplay, preset=preset)
            break
        except DataFolderError as error:
            if not supervisor.listens:  # a person reads the error
                raise
            if not _mended(str(error), config, supervisor):
                return 0
    end_log = start_log(verbose=verbose, muted=lambda: program.drawing and os.isatty(2))
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda received, _: program.end(f"signal {signal.Signals(received).name}"))
        status = _run(program, config, options, supervisor)
    finally:
        end_log()
    if program.autoplay is not None and program.autoplay.ended.is_set():
        sys.stdout.write(program.notation())
    return status


def _mended(reason: str, config: "Config", supervisor: "Supervisor") -> bool:
    """Serve a page that says why the data folder cannot be used; return False if a signal comes before it can."""
    from companion.config import data_folder
    from companion.log import say
    from companion.storage.data_folder import open_storage
    from companion.web.address import page_address
    from companion.web.app import WebServer, bind
    from companion.web.trouble import make_trouble_app

    mended, ended = threading.Event(), threading.Event()

    def attempt() -> None:
        open_storage(data_folder(config), time.time).close()
        mended.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.set())
    bound = bind(config.web.host, config.web.port)
    server = WebServer(make_trouble_app(config.web.host, reason, attempt), bound)
    server.start()
    try:
        page = page_address(config.web.host, bound.getsockname()[1])
        say(f"farklecrib: error: {reason}. Nothing can be played; the page {page} tries again.", logging.ERROR)
        supervisor.ready()
        while not (mended.is_set() or ended.wait(BEAT_S)):
            supervisor.beat((), reason)
    finally:
        server.stop()
    return mended.is_set()


def _run(program: "Program", config: "Config", options: GameOptions, supervisor: "Supervisor") -> int:
    """Run the program until it ends, and close it; return 1 if a part of it died."""
    from companion.log import logger_of, say
    from companion.runtime.heartbeat import PATIENCE_S

    log = logger_of("table")

    def beat(silent: tuple[str, ...]) -> None:
        degraded = program.feed.latest.view.degraded
        for name in supervisor.beat(silent, "; ".join((f"page {program.address}", *degraded))):
            log.error("the %s has given no sign of life for %g s", name, PATIENCE_S)

    try:
        _say_differences(program, config, options)
        program.start()
        supervisor.ready()
        how = " (SIMULATED devices)" if program.simulated else ""
        _say_what_is_open(program, config)
        say(f"Farkle Crib is ready at {program.address}{how}. Ctrl-C ends it; the game is kept.")
        ending = program.wait(beat)
    finally:
        supervisor.stopping()
        program.close()
    if ending.failed:
        say(f"farklecrib: error: {ending.why}", logging.ERROR)
        return 1
    log.info("ended: %s", ending.why)
    if skipped := program.hands.skipped:
        counts = ", ".join(f"{number} {why}" for why, number in sorted(skipped.items()))
        say(f"farklecrib: photographs skipped: {counts}")
    return 0


def _say_what_is_open(program: "Program", config: "Config") -> None:
    """Say what others of the network may do, and show a person at a terminal the QR code of the address."""
    from companion.log import say
    from companion.web.address import is_open, qr_text, what_is_open

    if is_open(config.web.host):
        if os.isatty(2) and not program.drawing:
            sys.stderr.write(qr_text(program.address))
        say(what_is_open(config.web.writes))


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
    """Return the game that starts on an empty data folder; None opens the lobby.

    Raises:
        CompanionError: if a player has no name.
    """
    from companion.table.state.draft import taking_turns

    in_teams = taking_turns(options.teams) if options.players is None else ()
    players = in_teams or config.table.players or (("Ann", "Ben") if autoplay else ())
    if not players:
        return None
    if not all(players):
        raise CompanionError(f"expected players' names with commas between them, got {', '.join(map(repr, players))}")
    return replace(preset_game(config, options), players=players, start=options.start, teams=options.teams)


def check_game(config: "Config", options: GameOptions, *, autoplay: bool = False) -> "tuple[NewGame | None, NewGame]":
    """Return the game that starts on an empty data folder, and the one that the lobby offers in its place.

    A `FarkleError` reaches the caller if the rules do not allow it.

    Raises:
        CompanionError: if there can be no such game, also if another game goes on.
    """
    from companion.table.lobby.lobby import new_game as begin
    from companion.table.state.draft import draft_of_preset
    from companion.table.state.state import restored

    game, preset = new_game(config, options, autoplay=autoplay), preset_game(config, options)
    draft_of_preset(preset)
    if game is None and options.start is not None:
        raise CompanionError(f"expected --players with --start, got --start {options.start!r} alone")
    if game is not None:
        begin(restored((), seq=0, game_number=0), game, 0.0)
    return game, preset


def preset_game(config: "Config", options: GameOptions) -> "NewGame":
    """Return the game that the configuration and the options describe, without players."""
    from companion.rule_files import rules_named
    from companion.table.state.inputs import NewGame

    track = config.table.track if options.track is not None or "target" not in options.settings else None
    return NewGame(rules_named(config.table.rules), (), settings=dict(options.settings), track=track)


def differences(game: "GameState", track: int, options: GameOptions) -> list[str]:
    """Return in words what the kept game on this track has that differs from the options."""
    from farkle.game.standing import teams_of

    kept: list[str] = []
    if options.players is not None and options.players != game.players:
        kept.append(f"players {', '.join(game.players)}")
    if options.teams and {name: tuple(each) for name, each in options.teams.items()} != teams_of(game):
        kept.append("its own teams" if game.teams else "each player alone")
    if options.rules is not None and not _means(options.rules, game.rules):
        kept.append(f"rules {game.rules.key}")
    if not _has(game.rules, options.settings):
        current = [f"{name}={value}" for name, value in game.rules.settings().items()]
        kept.append(", ".join(current) or "the switches of its sheet")
    if options.track is not None and options.track != track:
        kept.append(f"a track of {track} holes")
    return kept


def _means(name: str, rules: "RuleSet") -> bool:
    """Return whether a key, title, alias or file names these rules."""
    from companion.rule_files import rules_named
    from farkle.errors import FarkleError

    try:
        named = rules_named(name)
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


def _say_differences(program: "Program", config: "Config", options: GameOptions) -> None:
    """Print where the game that goes on differs from what the command line asks for."""
    from companion.log import say

    play = program.host.state.play
    if play and (kept := differences(play.game, play.track, options)):
        say(f"farklecrib: the game in {config.table.data or 'the data folder'} goes on with {'; '.join(kept)}")
