"""Options that several commands have, each declared once."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output and nothing else there.")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="Where the games are kept.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A configuration file; else /etc/farklecrib/config.toml."),
]
