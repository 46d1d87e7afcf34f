"""Boards that play by themselves, without a table: farkle's engine, its rules, and the messages of a board."""

import base64
import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from farkle.game import commands as do
from farkle.game.evolve import fold
from farkle.game.machine import can, decide
from farkle.game.seating import start
from farkle.game.standing import places
from farkle.game.state import GameState, Phase
from farkle.league import VERSION, canonical, chained, code_of
from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections
from farkleague import organiser
from farkleague.intake import Intake
from farkleague.messages import SCHEMA


@dataclass
class SimulatedBoard:
    """A board: it plays game after game, keeps its journal, and sends it as a table does."""

    seed: int = 0
    names: tuple[str, ...] = ("Ann", "Ben")
    rules: str = "farkle-cribbage"
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    acts: list[dict] = field(default_factory=list)
    """The journal: each act as it is sent."""
    games: dict[int, list[tuple[int, tuple]]] = field(default_factory=dict)
    """The acts of each game that count, with their events."""
    place: int = 0
    """The number of acts that the league has stored."""
    hash: str = ""
    deleted: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.public = self.key.public_key().public_bytes_raw()
        self.code = code_of(self.public)
        self.playing = self.play()

    @property
    def state(self) -> GameState:
        return fold([event for _, events in self.games[max(self.games)] for event in events])

    def act(self, at: float = 1.8e9, number: int = 1) -> None:
        """Play some acts."""
        for _ in range(number):
            game, keeps, events = next(self.playing)
            self.add(game, keeps, events, at)

    def add(self, game: int, keeps: int, events: tuple, at: float = 1.8e9) -> None:
        number = self.acts[-1]["act"] + 1 if self.acts else 1
        made = [[number, [[type(event).__name__, json.loads(json.dumps(asdict(event)))] for event in events]]]
        digest = hashlib.sha256(f"{self.code} {len(self.acts)} {made}".encode()).hexdigest()
        bots = {str(seat): "bold" for seat, name in enumerate(self.names) if name.startswith("Bot")}
        act = {"game": game, "act": number, "id": f"{number}-{digest}", "at": at, "keeps": keeps, "bots": bots}
        self.acts.append({**act, "made": made if events else []})
        kept = [each for each in self.games.get(game, []) if each[0] <= keeps]
        self.games[game] = [*kept, (number, events)] if events else kept

    def play(self) -> Iterator[tuple[int, int, tuple]]:
        """Yield the acts of one game after another; some are taken back."""
        while True:
            game = max(self.games, default=0) + 1
            rules = find_rule_set(self.rules)
            events = start(rules, self.names, first=self.random.randrange(len(self.names)))
            yield game, 0, events
            state, before = fold(events), []
            while not state.over:
                events = decide(state, self.command(state))
                last = self.games[game][-1][0]
                before.append((last, state))
                state = fold(events, state)
                yield game, last, events
                if len(before) > 3 and self.random.random() < 0.02:  # an undo
                    keeps, state = before.pop()
                    yield game, keeps, ()

    def command(self, state: GameState) -> do.Command:
        match state.phase:
            case Phase.CHOOSING:
                best = legal_selections(state.rules, state.turn.roll)[0]
                return do.Keep(best.dice, best.points)
            case _ if state.turn.points >= 6 and can(state, do.Bank()):
                return do.Bank()
        return do.Roll(tuple(self.random.randint(1, 6) for _ in range(state.turn.dice_left)))

    def message(self, most: int = 100, **changes: object) -> bytes:
        """Return the message of the acts that are not stored."""
        body = {
            "version": VERSION,
            "program": "0.1.0",
            "schema": SCHEMA,
            "board": self.code,
            "key": base64.b64encode(self.public).decode(),
            "after": self.hash,
            "acts": self.acts[self.place : self.place + most],
            "deleted": self.deleted,
            "newest": max(self.games, default=0),
            **changes,
        }
        return self.signed(canonical(body))

    def signed(self, text: bytes) -> bytes:
        return self.key.sign(text) + text

    def hear(self, payload: bytes) -> dict:
        """Take an answer of the league."""
        answer = json.loads(payload[64:])
        numbers = [act["id"] for act in self.acts]
        if answer["act"] in numbers:
            self.place, self.hash = numbers.index(answer["act"]) + 1, answer["hash"]
        return answer

    def chain(self, number: int | None = None) -> str:
        """Return the hash of the chain after some acts, or after all."""
        found = ""
        for act in self.acts[:number]:
            found = chained(found, act)
        return found


def enrolled(database, board: SimulatedBoard, name: str = "Blue Dragon") -> SimulatedBoard:
    organiser.enrol(database, board.code, name)
    return board


def send(intake: Intake, board: SimulatedBoard, *payloads: bytes) -> dict | None:
    """Store messages, or the one that is next, and return the answer."""
    answers = intake.take((board.code, each) for each in payloads or (board.message(),))
    return board.hear(answers[0][1]) if answers else None


def send_all(intake: Intake, board: SimulatedBoard) -> None:
    while board.place < len(board.acts):
        assert send(intake, board)["problem"] == ""


def check_games(database, board: SimulatedBoard, number: int = 1) -> None:
    """Compare the league's summaries and results of a board with the fold of the board's own acts."""
    rows = database.execute("SELECT number, live, over, id FROM games WHERE board = %s", [number])
    shown = {row.number: row for row in rows}
    assert shown.keys() == board.games.keys() - set(board.deleted)
    for game, row in shown.items():
        state = fold([event for _, events in board.games[game] for event in events])
        assert [side["score"] for side in row.live["sides"]] == [side.score for side in state.sides]
        thrown = state.turn.roll if state.phase is Phase.CHOOSING else ()
        assert row.live["turn_points"] == state.turn.points
        assert row.live["farkled"] or tuple(row.live["roll"]) == thrown
        assert row.over == state.over
        query = "SELECT name, place FROM results JOIN players ON player = players.id WHERE game = %s"
        found = {tuple(each) for each in database.execute(query, [row.id])}
        assert found == (set(zip(state.players, places(state), strict=True)) if state.winners else set())
