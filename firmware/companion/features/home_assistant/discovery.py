"""Make the device message that describes the table and its entities to Home Assistant."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

from companion.named_events.kinds import KINDS
from companion.table.buttons.modes import PagePhase
from companion.table.view import View
from companion.words import Catalogue
from farkle.game.seating import MOST_PLAYERS

MOVER = "value_json.players | selectattr('name', 'eq', value_json.to_move)"


@cache
def entities() -> dict[str, dict[str, Any]]:
    """Return the options of all entities by key; `score` is a template for each side."""
    found = tomllib.loads(Path(__file__).with_name("entities.toml").read_text(encoding="utf-8"))
    found["phase"]["options"], found["event"]["event_types"] = get_args(PagePhase), KINDS
    return found


def device_message(base: str, board: str, view: View, words: Catalogue) -> dict[str, Any]:
    """Return the discovery message of a table.

    Args:
        base: the topic under which the table sends.
        board: the board's name.
        view: the table; each of its sides has a score.
        words: the words of the entities' names.
    """
    device, components = f"Farkle Crib {board}", {}
    for key, options, called in _shown(view, words):
        own = {"name": called, "unique_id": f"farklecrib_{board}_{key}"}
        slug = re.sub("[^a-z0-9]+", "_", f"{device} {key}".lower())
        own["default_entity_id"] = f"{options['platform']}.{slug}"
        filled = {name: _filled(value, base) for name, value in options.items()}
        components[key] = own | filled if called else filled
    about = {"name": device, "manufacturer": "Farkle Crib", "sw_version": version("farklecrib")}
    return {
        "device": {"identifiers": [f"farklecrib_{board}"], **about},
        "origin": {"name": "farklecrib", "sw_version": version("farklecrib")},
        "availability_topic": f"{base}/available",
        "qos": 1,
        "components": components,
    }


def _shown(view: View, words: Catalogue) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the key, the options and the name of each entity; an empty name removes the entity."""
    sides = {player.side for player in view.players}
    for key, options in entities().items():
        if key == "score":
            for side in range(MOST_PLAYERS):
                of_side = {name: value.replace("SIDE", str(side)) for name, value in options.items()}
                called = words("mqtt.score", number=side + 1) if side in sides else ""
                yield f"score_{side + 1}", of_side if called else {"platform": "sensor"}, called
        elif key == "mute" and view.sound is None:
            yield key, {"platform": options["platform"]}, ""
        else:
            yield key, options, words(f"mqtt.{key}")


def _filled(value: Any, base: str) -> Any:
    return value.replace("BASE", base).replace("MOVER", MOVER) if isinstance(value, str) else value
