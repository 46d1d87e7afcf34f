"""Backups: all games of a data folder, with their throw images, in one ZIP file that is verified before it counts.

The acts are in the text form of the journal's copy, so that a backup can be read without this program.
"""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import ValidationError

from companion.errors import CompanionError, DataFolderError, FolderInUseError, reporting_file_errors
from companion.games.joined_names import ALIASES, read_aliases, write_aliases
from companion.games.stores import GameStore
from companion.games.throw_images import KEPT, MARKS, ImageMarks, ThrowImages
from companion.storage.data_folder import locked, replace_journal
from companion.storage.files import Head, lines, read_lines
from companion.storage.journal import Wall
from companion.storage.rows import JournalRow, sound_rows
from companion.storage.whole_file import replacing, require_room, sync
from companion.table.state.text import plural
from companion.words import NOTHING, Text, message
from dicereader.data.files import open_file

ACTS = "acts.jsonl"
NAMES = "joined-names.json"
IMAGE = "images/{:08d}.jpg"
MARKED = "images/{:08d}.json"
BROUGHT = "restore.zip"
"""The file of a checked backup in the data folder, whose games the table's next start takes."""

MOST_BYTES = 256 << 20
"""The most bytes of all parts together: about a million events, or three thousand evenings."""

MOST_PARTS = 4 * KEPT
"""The most parts: two for each throw image that a table keeps, and as many again."""


class Backup(NamedTuple):
    """What a backup holds: the rows of all games, the acts that have an image, the aliases of names, and its bytes.

    `room` are the bytes that a folder needs for all of it.
    """

    rows: list[JournalRow]
    images: frozenset[int]
    aliases: dict[str, str]
    room: int

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
    acts, pictured = b"".join(lines(Head(0, 0), rows)), sorted({row.act for row in rows} & images.acts())
    aliases = read_aliases(images.data)
    with reporting_file_errors("a file that can be written", file):
        require_room(file.parent, len(zlib.compress(acts)) + images.size(pictured), "the backup")
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as opened:
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(ACTS, acts)
                if aliases:
                    archive.writestr(NAMES, ALIASES.dump_json(aliases))
                for act in pictured:
                    if jpeg := images.image(act):
                        archive.writestr(IMAGE.format(act), jpeg, zipfile.ZIP_STORED)
                        if marks := images.marks(act):
                            archive.writestr(MARKED.format(act), MARKS.dump_json(marks))
            made = _read(opened, file)
            if made.rows != rows:
                raise CompanionError(f"expected {len(rows)} events in {str(file)!r}, got {len(made.rows)}")
    return made


def read_backup(file: Path) -> Backup:
    """Read a backup and check every part of it.

    `CompanionError` reaches the caller if the file is not a backup, or is damaged.
    """
    with reporting_file_errors("a backup", file), open_file(file) as opened:
        return _read(opened, file)


def _read(opened: IO[bytes], file: Path) -> Backup:
    with _archive(opened, file) as archive:
        if broken := archive.testzip():
            raise CompanionError(f"expected a whole backup, got {str(file)!r}, in which {broken} is damaged")
        with archive.open(ACTS) as acts:
            head, rows = read_lines(acts)
        good, wrong = sound_rows(rows)
        if head is None or wrong or len(good) != len(rows) or not rows:
            raise CompanionError(f"expected a whole backup, got {str(file)!r}: {wrong or 'it holds no games'}")
        names = set(archive.namelist())
        images = frozenset(act for act in {row.act for row in good} if IMAGE.format(act) in names)
        for act in images:
            _marks(archive, act)
        room = 3 * archive.getinfo(ACTS).file_size  # the journal, its log while it is built, and its text copy
        room += sum(archive.getinfo(IMAGE.format(act)).file_size for act in images)
        aliases = ALIASES.validate_json(archive.read(NAMES)) if NAMES in names else {}
        return Backup(good, images, aliases, room)


def restore_backup(file: Path, folder: Path, wall: Wall) -> tuple[Backup, Path | None]:
    """Put the games of a backup into a data folder that no table uses; its old games are kept aside.

    `CompanionError` reaches the caller if the backup or the folder cannot be used; then nothing has changed.

    Returns:
        What was restored, and the database that was put aside, if there was one.
    """
    with reporting_file_errors("a backup", file), open_file(file) as opened:
        backup = _read(opened, file)
        with locked(folder), _archive(opened, file) as archive:
            require_room(folder, backup.room, "the games")
            images = ThrowImages(folder)
            # An image must not stand beside the throw of another game.
            aside = replace_journal(folder, backup.rows, wall, before=lambda: images.put_aside(wall()))
            write_aliases(folder, backup.aliases)
            for act in sorted(backup.images):
                images.keep(act, archive.read(IMAGE.format(act)), _marks(archive, act))
            return backup._replace(images=backup.images & images.acts()), aside


def keep_for_start(file: Path, folder: Path) -> None:
    """Store a checked backup of this folder, so that the table's next start takes its games, also after a power cut.

    Raises:
        DataFolderError: if the disk refuses.
    """
    brought = folder / BROUGHT
    try:
        sync(file)
        file.replace(brought)
        sync(folder)
    except OSError as error:
        with suppress(OSError):
            brought.unlink()
        raise DataFolderError(f"expected a data folder that can be written: {error.strerror}") from error


def take_brought(folder: Path, wall: Wall) -> Text:
    """Put the games of a backup that `keep_for_start` has stored into their folder, and remove it.

    Returns:
        Why that cannot be done, or nothing. Then the games are as they were.

    Raises:
        FolderInUseError: if a table uses the folder.
    """
    file, wrong = folder / BROUGHT, NOTHING
    if not file.exists():
        return NOTHING
    try:
        restore_backup(file, folder, wall)
    except FolderInUseError:
        raise
    except CompanionError as error:
        wrong = message("fault.not_restored", reason=str(error))
    with suppress(OSError):
        file.unlink()
        sync(folder)
    return wrong


def _marks(archive: zipfile.ZipFile, act: int) -> ImageMarks | None:
    marked = MARKED.format(act)
    return MARKS.validate_json(archive.read(marked)) if marked in archive.namelist() else None


@contextmanager
def _archive(opened: IO[bytes], file: Path) -> Iterator[zipfile.ZipFile]:
    """Open the archive, whose parts are no more and no larger than a backup's: a few bytes can stand for gigabytes.

    Raises:
        CompanionError: if it is not a backup, or is damaged.
    """
    try:
        with zipfile.ZipFile(opened) as archive:
            parts = archive.infolist()
            size = sum(part.file_size for part in parts)
            if len(parts) > MOST_PARTS or size > MOST_BYTES:
                raise CompanionError(
                    f"expected a backup of at most {MOST_PARTS:,} parts and {MOST_BYTES:,} bytes, got {str(file)!r} "
                    f"with {len(parts):,} parts and {size:,} bytes"
                )
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, ValidationError) as error:
        raise CompanionError(f"expected a backup, got {str(file)!r}: {' '.join(str(error).split())}") from error
