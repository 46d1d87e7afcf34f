"""Run a table until a signal, the menu or the end of an autoplayed game, and build it anew when its settings change."""

import logging
import os
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from companion.app import Ending, Program
from companion.cli.config import refused
from companion.cli.options import check_game
from companion.config import Config, data_folder, is_open, languages_of
from companion.config_files import Layers
from companion.errors import CompanionError, DataFolderError
from companion.games.backup import take_brought
from companion.launch import Launch, Rights
from companion.log import logger_of, say, start_log
from companion.rule_files import rules_named
from companion.runtime.changes import Changes, write_settings
from companion.runtime.end_signals import EndEvent, on_end_signals
from companion.runtime.health import PATIENCE_S
from companion.runtime.systemd import MachineSwitch, Supervisor, supervisor_from, switch_from
from companion.storage.data_folder import open_storage
from companion.table.state.bots import named_bots
from companion.table.state.inputs import DraftPatch, SwitchFound
from companion.web.address import page_address, qr_text
from companion.web.app import make_trouble_app
from companion.web.server import WebServer, bind
from companion.words import NOTHING, Text, english, message
from dicereader.errors import DiceReaderError
from farkle.errors import FarkleError
from farkle.game.standing import teams_of
from farkle.game.state import GameState
from farkle.rules.ruleset import RuleSet
from pegboard.errors import PegboardError

BEAT_S = 0.25


def run_table(layers: Layers, options: DraftPatch, damaged: Text, *, autoplay: bool, verbose: bool) -> int:
    """Run a table; return 1 if a part of it died, or the status of its machine's switch.

    Args:
        layers: What the configuration is made of.
        options: The game that the command line describes.
        damaged: Why the configuration is not the machine's own, in words.
        autoplay: Whether the table plays by itself.
        verbose: Whether to log what helps to find a fault, too.

    Raises:
        DataFolderError: if the data folder cannot be used, and a person reads standard error.
    """
    supervisor, switch = supervisor_from(os.environ), switch_from(os.environ)
    signals: list[str] = []
    program: Program | None = None

    def end(name: str) -> None:
        signals.append(name)
        if program is not None:
            program.end(f"signal {name}")

    def on_terminal() -> bool:
        return program is not None and program.drawing and os.isatty(2)

    with ExitStack() as undo:
        while True:
            try:
                built = _build(layers, options, damaged, autoplay=autoplay, before=program)
            except DataFolderError as error:
                if not supervisor.listens:  # a person reads the error
                    raise
                if not _mended(str(error), layers.config, supervisor):
                    return 0
                continue
            first, program = program is None, built
            if first:
                undo.callback(start_log(verbose=verbose, muted=on_terminal))
            on_end_signals(end)
            if signals:  # while the table was built anew
                program.end(f"signal {signals[0]}")
            ending = _run(program, layers.config, options, supervisor, switch, first=first)
            if not ending.again:
                break
            assert program.launch.changes is not None  # only a page that may change settings ends a table like this
            layers, damaged = program.launch.changes.layers, NOTHING
            layers = replace(layers, overrides={**layers.overrides, **program.opened.place.ports})
    if program.launch.autoplay and program.feed.latest.view.phase == "over":
        sys.stdout.write(program.host.notation())
    return 1 if ending.failed else switch.switch_off() if ending.switched_off else 0


def _build(layers: Layers, options: DraftPatch, damaged: Text, *, autoplay: bool, before: Program | None) -> Program:
    """Build a table, with the games that a page has brought.

    If that fails with settings that a page has just changed, take them back, and say so there.

    Raises:
        CompanionError: if the first table cannot be built, or one whose settings have not changed.
        DiceReaderError: as `CompanionError`.
        FarkleError: as `CompanionError`.
        PegboardError: as `CompanionError`.
    """

    def built(of: Layers, why: Text) -> Program:
        config = of.config
        data = data_folder(config)
        why = take_brought(data, time.time) or why
        changes = Changes(of, data, partial(refused, options=options))
        rights = before.opened.rights if before else Rights()
        launch = Launch(config, data, autoplay=autoplay, changes=changes, rights=rights)
        return Program(launch, check_game(config, options, autoplay=autoplay), why)

    try:
        return built(layers, damaged)
    except (CompanionError, DiceReaderError, FarkleError, PegboardError) as error:
        changes = before.launch.changes if before else None
        if changes is None or changes.earlier.settings == layers.settings:
            raise
        earlier = replace(layers, settings=changes.earlier.settings)
        write_settings(changes.file, earlier.settings)
        return built(earlier, message("fault.page_settings", reason=str(error)))


def _mended(reason: str, config: Config, supervisor: Supervisor) -> bool:
    """Serve a page that says why the data folder is unusable; return True once it is usable, False after a signal."""
    mended, ended = threading.Event(), EndEvent()

    def attempt() -> None:
        open_storage(data_folder(config), time.time).close()
        mended.set()

    on_end_signals(lambda _: ended.set())
    bound = bind(config.web.host, config.web.port)
    server = WebServer(make_trouble_app(config.web, languages_of(config), reason, attempt), bound)
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


def _run(
    program: Program,
    config: Config,
    options: DraftPatch,
    supervisor: Supervisor,
    switch: MachineSwitch,
    *,
    first: bool,
) -> Ending:
    """Run the program until it ends, and close it. The `first` one of a command says what it is and where."""
    log = logger_of("table")

    def beat(silent: tuple[str, ...]) -> None:
        degraded = map(english().text, program.feed.latest.view.degraded)
        for name in supervisor.beat(silent, "; ".join((f"page {program.address}", *degraded))):
            log.error("the %s has given no sign of life for %g s", name, PATIENCE_S)

    def find_switch() -> None:
        if switch.find():
            program.host.submit(SwitchFound())

    again = False
    try:
        play, saved = program.host.state.play, program.host.state.own_rules
        if first and play and (kept := differences(play.game, play.track, options, saved)):
            say(f"farklecrib: the game in {config.table.data or 'the data folder'} goes on with {'; '.join(kept)}")
        program.start()
        supervisor.ready()
        if first:
            _say_what_is_open(program, config)
        threading.Thread(target=find_switch, name="machine switch", daemon=True).start()
        ending = program.wait(beat)
        again = ending.again
    finally:
        if not again:  # after that word systemd ends the service
            supervisor.stopping()
        program.close()
    if ending.failed:
        say(f"farklecrib: error: {ending.why}", logging.ERROR)
        return ending
    log.info("ended: %s", ending.why)
    if skipped := program.opened.tray.hands.skipped:
        counts = ", ".join(f"{number} {why}" for why, number in sorted(skipped.items()))
        say(f"farklecrib: photographs skipped: {counts}")
    return ending


def _say_what_is_open(program: Program, config: Config) -> None:
    """Print the page's address, what others in the network may do, and the address with TLS.

    A person at a terminal sees the QR code of the address, too.
    """
    by_phone, opened = config.camera.source == "phone", program.opened
    if is_open(config.web.host):
        if os.isatty(2) and not program.drawing:
            sys.stderr.write(qr_text(f"{program.address}join{'?then=camera' if by_phone else ''}"))
        say(english()("phone.can_watch"))
        if by_phone:
            say("The camera is a phone. Scan the code with it, ask to play, and choose “Be the camera”.")
    how = " (SIMULATED devices)" if opened.simulated else ""
    say(f"Farkle Crib is ready at {program.address}{how}. Ctrl-C ends it; the game is kept.")
    if (secure := opened.place.secure) is not None and secure.address:
        say(f"HTTPS, for phones that play: {secure.address}")
        if (authority := secure.authority) is not None:
            say(f"SHA-256 of its certificate, to compare before a phone installs it: {authority.fingerprint}")


def differences(game: GameState, track: int, options: DraftPatch, saved: tuple[RuleSet, ...] = ()) -> list[str]:
    """Return in words how the kept game on this track differs from the options.

    Args:
        game: the kept game.
        track: its number of holes.
        options: the options of the command line.
        saved: the rule sets that the house has saved.
    """
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


def _means(name: str, rules: RuleSet, saved: tuple[RuleSet, ...]) -> bool:
    """Return whether a key, title, alias or file names these rules."""
    try:
        named = rules_named(name, saved)
    except (FarkleError, CompanionError):
        return False
    return (named.key, named.definition) == (rules.key, rules.definition)


def _has(rules: RuleSet, settings: Mapping[str, object]) -> bool:
    """Return whether the rules have these settings already."""
    try:
        return rules.with_settings(settings).switches == rules.switches
    except FarkleError:
        return False
