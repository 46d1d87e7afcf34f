"""Every expectation that a scene can have is shown in docs/scenes.md."""

import re
from types import ModuleType

from companion.simulation.scenes.script import CHECKS, SceneLine, check_of


def test_every_form_of_the_docs_is_one_that_is_checked(generate: ModuleType) -> None:
    for form in generate.FORMS:
        assert check_of(SceneLine(1, form))


def test_every_check_has_a_form_in_the_docs(generate: ModuleType) -> None:
    unused = [pattern for pattern in CHECKS if not any(re.fullmatch(pattern, form) for form in generate.FORMS)]
    assert unused == []
