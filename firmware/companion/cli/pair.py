"""`farklecrib pair`: let a phone in to play at the table that runs, by six digits."""

from typing import Annotated

import typer

from companion.cli.games import games_folder
from companion.cli.options import ConfigFile, Data, tell


def pair(
    set_up: Annotated[
        bool, typer.Option("--set-up", help="The phone may set the table up for ten minutes; for one without buttons.")
    ] = False,
    data: Data = None,
    config: ConfigFile = None,
) -> int:
    """Print six digits with which phones get in for a minute, to play at the table that runs on the data folder.

    Raises:
        RefusedError: if no table runs on it.
    """
    from companion.errors import RefusedError
    from companion.games.control_socket import SocketGames
    from companion.words import english

    folder = games_folder(data, config)
    asked = SocketGames(folder)
    if not asked.runs():
        raise RefusedError(f"expected a table that runs on {str(folder)!r}, got none; start it with farklecrib play")
    digits = asked.pair(set_up=set_up)
    tell(english()("phone.digits_for_a_minute", digits=f"{digits[:3]} {digits[3:]}"))
    return 0
