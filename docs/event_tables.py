"""Tables, an example and the JSON Schema of the named events, from their types."""

import json
from collections.abc import Callable
from dataclasses import fields

from pydantic import TypeAdapter

from companion.named_events.examples import examples
from companion.named_events.kinds import AnyEvent, NamedEvent, Seated, Standing
from companion.web.schema import explanations

Table = Callable[..., str]


def first_line(kind: type) -> str:
    return (kind.__doc__ or "").partition("\n")[0]


def kinds(table: Table) -> str:
    """Return the kinds of named events: when each is sent, and what it says beside the fields of all."""
    common = {field.name for field in fields(NamedEvent)}
    rows = []
    for event in examples():
        said = {name: text for name, text in explanations(type(event)).items() if name not in common}
        own = "<br>".join(f"`{name}`: {text[0].lower()}{text[1:].rstrip('.')}" for name, text in said.items())
        rows.append((f"`{event.event_type}`", first_line(type(event)), own))
    return table(("event", "what happened", "its own fields"), rows)


def common_fields(kind: str, table: Table) -> str:
    """Return the fields of every named event, or of its standing."""
    said = explanations({"event": NamedEvent, "standing": Standing}[kind])
    return table(("field", "what it says"), ((f"`{name}`", text) for name, text in said.items()))


def example(kind: str) -> str:
    """Return an example of a kind of named event as JSON."""
    event = next(event for event in examples() if event.event_type == kind)
    return f"```json\n{json.dumps(TypeAdapter(AnyEvent).dump_python(event, mode='json'), ensure_ascii=False)}\n```"


def schema() -> str:
    """Return the JSON Schema of the named events, with what each field says and an example of each kind."""
    adapter: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)
    made_schema = adapter.json_schema(mode="serialization")
    for kind in (*map(type, examples()), Standing, Seated):
        made = made_schema["$defs"][kind.__name__]
        for name, text in explanations(kind).items():
            made["properties"][name]["description"] = text
        made["examples"] = [adapter.dump_python(event, mode="json") for event in examples() if type(event) is kind]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A named event of a Farkle Crib table"}
    return f"{json.dumps(head | made_schema, indent=1, ensure_ascii=False)}\n"
