"""What can go wrong in the program; every error of this package is a `CompanionError`."""


class CompanionError(Exception):
    """Base of all errors of `companion`."""


class ConfigError(CompanionError, ValueError):
    """The configuration cannot be used; the text names file and key."""


class JournalError(CompanionError, OSError):
    """The journal could not be read or written; nothing of the act that failed was kept."""


class JournalDamagedError(JournalError):
    """The journal's file is not as it was written: a broken database, a changed row."""


class DataFolderError(CompanionError, OSError):
    """The data folder cannot be used: no permission, or another table has it."""


class RefusedError(CompanionError, ValueError):
    """The table does not allow this now; nothing has changed. The text is what a player reads."""


class RaceLostError(CompanionError, RuntimeError):
    """The write named an act it had seen last, and another act has come since."""


class BusyError(CompanionError, RuntimeError):
    """The hands of the desk have dice in them, or dice move: try again when they lie."""


class NoGameError(CompanionError, LookupError):
    """The journal keeps no game of this number."""


class PortInUseError(CompanionError, OSError):
    """The page's port is taken."""


class SceneError(CompanionError, ValueError):
    """A scene cannot be read or played, or something in it is not as expected. `line` counts from 1, 0 for none."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line
