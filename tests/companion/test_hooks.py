"""Hooks: a URL, a command or a listener is told what happens, and none of them can hold up the table."""

import pytest

from companion.named_events.examples import EXAMPLES
from companion.named_events.kinds import KINDS, AnyEvent
from companion.web.schema import adapter_of


def test_there_is_an_example_of_each_kind() -> None:
    assert tuple(example.event_type for example in EXAMPLES) == KINDS


@pytest.mark.parametrize("example", EXAMPLES, ids=KINDS)
def test_an_example_says_what_its_kind_does(example: AnyEvent) -> None:
    adapter = adapter_of(example)
    assert adapter.validate_json(adapter.dump_json(example)) == example
