"""The journal: the acts of all games, each on disk before anybody sees its effect.

Acts are only appended, and a game can be deleted whole. The journal is a database with a text copy beside it. Damage is
mended from both as soon as it is seen, at the start or by a later write or read: the damaged files are kept, and the
loss is reported.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from companion.errors import DataFolderError, JournalDamagedError, JournalError
from companion.nothing import nothing
from companion.storage import files
from companion.storage.codec import unknown
from companion.storage.database import Connect, Content, Database, connect, read
from companion.storage.files import Head, TextCopy
from companion.storage.rows import JournalRow, NewestRow, acts_of, game_at_table, rows_of, sound_rows
from companion.storage.whole_file import is_full, write_whole
from companion.table.state.events import Event
from companion.table.state.history import Act
from companion.table.state.state import restored
from companion.table.view import view
from dicereader.data.files import MOST_TEXT_BYTES, read_bytes

MOST_ROWS = 200
"""The most rows that are read together after a row: more than an act has, and few enough that no button waits."""

NOTICE = "journal.notice"
"""The file beside the journal that says what the last mending lost, until a game has gone on after it was shown."""

T = TypeVar("T")
Wall = Callable[[], float]
"""Wall-clock time in seconds since 1970."""


@dataclass(frozen=True)
class Loaded:
    """What a journal held when it was opened.

    `game` is the game at the table, which has the newest act, and `acts` are its acts. `last_game` is the highest
    number of a game, `seq` the highest act of all games, `numbers` are all acts that are kept; `loss` is any loss in
    words.
    """

    game: int = 0
    last_game: int = 0
    seq: int = 0
    acts: tuple[Act, ...] = ()
    numbers: frozenset[int] = frozenset()
    loss: str | None = None


class Journal:
    """The journal of one data folder, for one thread at a time.

    Its creation and all methods raise `JournalError` if the storage refuses, and `DataFolderError` if a newer program
    has written the journal; then nothing has changed. `loaded` is what it held when it was opened.
    """

    def __init__(self, path: Path, wall: Wall, connecting: Connect = connect, *, keeps_damaged: bool = True) -> None:
        """Open the journal, and mend it if it is damaged.

        Args:
            path: the database file.
            wall: the clock of the names under which damaged files are kept.
            connecting: opens the connection.
            keeps_damaged: whether people find the damaged files beside this one; False for a copy.
        """
        self.path = path
        self._report: Callable[[str], object] = nothing
        self._wall = wall
        self._connecting = connecting
        self._keeps_damaged = keeps_damaged
        self._copy = TextCopy(path.with_name(path.name + files.COPY))
        self._notice = path.with_name(NOTICE)
        self._database: Database | None = None
        self._damage = ""
        self._identity: tuple[int, int] | None = None
        self._games: dict[int, tuple[int, NewestRow]] = {}  # the seq of the first row of each game, and its last row
        self._last_row = 0
        self._newest: list[JournalRow] = []  # rows of the game at the table; mending loses none of them
        try:
            self.loaded = self._load()
        except BaseException:
            self.close()
            raise
        self._told = self.loaded.loss is not None

    def subscribe(self, report: Callable[[str], object]) -> None:
        """Call `report` with the words of each loss that is found from now on."""
        self._report = report

    def append(self, game: int, act: int, at: float, events: Sequence[Event]) -> None:
        """Write one act and wait until it is on disk; if that fails, nothing of it is in the journal."""
        other = bool(self._newest) and self._newest[-1].game != game
        newest = self.rows(game) if other else self._newest  # empty for a new game, all rows of a game that goes on
        before = self._games[game][1].hash if game in self._games else ""
        rows = rows_of(game, act, at, events, self._last_row, before)

        def insert(opened: Database) -> None:
            if _identity(self.path) != self._identity:
                raise JournalDamagedError(f"{self.path.name} was removed or replaced while the table ran")
            opened.insert(rows)

        self._used(insert)
        self._newest = newest
        self._adopt(rows)
        if not self._copy.append(rows):
            self._write_copy(self._opened.rows())
        if self._told:
            self._told = False
            with suppress(OSError):
                self._notice.unlink()

    def rows(self, game: int) -> list[JournalRow]:
        """Return the rows of one game in order, an empty list if there is no such game."""
        return self._used(lambda opened: self._rows(opened, game)) if game in self._games else []

    def _rows(self, opened: Database, game: int) -> list[JournalRow]:
        if game not in self._games:  # lost
            return []
        first, newest = self._games[game]
        rows = [row for row in opened.rows(first, newest.seq) if row.game == game]
        if sound_rows(rows)[1] is not None or not rows or rows[-1].hash != newest.hash:
            raise JournalDamagedError(f"game {game} is not as it was written")
        return rows

    def newest(self) -> JournalRow | None:
        """Return the newest row of all games, None if the journal is empty."""
        return self._newest[-1] if self._newest else None

    def end_of(self, act: int) -> JournalRow | None:
        """Return the last row of an act, or of the last one before it that is kept; None if there is none."""

        def find(opened: Database) -> JournalRow | None:
            def is_later(seq: int) -> bool:  # acts grow from row to row
                return all(row.act > act for row in opened.rows(seq, most=1))

            last = bisect_left(range(self._last_row + 1), True, key=is_later) - 1
            return next(iter(opened.rows(last, last)), None)

        return self._used(find)

    def holds(self, row: JournalRow) -> bool:
        """Return whether a row is still there."""
        return self._used(lambda opened: opened.rows(row.seq, most=1) == [row])

    def after(self, row: JournalRow | None) -> list[JournalRow]:
        """Return the rows of the next acts after the last row of an act; None stands for the beginning."""
        if row == self.newest():
            return []
        found = self._used(lambda opened: opened.rows(row.seq + 1 if row else 0, most=MOST_ROWS))
        whole = [each for each in found if each.act != found[-1].act]
        return whole if whole and found[-1].seq < self._last_row else found

    def games(self) -> dict[int, NewestRow]:
        """Return the numbers of the games that are kept, each with its newest row."""
        return {game: newest for game, (_, newest) in sorted(self._games.items())}

    def delete(self, game: int) -> tuple[int, ...]:
        """Delete one game, also from the copy, and return the numbers of its acts; if that fails, the game stays."""
        acts = tuple(sorted({row.act for row in self.rows(game)}))

        def delete_game(opened: Database) -> None:
            highest = max(opened.highest_deleted, *acts)
            rest = Head(opened.name, highest), [row for row in opened.rows() if row.game != game]
            with _disk_errors():
                try:
                    self._copy.write(*rest)  # the copy first, so that no mending brings the game back
                    opened.delete(game, highest)
                except OSError as error:
                    if not is_full(error):
                        raise
                    self._copy.path.unlink(missing_ok=True)  # the database has all, until the new copy has the rest
                    with suppress(JournalError):
                        opened.checkpoint()
                    self._copy.write(*rest)
                    opened.delete_in_place(game, highest)

        if acts:
            self._used(delete_game)
            del self._games[game]
            self._newest = [row for row in self._newest if row.game != game]
            with suppress(JournalError):  # the game is gone; if this fails, the next start merges the log
                self._opened.checkpoint()
        return acts

    def close(self) -> None:
        """Merge the log into the database and close it."""
        if self._database is not None:
            self._database.close()
            self._database = None

    def _used(self, use: Callable[[Database], T]) -> T:
        """Return the result of `use` with the database; mend and report a damaged database, and use the new one."""
        try:
            return use(self._opened)
        except JournalDamagedError as error:
            self.close()
            self._damage = str(error)
            self._mend(read(self.path), self._damage)
            self._report(_text_of(self._notice) or str(error))
            return use(self._opened)

    @property
    def _opened(self) -> Database:
        if self._database is None:
            raise JournalDamagedError(self._damage)  # the storage refused when it was to be mended
        return self._database

    @property
    def _head(self) -> Head:
        return Head(self._opened.name, self._opened.highest_deleted)

    def _load(self) -> Loaded:
        with _disk_errors():
            files.finish_exchange(self.path)
        content = read(self.path)
        wrong, copy_is_whole = self._examine(content)
        if wrong is None:
            try:
                self._open()
            except JournalDamagedError as error:
                wrong = str(error)
        rows = content.rows if wrong is None else self._mend(content, wrong)
        if wrong is None:
            self._adopt(rows)
            if not copy_is_whole or self._head != Head(content.name, content.highest_deleted):
                self._write_copy(rows)
        game = game_at_table(rows)
        numbers = frozenset(row.act for row in rows)
        return Loaded(
            game=game,
            last_game=max((row.game for row in rows), default=0),
            seq=max((self._opened.highest_deleted, *numbers)),
            acts=acts_of(row for row in rows if row.game == game),
            numbers=numbers,
            loss=_text_of(self._notice),
        )

    def _examine(self, content: Content) -> tuple[str | None, bool]:
        """Return what is wrong with the content of the database, and whether the copy holds the same."""
        good, wrong = sound_rows(content.rows)
        _refuse_newer(self.path, good, content.version)
        wrong = content.wrong or wrong
        if wrong is None and self._copy.holds(Head(content.name, content.highest_deleted), good):
            return _playable(good)[1], True
        if wrong is None and len(sound_rows([*good, *self._copied(content)[1]])[0]) > len(good):
            wrong = "acts that had been written were missing"
        return wrong or _playable(good)[1], False

    def _copied(self, content: Content) -> tuple[Head | None, list[JournalRow]]:
        """Return the head and the rows of the copy, no rows if it belongs to another journal."""
        head, rows = self._copy.read()
        return head, rows if head is None or content.name in {0, head.name} else []

    def _mend(self, content: Content, wrong: str) -> list[JournalRow]:
        """Put a database with all rows that can be saved in the place of the damaged one, and return the rows."""
        head, copied = self._copied(content)
        saved, _ = sound_rows([*self._newest, *content.rows, *copied])
        _refuse_newer(self.path, saved, content.version)
        good, _ = _playable(saved)
        known = max(len(content.rows), len(copied), len(saved))
        lost = f"{known - len(good)} of {known} events are lost" if known > len(good) else "nothing is lost"
        aside = files.name_to_keep(self.path, self._wall(), "damaged")
        there = f"The damaged file is kept as {aside.name}." if self.path.exists() else "Its file was gone."
        kept = there if self._keeps_damaged else "The next table mends it."
        said = f"The journal was damaged ({wrong}); {lost if known else 'nothing of it could be read'}. {kept}"
        self.close()
        with _disk_errors(), files.removing_new(self.path):
            highest = max(content.highest_deleted, head.highest_deleted if head else 0)
            build(self.path, good, highest, self._connecting)
            write_whole(self._notice, [said.encode()])
            files.exchange(self.path, aside)
        self._open()
        self._games.clear()
        self._newest.clear()
        self._adopt(good)
        self._write_copy(good)
        return good

    def _open(self) -> None:
        self._database = Database(self.path, self._connecting(self.path))
        self._database.prepare(version("farklecrib"))
        self._identity = _identity(self.path)

    def _adopt(self, rows: Sequence[JournalRow]) -> None:
        """Continue after these rows of the database."""
        for row in rows:
            first = self._games[row.game][0] if row.game in self._games else row.seq
            self._games[row.game] = first, NewestRow(row.seq, row.hash)
            self._last_row = row.seq
        game = game_at_table(rows)
        self._newest += [row for row in rows if row.game == game]

    def _write_copy(self, rows: Iterable[JournalRow]) -> None:
        with suppress(OSError):  # it is the second copy: the journal is on disk without it
            self._copy.write(self._head, rows)


def build(path: Path, rows: Iterable[JournalRow], highest_deleted: int, connecting: Connect = connect) -> None:
    """Write a new database beside the one at `path`, ready to take its place with `files.exchange`."""
    new = path.with_name(path.name + files.NEW)
    with _disk_errors():
        new.unlink(missing_ok=True)
        files.make_private(new)
    made = Database(new, connecting(new))
    try:
        made.prepare(version("farklecrib"))
        made.note_deleted(highest_deleted)
        made.insert(rows)
        made.checkpoint()
    finally:
        made.close()


def _refuse_newer(path: Path, rows: Iterable[JournalRow], writer: str) -> None:
    for row in rows:
        if what := unknown(row.kind, row.schema):
            raise DataFolderError(
                f"expected a journal that farklecrib {version('farklecrib')} can read, got {str(path)!r} with {what}, "
                f"last written by version {writer or 'unknown'}; install that version or a newer one, or restore a "
                "backup: farklecrib games restore FILE"
            )


def _playable(rows: list[JournalRow]) -> tuple[list[JournalRow], str | None]:
    """Return the rows, those of the table's game only up to the first act that cannot be folded, and what is wrong."""
    wrong: str | None = None
    while rows:
        game = game_at_table(rows)
        chain = [row for row in rows if row.game == game]
        if (error := _fold_error(chain)) is None:
            break
        numbers = sorted({row.act for row in chain})

        def fails(act: int, chain: list[JournalRow] = chain) -> bool:
            return _fold_error([row for row in chain if row.act <= act]) is not None

        first = numbers[bisect_left(numbers, True, key=fails)]
        wrong = wrong or f"game {game} cannot be played on from act {first}: {error}"
        rows = [row for row in rows if row.game != game or row.act < first]
    return rows, wrong


def _fold_error(rows: list[JournalRow]) -> str | None:
    try:
        view(restored(acts_of(rows), seq=0, game_number=rows[0].game))
    except Exception as error:  # noqa: BLE001 - any error may be a bug of ours; the acts before it are sound
        return " ".join(f"{type(error).__name__}: {error}".split())
    return None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _text_of(path: Path) -> str | None:
    try:
        return read_bytes(path, MOST_TEXT_BYTES).decode("utf-8", "replace") or None
    except OSError:
        return None


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"the journal cannot be used: {error}") from error
