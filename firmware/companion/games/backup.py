"""Backups: all games of a data folder, with their throw images, in one ZIP file that is verified before it counts.

The acts are in the text form of the journal's copy, so that a backup can be read without this program.
"""

import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.errors import CompanionError, reporting_file_errors
from companion.games.repository import GameStore
from companion.games.throw_images import MARKS, ThrowImages
from companion.storage.data_folder import locked, replace_journal
from companion.storage.journal import Wall
from companion.storage.rows import JournalRow, sound_rows
from companion.storage.text_copy import Head, lines, read_lines
from companion.table.state.text import plural

ACTS = "acts.jsonl"
IMAGE = "images/{:08d}.jpg"
MARKED = "images/{:08d}.json"


class Backup(NamedTuple):
    """What a backup holds: the rows of all games, and the acts that have an image."""

    rows: list[JournalRow]
    images: frozenset[int]

    def __str__(self) -> str:
        games = plural(len({row.game for row in self.rows}), "game")
        return f"{games} and {plural(len(self.images), 'image')} of throws"


def write_backup(store: GameStore, images: ThrowImages, file: Path) -> Backup:
    """Write all games into a backup, read it again, and only then give it its name; a table may run meanwhile.

    Raises:
        CompanionError: if there are no games, or the file cannot be written or is not a backup.
    """
    if file.exists() and not (file.is_file() and zipfile.is_zipfile(file)):
        raise CompanionError(f"expected a new file or an older backup to write to, got {str(file)!r}")
    rows = sorted(row for game in store.games() for row in store.rows(game))
    if not rows:
        raise CompanionError("expected games to back up, got a data folder without any")
    part = file.with_name(f"{file.name}.part")
    with reporting_file_errors("a file that can be written", file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b") as opened:
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(ACTS, b"".join(lines(Head(0, 0), rows)))
                for act in sorted({row.act for row in rows} & images.acts()):
                    if jpeg := images.image(act):
                        archive.writestr(IMAGE.format(act), jpeg, zipfile.ZIP_STORED)
                        if marks := images.marks(act):
                            archive.writestr(MARKED.format(act), MARKS.dump_json(marks))
            opened.flush()
            os.fsync(opened.fileno())
    made = read_backup(part)
    if made.rows != rows:
        raise CompanionError(f"expected {len(rows)} events in {str(part)!r}, got {len(made.rows)}")
    with reporting_file_errors("a file that can be written", file):
        part.replace(file)
    return made


def read_backup(file: Path) -> Backup:
    """Read a backup and check every part of it.

    Raises:
        CompanionError: if the file is not a backup, or is damaged.
    """
    with _reading(file) as archive:
        if broken := archive.testzip():
            raise CompanionError(f"expected a whole backup, got {str(file)!r}, in which {broken} is damaged")
        with archive.open(ACTS) as acts:
            head, rows = read_lines(acts)
        good, wrong = sound_rows(rows)
        if head is None or wrong or len(good) != len(rows) or not rows:
            raise CompanionError(f"expected a whole backup, got {str(file)!r}: {wrong or 'it holds no games'}")
        names = set(archive.namelist())
        return Backup(good, frozenset(act for act in {row.act for row in good} if IMAGE.format(act) in names))


def restore_backup(file: Path, folder: Path, wall: Wall) -> tuple[Backup, Path | None]:
    """Put the games of a backup into a data folder that no table uses; its old games are kept aside.

    `CompanionError` reaches the caller if the backup or the folder cannot be used; then nothing has changed.

    Returns:
        What was restored, and the database that was put aside, if there was one.
    """
    backup = read_backup(file)
    with locked(folder), _reading(file) as archive:
        images = ThrowImages(folder)
        images.put_aside(wall())  # first: an image must not stand beside the throw of another game
        aside = replace_journal(folder, backup.rows, wall)
        for act in sorted(backup.images):
            marked = MARKED.format(act)
            marks = MARKS.validate_json(archive.read(marked)) if marked in archive.namelist() else None
            images.keep(act, archive.read(IMAGE.format(act)), marks)
    return backup, aside


@contextmanager
def _reading(file: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with reporting_file_errors("a backup", file), zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError) as error:
        raise CompanionError(f"expected a backup, got {str(file)!r}: {error}") from error
