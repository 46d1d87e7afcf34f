"""The command line: `farklecrib COMMAND`. Each command imports what it needs when it runs."""

import os
import sys
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from companion.cli.device_commands import board_app, selftest_app
from companion.cli.games_commands import fairness, games_app
from companion.cli.machine_commands import config_app, doctor
from companion.cli.options import ConfigFile, Data, Json
from companion.errors import CompanionError

app = typer.Typer(
    name="farklecrib",
    add_completion=False,
    pretty_exceptions_enable=False,
)

UsageError: type[Exception] = typer.BadParameter.__bases__[0]
"""What Typer raises for a command line it cannot read; it has no public name of its own."""

Settings = Annotated[
    list[str], typer.Option("--set", metavar="SWITCH=VALUE", help="Set a switch of the rules; may be given again.")
]


@app.callback(invoke_without_command=True)
def farklecrib(context: typer.Context) -> None:
    """A companion for a cribbage board and six real dice."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def read(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Pictures, folders of them, or clips.")],
    json_out: Json = False,
    overlay: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write each picture with what was read drawn over it.")
    ] = None,
    calibration: Annotated[Path | None, typer.Option(metavar="FILE", help="The calibration of the tray.")] = None,
    expect: Annotated[int | None, typer.Option(metavar="N", min=0, max=50, help="How many dice there must be.")] = None,
) -> None:
    """Read dice from pictures: what do they show?"""
    from companion.cli.read import read_paths

    raise typer.Exit(read_paths(paths, json_out=json_out, overlay=overlay, calibration=calibration, expect=expect))


@app.command()
def score(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set's key, title, alias or file.")],
    dice: Annotated[str, typer.Argument(metavar="DICE", help="'1 1 5', 115 or 1-1-5; - reads a roll a line.")],
    settings: Settings = [],  # noqa: B006 - Typer's own way of a list that may be left out
    locked: Annotated[
        int | None,
        typer.Option(metavar="N", help="Dice locked earlier in this turn; else all that were not rolled."),
    ] = None,
    json_out: Json = False,
) -> None:
    """Say what may be kept of a roll, and for how many points."""
    from companion.cli.score import score_rolls

    raise typer.Exit(score_rolls(rules, dice, parse_settings(settings), locked, json_out=json_out))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A written game; - is standard input.")],
    rules: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="Play it by this rule set or rule set's file, whatever the game names."),
    ] = None,
    json_out: Json = False,
) -> None:
    """Play a written game through the rules."""
    from companion.cli.replay import replay_file

    raise typer.Exit(replay_file(file, rules, json_out=json_out))


rules_app = typer.Typer(no_args_is_help=True, help="The rule sets: list them, show one, check a file of your own.")
app.add_typer(rules_app, name="rules")


@rules_app.command("list")
def list_rules(json_out: Json = False) -> None:
    """List the rule sets that come with the program."""
    from companion.cli.rules import list_rules

    raise typer.Exit(list_rules(json_out=json_out))


@rules_app.command("show")
def show_rules(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A rule set's key, title, alias or file.")],
    json_out: Json = False,
) -> None:
    """Show what one rule set says: what scores, and every switch."""
    from companion.cli.rules import show_rules

    raise typer.Exit(show_rules(name, json_out=json_out))


@rules_app.command("check")
def check_rules(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A rule set of your own, a TOML file.")],
) -> None:
    """Check a rule set's file: say what is wrong with it, with the key and what was expected."""
    from companion.cli.rules import check_rules

    raise typer.Exit(check_rules(file))


app.add_typer(board_app, name="board")
app.add_typer(selftest_app, name="selftest")
app.add_typer(games_app, name="games")
app.command()(fairness)
app.add_typer(config_app, name="config")
app.command()(doctor)


@app.command()
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
    port: Annotated[int | None, typer.Option(metavar="8080", min=0, max=65535, help="The page's port.")] = None,
    camera: Annotated[
        str | None, typer.Option(metavar="NAME[:ARG]", help="simulated, picamera2, usb:N, or recorded:PATH.")
    ] = None,
    leds: Annotated[
        str | None, typer.Option(metavar="NAME", help="simulated, terminal, neopixel or wled:HOST.")
    ] = None,
    buttons: Annotated[str | None, typer.Option(metavar="NAME", help="page, keyboard or gpio.")] = None,
    sound: Annotated[str | None, typer.Option(metavar="NAME", help="silent, espeak, buzzer or espeak+buzzer.")] = None,
    hands: Annotated[
        str, typer.Option(metavar="sure|clumsy", help="The hands of the simulated tray: clumsy ones err as people do.")
    ] = "sure",
    autoplay: Annotated[
        bool, typer.Option("--autoplay", help="Let the table play by itself, and print the game's notation at its end.")
    ] = False,
    scene: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Show a written evening, and say what goes otherwise.")
    ] = None,
) -> None:
    """Run the table and its page; without a configuration everything is simulated."""
    from companion.cli.play import Asked, run_table

    asked = Asked(
        rules=rules,
        settings=parse_settings(settings),
        players=None if players is None else tuple(name.strip() for name in players.split(",")),
        teams=parse_teams(teams) if teams is not None else {},
        start=start,
        track=track,
        data=data,
        port=port,
        camera=camera,
        leds=leds,
        buttons=buttons,
        sound=sound,
        autoplay=autoplay,
        hands=hands,
    )
    if scene is not None:
        from companion.cli.play import configured
        from companion.cli.scene import show_scene
        from companion.config import load_config

        raise typer.Exit(show_scene(scene, configured(load_config(config), asked)))
    raise typer.Exit(run_table(config, asked))


@app.command()
def calibrate(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH...", help="More pictures, after the first one of --from.")
    ] = None,
    camera: Annotated[
        str | None, typer.Option(metavar="NAME[:ARG]", help="The camera, as for play; a person lays what is asked for.")
    ] = None,
    pictures: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="PATH...", help="Pictures or their folder: the empty tray, then some throws."),
    ] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; else it becomes this table's.")] = None,
    sheet: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the tags to print (SVG), no more.")] = None,
    die_mm: Annotated[float, typer.Option("--die", metavar="MM", min=5, max=40, help="A die's edge.")] = 16.0,
    corners: Annotated[
        str | None,
        typer.Option(
            metavar="'X,Y X,Y X,Y X,Y'",
            help="Without tags: where the empty picture shows the inner corners of the walls' upper edge, clockwise "
            "from the top left.",
        ),
    ] = None,
    inside: Annotated[float, typer.Option(metavar="MM", min=50, max=1000, help="With --corners: the inside.")] = 230.0,
    data: Data = None,
    config: ConfigFile = None,
) -> None:
    """Learn where the camera is and how the dice look, from the empty tray and a few throws."""
    from companion.cli.calibrate import Wanted, calibrate

    given = tuple(pictures or ()) + tuple(paths or ())
    if paths and not pictures:
        raise CompanionError(f"expected pictures after --from, got {str(paths[0])!r}")
    wanted = Wanted(camera, given, save, sheet, die_mm, corners, inside, data, config)
    raise typer.Exit(calibrate(wanted))


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(f"farklecrib {installed_version('farklecrib')}")


def parse_settings(items: list[str]) -> dict[str, str]:
    """`SWITCH=VALUE` items as a table; raises `CompanionError`."""
    settings: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise CompanionError(f"expected --set SWITCH=VALUE, got {item!r}")
        settings[name.strip()] = value.strip()
    return settings


def parse_teams(text: str) -> dict[str, tuple[str, ...]]:
    """`A=Ann,Cy;B=Ben,Di` as teams with their players; raises `CompanionError`."""
    teams: dict[str, tuple[str, ...]] = {}
    for item in text.split(";"):
        name, equals, members = item.partition("=")
        players = tuple(each.strip() for each in members.split(","))
        if not equals or not name.strip() or not all(players) or name.strip() in teams:
            raise CompanionError(f"expected --teams 'A=Ann,Cy;B=Ben,Di', got {text!r}")
        teams[name.strip()] = players
    return teams


def main() -> None:
    """Run a command; every mistake gets one line on standard error and exit status 2."""
    try:
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
        sys.exit(status)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # Typer's own end in that case says 1
            _nobody_reads()
        raise
    except typer.Abort:
        sys.exit(130)
    except UsageError as error:
        from companion.cli.options import explained

        _fail(explained(error))
    except BrokenPipeError:
        _nobody_reads()
    except Exception as error:
        if not _is_ours(error):
            raise
        _fail(str(error))


def _is_ours(error: Exception) -> bool:
    """Whether an error was raised for a person to read: each package's base class says so, without importing any."""
    return any(
        base.__name__ in {"FarkleError", "CompanionError", "DiceReaderError", "PegboardError"}
        and base.__module__ in {"farkle.errors", "companion.errors", "dicereader.errors", "pegboard.errors"}
        for base in type(error).__mro__
    )


def _nobody_reads() -> NoReturn:
    """Whoever read our output has read enough and gone; what Python still holds back must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _fail(words: str) -> None:
    line = " ".join(words.split())
    typer.echo(f"farklecrib: error: {line}", err=True)
    sys.exit(2)
