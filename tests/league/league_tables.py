"""A table in this process that plays in a league, and a league that stands at the other end of a real broker."""

import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from brokers import Listener, listener
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hosted import PATIENCE_S, eventually, seen
from paho.mqtt.client import MQTTMessage
from running import launched

from companion.app import Program
from companion.config import Config, LeagueConfig
from companion.features.league.membership import FILE, Membership
from companion.storage import files
from companion.storage.database import read
from companion.table.state.inputs import Button, Input, NewGame, Press
from companion.words import english
from farkle.league import acts_topic, chained, stored_topic
from farkleague.messages import Answer, Message, read_message

GAME = NewGame("farkle-cribbage", ("Zaphod", "Trillian"))
BANKED = (seen("123346"), Press(Button.BANK))
FARKLED = (seen("344663"),)


@contextmanager
def table(folder: Path, port: int, game: NewGame | None = GAME) -> Iterator[Program]:
    config = replace(Config(), league=LeagueConfig(host="127.0.0.1", port=port))
    with launched(folder / "data", game, config) as made:
        yield made


def take(made: Program, *given: Input) -> None:
    for each in given:
        made.host.submit(each).result(PATIENCE_S)


def code_in(folder: Path) -> str:
    """Return the code of the table of a folder, once it has a key."""
    file = folder / "data" / FILE
    eventually(file.exists)
    return Membership.read(file).code


def ids_of(folder: Path, after: int = 0) -> list[str]:
    """Return the ids of the acts of a table's journal."""
    rows = read(folder / "data" / files.FILE).rows
    return list({row.act: f"{row.act}-{row.hash}" for row in rows if row.act > after}.values())


def fault_of(made: Program) -> str:
    """Wait until the table says that its league gets nothing, and return the sentence."""
    eventually(lambda: "league" in dict(made.host.state.faults))
    return english().text(dict(made.host.state.faults)["league"])


def page_of(made: Program, **headers: str) -> str:
    asked = urllib.request.Request(f"{made.address}league", headers={"accept-language": "en", **headers})
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
        return answer.read().decode()


@dataclass
class StandIn:
    """A league of one board.

    Args:
        heard: what listens to the broker.
        key: the league's key.
        name: the board's name; without one it is not enrolled, and gets no answer.
        problem: what the answers say is wrong.
    """

    heard: Listener
    key: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)
    name: str = "Blue Dragon"
    problem: str = ""
    code: str = ""
    acts: list[dict] = field(default_factory=list)
    hash: str = ""
    payloads: list[bytes] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)

    wrong: list[Exception] = field(default_factory=list)

    def hear(self, came: MQTTMessage) -> None:
        try:
            self.take(came)
        except Exception as error:  # noqa: BLE001 - it is raised where the test waits
            self.wrong.append(error)
        self.heard.hear(came)

    def take(self, came: MQTTMessage) -> None:
        """Take a message, whose signature must be right."""
        message = read_message(came.payload, came.topic.split("/")[1])
        assert message.problem == ""
        self.code, text = message.code, came.payload[64:]
        self.payloads.append(text)
        self.messages.append(message)
        if self.name and message.after == self.hash:
            for act in message.sent:
                self.acts.append(dict(act))
                self.hash = chained(self.hash, act)
        if self.name:
            self.answer(seen=message.seen)

    def answer(self, **given: str) -> None:
        """Send an answer, with what is given in place of what is stored."""
        act = self.acts[-1]["id"] if self.acts else ""
        fields = {"act": act, "hash": self.hash, "seen": "", "problem": self.problem, **given}
        payload = Answer(self.code, self.name, **fields).signed(self.key)
        self.heard.client.publish(stored_topic(self.code), payload, 1, retain=True)

    def until(self, fits: Callable[["StandIn"], object]) -> None:
        """Wait until what was heard fits."""
        self.heard.until(lambda _: self.wrong or fits(self))
        assert not self.wrong, self.wrong

    def ids(self) -> list[str]:
        return [act["id"] for act in self.acts]

    def until_all(self, folder: Path, after: int = 0) -> None:
        """Wait until the league has every act of a table after one, in order and once."""
        self.until(lambda _: self.ids() == ids_of(folder, after))


@contextmanager
def league(port: int, **given: object) -> Iterator[StandIn]:
    """Run a league at a broker."""
    with listener(port, acts_topic("+")) as heard:
        made = StandIn(heard, **given)
        heard.client.on_message = lambda _client, _data, came: made.hear(came)
        yield made
