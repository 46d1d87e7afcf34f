"""The form of the named events: its schema, its examples, and what real events say."""

import json
from pathlib import Path
from typing import get_args

from pydantic import TypeAdapter

from companion.named_events.examples import examples
from companion.named_events.kinds import KINDS, AnyEvent

SCHEMA = Path(__file__).resolve().parents[2] / "docs/events.schema.json"
EVENTS: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def test_each_kind_has_one_example_that_the_schema_shows() -> None:
    assert tuple(event.event_type for event in examples()) == KINDS
    assert {type(event) for event in examples()} == set(get_args(AnyEvent))
    shown = {name: made.get("examples") for name, made in json.loads(SCHEMA.read_text())["$defs"].items()}
    for event in examples():
        (example,) = shown[type(event).__name__]
        assert EVENTS.validate_python(example) == event


def test_every_field_of_the_schema_is_explained() -> None:
    for name, made in json.loads(SCHEMA.read_text())["$defs"].items():
        unexplained = {field for field, form in made["properties"].items() if not form.get("description")}
        assert unexplained <= {"event_type"}, name
