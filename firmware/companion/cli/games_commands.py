"""The command line of the games kept: `games` and `fairness`. Each command imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from companion.cli.options import ConfigFile, Data, Json

games_app = typer.Typer(no_args_is_help=True, help="The games kept: list them, show, export or delete one.")

Number = Annotated[str, typer.Argument(metavar="GAME", help="The game's number, or last.")]


@games_app.command("list")
def list_games(data: Data = None, config: ConfigFile = None, json_out: Json = False) -> None:
    """List the games, the newest first."""
    from companion.cli.games import data_of, list_games

    raise typer.Exit(list_games(data_of(data, config), json_out=json_out))


@games_app.command("show")
def show_game(game: Number = "last", data: Data = None, config: ConfigFile = None, json_out: Json = False) -> None:
    """Show a game: places, best turns, and every throw with its points explained."""
    from companion.cli.games import data_of, show_game

    raise typer.Exit(show_game(data_of(data, config), game, json_out=json_out))


@games_app.command("export")
def export_game(
    game: Number = "last",
    form: Annotated[
        Literal["json", "csv", "notation"],
        typer.Option("--format", metavar="FORMAT", help="json, csv (a line a throw) or notation."),
    ] = "json",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write there, not to standard output.")] = None,
    data: Data = None,
    config: ConfigFile = None,
) -> None:
    """Write a game as JSON, as CSV or in the notation."""
    from companion.cli.games import data_of, export_game

    raise typer.Exit(export_game(data_of(data, config), game, form, out))


@games_app.command("delete")
def delete_game(
    game: Number,
    sure: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = None,
    config: ConfigFile = None,
) -> None:
    """Delete a game for good, with the stills of its throws."""
    from companion.cli.games import data_of, delete_game

    raise typer.Exit(delete_game(data_of(data, config), game, sure=sure))


def fairness(
    of: Annotated[
        Literal["real", "recorded", "simulated"],
        typer.Option("--of", metavar="KIND", help="Which throws: real, recorded (photographs, clips) or simulated."),
    ] = "real",
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> None:
    """Say whether these dice are fair, from all throws that the eye read, and how sure that is."""
    from companion.cli.games import data_of, tell_fairness

    raise typer.Exit(tell_fairness(data_of(data, config), of, json_out=json_out))
