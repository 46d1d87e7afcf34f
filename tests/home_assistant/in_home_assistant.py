"""The real Home Assistant shows the table: all entities, the automations and the card of the docs. `make test-ha`."""

import base64
import hashlib
import hmac
import json
import re
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from brokers import Broker, Listener, free_port, listener, mosquitto
from hosted import PATIENCE_S, eventually
from running import Table
from running import table as playing

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs/examples/home_assistant"
HASS = ROOT / ".venv-ha/bin/hass"
KEY, TOKEN_ID, AT = "key of the test", "token", "2025-01-01T00:00:00+00:00"

CONFIGURATION = """
homeassistant:
  name: Test
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
logger:
  default: warning
automation: !include automations.yaml
"""


def stored(folder: Path, key: str, version: int, minor: int, data: object) -> None:
    """Write a file of Home Assistant's own storage."""
    whole = {"version": version, "minor_version": minor, "key": key, "data": data}
    (folder / ".storage").mkdir(exist_ok=True)
    (folder / ".storage" / key).write_text(json.dumps(whole), encoding="utf-8")


def prepare(folder: Path, port: int, broker: Broker) -> None:
    """Write a configuration with a user, our automations, and the MQTT integration at a broker."""
    folder.mkdir()
    (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port), encoding="utf-8")
    (folder / "automations.yaml").write_bytes((EXAMPLES / "automations.yaml").read_bytes())
    entry = {
        "created_at": AT, "modified_at": AT, "disabled_by": None, "discovery_keys": {}, "domain": "mqtt",
        "data": {"broker": "127.0.0.1", "port": broker.port}, "entry_id": "mqtt", "version": 1, "minor_version": 2,
        "options": {"discovery": True, "discovery_prefix": "homeassistant"}, "pref_disable_new_entities": False,
        "pref_disable_polling": False, "source": "user", "subentries": [], "title": "broker", "unique_id": None,
    }  # fmt: skip
    stored(folder, "core.config_entries", 1, 5, {"entries": [entry]})
    stored(folder, "onboarding", 4, 1, {"done": ["user", "core_config", "analytics", "integration"]})
    user = {
        "id": "owner", "group_ids": ["system-admin"], "is_owner": True, "is_active": True, "name": "Owner",
        "system_generated": False, "local_only": False,
    }  # fmt: skip
    token = {
        "id": TOKEN_ID, "user_id": "owner", "client_id": None, "client_name": "test", "client_icon": None,
        "token_type": "long_lived_access_token", "created_at": AT, "access_token_expiration": 1e9, "token": KEY,
        "jwt_key": KEY, "last_used_at": None, "last_used_ip": None, "expire_at": None, "credential_id": None,
        "version": "1",
    }  # fmt: skip
    groups = [{"id": "system-admin", "name": "Administrators"}]
    stored(folder, "auth", 1, 1, {"users": [user], "groups": groups, "credentials": [], "refresh_tokens": [token]})


def access() -> str:
    """Return the token of the user, as Home Assistant signs it."""
    claims = {"iss": TOKEN_ID, "iat": int(time.time()), "exp": int(time.time()) + 10**6}
    parts = [json.dumps(each).encode() for each in ({"alg": "HS256", "typ": "JWT"}, claims)]
    signed = b".".join(base64.urlsafe_b64encode(each).rstrip(b"=") for each in parts)
    signature = hmac.digest(KEY.encode(), signed, hashlib.sha256)
    return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


class Home:
    """A running Home Assistant, asked by its API."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.port, self.log = free_port(), folder / "log"
        prepare(folder, self.port, broker)
        with self.log.open("wb") as log:
            command = [str(HASS), "--skip-pip", "--config", str(folder)]
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ask(self, path: str, body: object = None) -> object:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {access()}", "content-type": "application/json"}
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/api/{path}", data, headers)
        with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def answers(self) -> bool:
        try:
            return bool(self.ask("config")["state"] == "RUNNING")
        except OSError:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            return False

    def states(self) -> dict[str, dict]:
        return {each["entity_id"]: each for each in self.ask("states")}

    def shows(self, entity: str, state: str) -> None:
        """Wait until an entity has a state."""
        eventually(lambda: self.states().get(entity, {}).get("state") == state)

    def complaints(self) -> list[str]:
        """Return the warnings and errors about MQTT, the automations and the table."""
        lines = re.split(r"\n(?=\d{4}-)", self.log.read_text(encoding="utf-8"))
        assert any(" WARNING " in line for line in lines), "Home Assistant warns of --skip-pip"
        of_us = re.compile("mqtt|automation|farkle|template", re.IGNORECASE)
        return [line for line in lines if re.search(" (WARNING|ERROR|CRITICAL) ", line) and of_us.search(line)]


@contextmanager
def home(folder: Path, broker: Broker) -> Iterator[Home]:
    running = Home(folder, broker)
    try:
        eventually(running.answers)
        yield running
    finally:
        running.process.terminate()
        running.process.wait(PATIENCE_S)


LAMP = {
    "device": {"identifiers": ["pub_lamp"], "name": "Pub lamp"}, "unique_id": "pub_lamp", "name": None,
    "schema": "json", "command_topic": "lamp/set", "supported_color_modes": ["rgb"], "flash": True, "brightness": False,
}  # fmt: skip


def commands(heard: Listener) -> list[dict]:
    """Return what the lamp was told."""
    return [json.loads(each.payload) for each in heard.heard if each.topic == "lamp/set"]


def play(table: Table, heard: Listener, shown: Home) -> None:
    """Play a bank, a farkle and its end, and compare each with what Home Assistant shows."""
    prefix = "farkle_crib_pub"
    thrown = table.throw([1, 2, 3, 3, 4, 6])["roll"]
    shown.shows(f"sensor.{prefix}_last_throw", " ".join(map(str, thrown)))
    assert table.post("buttons/bank", {"press": "tap"})[0] == 200
    shown.shows(f"sensor.{prefix}_score_1", "3")
    shown.shows(f"sensor.{prefix}_to_move", "Player 2")
    eventually(lambda: {"state": "ON", "color": {"r": 86, "g": 180, "b": 233}} in commands(heard))
    table.throw([3, 4, 4, 6, 6, 3])
    eventually(lambda: shown.states()[f"event.{prefix}_event"]["attributes"].get("event_type") == "farkle")
    assert not shown.states()[f"event.{prefix}_event"]["attributes"]["late"]
    eventually(lambda: any(each.get("flash") for each in commands(heard)))
    shown.shows(f"sensor.{prefix}_to_move", "Player 1")
    shown.ask("services/number/set_value", {"entity_id": f"number.{prefix}_brightness", "value": 40})
    shown.shows(f"number.{prefix}_brightness", "40")
    shown.ask("services/switch/turn_on", {"entity_id": f"switch.{prefix}_mute"})
    shown.shows(f"switch.{prefix}_mute", "on")
    assert table.get("state")["sound"]["muted"]
    shown.ask("services/button/press", {"entity_id": f"button.{prefix}_wake"})
    while (state := table.get("state"))["phase"] != "over":
        table.throw([1, 1, 1, 1, 1, 1])
        assert table.post("buttons/bank", {"press": "tap"})[0] == 200, state
    shown.shows(f"sensor.{prefix}_winner", "Player 1")
    shown.shows(f"sensor.{prefix}_phase", "over")


def test_home_assistant_shows_the_table_and_the_examples_run(tmp_path, capsys) -> None:
    config = tmp_path / "config.toml"
    with mosquitto(tmp_path / "broker") as broker, listener(broker.port) as heard:
        heard.client.publish("homeassistant/light/lamp/config", json.dumps(LAMP), 1, retain=True)
        config.write_text(
            f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nboard = "pub"\n[sound]\ndriver = "espeak"\n',
            encoding="utf-8",
        )
        options = ("--config", str(config), "--players", "Zaphod,Trillian", "--set", "target=30")
        with home(tmp_path / "home", broker) as shown, playing(tmp_path / "data", *options) as table:
            version = shown.ask("config")["version"]
            with capsys.disabled():
                print(f"\nHome Assistant {version}")
            table.ready()
            heard.until(lambda _: heard.last("device/farklecrib_pub/config"))
            components = json.loads(heard.last("device/farklecrib_pub/config"))["components"].values()
            wanted = {each["default_entity_id"] for each in components if len(each) > 1}
            eventually(lambda: wanted <= shown.states().keys())
            play(table, heard, shown)
            states = shown.states()
            shows = {entity: states[entity]["state"] for entity in wanted}
            without = {entity for entity, state in shows.items() if state in ("unavailable", "unknown")}
            assert without <= {"sensor.farkle_crib_pub_to_move"}, shows  # nobody is to move after the end
            card = (EXAMPLES / "card.yaml").read_text(encoding="utf-8")
            named = set(re.findall(r"\b(?:sensor|event|binary_sensor|switch|number|button)\.farkle_crib_pub\w+", card))
            assert named
            assert named <= wanted
            check = [str(HASS.with_name("python")), "-c", "import sys, yaml; yaml.safe_load(sys.stdin)['cards']"]
            subprocess.run(check, input=card.encode(), check=True)
            automations = [each for entity, each in states.items() if entity.startswith("automation.")]
            assert len(automations) == 3
            eventually(
                lambda: all(
                    each["attributes"]["last_triggered"]
                    for entity, each in shown.states().items()
                    if entity.startswith("automation.")
                )
            )
            table.end()
            shown.shows("sensor.farkle_crib_pub_phase", "unavailable")
            assert shown.complaints() == []


pytestmark = pytest.mark.skipif(not HASS.exists(), reason="needs Home Assistant: make test-ha installs it")
