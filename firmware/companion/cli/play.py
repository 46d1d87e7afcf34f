"""`farklecrib play` and `farklecrib pair`: a table, and the digits by which a phone gets in."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.config import require_usable
from companion.cli.games import games_folder
from companion.cli.options import (
    ConfigFile,
    Data,
    Settings,
    check_game,
    parse_players,
    parse_settings,
    parse_teams,
    tell,
)
from companion.errors import RefusedError
from companion.words import NOTHING, english

if TYPE_CHECKING:
    from companion.app import Program
    from companion.config import Config
    from companion.runtime.host import Clock


def play(
    config: ConfigFile = None,
    rules: Annotated[str | None, typer.Option(metavar="RULES")] = None,
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    players: Annotated[str | None, typer.Option(metavar="Ann,Ben")] = None,
    teams: Annotated[str | None, typer.Option(metavar="A=Ann,Cy;B=Ben,Di")] = None,
    start: Annotated[str | None, typer.Option(metavar="Ann")] = None,
    track: Annotated[int | None, typer.Option(metavar="HOLES")] = None,
    data: Data = None,
    host: Annotated[str | None, typer.Option(metavar="ADDRESS")] = None,
    port: Annotated[int | None, typer.Option(metavar="8080", min=0, max=65535)] = None,
    tls: Annotated[bool, typer.Option("--tls")] = False,
    tls_port: Annotated[int | None, typer.Option("--tls-port", metavar="8443", min=0, max=65535)] = None,
    camera: Annotated[str | None, typer.Option(metavar="NAME[:ARG]")] = None,
    leds: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    buttons: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    sound: Annotated[str | None, typer.Option(metavar="NAME")] = None,
    autoplay: Annotated[bool, typer.Option("--autoplay")] = False,
    scene: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v")] = False,
) -> int:
    """Run the table and its page; without a configuration everything is simulated.

    Args:
        rules: The rule set of a new game, or its file.
        players: The players of a new game.
        teams: The teams of a new game; they take turns.
        start: Who begins a new game.
        track: The number of holes of the track.
        host: Where the page listens: 0.0.0.0 lets every network watch.
        port: The page's port.
        tls: Serve HTTPS for those who play, on a second port.
        tls_port: The port of HTTPS.
        camera: simulated, phone, picamera2, usb, url:ADDRESS, recorded:PATH.
        leds: simulated, terminal, neopixel or wled:HOST.
        buttons: page, keyboard or gpio.
        sound: silent, espeak, buzzer or espeak+buzzer.
        autoplay: Let bots play on all seats, and print the game's notation at its end.
        scene: Show a written evening, and say what goes otherwise.
        verbose: Log what helps to find a fault, too.
    """
    from companion.config_files import load_layers, load_service_layers
    from companion.table.state.inputs import DraftPatch

    options = DraftPatch(
        rules, parse_players(players), parse_settings(settings) or None, track, start, parse_teams(teams)
    )
    overrides = {
        "table.rules": rules,
        "table.players": options.names,
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
        layers, damaged = load_service_layers(overrides)
    else:
        layers, damaged = load_layers(config, overrides), NOTHING
    loaded = layers.config
    require_usable(loaded, folder=not service)  # a service shows a page that says what is wrong
    if scene is not None:
        from companion.simulation.scenes.show import show_scene

        return show_scene(scene, loaded, table_without_eye)
    check_game(loaded, options, autoplay=autoplay)  # before anything is opened
    from companion.cli.running import run_table

    return run_table(layers, options, damaged, autoplay=autoplay, verbose=verbose)


def table_without_eye(config: "Config", data: Path, table_clock: "Clock") -> "Program":
    """Return a table for a scene, which gives the readings itself."""
    from companion.app import Program
    from companion.launch import Launch

    return Program(Launch(config, data, eye=False, table_clock=table_clock))


def pair(
    set_up: Annotated[bool, typer.Option("--set-up")] = False,
    data: Data = None,
    config: ConfigFile = None,
) -> int:
    """Print six digits with which phones get in for a minute, to play at the table that runs on the data folder.

    Args:
        set_up: The phone may set the table up for ten minutes; for one without buttons.

    Raises:
        RefusedError: if no table runs on it.
    """
    from companion.games.control_socket import SocketGames

    folder = games_folder(data, config)
    asked = SocketGames(folder)
    if not asked.runs():
        raise RefusedError(f"expected a table that runs on {str(folder)!r}, got none; start it with farklecrib play")
    digits = asked.pair(set_up=set_up)
    tell(english()("phone.digits_for_a_minute", digits=f"{digits[:3]} {digits[3:]}"))
    return 0
