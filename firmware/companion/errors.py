"""The errors of the program, each a `CompanionError`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.words import NOTHING, Text, english, message


class CompanionError(Exception):
    """Base of all errors of `companion`. The text is for developers, and for the sender of the input.

    `spoken` is the short sentence that players hear and read, or nothing if the table says nothing about the error.
    """

    spoken: Text = NOTHING


class ConfigError(CompanionError, ValueError):
    """The configuration cannot be used; the text names file and key."""


class JournalError(CompanionError, OSError):
    """The journal could not be read or written; nothing of the failed act was kept."""

    spoken = message("fault.does_not_count")


class JournalDamagedError(JournalError):
    """The journal's file has changed since it was written: a broken database, or a changed row."""


class DataFolderError(CompanionError, OSError):
    """The data folder cannot be used: no permission, or another table uses it."""


class FolderInUseError(DataFolderError):
    """Another table uses the data folder."""


class ToldError(CompanionError):
    """An error that players are told; its text is the English `reason`."""

    def __init__(self, reason: Text) -> None:
        super().__init__(english().text(reason))
        self.reason = self.spoken = reason


class RefusedError(ToldError, ValueError):
    """The table does not allow this now, and nothing has changed.

    Players hear the reason, or `spoken` if it is given.
    """

    def __init__(self, reason: Text, spoken: Text | None = None) -> None:
        super().__init__(reason)
        self.spoken = reason if spoken is None else spoken


class NotStoredError(ToldError, OSError):
    """Something is done, and the disk does not keep it: it holds until the table's next start."""


class TrackRefusedError(RefusedError):
    """The board has no track of this length."""


class TableEndedError(CompanionError, RuntimeError):
    """The table has ended, and takes no input any more."""


class RaceLostError(CompanionError, RuntimeError):
    """The write named the newest act that its sender knew, and another act has come since.

    Only the sender sees this error.
    """


class BusyError(ToldError, RuntimeError):
    """The simulated hands hold dice, or dice move; try again when they are at rest."""


class NoGameError(CompanionError, LookupError):
    """The journal has no game with this number."""


class PortInUseError(CompanionError, OSError):
    """The page's port is taken."""


class BusError(CompanionError, OSError):
    """A program of this machine refuses a call by D-Bus, or does not answer."""


class NoBusError(BusError):
    """There is no system bus, or nobody on it has the name that a call is for."""


class OutputError(CompanionError, OSError):
    """Standard output does not take the result of a command."""


class SceneError(CompanionError, ValueError):
    """A scene cannot be read or played, or does not go as expected. `line` counts from 1; 0 means no line."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


class FeatureFailedError(CompanionError, RuntimeError):
    """A feature of this name made an error that no feature may make."""

    def __init__(self, feature: str) -> None:
        super().__init__(f"feature {feature}")
        self.feature = feature


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
        raise CompanionError(f"expected {expected}, got {str(path)!r}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise CompanionError(f"expected {expected} in UTF-8, got {str(path)!r}") from error
    except ValueError as error:  # a NUL in the name
        raise CompanionError(f"expected {expected}, got {str(path)!r}: {error}") from error
