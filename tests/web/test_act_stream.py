"""The stream of named events: `/api/v1/events?acts=1`."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import httpx
import pytest
from hosted import eventually
from served import Served, served

from companion.table.state.inputs import Fault

LISTEN = Path(__file__).resolve().parents[2] / "docs/examples/events/listen.py"


class Sent(NamedTuple):
    """One event of a stream as it was sent."""

    event: str
    id: str
    data: dict


def sent(response: httpx.Response) -> Iterator[Sent]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if line:
            fields[name] = value
            continue
        if fields.get("event") != "ping":
            yield Sent(fields.get("event", "view"), fields.get("id", ""), json.loads(fields["data"]))
        fields = {}


def up_to(stream: Iterator[Sent], event: str) -> list[Sent]:
    """Return what is sent up to the first event of this name."""
    found = [next(stream)]
    while found[-1].event != event:
        found.append(next(stream))
    return found


def acts(stream: Iterator[Sent], last: int) -> list[Sent]:
    """Return the events of acts up to the end of this act, without views."""
    found = [next(stream)]
    while not found[-1].id or found[-1].data["act"] != last:
        found.append(next(stream))
    return [each for each in found if each.event != "view"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as made:
        yield made


def test_each_act_has_its_id_on_its_last_event_and_views_have_none(table: Served) -> None:
    table.game()
    with table.client.stream("GET", "/api/v1/events?acts=1") as response:
        stream = sent(response)
        first = next(stream)
        assert (first.event, first.id, first.data["seq"]) == ("view", "", 1)
        table.throws("233346").presses("bank")
        throw, keep, bank = acts(stream, 3)
        assert [each.event for each in (throw, keep, bank)] == ["throw", "keep", "bank"]
        assert (throw.id, keep.id, bank.id) == (throw.data["id"], "", bank.data["id"])
        assert bank.data["before"] == keep.data["before"] == throw.id
        assert bank.id == "3-" + table.host.consult(lambda journal: journal.rows(1)[-1].hash).result(60)
        assert (bank.data["player"], bank.data["seat"], bank.data["late"]) == ("Ann", 1, False)
        table.take(Fault("lights", "No lights."))
        fault = up_to(stream, "fault")[-1]
        assert (fault.id, fault.data["id"], fault.data["part"], fault.data["over"]) == ("", "", "lights", False)


def test_after_an_id_the_missed_acts_come_first_and_then_the_newest_view(table: Served) -> None:
    table.game()
    with table.client.stream("GET", "/api/v1/events?acts=1&after=none") as response:
        reset = next(sent(response))
        assert (reset.event, reset.data["seq"]) == ("reset", 1)
    table.throws("233346").presses("bank").throws("344566")
    for headers, query in (({"last-event-id": reset.id}, ""), ({}, f"&after={reset.id}")):
        with table.client.stream("GET", f"/api/v1/events?acts=1{query}", headers=headers) as response:
            *missed, view = up_to(sent(response), "view")
        assert [each.event for each in missed] == ["throw", "keep", "bank", "throw", "farkle"]
        assert all(each.data["late"] or each.data["act"] > 1 for each in missed)
        assert (view.id, view.data["seq"]) == ("", 4)
    with table.client.stream("GET", f"/api/v1/events?acts=1&after={missed[-1].id}") as response:
        assert next(sent(response)).event == "view"


@pytest.mark.parametrize("wrong", ["none", "1-", "7-" + 64 * "0", 5000 * "9"])
def test_an_id_that_the_journal_does_not_hold_resets_the_listener(table: Served, wrong: str) -> None:
    table.game()
    with table.client.stream("GET", "/api/v1/events?acts=1", headers={"last-event-id": wrong}) as response:
        stream = sent(response)
        reset = next(stream)
        assert (reset.event, reset.id[:2], reset.data["phase"]) == ("reset", "1-", "to_throw")
        table.throws("233346")
        assert acts(stream, 2)[-1].data["before"] == reset.id


def test_a_table_without_a_game_resets_without_an_id(table: Served) -> None:
    with table.client.stream("GET", "/api/v1/events?acts=1&after=none") as response:
        stream = sent(response)
        assert (next(stream).id, table.game().host.state.seq) == ("", 1)
        assert acts(stream, 1)[-1].event == "start"


@dataclass
class Listening:
    """The example's program, which can be killed, and all lines that it has printed."""

    table: Served
    place: Path
    heard: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        command = [sys.executable, "-S", "-E", str(LISTEN), str(self.table.client.base_url), str(self.place)]
        self.program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.reader = Thread(target=lambda: self.heard.extend(iter(self.program.stdout.readline, "")))
        self.reader.start()

    def wait_for_act(self, act: int) -> None:
        eventually(lambda: self.place.exists() and self.place.read_text().startswith(f"{act}-"))

    def kill(self) -> None:
        self.program.kill()
        self.reader.join()
        self.program.stdout.close()
        self.program.wait()


def play(table: Served) -> None:
    """Make one more act."""
    match table.state()["phase"]:
        case "choosing":
            table.presses("bank")
        case "over":
            table.game()
        case _:
            table.throws("233346")


def test_the_example_of_a_listener_misses_no_act_although_it_is_killed(table: Served, tmp_path: Path) -> None:
    table.game()
    listening = Listening(table, tmp_path / "last-act.txt")
    listening.wait_for_act(1)  # it knows its place now
    for played in range(200):
        play(table)
        if played % 50 == 20:
            listening.kill()
            play(table)
            listening = Listening(table, listening.place, listening.heard)
    listening.wait_for_act(table.host.state.seq)
    listening.kill()
    told = [each for line in listening.heard if (each := line.split(" ")[1]) != "-"]
    games = table.host.consult(lambda journal: [journal.rows(game) for game in journal.games()]).result(60)
    ids = list({row.act: f"{row.act}-{row.hash}" for rows in games for row in rows}.values())
    assert len(ids) == 1 + 200 + 4
    assert list(dict.fromkeys(told)) == ids
