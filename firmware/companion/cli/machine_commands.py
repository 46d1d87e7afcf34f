"""The command line of the machine: `config` and `doctor`. Each command imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import ConfigFile, Json

config_app = typer.Typer(
    no_args_is_help=True, help="The configuration: what it says, which file it is, what is wrong with it."
)


@config_app.command("show")
def show_config(
    config: ConfigFile = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the whole file with every key explained, to keep as your own.")
    ] = False,
    json_out: Json = False,
) -> None:
    """Show every value and where it came from."""
    from companion.cli.config import show_config

    raise typer.Exit(show_config(config, explain=explain, json_out=json_out))


@config_app.command("path")
def config_path(config: ConfigFile = None) -> None:
    """Print which file is read."""
    from companion.cli.config import config_path

    raise typer.Exit(config_path(config))


@config_app.command("check")
def check_config(config: ConfigFile = None) -> None:
    """Say everything that is wrong with the configuration."""
    from companion.cli.config import check_config

    raise typer.Exit(check_config(config))


def doctor(
    config: ConfigFile = None,
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a .tar.gz for a bug report, without names or pictures."),
    ] = None,
    json_out: Json = False,
) -> None:
    """Look at this machine: what is wrong with it, and the command that mends it."""
    from companion.cli.doctor import run_doctor

    raise typer.Exit(run_doctor(config, bundle=bundle, json_out=json_out))
