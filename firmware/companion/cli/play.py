"""`farklecrib play`: run the table and its page until a signal, the menu or the end of an autoplayed game."""

import logging
import os
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.config import require_usable
from companion.cli.new_game import GameOptions, check_game, differences, parse_players, parse_teams
from companion.cli.options import ConfigFile, Data, Settings, parse_settings
from companion.errors import DataFolderError

if TYPE_CHECKING:
    from companion.app import Program
    from companion.config import Config
    from companion.runtime.host import Clock
    from companion.runtime.machine_switch import MachineSwitch
    from companion.runtime.systemd import Supervisor
    from companion.table.state.inputs import NewGame
    from companion.words import Text

BEAT_S = 0.25


def play(
    config: ConfigFile = None,
    rules: Annotated[str | None, typer.Option(metavar="RULES", help="The rule set of a new game, or its file.")] = None,
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    players: Annotated[str | None, typer.Option(metavar="Ann,Ben", help="The players of a new game.")] = None,
    teams: Annotated[
        str | None, typer.Option(metavar="A=Ann,Cy;B=Ben,Di", help="The teams of a new game; they take turns.")
    ] = None,
    start: Annotated[str | None, typer.Option(metavar="Ann", help="Who begins a new game.")] = None,
    track: Annotated[int | None, typer.Option(metavar="HOLES", help="The number of holes of the track.")] = None,
    data: Data = None,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where the page listens: 0.0.0.0 lets every network watch.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="8080", min=0, max=65535, help="The page's port.")] = None,
    tls: Annotated[bool, typer.Option("--tls", help="Serve HTTPS for those who play, on a second port.")] = False,
    tls_port: Annotated[
        int | None, typer.Option("--tls-port", metavar="8443", min=0, max=65535, help="The port of HTTPS.")
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(metavar="NAME[:ARG]", help="simulated, phone, picamera2, usb:N, url:ADDRESS, recorded:PATH."),
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
    from companion.config_files import load_config, load_service_config
    from companion.words import NOTHING

    options = GameOptions(rules, parse_settings(settings), parse_players(players), parse_teams(teams), start, track)
    overrides = {
        "table.rules": rules,
        "table.players": options.players,
        "table.track": track,
        "table.data": data,
        "web.host": host if host is not None or camera != "phone" else "0.0.0.0",  # noqa: S104 - and says so
        "web.port": port,
        "web.tls": tls or camera == "phone" or None,
        "web.tls_port": tls_port,
        "camera.source": camera,
        "leds.driver": leds,
        "buttons.driver": buttons,
        "sound.driver": sound,
    }
    service = "NOTIFY_SOCKET" in os.environ
    if service and config is None:
        loaded, damaged = load_service_config(overrides)
    else:
        loaded, damaged = load_config(config, overrides), NOTHING
    require_usable(loaded, folder=not service)  # a service shows a page that says what is wrong
    if scene is not None:
        from companion.simulation.scenes.show import show_scene

        return show_scene(scene, loaded, table_without_eye)
    game, preset = check_game(loaded, options, autoplay=autoplay)
    return run_table(loaded, options, game, preset, damaged, autoplay=autoplay, verbose=verbose)


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
    damaged: "Text",
    *,
    autoplay: bool,
    verbose: bool,
) -> int:
    """Run a table; return 1 if a part of it died. `game` and `preset` are those of `check_game`.

    `damaged` says in words why the configuration is not the machine's own, or nothing.

    Raises:
        DataFolderError: if the data folder cannot be used, and a person reads standard error.
    """
    from companion.app import Program
    from companion.config import data_folder
    from companion.log import start_log
    from companion.runtime.end_signals import on_end_signals
    from companion.runtime.host import Clock
    from companion.runtime.machine_switch import switch_from
    from companion.runtime.systemd import supervisor_from

    data, supervisor, switch = data_folder(config), supervisor_from(os.environ), switch_from(os.environ)
    while True:
        try:
            program = Program(
                config, data=data, clock=Clock(), game=game, autoplay=autoplay, preset=preset, damaged=damaged
            )
            break
        except DataFolderError as error:
            if not supervisor.listens:  # a person reads the error
                raise
            if not _mended(str(error), config, supervisor):
                return 0
    end_log = start_log(verbose=verbose, muted=lambda: program.drawing and os.isatty(2))
    try:
        on_end_signals(lambda name: program.end(f"signal {name}"))
        status = _run(program, config, options, supervisor, switch)
    finally:
        end_log()
    if program.autoplay is not None and program.autoplay.ended.is_set():
        sys.stdout.write(program.host.notation())
    return status


def _mended(reason: str, config: "Config", supervisor: "Supervisor") -> bool:
    """Serve a page that says why the data folder is unusable; return True once it is usable, False after a signal."""
    from companion.config import data_folder
    from companion.log import say
    from companion.runtime.end_signals import EndEvent, on_end_signals
    from companion.storage.data_folder import open_storage
    from companion.web.address import page_address
    from companion.web.app import WebServer, bind
    from companion.web.trouble import make_trouble_app

    mended, ended = threading.Event(), EndEvent()

    def attempt() -> None:
        open_storage(data_folder(config), time.time).close()
        mended.set()

    on_end_signals(lambda _: ended.set())
    bound = bind(config.web.host, config.web.port)
    server = WebServer(make_trouble_app(config.web, reason, attempt), bound)
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
    program: "Program", config: "Config", options: GameOptions, supervisor: "Supervisor", switch: "MachineSwitch"
) -> int:
    """Run the program until it ends, and close it; return 1 if a part of it died, or the status of `switch`."""
    from companion.log import logger_of, say
    from companion.runtime.heartbeat import PATIENCE_S
    from companion.table.state.inputs import SwitchFound
    from companion.words import english

    log = logger_of("table")

    def beat(silent: tuple[str, ...]) -> None:
        degraded = map(english().text, program.feed.latest.view.degraded)
        for name in supervisor.beat(silent, "; ".join((f"page {program.address}", *degraded))):
            log.error("the %s has given no sign of life for %g s", name, PATIENCE_S)

    def find_switch() -> None:
        if switch.find():
            program.host.submit(SwitchFound())

    try:
        _say_differences(program, config, options)
        program.start()
        supervisor.ready()
        how = " (SIMULATED devices)" if program.simulated else ""
        _say_what_is_open(program, config)
        say(f"Farkle Crib is ready at {program.address}{how}. Ctrl-C ends it; the game is kept.")
        _say_what_is_secure(program)
        threading.Thread(target=find_switch, name="machine switch", daemon=True).start()
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
    return switch.switch_off() if ending.switched_off else 0


def _say_what_is_open(program: "Program", config: "Config") -> None:
    """Print what others in the network may do, and show a person at a terminal the QR code of the address."""
    from companion.config import is_open
    from companion.log import say
    from companion.web.address import qr_text
    from companion.words import english

    by_phone = config.camera.source == "phone"
    if is_open(config.web.host):
        if os.isatty(2) and not program.drawing:
            sys.stderr.write(qr_text(f"{program.address}join{'?then=camera' if by_phone else ''}"))
        say(english()("phone.can_watch"))
        if by_phone:
            say("The camera is a phone. Scan the code with it, ask to play, and choose “Be the camera”.")


def _say_what_is_secure(program: "Program") -> None:
    """Print the address with TLS, and what to compare with before a phone installs the table's authority."""
    from companion.log import say

    if program.secure is not None and program.secure.address:
        say(f"HTTPS, for phones that play: {program.secure.address}")
        if (authority := program.secure.authority) is not None:
            say(f"SHA-256 of its certificate, to compare before a phone installs it: {authority.fingerprint}")


def _say_differences(program: "Program", config: "Config", options: GameOptions) -> None:
    """Print how the game that goes on differs from the game that the command line describes."""
    from companion.log import say

    play, saved = program.host.state.play, program.host.state.own_rules
    if play and (kept := differences(play.game, play.track, options, saved)):
        say(f"farklecrib: the game in {config.table.data or 'the data folder'} goes on with {'; '.join(kept)}")
