"""Change the settings of a running table: each change is checked as `play` checks it, written, and shown."""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from companion.config import Config
from companion.config_files import Layers
from companion.errors import DataFolderError, RefusedError
from companion.page_settings import Settings, check_settings, merged, settings_file
from companion.storage.whole_file import replacing
from companion.words import message

HEAD = "What was set on the table's page. It lies over config.toml and under the command line."


class Changes:
    """The settings of a running table. Any thread may change them; they hold from the table's next start."""

    def __init__(self, layers: Layers, data: Path, wrong: Callable[[Config], Iterator[str]]) -> None:
        """Take up the settings that hold now.

        Args:
            layers: what the configuration of the running table is made of.
            data: the table's data folder.
            wrong: says what `play` cannot use of a configuration.
        """
        self._wrong = wrong
        self._lock = threading.Lock()
        self.layers = self.earlier = layers
        self.file = settings_file(data)

    def change(self, values: Mapping[str, object]) -> None:
        """Change settings by `section.key`; None takes a setting back.

        Raises:
            RefusedError: if a value stands on the command line, which lies over it. `ConfigError` reaches the caller if
                a value cannot be used, and `DataFolderError` if the file cannot be written. Then nothing has changed.
        """
        with self._lock:
            check_settings({name: value for name, value in values.items() if value is not None})
            for name in values:
                if self.layers.overrides.get(name) is not None:
                    raise RefusedError(message("set_up.by_command_line", key=name))
            merged = {**self.layers.settings, **values}
            layers = replace(self.layers, settings={name: value for name, value in merged.items() if value is not None})
            before = set(self._wrong(self.layers.config))
            new = next((each for each in self._wrong(layers.config) if each not in before), None)
            if new is not None:
                raise RefusedError(new)
            write_settings(self.file, layers.settings)
            self.layers = layers


def write_settings(file: Path, settings: Settings) -> None:
    """Write settings, and keep the comments that a person has written among them.

    Raises:
        DataFolderError: if the file cannot be written; then the old one is as it was.
    """
    try:
        text = _updated(file, settings)
        with replacing(file) as opened:
            opened.write(text.encode())
    except OSError as error:
        raise DataFolderError(f"expected a settings file that can be written, got {str(file)!r}: {error}") from error


def _updated(file: Path, settings: Settings) -> str:
    """Return the file's text with these settings in place of its own."""
    import tomlkit  # only where something is written

    try:
        document = tomlkit.parse(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, UnicodeDecodeError, tomlkit.exceptions.TOMLKitError):
        document = tomlkit.document()
        document.add(tomlkit.comment(HEAD))
    wanted = merged({}, settings)
    for section in [*document]:
        if section not in wanted:
            del document[section]
        else:
            for key in [key for key in document[section] if key not in wanted[section]]:
                del document[section][key]
    for section, keys in wanted.items():
        if section not in document:
            document[section] = tomlkit.table()
        for key, value in keys.items():
            document[section][key] = list(value) if isinstance(value, tuple) else value
    return tomlkit.dumps(document)
