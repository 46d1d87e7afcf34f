"""The generated parts of the docs are up to date, and show every form of an expectation that a scene can have."""

import re
from types import ModuleType

from companion.config import Config
from companion.config_files import explained
from companion.simulation.scenes.script import CHECKS, SceneLine, check_of
from farkle.game.machine import TRANSITIONS


def test_no_generated_part_is_stale(generate: ModuleType) -> None:
    for path in generate.documents():
        text = path.read_text(encoding="utf-8")
        assert generate.filled(text) == text, f"{path.name} is stale: run make docs"


def test_the_paper_trays_that_come_with_the_program_are_those_of_its_words(generate: ModuleType) -> None:
    made = generate.paper_pdf.files()
    folder = generate.paper_pdf.FOLDER
    assert {path: path.read_bytes() for path in folder.iterdir()} == made, "stale: run make docs"


def test_the_file_that_explains_every_key_is_that_of_the_settings(generate: ModuleType) -> None:
    assert generate.DEFAULTS.read_text(encoding="utf-8") == explained(Config()), "stale: run make docs"


def test_every_generated_part_is_in_some_document(generate: ModuleType) -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in generate.documents())
    named = {found["name"].partition(" ")[0] for found in generate.MARKED.finditer(texts)}
    assert named == set(generate.PARTS)


def test_the_diagram_of_the_turn_has_every_transition(generate: ModuleType) -> None:
    arrows = [line for line in generate.part("turn-diagram").splitlines() if "-->" in line and "[*]" not in line]
    assert len(arrows) == sum(len(transition.leads_to) for transition in TRANSITIONS.values())


def test_every_form_of_the_docs_is_one_that_is_checked(generate: ModuleType) -> None:
    for form in generate.FORMS:
        assert check_of(SceneLine(1, form))


def test_every_check_has_a_form_in_the_docs(generate: ModuleType) -> None:
    unused = [pattern for pattern in CHECKS if not any(re.fullmatch(pattern, form) for form in generate.FORMS)]
    assert unused == []
