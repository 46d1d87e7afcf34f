"""Each decision record has one form: context, choice, price, on one page."""

import re
from pathlib import Path

import pytest

RECORDS = sorted((Path(__file__).resolve().parent.parent.parent / "docs" / "decisions").glob("[0-9]*.md"))
MOST_LINES = 60
"""A page."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_decision_says_context_choice_and_price_on_one_page(record: Path) -> None:
    text = record.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Choice", "Price"]
    assert len(text.splitlines()) <= MOST_LINES


def test_a_decisions_heading_has_the_number_of_its_file() -> None:
    for record in RECORDS:
        heading = record.read_text(encoding="utf-8").partition("\n")[0]
        assert heading.startswith(f"# {int(record.name[:4])}. "), record.name
