"""The message by which Home Assistant discovers the table; `make test-ha` shows it to the real one."""

import json
import re
from dataclasses import replace
from pathlib import Path

from brokers import Broker, listener
from hosted import seen
from tables import Table, game
from told_tables import GAME, table, take

from companion.features.home_assistant.discovery import device_message
from companion.table.state.house import SoundLevel
from companion.table.state.inputs import NewGame
from companion.words import english
from farkle.game.seating import MOST_PLAYERS

RECORDED = Path(__file__).with_name("discovery.json")
"""To write it again, run this file with tests/companion, tests/system and tests/table in PYTHONPATH."""


def message_of(shown: Table) -> dict:
    view = replace(shown.view, sound=SoundLevel(80), simulated=True)
    return json.loads(json.dumps(device_message("farklecrib/pub", "pub", view, english())))


def test_the_message_is_the_recorded_one() -> None:
    assert message_of(game()) == json.loads(RECORDED.read_text(encoding="utf-8"))


def test_each_entity_has_a_name_an_id_of_its_own_and_one_with_its_domain() -> None:
    shown = [each for each in message_of(game())["components"].values() if len(each) > 1]
    assert len({each["unique_id"] for each in shown}) == len({each["name"] for each in shown}) == len(shown) == 17
    for each in shown:
        assert re.fullmatch(rf"{each['platform']}\.farkle_crib_pub_[a-z0-9_]+", each["default_entity_id"])


def test_a_score_that_the_game_does_not_have_is_taken_away() -> None:
    found = message_of(game("farkle-cribbage", "Ann", "Ben", "Cy"))["components"]
    gone = {key for key, each in found.items() if each == {"platform": "sensor"}}
    assert gone == {f"score_{number}" for number in range(4, MOST_PLAYERS + 1)}


def test_it_is_sent_once_again_for_more_sides_and_when_home_assistant_starts(tmp_path, broker: Broker) -> None:
    topic = f"homeassistant/device/farklecrib_{tmp_path.name}/config"
    with listener(broker.port, topic) as heard, table(tmp_path, broker.port) as made:
        heard.until(lambda told: len(told) == 1)
        heard.client.publish("homeassistant/status", "online")
        heard.until(lambda told: len(told) == 2)
        take(made, seen("123346"))
        take(made, NewGame("farkle-cribbage", ("Ann", "Ben", "Cy")))
        heard.until(lambda told: len(told) == 3)
        first, again, more = (each.payload for each in heard.heard)
        assert first == again
        assert "name" not in json.loads(again)["components"]["score_3"]
        assert json.loads(more)["components"]["score_3"]["name"] == "Score 3"


def test_without_a_prefix_there_is_none(tmp_path, broker: Broker) -> None:
    with listener(broker.port, "#") as heard, table(tmp_path, broker.port, GAME, discovery=""):
        heard.until(lambda _: heard.last(f"{tmp_path.name}/games/deleted"))
        assert not [each.topic for each in heard.heard if tmp_path.name in each.topic and "/device/" in each.topic]


if __name__ == "__main__":
    RECORDED.write_text(json.dumps(message_of(game()), indent=1) + "\n", encoding="utf-8")
