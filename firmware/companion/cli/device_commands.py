"""The command line of the devices: `board` and `selftest`. Each command imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import ConfigFile, Data, Json

board_app = typer.Typer(no_args_is_help=True, help="The board: check a layout, draw it, show what it is made of.")
LayoutName = Annotated[str, typer.Argument(metavar="FILE", help="A layout's TOML file, or the name of one we ship.")]


@board_app.command("check")
def check_board(file: LayoutName) -> None:
    """Check a layout: find LEDs that are missing, named twice or not in the chain, and places beside the wood."""
    from companion.cli.board import check_board

    raise typer.Exit(check_board(file))


@board_app.command("draw")
def draw_board(
    file: LayoutName,
    out: Annotated[Path | None, typer.Option(metavar="SVG", help="Write there, not to standard output.")] = None,
) -> None:
    """Draw a layout in its true size, as SVG, with each LED's number and the chain's way."""
    from companion.cli.board import draw_board

    raise typer.Exit(draw_board(file, out))


@board_app.command("show")
def show_board(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A layout's TOML file, or the name of one we ship.")
    ] = None,
) -> None:
    """Show what a layout is made of and what it draws; without one, list those we ship."""
    from companion.cli.board import show_board

    raise typer.Exit(show_board(file))


selftest_app = typer.Typer(no_args_is_help=True, help="Try a device with somebody looking and listening.")


@selftest_app.command("leds")
def selftest_leds(
    config: ConfigFile = None,
    leds: Annotated[str | None, typer.Option(metavar="NAME", help="Another driver than the configuration's.")] = None,
) -> None:
    """Light the strip: red, green, blue, then a light along each lane; which colour, which way, how many?"""
    from companion.cli.selftest.asking import at_the_terminal
    from companion.cli.selftest.leds import try_leds
    from companion.config import load_config, with_driver

    raise typer.Exit(try_leds(with_driver(load_config(config), "leds", leds), at_the_terminal()))


@selftest_app.command("buttons")
def selftest_buttons(
    config: ConfigFile = None,
    buttons: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another driver than the configuration's.")
    ] = None,
) -> None:
    """Ask for each button, with its lamp lit, and say what came."""
    from companion.cli.selftest.asking import at_the_terminal
    from companion.cli.selftest.buttons import try_buttons
    from companion.config import load_config, with_driver

    raise typer.Exit(try_buttons(with_driver(load_config(config), "buttons", buttons), at_the_terminal()))


@selftest_app.command("sound")
def selftest_sound(
    config: ConfigFile = None,
    sound: Annotated[str | None, typer.Option(metavar="NAME", help="Another driver than the configuration's.")] = None,
) -> None:
    """Let a call-out and every tone be heard."""
    from companion.cli.selftest.asking import at_the_terminal
    from companion.cli.selftest.sound import try_sound
    from companion.config import load_config, with_driver

    raise typer.Exit(try_sound(with_driver(load_config(config), "sound", sound), at_the_terminal()))


@selftest_app.command("camera")
def selftest_camera(
    camera: Annotated[str | None, typer.Option(metavar="NAME[:ARG]", help="The camera, as for play.")] = None,
    throws: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many throws are tried.")] = 10,
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> None:
    """Throw, type what lies there, and learn how often this table's camera is wrong."""
    from companion.cli.selftest.camera import try_camera

    raise typer.Exit(try_camera(camera, throws, data, config, json_out=json_out))
