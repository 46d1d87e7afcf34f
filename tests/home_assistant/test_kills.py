"""Kills of the broker and of the table lose nothing that a listener cannot mend."""

import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from brokers import Broker, listener, mosquitto
from hosted import PATIENCE_S
from running import Table, table

from companion.storage.database import read
from companion.storage.files import FILE

pytestmark = pytest.mark.exhaustive

KILLS, ACTS = 10, 20
"""The kills, and the acts before each."""


def number(act: str) -> int:
    return int(act.partition("-")[0])


def written(data: Path) -> list[str]:
    """Return the ids of all acts of the journal."""
    return list({row.act: f"{row.act}-{row.hash}" for row in read(data / FILE).rows}.values())


def missed(playing: Table, after: str) -> list[str]:
    """Return the ids of the acts after one, from the table's stream."""
    found = []
    asked = f"{playing.address}api/v1/events?acts=1&after={urllib.parse.quote(after)}"
    with urllib.request.urlopen(asked, timeout=PATIENCE_S) as events:
        for line in events:
            if line.startswith(b"id: "):
                found.append(line[4:].strip().decode())
            elif line.startswith(b'data: {"seq"'):  # the newest view
                return found
    raise AssertionError("the stream ended")


def heard_once(port: int, kept: list[dict]) -> None:
    """Listen as one that was away, until all that waits for it has come."""
    with listener(port, session="lamp") as heard:
        heard.client.publish("end", b"", 1)
        heard.until(lambda _: heard.last("end") is not None)
    kept += [event for event in heard.events() if event["id"]]


def mended(kept: list[dict], playing: Table) -> list[str]:
    """Return all acts that a listener has after it asked for what stands between those that it heard."""
    known = {event["id"] for event in kept}
    gaps = {event["before"] for event in kept} - known
    ends = sorted(known, key=number)
    for gap in sorted(gaps, key=number):
        known |= set(missed(playing, next((each for each in reversed(ends) if number(each) < number(gap)), ends[0])))
    return sorted(known | set(missed(playing, ends[-1])), key=number)


def act(playing: Table, times: int) -> None:
    """Choose other dice again and again: each choice is an act."""
    for index in range(times):
        status, answer = playing.post("keep", {"dice": [[1], [2]][index % 2]})
        assert status == 200, answer


@pytest.mark.parametrize("saves", [(), ("autosave_on_changes true", "autosave_interval 1")], ids=["usual", "saving"])
def test_ten_kills_of_the_broker_and_one_of_the_table_leave_no_act_missing(tmp_path, capsys, saves) -> None:
    data, config = tmp_path / "data", tmp_path / "config.toml"
    kept, witnessed = list[dict](), list[dict]()
    with mosquitto(tmp_path / "broker", "allow_anonymous true", "persistence true", *saves) as broker:
        config.write_text(f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nboard = "pub"\n', encoding="utf-8")
        options = ("--config", str(config), "--players", "Ann,Ben")
        with table(data, *options) as playing:
            with listener(broker.port, session="lamp") as heard:
                playing.ready().throw([1, 2, 3, 3, 4, 6])
                heard.until(lambda _: heard.last("events/throw"))
            kept += heard.events()
            for _ in range(KILLS // 2):
                killed_after_acts(playing, broker, kept, witnessed)
            act(playing, ACTS)
            playing.process.kill()
        with table(data, *options) as playing:
            playing.ready()
            for _ in range(KILLS // 2):
                killed_after_acts(playing, broker, kept, witnessed)
            acts = written(data)[1:]  # the table was connected after the game had begun
            lost = set(acts) - {event["id"] for event in kept}
            with capsys.disabled():
                print(f"\n{len(acts)} acts, {len(lost)} not heard after {KILLS} kills of the broker")
            assert set(acts) <= {event["id"] for event in (*kept, *witnessed)}, "each was acknowledged at least once"
            assert [each for each in mended(kept, playing) if each in acts] == acts


def killed_after_acts(playing: Table, broker: Broker, kept: list[dict], witnessed: list[dict]) -> None:
    """Make acts that the broker gets while a listener is away, kill the broker, and listen for what it still has."""
    with listener(broker.port, "farklecrib/pub/events/#") as witness:
        act(playing, ACTS)
        newest = playing.get("state")["seq"]
        witness.until(lambda _: any(event["act"] == newest for event in witness.events()))
    witnessed += witness.events()
    broker.kill()
    broker.start()
    heard_once(broker.port, kept)
