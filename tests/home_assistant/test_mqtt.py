"""MQTT: what happens reaches a broker at least once, and nothing that a broker sends changes a game."""

import hashlib
import json
import logging
import socket
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from brokers import Broker, Listener, listener, mosquitto
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from hosted import PATIENCE_S, eventually, seen
from told_tables import GAME, table, take

from companion.config_files import explained
from companion.features.home_assistant import mqtt
from companion.runtime import broker as connection
from companion.storage.database import read
from companion.table.state.inputs import Button, Press
from companion.words import english
from pegboard.pegs import IdleStage

BANKED = (seen("123346"), Press(Button.BANK))
PARTS = {"house", "said", "asked", "tray", "turn", "standing", "game", "faults", "lights"}
FARKLED = (seen("344663"),)


def ids(heard: Listener) -> list[str]:
    return list(dict.fromkeys(event["id"] for event in heard.events() if event["id"]))


def test_the_broker_gets_each_event_and_each_part_of_the_view(tmp_path, broker: Broker) -> None:
    base = f"farklecrib/{tmp_path.name}"
    with listener(broker.port, f"{base}/#") as heard, table(tmp_path, broker.port) as made:
        heard.until(lambda _: heard.last("/available") == b"online")
        take(made, *BANKED, seen("344663"))
        heard.until(lambda _: heard.last("events/farkle"))
        found = [(each.topic, each.retain) for each in heard.heard if "/events/" in each.topic]
        assert [topic.rpartition("/")[2] for topic, _ in found][-5:] == ["throw", "keep", "bank", "throw", "farkle"]
        assert not any(retained for _, retained in found)
        farkle = heard.events()[-1]
        assert (farkle["player"], farkle["seat"], farkle["late"]) == ("Player 2", 2, False)
        heard.until(lambda _: (heard.state("standing")["last"] or {}).get("kind") == "farkle")
        assert heard.state("standing")["to_move"] == "Player 1"
        with listener(broker.port, f"{base}/#") as later:
            later.until(lambda told: {each.topic.rpartition("/state/")[2] for each in told if each.retain} >= PARTS)
            assert not later.last("state/lobby")
    heard.until(lambda _: heard.last("/available") == b"offline")
    assert b"Zaphod" not in b"".join(each.payload for each in heard.heard)


def test_what_happens_while_the_table_or_the_broker_is_away_comes_late_and_once_acknowledged_no_more(
    tmp_path, broker: Broker
) -> None:
    with listener(broker.port, f"farklecrib/{tmp_path.name}/#") as heard:
        with table(tmp_path, broker.port) as made:
            take(made, *BANKED)
            heard.until(lambda _: heard.last("events/bank"))
        acted = len(heard.events())
        with table(tmp_path, 1) as made:  # nobody listens at that port
            take(made, *FARKLED, *BANKED)
            eventually(lambda: "mqtt" in dict(made.host.state.faults))
        with table(tmp_path, broker.port) as made:
            heard.until(lambda _: heard.events()[-1]["act"] == made.host.state.seq)
            take(made, *FARKLED)
            heard.until(lambda _: len([event for event in heard.events() if event["event_type"] == "farkle"]) == 2)
            written = [row.act for row in read(made.opened.storage.journal.path).rows]
        later = heard.events()[acted:]
        assert [event["late"] for event in later][:5] == [True] * 5
        assert not later[-1]["late"]
        assert [int(each.partition("-")[0]) for each in ids(heard)] == sorted(set(written))[1:]


@pytest.mark.exhaustive
def test_a_table_that_never_reached_its_broker_sends_its_games_from_the_first_act(tmp_path, broker: Broker) -> None:
    with table(tmp_path, 1, None) as made:
        eventually(lambda: "mqtt" in dict(made.host.state.faults))
        take(made, GAME, *BANKED)
    with listener(broker.port, f"farklecrib/{tmp_path.name}/events/#") as heard, table(tmp_path, broker.port):
        heard.until(lambda _: heard.last("events/bank"))
        assert heard.events()[0]["event_type"] == "start"


@pytest.mark.exhaustive
def test_after_a_place_that_is_lost_the_table_sends_what_came_after_the_act_before(
    tmp_path, broker: Broker, caplog
) -> None:
    with table(tmp_path, broker.port) as made:
        take(made, *BANKED)
    (tmp_path / "data" / mqtt.PLACE).write_text("2-of another journal", encoding="ascii")
    with listener(broker.port, f"farklecrib/{tmp_path.name}/#") as heard, table(tmp_path, broker.port) as made:
        heard.until(lambda _: heard.last("/available") == b"online")
        take(made, *FARKLED)
        heard.until(lambda _: heard.last("events/farkle"))
        assert [event["event_type"] for event in heard.events()] == ["keep", "bank", "throw", "farkle"]
    assert "got '2-of another journal'" in caplog.text


def test_what_a_broker_sends_changes_no_game(tmp_path, broker: Broker, caplog) -> None:
    base = f"farklecrib/{tmp_path.name}"
    with listener(broker.port, f"{base}/#") as heard, table(tmp_path, broker.port) as made:
        take(made, seen("123346"))
        heard.until(lambda _: heard.last("events/throw"))
        state, rows = made.host.state, read(made.opened.storage.journal.path).rows
        payloads = [b"", b"ON", b"PRESS", b"40", b"-1", b"1e3", b"\xff" * 99, b'{"dice": [1]}', b"bank", b"null"]
        topics = ["set/mute", "set/dim", "set/wake", "set/bank", "set/undo", "events/bank", "state/game", "available"]
        for topic in (f"{base}/{each}" for each in topics):
            for payload in payloads:
                heard.client.publish(topic, payload, 1)
        for topic in ("homeassistant/status", f"homeassistant/device/farklecrib_{tmp_path.name}/config"):
            heard.client.publish(topic, b"online", 1)
        heard.client.publish(f"{base}/set/dim", b"70", 1)
        heard.until(lambda _: json.loads(heard.last("state/lights"))["brightness"] == 70)
        assert made.host.state.play == state.play
        assert made.host.state.seq == state.seq
        assert read(made.opened.storage.journal.path).rows == rows
    ignored = [each.getMessage() for each in caplog.records if "ignored a message" in each.getMessage()]
    assert len(ignored) == 1


def test_a_broker_mutes_dims_and_wakes_the_table_but_not_by_a_message_of_earlier(tmp_path, broker: Broker) -> None:
    base = f"farklecrib/{tmp_path.name}"
    with listener(broker.port, f"{base}/#") as heard:
        heard.client.publish(f"{base}/set/dim", b"20", 1, retain=True)
        with table(tmp_path, broker.port) as made:
            heard.until(lambda _: heard.last("state/lights"))
            animator = made.opened.board.lights._animator  # noqa: SLF001 - the strip is simulated
            heard.client.publish(f"{base}/set/dim", b"50", 1)
            heard.until(lambda _: json.loads(heard.last("state/lights"))["brightness"] == 50)
            assert animator.settings.brightness == 0.5
            before = made.host.state.active_s
            heard.client.publish(f"{base}/set/wake", b"PRESS", 1)
            eventually(lambda: made.host.state.active_s != before)
            assert made.host.state.idle is IdleStage.AWAKE


@pytest.mark.exhaustive
def test_a_deleted_game_is_told_also_after_the_table_was_off(tmp_path, broker: Broker, monkeypatch, run) -> None:
    monkeypatch.setattr(mqtt, "LOOK_S", 0.05)
    with listener(broker.port, f"farklecrib/{tmp_path.name}/#") as heard:
        with table(tmp_path, broker.port) as made:
            take(made, GAME, GAME)
            heard.until(lambda _: heard.last("games/deleted") == b"[]")
            assert run("games", "delete", "1", "--yes", "--data", str(tmp_path / "data")).status == 0
            heard.until(lambda _: heard.last("games/deleted") == b"[1]")
        assert run("games", "delete", "2", "--yes", "--data", str(tmp_path / "data")).status == 0
        with table(tmp_path, broker.port):
            heard.until(lambda _: heard.last("games/deleted") == b"[1, 2]")


@pytest.mark.exhaustive
def test_names_are_sent_where_the_owner_wants_them_and_taken_back_if_not(tmp_path, broker: Broker) -> None:
    with listener(broker.port, f"farklecrib/{tmp_path.name}/#") as heard:
        with table(tmp_path, broker.port, names=True) as made:
            take(made, *BANKED)
            heard.until(lambda _: heard.last("events/bank"))
            assert heard.events()[-1]["player"] == "Zaphod"
            assert heard.state("lobby")["lobby"]["players"] == 2
        with table(tmp_path, broker.port):
            heard.until(lambda _: heard.last("state/lobby") == b"")
            heard.until(lambda _: heard.state("standing")["players"][0]["name"] == "Player 1")


@contextmanager
def hanging(answer: bytes) -> Iterator[int]:
    """A broker that gives everybody the same answer, and no other."""
    held = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                held.append(server.accept()[0])
                held[-1].sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        serving.join(PATIENCE_S)
    for each in held:
        each.close()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", "that lets the table in, got: no answer"),
        (bytes((0x20, 2, 0, 0)), "expected an acknowledgement of the broker within 0.05 s, got none"),
        (bytes((0x20, 2, 0, 5)), "that lets the table in, got: Not authorized"),
        (b"HTTP/1.1 400 Bad Request", ""),
    ],
    ids=["it never answers", "it lets in and hangs", "it refuses", "it is no broker"],
)
def test_a_broker_that_hangs_stops_no_game_and_is_reported(tmp_path, monkeypatch, answer: bytes, said: str) -> None:
    monkeypatch.setattr(connection, "ANSWER_S", 0.05)
    with hanging(answer) as port, table(tmp_path, port) as made:
        eventually(lambda: "mqtt" in dict(made.host.state.faults))
        take(made, *BANKED)
        told = english().text(dict(made.host.state.faults)["mqtt"])
        assert told.startswith("The MQTT broker does not receive events: ")
        assert said in told
        assert made.host.state.play.game.sides[0].score == 3


@pytest.mark.exhaustive
def test_what_was_sent_and_not_acknowledged_comes_late(tmp_path, monkeypatch) -> None:
    heard_by = threading.Event()

    def late_connection(*given: object) -> connection.Connection:
        assert heard_by.wait(PATIENCE_S)
        return connection.Connection(*given)

    monkeypatch.setattr(connection, "ANSWER_S", 0.2)
    with ExitStack() as held:
        with hanging(bytes((0x20, 2, 0, 0))) as port:
            made = held.enter_context(table(tmp_path, port))
            take(made, *FARKLED)
            eventually(lambda: "mqtt" in dict(made.host.state.faults))
            monkeypatch.setattr(mqtt, "Connection", late_connection)
        monkeypatch.setattr(connection, "ANSWER_S", PATIENCE_S)
        held.enter_context(mosquitto(tmp_path / "broker", port=port))
        with listener(port, f"farklecrib/{tmp_path.name}/events/#") as heard:
            heard_by.set()
            heard.until(lambda _: heard.last("events/farkle"))
            assert heard.events()[-1]["late"]


def test_without_the_library_the_table_plays_and_says_what_to_install(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "paho.mqtt.client", None)
    with table(tmp_path, 1) as made:
        eventually(lambda: "mqtt" in dict(made.host.state.faults))
        assert "expected the library paho-mqtt, got none; " in english().text(dict(made.host.state.faults)["mqtt"])
        take(made, *BANKED)


@pytest.mark.exhaustive
def test_a_password_lets_the_table_in_and_no_text_holds_it(tmp_path, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    secret, users, file = "hunter2-of-the-table", tmp_path / "users", tmp_path / "password"
    file.write_text(f"{secret}\n", encoding="utf-8")
    users.write_text(f"farkle:{pbkdf2(secret)}\n", encoding="utf-8")
    users.chmod(0o600)
    given = {"user": "farkle", "password_file": str(file)}
    with mosquitto(tmp_path / "broker", "allow_anonymous false", f"password_file {users}") as broker:
        with table(tmp_path, broker.port) as made:
            eventually(lambda: "mqtt" in dict(made.host.state.faults))
            assert english().text(dict(made.host.state.faults)["mqtt"]).endswith("Not authorized")
        with table(tmp_path, broker.port, **given) as made, caplog.at_level(logging.DEBUG):
            eventually(lambda: "connected with the broker" in caplog.text)
            assert secret not in explained(made.launch.config)
            assert secret not in caplog.text


def pbkdf2(secret: str) -> str:
    """Return a password as Mosquitto keeps it."""
    salt = b"twelve bytes"
    hashed = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, 101)
    return f"$7$101${b64encode(salt).decode()}${b64encode(hashed).decode()}"


@pytest.mark.exhaustive
def test_tls_and_a_certificate_let_the_table_in_and_another_authority_does_not(tmp_path, caplog) -> None:
    caplog.set_level(logging.INFO)
    ours, theirs = written_pair(tmp_path / "ours", "localhost"), written_pair(tmp_path / "theirs", "table")
    lines = (f"certfile {ours[0]}", f"keyfile {ours[1]}", f"cafile {theirs[0]}", "require_certificate true")
    given = {"host": "localhost", "tls": True, "certificate": str(theirs[0]), "key": str(theirs[1])}
    with mosquitto(tmp_path / "broker", "allow_anonymous true", *lines) as broker:
        with table(tmp_path, broker.port, **given, authority=str(theirs[0])) as made:
            eventually(lambda: "mqtt" in dict(made.host.state.faults))
            assert "certificate verify failed" in english().text(dict(made.host.state.faults)["mqtt"])
        with table(tmp_path, broker.port, **given, authority=str(ours[0])) as made:
            eventually(lambda: "connected with the broker" in caplog.text)
            take(made, *BANKED)


def written_pair(folder: Path, name: str) -> tuple[Path, Path]:
    """Write a certificate that signs itself and its key, and return the files."""
    folder.mkdir()
    files = folder / "certificate.pem", folder / "key.pem"
    for file, content in zip(files, self_signed(name), strict=True):
        file.write_bytes(content)
    return files


def self_signed(name: str) -> tuple[bytes, bytes]:
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    return certificate, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
