"""Return to the former version, and put aside what it cannot read of the journal."""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.config import data_folder
from companion.errors import CompanionError
from companion.games.backup import write_backup
from companion.games.control_socket import open_games
from companion.games.repository import GameStore
from companion.games.throw_images import ThrowImages
from companion.storage.data_folder import locked, replace_journal
from companion.storage.rows import Row
from companion.table.state.text import plural
from companion.update.updating import Update


@dataclass(frozen=True)
class Readable:
    """The games of a store as far as a version can read them: each up to its first act that the version does not know.

    `kinds` and `schema` are those that the version reads. `lost` has the unreadable acts of each game.
    """

    store: GameStore
    kinds: frozenset[str]
    schema: int
    lost: dict[int, set[int]] = field(default_factory=dict)

    def games(self) -> dict[int, int]:
        """Return the numbers of the games that begin with a readable act, each with the seq of its newest row."""
        newest = {game: self.rows(game)[-1:] for game in self.store.games()}
        return {game: rows[0].seq for game, rows in newest.items() if rows}

    def rows(self, game: int) -> list[Row]:
        """Return the readable rows of a game."""
        rows = self.store.rows(game)
        unknown = (row.act for row in rows if row.kind not in self.kinds or row.schema > self.schema)
        first = next(unknown, None)
        if first is None:
            return rows
        self.lost[game] = {row.act for row in rows if row.act >= first}
        return [row for row in rows if row.act < first]

    def delete(self, game: int) -> None:
        """Delete a game of the store."""
        self.store.delete(game)

    def __str__(self) -> str:
        each = [f"game {game}: {plural(len(acts), 'act')}" for game, acts in sorted(self.lost.items())]
        acts = sum(map(len, self.lost.values()))
        return f"{plural(acts, 'act')} of {plural(len(self.lost), 'game')} ({'; '.join(each)})"


@dataclass(frozen=True)
class Return:
    """A return to the former version of an update's machine."""

    update: Update

    @property
    def former(self) -> str:
        """The version to return to.

        Raises:
            CompanionError: if none is kept.
        """
        former = self.update.versions.former
        if former is None:
            raise CompanionError("expected a former version to return to, got none; an update keeps one")
        return former

    def loss(self) -> str | None:
        """Return in words what of the games the former version cannot read, None if it can read all."""
        with self._readable() as readable:
            readable.games()
            return str(readable) if readable.lost else None

    def go(self, agreed: str | None) -> str | None:
        """Stop the service, put the newer journal aside if need be, switch, and start the former version.

        Args:
            agreed: the loss that a person has agreed to.

        Returns:
            What is wrong with the former version's service, None if it answers.

        Raises:
            CompanionError: if the games have changed since; the version in use goes on.
        """
        former = self.former
        if self.update.machine.has_service:
            self.update.machine.stop()
        try:
            if self.loss() != agreed:
                raise CompanionError("expected the games to stay as they were when you agreed, got new acts; ask again")
            if agreed is not None:
                self._put_aside(former)
            self.update.use(former)
        except BaseException:
            self.update.restart()
            raise
        return self.update.restart()

    @contextmanager
    def _readable(self) -> Iterator[Readable]:
        try:
            text = (self.update.versions.home / self.former / "share/journal.json").read_text(encoding="utf-8")
            told = json.loads(text)
            kinds, schema = frozenset(told["kinds"]), int(told["schema"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CompanionError(f"expected {self.former} to say which acts it reads, got: {error}") from error
        with open_games(data_folder(self.update.config), time.time) as (games, _):
            yield Readable(games.store, kinds, schema)

    def _put_aside(self, former: str) -> None:
        """Replace the journal by what the former version reads of it; the newer one is kept beside it.

        Raises:
            CompanionError: if that fails; then the journal is as it was.
        """
        folder = data_folder(self.update.config)
        owner = folder.stat()
        program = str(self.update.versions.home / former / "bin/farklecrib")
        with tempfile.TemporaryDirectory(dir=folder) as name, self._readable() as readable:
            file = Path(name) / "readable.zip"
            if readable.games():
                made = write_backup(readable, ThrowImages(folder), file)
                for path in (Path(name), file):
                    os.chown(path, owner.st_uid, owner.st_gid)
                done = self.update.machine.table_runs(program, "games", "restore", str(file))
                if done.status:
                    raise CompanionError(f"expected the former version to take {made}, got: {done.reason}")
                self.update.tell(done.reason)
                return
        with locked(folder):
            ThrowImages(folder).put_aside(time.time())
            aside = replace_journal(folder, [], time.time)
        for path in folder.glob("*"):
            shutil.chown(path, owner.st_uid, owner.st_gid)
        self.update.tell(f"the games that were there are kept as {aside.name if aside else 'they were'}")
