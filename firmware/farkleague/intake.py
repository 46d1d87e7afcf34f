"""Store the messages of boards: verified, in order, each act once, and a batch of them in one transaction."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from psycopg.types.json import Jsonb

from farkle.game.names import name_key
from farkle.league import chained
from farkleague.errors import LeagueError
from farkleague.games import GameFold, read_on
from farkleague.messages import CLONED, Answer, Message, SentAct, names_in, read_message, renamed
from farkleague.results import write_results
from farkleague.store import CHANNEL, NAMES, Database, the_row

MOST_FOLDS = 5_000
"""The games whose folds stay in memory."""

LONGEST_PROBLEM = 500

NOT_ENROLLED = "expected the code of an enrolled board"
OTHER_TABLE = "expected the acts of one table, got those of two that use the key of this board"


@dataclass
class _Board:
    """A board's row, and what a batch adds to it."""

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
    had: str = ""  # the problem before
    seen: str = ""
    new: list[SentAct] = field(default_factory=list)
    deleted: set[int] = field(default_factory=set)


class Intake:
    """Takes batches of messages. If `take` raises, nothing of the batch is stored."""

    def __init__(self, database: Database, key: Ed25519PrivateKey) -> None:
        self._database, self._key = database, key
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
            with self._database.transaction():
                boards = self._store(messages, refused)
        except BaseException:
            self._folds.clear()  # they may be ahead of the database
            raise
        answers = [Answer(b.code, b.name, b.act_id, b.hash, b.seen, b.problem) for b in boards if b.seen]
        return [(answer.code, answer.signed(self._key)) for answer in answers]

    def _store(self, messages: Sequence[Message], refused: list[tuple[str, str]]) -> list[_Board]:
        rows = self._database.execute(
            "SELECT id, code, name, key, act, act_id, hash, program, problem, repeated FROM boards"
            " WHERE code = ANY(%s) ORDER BY id FOR UPDATE",
            [[*(message.code for message in messages), *(code for code, _ in refused)]],
        )
        boards = {row.code: _Board(**row._asdict(), had=row.problem) for row in rows}
        for message in messages:
            board = boards.get(message.code)
            if why := NOT_ENROLLED if board is None else self._receive(board, message):
                refused.append((message.code, why))
        for board in boards.values():
            try:
                self._keep(board)
            except LeagueError as error:
                board.problem = str(error)[:LONGEST_PROBLEM]
                refused.append((board.code, board.problem))
        self._write(boards, refused)
        return [*boards.values()]

    def _receive(self, board: _Board, message: Message) -> str:
        """Add what is new in a message to its board. Return why the message is refused; empty if it is not."""
        if board.key is not None and board.key != message.key:
            return "expected the key with which the board was enrolled"
        if board.key is None:
            self._notify(NAMES)
        board.key, board.seen, board.program = message.key, message.seen, message.program
        if board.problem == CLONED or not self._fits(board, message):
            board.problem = CLONED
            return OTHER_TABLE
        board.problem = message.problem[:LONGEST_PROBLEM]
        board.deleted.update(message.deleted)
        hash_ = message.after
        for act, sent in zip(message.acts, message.sent, strict=False):  # no acts of an unknown form
            if act.act > board.act and hash_ != board.hash:
                break  # the board has missed an answer, and continues from the one that it gets now
            hash_ = chained(hash_, sent)
            if act.act > board.act:
                board.new.append(act)
                board.act, board.act_id, board.hash = act.act, act.id, hash_
        return message.problem

    def _fits(self, board: _Board, message: Message) -> bool:
        """Return whether acts that come again are those that are stored; one that is not found is of a deleted game."""
        again = {act.act: act.digest for act in message.acts if act.act <= board.act}
        if not again:
            return True
        board.repeated += len(again)
        kept = {act.act: act.digest for act in board.new}
        query = "SELECT act, hash FROM acts WHERE board = %s AND act = ANY(%s)"
        kept |= {row.act: row.hash for row in self._database.execute(query, [board.id, [*again]])}
        return all(kept.get(number, digest) == digest for number, digest in again.items())

    def _keep(self, board: _Board) -> None:
        """Store the new acts of a board and its deletions.

        A `LeagueError` reaches the caller if a name or a game cannot be used. Acts of a game that cannot be folded are
        stored, and a newer program may fold them.
        """
        wrong: list[LeagueError] = []
        names = self._players(board, names_in(board.new))
        writing = self._database.cursor()
        writing.executemany(  # a game that begins anew has the number of one that was deleted
            "DELETE FROM acts WHERE board = %s AND game = %s",
            [(board.id, act.game) for act in board.new if act.made and not act.keeps],
        )
        writing.executemany(
            "INSERT INTO acts (board, game, act, hash, at, body) VALUES (%s, %s, %s, %s, to_timestamp(%s), %s)",
            [
                (
                    board.id,
                    act.game,
                    act.act,
                    act.digest,
                    act.at,
                    Jsonb([act.keeps, renamed(act.made, names), [*act.bots]]),
                )
                for act in board.new
            ],
        )
        for number in sorted({act.game for act in board.new}):
            try:
                self._fold(board, number)
            except LeagueError as error:
                self._folds.pop((board.id, number), None)
                wrong.append(error)
        if board.deleted:
            self._delete(board)
        if wrong:
            raise wrong[0]

    def _players(self, board: _Board, names: dict[str, bool]) -> dict[str, str]:
        """Return the numbers of players by name; new ones, and those whose name was forgotten, are written."""
        if not names:
            return {}
        keys = {
            hashlib.sha256(f"{board.id} {'bot' if bot else 'person'} {name_key(name)}".encode()).digest(): name
            for name, bot in names.items()
        }
        query = "SELECT id, key, name, removed FROM players WHERE board = %s AND key = ANY(%s)"
        known = {row.key: row for row in self._database.execute(query, [board.id, [*keys]])}
        for key, name in keys.items():
            if key not in known or not (known[key].name or known[key].removed):
                row = self._database.execute(
                    "WITH new AS (SELECT nextval('player_id') AS id)"
                    " INSERT INTO players (id, board, key, name, person, bot) SELECT id, %s, %s, %s, id, %s FROM new"
                    " ON CONFLICT (board, key) DO UPDATE SET name = excluded.name RETURNING id, key",
                    [board.id, key, name, names[name]],
                ).fetchone()
                known[key] = row
                self._notify(NAMES)
        return {name: str(known[key].id) for key, name in keys.items()}

    def _fold(self, board: _Board, number: int) -> None:
        """Fold the acts of a game that are not folded yet, and write its summary."""
        fold = self._folds.pop((board.id, number), None) or GameFold()
        times = read_on(self._database, fold, board.id, number)
        self._folds[board.id, number] = fold
        if len(self._folds) > MOST_FOLDS:
            self._folds.popitem(last=False)
        live = fold.live()
        given = {"board": board.id, "number": number, "act": fold.act, "rules": live["rules"], "over": live["over"]}
        given |= {"began": times[0], "last": times[-1], "live": Jsonb(live)}
        row = self._database.execute(
            "UPDATE games SET act = %(act)s, over = %(over)s, last_at = %(last)s, live = %(live)s, review = NULL"
            " WHERE board = %(board)s AND number = %(number)s"
            " RETURNING id, (SELECT over FROM games old WHERE old.id = games.id) AS was_over",
            given,
        ).fetchone()
        row = row or the_row(
            self._database,
            "INSERT INTO games (board, number, act, rules, over, began_at, last_at, live)"
            " VALUES (%(board)s, %(number)s, %(act)s, %(rules)s, %(over)s, %(began)s, %(last)s, %(live)s)"
            " RETURNING id, over AS was_over",
            given,
        )
        if live["over"] or row.was_over:
            write_results(self._database, row.id, fold, times[-1])
        self._notify(str(row.id))

    def _delete(self, board: _Board) -> None:
        """Delete games, and forget the names that no other game of the board has."""
        given = [board.id, [*board.deleted]]
        self._database.execute("DELETE FROM acts WHERE board = %s AND game = ANY(%s)", given)
        gone = self._database.execute(
            "DELETE FROM games WHERE board = %s AND number = ANY(%s) RETURNING id, number", given
        )
        for row in gone.fetchall():
            self._folds.pop((board.id, row.number), None)
            self._notify(str(row.id))
        if gone.rowcount:
            self._database.execute(
                "UPDATE players SET name = '' WHERE board = %s AND NOT EXISTS (SELECT 1 FROM games"
                " WHERE games.board = players.board AND games.live->'players' @> to_jsonb(players.id))",
                [board.id],
            )
            self._notify(NAMES)

    def _write(self, boards: dict[str, _Board], refused: Sequence[tuple[str, str]]) -> None:
        """Write the boards' rows, and count what was refused."""
        writing = self._database.cursor()
        writing.executemany(
            "UPDATE boards SET key = %s, act = %s, act_id = %s, hash = %s, program = %s, problem = %s, repeated = %s,"
            " seen = now() WHERE id = %s",
            [
                (each.key, each.act, each.act_id, each.hash, each.program, each.problem, each.repeated, each.id)
                for each in boards.values()
                if each.seen
            ],
        )
        writing.executemany(
            "INSERT INTO refusals (board, why, count, at) VALUES (%s, %s, 1, now())"
            " ON CONFLICT (board, why) DO UPDATE SET count = refusals.count + 1, at = now()",
            [
                (boards[code].id if code in boards else None, why.partition(", got ")[0])  # few different reasons
                for code, why in refused
            ],
        )
        if any(each.problem != each.had for each in boards.values()):
            self._notify(NAMES)

    def _notify(self, what: str) -> None:
        self._database.execute("SELECT pg_notify(%s, %s)", [CHANNEL, what])
