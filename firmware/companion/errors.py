"""The errors of the program; each is a `CompanionError`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class CompanionError(Exception):
    """Base of all errors of `companion`."""


class ConfigError(CompanionError, ValueError):
    """The configuration cannot be used; the text names file and key."""


class JournalError(CompanionError, OSError):
    """The journal could not be read or written; nothing of the failed act was kept."""


class JournalDamagedError(JournalError):
    """The journal's file has changed since it was written: a broken database, or a changed row."""


class DataFolderError(CompanionError, OSError):
    """The data folder cannot be used: no permission, or another table uses it."""


class RefusedError(CompanionError, ValueError):
    """The table does not allow this now, and nothing has changed. Players read the text."""


class RaceLostError(CompanionError, RuntimeError):
    """The write named the newest act that its sender knew, and another act has come since."""


class BusyError(CompanionError, RuntimeError):
    """The simulated hands hold dice, or dice move; try again when they are at rest."""


class NoGameError(CompanionError, LookupError):
    """The journal has no game of this number."""


class PortInUseError(CompanionError, OSError):
    """The page's port is taken."""


class SceneError(CompanionError, ValueError):
    """A scene cannot be read or played, or does not go as expected. `line` counts from 1; 0 is no line."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


@contextmanager
def reporting_file_errors(expected: str, path: Path | str) -> Iterator[None]:
    """Turn the errors of a file that a user names into a `CompanionError` of one line.

    Args:
        expected: what the file must be, such as `a written game`.
        path: the file or folder.

    Raises:
        CompanionError: if the operating system refuses, or the file is not text in UTF-8.
    """
    try:
        yield
    except CompanionError:
        raise
    except OSError as error:
        raise CompanionError(f"expected {expected}, got {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CompanionError(f"expected {expected} in UTF-8, got {str(path)!r}") from error
    except ValueError as error:  # a NUL in the name
        raise CompanionError(f"expected {expected}, got {str(path)!r}: {error}") from error
