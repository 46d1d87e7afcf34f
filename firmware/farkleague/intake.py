"""Store the messages of boards: verified, in order, each act once, and a batch of them in one transaction."""

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from psycopg.types.json import Jsonb

from farkle.game.names import name_key
from farkle.league import chained
from farkleague.errors import LeagueError
from farkleague.games import GameFold, read_on
from farkleague.messages import CLONED, SHUT_OUT, Answer, Message, SentAct, read_message, renamed
from farkleague.results import write_results
from farkleague.store import NAMES, Database, notify, the_row

MOST_FOLDS = 5_000
"""The games whose folds stay in memory."""

LONGEST_PROBLEM = 500

NOT_ENROLLED = "expected the code of an enrolled board"
OTHER_TABLE = "expected the acts of one table, got those of two that use the key of this board"


@dataclass
class _Board:
    """A board's row, and what a batch adds to it.

    `deleted` and `newest` are those of the last message that continues from what is stored, see `docs/league.md`.
    Without such a message no game is deleted.
    """

    id: int
    code: str
    name: str
    key: bytes | None
    act: int
    act_id: str
    hash: str
    program: str
    problem: str
    repeated: int
    had: str  # the problem before
    last: int  # the highest number of a game that is stored
    seen: str = ""
    new: list[SentAct] = field(default_factory=list)
    deleted: Collection[int] = ()
    newest: int = (1 << 31) - 1


class Intake:
    """Takes batches of messages. If `take` raises, nothing of the batch is stored."""

    def __init__(self, database: Database, key: Ed25519PrivateKey) -> None:
        self.database, self._key = database, key
        self._folds: OrderedDict[tuple[int, int], GameFold] = OrderedDict()

    def take(self, payloads: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
        """Store messages, and return the code of each enrolled board among them with the signed answer to it.

        `psycopg.Error` reaches the caller if the database cannot be used.

        Args:
            payloads: the code of each message's topic, and the message.
        """
        messages, refused = list[Message](), list[tuple[str, str]]()
        for code, payload in payloads:
            try:
                messages.append(read_message(payload, code))
            except LeagueError as error:
                refused.append((code, str(error)))
        try:
            with self.database.transaction():
                boards = self._store(messages, refused)
        except BaseException:
            self._folds.clear()  # they may be ahead of the database
            raise
        answers = [Answer(b.code, b.name, b.act_id, b.hash, b.seen, b.problem) for b in boards if b.seen]
        return [(answer.board, answer.signed(self._key)) for answer in answers]

    def _store(self, messages: Sequence[Message], refused: list[tuple[str, str]]) -> Collection[_Board]:
        rows = self.database.execute(
            "SELECT id, code, name, key, act, act_id, hash, program, problem, repeated, problem AS had,"
            " (SELECT coalesce(max(game), 0) FROM acts WHERE board = boards.id) AS last"
            " FROM boards WHERE code = ANY(%s) ORDER BY id FOR UPDATE",
            [[*(message.code for message in messages), *(code for code, _ in refused)]],
        )
        boards = {row.code: _Board(*row) for row in rows}
        for message in messages:
            board = boards.get(message.code)
            if why := NOT_ENROLLED if board is None else self._receive(board, message):
                refused.append((message.code, why))
        for board in boards.values():
            if wrong := self._keep(board):
                board.problem = wrong[:LONGEST_PROBLEM]
                refused.append((board.code, wrong))
        self._write(boards, refused)
        return boards.values()

    def _receive(self, board: _Board, message: Message) -> str:
        """Add what is new in a message to its board. Return why the message is refused; empty if it is not."""
        if board.key is not None and board.key != message.key:
            return "expected the key with which the board was enrolled"
        if board.key is None:
            notify(self.database, NAMES)
        board.key, board.seen, board.program = message.key, message.seen, message.program
        if board.problem == SHUT_OUT:
            return SHUT_OUT
        if board.problem == CLONED or not self._fits(board, message):
            board.problem = CLONED
            return OTHER_TABLE
        board.problem = message.problem[:LONGEST_PROBLEM]
        hash_ = message.after
        for act, sent in zip(message.acts, message.sent, strict=False):  # no acts of an unknown form
            if act.act > board.act and hash_ != board.hash:
                break  # the board has missed an answer, and continues from the one that it gets now
            hash_ = chained(hash_, sent)
            if act.act > board.act:
                board.new.append(act)
                board.act, board.act_id, board.hash = act.act, act.id, hash_
        if hash_ == board.hash:  # an old message that comes again deletes no game that has begun since
            board.deleted, board.newest = {*message.deleted}, message.newest
        return message.problem

    def _fits(self, board: _Board, message: Message) -> bool:
        """Return whether acts that come again are those that are stored; one that is not found is of a deleted game."""
        again = {act.act: act.digest for act in message.acts if act.act <= board.act}
        if not again:
            return True
        board.repeated += len(again)
        kept = {act.act: act.digest for act in board.new}
        query = "SELECT act, hash FROM acts WHERE board = %s AND act = ANY(%s)"
        kept |= {row.act: row.hash for row in self.database.execute(query, [board.id, [*again]])}
        return all(kept.get(number, digest) == digest for number, digest in again.items())

    def _keep(self, board: _Board) -> str:
        """Store the new acts of a board and its deletions. Return what is wrong with a game; empty if nothing is.

        Acts of a game that cannot be folded are stored, and a newer program may fold them.
        """
        begun = {act.game for act in board.new if act.begins}  # perhaps with the number of one that was deleted
        if board.deleted or board.newest < board.last or any(game <= board.last for game in begun):
            self._delete(board, begun | {*board.deleted})
        new = [act for act in board.new if act.game not in board.deleted and act.game <= board.newest]
        number_of = partial(self._player, board.id)
        self.database.cursor().executemany(
            "INSERT INTO acts (board, game, act, hash, at, body) VALUES (%s, %s, %s, %s, to_timestamp(%s), %s)",
            [
                (board.id, each.game, each.act, each.digest, each.at, Jsonb([each.keeps, made, [*each.bots]]))
                for each, made in ((act, renamed(act, number_of)) for act in new)
            ],
        )
        wrong = ""
        for number in sorted({act.game for act in new}):
            try:
                self._fold(board.id, number)
            except LeagueError as error:
                self._folds.pop((board.id, number), None)
                wrong = wrong or str(error)
        return wrong

    def _player(self, board: int, name: str, bot: bool) -> str:
        """Return the number of a player; a new one, or one whose name was forgotten, is written."""
        key = hashlib.sha256(f"{board} {'bot' if bot else 'person'} {name_key(name)}".encode()).digest()
        query = "SELECT id, name, removed FROM players WHERE board = %s AND key = %s"
        row = self.database.execute(query, [board, key]).fetchone()
        if row is None or not (row.name or row.removed):
            row = the_row(
                self.database,
                "WITH new AS (SELECT nextval('player_id') AS id)"
                " INSERT INTO players (id, board, key, name, person, bot) SELECT id, %s, %s, %s, id, %s FROM new"
                " ON CONFLICT (board, key) DO UPDATE SET name = excluded.name RETURNING id",
                [board, key, name, bot],
            )
            notify(self.database, NAMES)
        return str(row.id)

    def _fold(self, board: int, number: int) -> None:
        """Fold the acts of a game that are not folded yet, and write its summary."""
        fold = self._folds.pop((board, number), None) or GameFold()
        last_at = read_on(self.database, fold, board, number)
        self._folds[board, number] = fold
        if len(self._folds) > MOST_FOLDS:
            self._folds.popitem(last=False)
        live = fold.live()
        given = [fold.act, live["over"], last_at, Jsonb(live), board, number]
        row = self.database.execute(
            "UPDATE games SET act = %s, over = %s, last_at = %s, live = %s, review = NULL"
            " WHERE board = %s AND number = %s"
            " RETURNING id, (SELECT over FROM games old WHERE old.id = games.id) AS was_over",
            given,
        ).fetchone()
        row = row or the_row(
            self.database,
            "INSERT INTO games (act, over, last_at, live, board, number) VALUES (%s, %s, %s, %s, %s, %s)"
            " RETURNING id, over AS was_over",
            given,
        )
        if live["over"] or row.was_over:
            write_results(self.database, row.id, fold, last_at)
        notify(self.database, str(row.id))

    def _delete(self, board: _Board, games: Collection[int]) -> None:
        """Delete games, and those later than the board's newest; forget the names that no other game has."""
        gone = self.database.execute(
            "WITH acts AS (DELETE FROM acts WHERE board = %(board)s AND (game = ANY(%(games)s) OR game > %(newest)s)"
            "  RETURNING game),"
            " games AS (DELETE FROM games WHERE board = %(board)s AND (number = ANY(%(games)s) OR number > %(newest)s)"
            "  RETURNING id, number)"
            " SELECT DISTINCT game AS number, id FROM acts LEFT JOIN games ON number = game",
            {"board": board.id, "games": [*games], "newest": board.newest},
        ).fetchall()
        for row in gone:
            self._folds.pop((board.id, row.number), None)
            notify(self.database, str(row.id or NAMES))
        if gone:
            self.database.execute(
                "UPDATE players SET name = '' WHERE board = %s AND NOT EXISTS (SELECT 1 FROM games"
                " WHERE games.board = players.board AND games.live->'players' @> to_jsonb(players.id))",
                [board.id],
            )
            notify(self.database, NAMES)

    def _write(self, boards: dict[str, _Board], refused: Sequence[tuple[str, str]]) -> None:
        """Write the boards' rows, and count what was refused."""
        writing = self.database.cursor()
        writing.executemany(
            "UPDATE boards SET key = %(key)s, act = %(act)s, act_id = %(act_id)s, hash = %(hash)s, seen = now(),"
            " program = %(program)s, problem = %(problem)s, repeated = %(repeated)s WHERE id = %(id)s",
            [vars(each) for each in boards.values() if each.seen],
        )
        ids = {board.code: board.id for board in boards.values()}
        reasons = Counter((ids.get(code), why.partition(", got ")[0][:LONGEST_PROBLEM]) for code, why in refused)
        counts = sorted(((board, why, count) for (board, why), count in reasons.items()), key=str)
        writing.executemany(  # in the same order by every worker, or two wait for each other
            "INSERT INTO refusals (board, why, count, at) VALUES (%s, %s, %s, now()) ON CONFLICT (board, why)"
            " DO UPDATE SET count = refusals.count + excluded.count, at = now()",
            counts,
        )
        if any(each.problem != each.had for each in boards.values()):
            notify(self.database, NAMES)
