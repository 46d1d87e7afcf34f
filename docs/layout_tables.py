"""The generated tables of layouts: the boards that come with the program, and the keys of a layout's file."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.setting import texts_of
from pegboard.layouts import DEFAULT, layout_names, load_layout
from pegboard.layouts.document import ArcTable, Document, LaneTable, LedTable, RunTable, StrictTable

Table = Callable[[tuple[str, ...], Iterable[Iterable[object]]], str]

PLACES: dict[type[StrictTable], str] = {
    Document: "the file's head",
    LaneTable: "`[[lane]]`",
    RunTable: "`[[lane.run]]`",
    ArcTable: "`arc`",
    LedTable: "an LED",
}
"""Each table of the file, and where its keys stand."""


def boards(table: Table) -> str:
    """Return the boards that come with the program."""
    rows = []
    for name in layout_names():
        layout = load_layout(name)
        wide, high = layout.size_mm
        shown = f"`{name}`" + (" (the one `play` uses)" if name == DEFAULT else "")
        tracks = ", ".join(map(str, layout.tracks))
        rows.append((shown, len(layout.lanes), tracks, layout.leds, f"{wide:g} x {high:g} mm"))
    return table(("layout", "lanes", "tracks", "LEDs in the chain", "size"), rows)


def keys(table: Table) -> str:
    """Return every key of a layout's file: where it stands, its value, its default, and what it means."""
    rows = []
    for model, place in PLACES.items():
        properties, texts = model.model_json_schema()["properties"], texts_of(model)
        for key, field in model.model_fields.items():
            default = (
                "needed" if field.is_required() else "none" if field.default in (None, "") else f"`{field.default}`"
            )
            rows.append((f"`{key}`", place, _value(properties[key]), default, texts[key]))
    return table(("key", "where it stands", "value", "default", "meaning"), rows)


def _value(schema: Mapping[str, Any]) -> str:
    """Return a value of JSON Schema in words, with its limits."""
    match schema:
        case {"anyOf": [one, *_]}:
            return _value(one)
        case {"$ref": name}:
            return "an LED" if name.endswith("LedTable") else "a table"
        case {"enum": values}:
            return " or ".join(map(str, values))
        case {"type": "array", "items": {"$ref": name}, "minItems": least} if name.endswith("LedTable"):
            return f"a list of {least} LEDs"
        case {"type": "array", "items": {"$ref": _}}:
            return "tables"
        case {"type": "array", "items": {"type": kind}}:
            return "`[x, y]`" if kind == "number" else "two whole numbers"
        case {"type": "string"}:
            return "a text"
    kind = "a whole number" if schema["type"] == "integer" else "a number"
    if "exclusiveMinimum" in schema:
        return f"{kind} above {schema['exclusiveMinimum']:g}"
    return f"{kind} from {schema['minimum']:g} to {schema['maximum']:g}" if "minimum" in schema else kind
