"""`farklecrib pair`: let a phone in to play at the table that runs, by six digits."""

from companion.cli.games import games_folder
from companion.cli.options import ConfigFile, Data, tell


def pair(data: Data = None, config: ConfigFile = None) -> int:
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
    digits = asked.pair()
    tell(english()("phone.digits_for_a_minute", digits=f"{digits[:3]} {digits[3:]}"))
    return 0
