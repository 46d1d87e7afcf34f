"""The words of the page's scripts: `words.js` puts fields into sentences as `companion.words` does."""

from string import Formatter

import pytest

pytest.importorskip("playwright.sync_api")

from companion.words import CATALOGUE, forms, words

pytestmark = pytest.mark.browser


def fields_of(key: str, count: int) -> dict[str, object]:
    """Return a value for each field of a sentence: the number, a list of that many names, or a name."""
    found: dict[str, object] = {}
    for _, name, spec, _ in Formatter().parse(forms(key)[0]):
        if name:
            found[name] = ["Ann", "Ben", "Cy"][:count] if name == "names" else count if spec else "Ann"
    return found


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.smoke), 3])
def test_a_sentence_is_the_same_in_python_and_in_a_script(open_page, count):
    page = open_page()
    there = page.evaluate("Object.keys(JSON.parse(document.getElementById('words').textContent))")
    sections = [name for name in there if isinstance(CATALOGUE[name], dict)]
    keys = {f"{section}.{name}" for section in sections for name in CATALOGUE[section]} - {"dice.the"}
    given = {key: fields_of(key, count) for key in keys}
    said = page.evaluate(
        "async (given) => { const { t } = await import('/static/words.js');"
        " return Object.fromEntries(Object.entries(given).map(([key, fields]) => [key, t(key, fields)])); }",
        given,
    )
    assert said == {key: words(key, **fields) for key, fields in given.items()}


def test_numbers_of_the_page_have_separators(open_page):
    said = "async () => (await import('/static/words.js')).t('button.throw', { dice: 0 })"
    assert open_page().evaluate(said) == "throw no dice"
    said = "async () => (await import('/static/words.js')).t('turn.keep', { dice: 'one', points: 1250 })"
    assert open_page().evaluate(said) == "Keep one: 1,250 points"
