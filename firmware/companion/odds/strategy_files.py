"""Strategies as they are asked for: by name, or by the path of a TOML file."""

from pathlib import Path

from companion.errors import reporting_file_errors
from farkle.odds.strategies import Strategy, own_strategy, strategy_named


def strategy_of(text: str) -> Strategy:
    """Return the strategy of this name, or of the file at this path, which ends in `.toml`.

    An unknown name and a file that holds no strategy raise `OddsError`; a file that cannot be read, `CompanionError`.
    """
    if not text.endswith(".toml"):
        return strategy_named(text)
    from dicereader.data.files import read_text  # only where a file is read

    path = Path(text).expanduser()
    with reporting_file_errors("a strategy's file", path):
        content = read_text(path)
    return own_strategy(content, text)
