"""The rule sets that a house has saved: a file for each in the folder `rules` of the data folder."""

import unicodedata
from pathlib import Path

from companion.errors import CompanionError, DataFolderError
from companion.log import logger_of
from companion.rule_files import rules_in
from companion.storage.whole_file import sync, write_whole
from farkle.errors import FarkleError
from farkle.rules.ruleset import RuleSet

FOLDER = "rules"

_log = logger_of("rules")


def rules_folder(data: Path) -> Path:
    """Return the folder of the saved rule sets in a data folder."""
    return data / FOLDER


def saved_rules(folder: Path) -> tuple[RuleSet, ...]:
    """Return the rule sets in a folder by title; a file that holds none, or a key twice, is logged and left out."""
    found: dict[str, RuleSet] = {}
    for file in _files(folder):
        try:
            rules = rules_in(file)
        except (CompanionError, FarkleError) as error:
            _log.warning("saved rules: %s", error)
            continue
        if rules.key in found:
            _log.warning("saved rules: %s: expected a key that no other file here has, got %r", file, rules.key)
            continue
        found[rules.key] = rules
    return tuple(sorted(found.values(), key=lambda rules: rules.title.casefold()))


def _files(folder: Path) -> list[Path]:
    """Return the ordinary files that may hold a rule set; a pipe, which would never end, is none."""
    return sorted(file for file in folder.glob("*.toml") if file.is_file())


def free_key(name: str, taken: frozenset[str]) -> str:
    """Return a key for a rule set of this name that is not taken: its letters and digits, as far as ASCII has them."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    words = "".join(mark if mark.isalnum() else " " for mark in letters).split()
    base = "-".join(words) or "house"
    key, number = base, 1
    while key in taken:
        number += 1
        key = f"{base}-{number}"
    return key


class RulesFolder:
    """The saved rule sets of a table. A kill while one is saved leaves its old file or its new one."""

    def __init__(self, folder: Path, *, saved: bool = True) -> None:
        """Prepare the folder.

        Args:
            folder: where the files are; it is made when the first one is saved.
            saved: whether the data folder can be written.
        """
        from asyncio import Lock  # only for a table, because commands read the folder, too

        self._folder = folder
        self._saved = saved
        self.saving = Lock()
        """Held by a request while it changes the folder and tells the table."""

    def read(self) -> tuple[RuleSet, ...]:
        """Return the saved rule sets, by title."""
        return saved_rules(self._folder)

    def save(self, key: str, text: str) -> None:
        """Write the file of a rule set, in place of the one with this key.

        Raises:
            DataFolderError: if it cannot be written.
        """
        self._check()
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_whole(self._file(key), [text.encode()])
        except OSError as error:
            raise DataFolderError(f"expected a folder that can be written, got {str(self._folder)!r}") from error

    def delete(self, key: str) -> None:
        """Delete the file of the rule set with this key; kept games go on by its rules.

        Raises:
            DataFolderError: if it cannot be deleted.
        """
        self._check()
        try:
            self._file(key).unlink(missing_ok=True)
            sync(self._folder)
        except OSError as error:
            raise DataFolderError(f"expected a folder that can be written, got {str(self._folder)!r}") from error

    def _check(self) -> None:
        if not self._saved:
            raise DataFolderError("expected a data folder that can be written") from PermissionError(
                "the data folder cannot be written"
            )

    def _file(self, key: str) -> Path:
        """Return the file of a key: the one that holds it, which a person may have named otherwise, or a new one."""
        for file in _files(self._folder):
            try:
                if rules_in(file).key == key:
                    return file
            except (CompanionError, FarkleError):
                continue
        return self._folder / f"{key}.toml"
