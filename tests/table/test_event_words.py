"""The words of events: each belongs to an event, and names only fields of it."""

from dataclasses import fields
from string import Formatter

import pytest

from companion.table.text import EVENT_WORDS
from farkle.game.events import EVENT_KINDS

FIELDS = {kind.__name__: {field.name for field in fields(kind)} for kind in EVENT_KINDS}


@pytest.mark.parametrize(("event", "words"), EVENT_WORDS.items())
def test_words_belong_to_an_event_and_name_its_fields(event: str, words: str) -> None:
    assert {name for _, name, _, _ in Formatter().parse(words) if name} <= FIELDS[event]
