"""`farklecrib play`: runs the table and its page until it is told to end."""

import os
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.app import Program
from companion.config import Config, camera_named, data_folder, load_config
from companion.errors import CompanionError
from companion.rule_files import rules_named
from companion.runtime.heartbeat import PATIENCE_S
from companion.runtime.host import Clock
from companion.runtime.systemd import supervisor_of
from companion.simulation.clumsy_hands import HANDS
from companion.simulation.hands import Hands
from companion.table.inputs import NewGame
from companion.table.lobby import taking_turns
from farkle.errors import FarkleError
from farkle.game.standing import teams_of
from farkle.game.state import GameState
from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Asked:
    """What the command line asks for; None leaves it to the configuration."""

    rules: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    teams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    start: str | None = None
    track: int | None = None
    data: Path | None = None
    port: int | None = None
    camera: str | None = None
    leds: str | None = None
    buttons: str | None = None
    sound: str | None = None
    autoplay: bool = False
    hands: str = "sure"


def run_table(file: Path | None, asked: Asked, clock: Clock | None = None) -> int:
    """Run a table; 0 when it was told to end or autoplay has ended, 1 when a part of it died."""
    config = configured(load_config(file), asked)
    hands = _hands(config, asked)
    program = Program(
        config,
        data=data_folder(config),
        clock=clock or Clock(),
        game=new_game(config, asked),
        autoplay=asked.autoplay,
        hands=hands,
    )
    ending = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: ending.set())
    failed: str | None = None
    supervisor = supervisor_of(os.environ)

    def beat(silent: tuple[str, ...]) -> None:
        degraded = program.feed.latest.view.degraded
        for name in supervisor.beat(silent, "; ".join((f"page {program.address}", *degraded))):
            _tell(f"farklecrib: the {name} has given no sign of life for {PATIENCE_S:g} s")

    try:
        _say_differences(program, config, asked)
        program.start()
        supervisor.ready()
        shown = program.captioned and sys.stderr.isatty()
        if not shown:
            how = " (SIMULATED devices)" if program.simulated else ""
            _tell(f"Farkle Crib is ready at {program.address}{how}. Ctrl-C ends it; the game is kept.")
        failed = program.wait(ending, None if shown else lambda said: _tell(f"farklecrib: {said}"), beat)
    finally:
        supervisor.stopping()
        program.close()
    if asked.autoplay and not ending.is_set() and failed is None:
        _say_skipped(program)
        sys.stdout.write(program.notation())
    if failed is not None:
        _tell(f"farklecrib: error: {failed}")
        return 1
    return 0


def _hands(config: Config, asked: Asked) -> type[Hands]:
    """The hands of the simulated tray; raises `CompanionError` where there are none such."""
    if asked.hands not in HANDS:
        raise CompanionError(f"expected hands that are {' or '.join(HANDS)}, got {asked.hands!r}")
    if HANDS[asked.hands] is not Hands and not camera_named(config.camera.source).simulated:
        raise CompanionError(
            f"expected a simulated camera for hands that are {asked.hands}, got {config.camera.source!r}"
        )
    return HANDS[asked.hands]


def configured(config: Config, asked: Asked) -> Config:
    """The configuration with what the command line says."""
    table = config.table
    if asked.rules is not None:
        table = replace(table, rules=asked.rules)
    if asked.players is not None:
        table = replace(table, players=asked.players)
    if asked.track is not None:
        table = replace(table, track=asked.track)
    if asked.data is not None:
        table = replace(table, data=str(asked.data))
    return replace(
        config,
        table=table,
        camera=replace(config.camera, source=asked.camera or config.camera.source),
        leds=replace(config.leds, driver=asked.leds or config.leds.driver),
        buttons=replace(config.buttons, driver=asked.buttons or config.buttons.driver),
        sound=replace(config.sound, driver=asked.sound or config.sound.driver),
        web=replace(config.web, port=config.web.port if asked.port is None else asked.port),
    )


def new_game(config: Config, asked: Asked) -> NewGame | None:
    """The game that starts where there is none; None opens the lobby."""
    in_teams = taking_turns(asked.teams) if asked.players is None else ()
    players = in_teams or config.table.players or (("Ann", "Ben") if asked.autoplay else ())
    if not players:
        return None
    if not all(players):
        raise CompanionError(f"expected players' names with commas between them, got {', '.join(map(repr, players))}")
    track = config.table.track if asked.track is not None or "target" not in asked.settings else None
    return NewGame(
        rules_named(config.table.rules),
        players,
        settings=dict(asked.settings),
        track=track,
        start=asked.start,
        teams=asked.teams,
    )


def _say_differences(program: Program, config: Config, asked: Asked) -> None:
    """A game that goes on keeps its players and rules: say so where the command line asks for others."""
    state = program.host.state
    kept = differences(state.play.game, state.play.track, asked) if state.play else []
    if kept:
        _tell(f"farklecrib: the game in {config.table.data or 'the data folder'} goes on with {'; '.join(kept)}")


def differences(game: GameState, track: int, asked: Asked) -> list[str]:
    """What a game on this track keeps though the command line asks for something else, in words."""
    kept: list[str] = []
    if asked.players is not None and asked.players != game.players:
        kept.append(f"players {', '.join(game.players)}")
    if asked.teams and {name: tuple(each) for name, each in asked.teams.items()} != teams_of(game):
        kept.append("its own teams" if game.teams else "each player alone")
    if asked.rules is not None and not _means(asked.rules, game.rules):
        kept.append(f"rules {game.rules.key}")
    if not _has(game.rules, asked.settings):
        current = [f"{name}={value}" for name, value in game.rules.settings().items()]
        kept.append(", ".join(current) or "the switches of its sheet")
    if asked.track is not None and asked.track != track:
        kept.append(f"a track of {track} holes")
    return kept


def _means(name: str, rules: RuleSet) -> bool:
    """Whether a key, title, alias or file names these rules."""
    try:
        named = rules_named(name)
    except (FarkleError, CompanionError):
        return False
    return (named.key, named.definition) == (rules.key, rules.definition)


def _has(rules: RuleSet, settings: Mapping[str, str]) -> bool:
    """Whether these switches are set so already."""
    try:
        return rules.with_settings(settings).switches == rules.switches
    except FarkleError:
        return False


def _say_skipped(program: Program) -> None:
    skipped = getattr(program.desk, "skipped", {})
    if skipped:
        counts = ", ".join(f"{number} {why}" for why, number in sorted(skipped.items()))
        _tell(f"farklecrib: photographs skipped: {counts}")


def _tell(words: str) -> None:
    sys.stderr.write(words + "\n")
    sys.stderr.flush()
