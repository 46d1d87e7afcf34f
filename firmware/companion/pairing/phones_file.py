"""The file `paired-phones.json` in the data folder, which holds the paired phones across restarts."""

import errno
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.log import logger_of
from companion.pairing.phones import LIFE_S, MOST_PHONES, Phone
from companion.storage.whole_file import replacing
from dicereader.data.files import read_text

FILE = "paired-phones.json"

_log = logger_of("phones")


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    at: float
    phones: list[Phone] = Field(max_length=MOST_PHONES)


class PhonesFile:
    """Reads and writes the phones of a table."""

    def __init__(self, folder: Path, wall: Callable[[], float], *, saved: bool = True) -> None:
        """Name the file.

        Args:
            folder: The data folder.
            wall: The wall clock, in seconds since 1970.
            saved: Whether the folder can be written; else what changes holds until the end.
        """
        self._path = folder / FILE
        self._wall, self._saved = wall, saved

    def read(self) -> tuple[Phone, ...]:
        """Return the stored phones, older by the time since. A file that cannot be read is logged, and holds none."""
        try:
            stored = _Stored.model_validate_json(read_text(self._path))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, ValidationError) as error:
            _log.warning("the paired phones cannot be read and pair again: %s: %s", self._path, error)
            return ()
        off_s = min(max(0.0, self._wall() - stored.at), LIFE_S)
        return tuple(older for each in stored.phones if not (older := each.older(off_s)).over)

    def write(self, phones: Sequence[Phone]) -> None:
        """Replace the stored phones. `OSError` reaches the caller if the file cannot be written.

        Raises:
            OSError: if the folder cannot be written, and a phone that is gone would come back at the next start.
        """
        if not self._saved:
            if {each.id for each in self.read()} - {each.id for each in phones}:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            return
        body = {"at": self._wall(), "phones": [vars(each) for each in phones]}
        with replacing(self._path) as file:
            file.write(json.dumps(body).encode())
