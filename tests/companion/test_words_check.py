"""`words check`: how far the file of a language is, and what is wrong. Every language of the package is whole."""

import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from asked import Answered, Run, refused

from companion.table.state.draft import GameDraft
from companion.words import Catalogue, english, message

LANGUAGES = sorted(files("companion.words").joinpath("languages").iterdir(), key=str)
ENGLISH = files("companion.words").joinpath("languages", "en.toml").read_text(encoding="utf-8")
DOCUMENT = tomllib.loads(ENGLISH)
EVERY = f"{len([*english()]):,}"

Check = Callable[..., Answered]


@pytest.fixture
def check(run: Run, tmp_path: Path) -> Check:
    """Return a function that checks English with some texts replaced, as the file of a language."""

    def checked(*replaced: tuple[str, str], code: str = "de") -> Answered:
        text = ENGLISH
        for old, new in replaced:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / f"{code}.toml").write_text(text, encoding="utf-8")
        return run("words", "check", tmp_path / f"{code}.toml")

    return checked


@pytest.mark.parametrize("file", LANGUAGES, ids=lambda file: file.name)
def test_a_language_of_the_package_has_every_sentence_and_no_mistake(run: Run, file: Path) -> None:
    answer = run("words", "check", file)
    assert (answer.status, answer.err) == (0, ""), answer.out
    assert answer.out.startswith(f"{file}: {EVERY} of {EVERY} sentences (100 %)\n")


def test_a_file_gives_a_plural_to_a_text_or_no_number_to_unnamed_players_and_the_table_goes_on(check: Check) -> None:
    odd = (
        ("You cannot bank yet: {why}.", "You cannot bank yet: {why:a|b} {why:a/b}."),
        ('"Player {number}"', '"Somebody"'),
    )
    assert check(*odd).status == 0
    words = Catalogue({**DOCUMENT, "hint": {"throw_on": odd[0][1]}}, "de", english())
    assert words("hint.throw_on", dice=3, why=message("rules.throw_first")) == (
        "You cannot bank yet: throw first throw first."
    )
    assert GameDraft(("", "Ann", ""), no_name="Somebody").asked == ("Somebody 1", "Ann", "Somebody 3")


def test_what_a_file_lacks_is_shown_in_english_to_be_pasted(check: Check) -> None:
    manner, hand = ENGLISH.index("[manner]"), 'hand = ["A hand is in the tray.", "hand in the tray"]\n'
    answer = check((ENGLISH[manner:], ""), (hand, ""))
    progress, *lines = answer.out.partition(".toml: 1,")[2].splitlines()
    assert answer.status == 1
    assert progress.endswith(f" of {EVERY} sentences (99 %)")
    assert "# these lines go below the file's own [prompt]" in lines
    pasted = tomllib.loads("\n".join(line for line in lines if ".toml: " not in line))
    assert pasted == {"hand": DOCUMENT["prompt"]["hand"], "manner": DOCUMENT["manner"]}


MISTAKES = [
    ('"fives", "sixes"]', '"fives"]', "many_faces: expected 6 words, got 5"),
    ("\nbank_only = ", "\nbank_once = ", "prompt.bank_once: expected a key of languages/en.toml"),
    ('moving = ["The dice', 'moving = ["The <b>dice', 'prompt.moving: expected none of the signs " & < >, got <'),
    ('"hand in the tray"', '"{name} in the tray"', "prompt.hand: expected the fields of"),
    ("{lost:point|points} lost. {name}", "{lost:point} lost. {name}", "prompt.farkled_lost: expected a format of"),
    ("{form}, {players:player|players}", "{form}, {players:a|b|c}", "prompt.lobby_tournament: expected 2 forms (one,"),
    ('"cannot start yet"', '"cannot be started yet!"', "prompt.lobby_not_ready: expected at most 21 characters, got"),
    (
        'bank = "bank {points}"',
        'bank = "{points} in the bank of this old pub"',
        "caption.bank: expected at most 24 char",
    ),
    ('"{name} waits"', '"{name waits"', "prompt.bot_waits: expected fields in braces, got: expected '}'"),
    ("out: {percent:.0} %.", "out: {percent:.x} %.", "review.making: expected a format of"),
]


def test_all_mistakes_are_said_with_their_keys(check: Check) -> None:
    answer = check(*((old, new) for old, new, _ in MISTAKES))
    assert answer.status == 1
    assert [said for _, _, said in MISTAKES if f".toml: {said}" not in answer.out] == []
    told = [line for line in answer.out.splitlines() if ".toml: " in line]
    assert len(told) == len({*told})


def test_a_language_without_data_of_babel_forms_numbers_and_plurals_as_english(check: Check) -> None:
    """The Debian package has Babel's data for its own languages alone; a file may be written for whole Babel."""
    three = "{players:gracz|gracze|graczy}"
    answer = check(("{form}, {players:player|players}", "{form}, " + three), code="qpl")
    assert answer.status == 0
    assert "Babel on this machine lacks the language 'qpl': numbers and plurals are as in English" in answer.out
    words = Catalogue({**DOCUMENT, "prompt": {"lobby": three}}, "qpl", english())
    assert [words("prompt.lobby", players=count) for count in (1, 2, 5000)] == ["1 gracz", "2 gracze", "5,000 gracze"]
    assert words.for_scripts()["locale"] == "en"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[prompt]", "[prompt", "Expected ']' at the end of a table declaration"),
        ('voice = "en"\n', 'locale = "klingon"\nvoice = "en"\n', "locale: expected a language's code such as 'de'"),
        ("one_face = [", "one_eye = [", "expected one_face at the head of the file, got none"),
        ('"hand in the tray"]', '"hand", "in", "the tray"]', "prompt.hand: expected a text, or a list of one to three"),
    ],
)
def test_a_file_without_words_says_in_one_line_what_was_expected(check: Check, old: str, new: str, said: str) -> None:
    answer = check((old, new))
    assert (answer.status, answer.err, answer.out.count("\n")) == (1, "", 1)
    assert "de.toml: expected the words as in languages/en.toml, got: " in answer.out
    assert said in answer.out


def test_a_file_that_cannot_be_read_is_unusable_input(run: Run, tmp_path: Path) -> None:
    refused(run("words", "check", tmp_path / "de.toml"), "expected a file of words, got")
