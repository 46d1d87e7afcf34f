"""Names of players and teams: what may be one, and which spellings are one name."""

import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from farkle import Game
from farkle.errors import SeatingError
from farkle.game.commands import Join
from farkle.game.machine import decide
from farkle.game.names import BLANK, IGNORABLE, check_name, name_key, one_form, repeated

VARIATION, WIDE_SPACE, NO_BREAK, JOINER = "\ufe0f", "\u3000", "\u00a0", "\u200d"
FILLERS = ["\u3164", BLANK, "\u115f", "\u1160", "\uffa0", "\u034f", "\u17b4"]
WITHOUT_SHAPE = [*FILLERS, "\u0301", "\u20dd", VARIATION, "\u180b"]
ALLOWED = [
    *("Ann", "Zoë", "Zoe\u0308", "小龙", "Łukasz", "محمد", "Nguyễn Văn A", "1", "<b>", "Å", "J. R. R. T.", "´"),
    *("🎲", "👩‍💻", "🏳️‍🌈", "👩🏽‍🚀", "👍🏿", "🇩🇪", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️‍🔥", "👨‍👩‍👧‍👦", "1️⃣", "🙂‍↔️"),
    *("ශ්‍රී", "نامه‌ای", "Ann\ufe0f", f"An{BLANK}n"),
]
"""Names in many scripts, with accents, emoji, flags, skin tones and joiners."""

SHARED = [
    *(("Ann", "ANN"), ("Zo\u00eb", "Zoe\u0308"), ("Ann", f"Ann{VARIATION}"), ("Ann", "Ann\U000e0100"), ("Ann", "Ａnn")),
    *(("Ann Lee", f"Ann{NO_BREAK}Lee"), ("Ann Lee", f"Ann{WIDE_SPACE}Lee"), ("Ann Lee", "Ann  Lee"), ("❤", "❤️")),
    *(("Ann", f"Ann{BLANK}"), ("Ann", "\u3164Ann"), ("Strauß", "STRAUSS"), ("👩‍💻", "👩💻"), ("ΣΑΣ", "σας")),
]
DIFFERENT = [("Ann", "Änn"), ("Ann Lee", "AnnLee"), ("👍🏿", "👍🏽"), ("🇩🇪", "🇫🇷"), ("Ann", "Ann."), ("Zoe", "Zoë")]


@pytest.mark.parametrize("name", ALLOWED)
def test_names_of_any_script_with_accents_and_emoji_are_allowed(name: str) -> None:
    check_name("player", one_form(name))


@pytest.mark.parametrize("name", [*WITHOUT_SHAPE, "".join(WITHOUT_SHAPE), f"\u3164 {BLANK}"])
def test_a_name_without_a_visible_character_is_refused(name: str) -> None:
    with pytest.raises(SeatingError, match="a visible character") as refused:
        check_name("player", name)
    assert refused.value.code == "name_invisible"


BAD_JOINS = [f"An{JOINER}n", f"{JOINER}👩", f"👩{JOINER}", f"👩{JOINER}{JOINER}💻", "An\u200bn", "🏴\U000e0067"]


@pytest.mark.parametrize("name", [*BAD_JOINS, "An\U000e0067n"])
def test_a_joiner_or_a_tag_that_joins_nothing_is_refused(name: str) -> None:
    with pytest.raises(SeatingError, match="control characters"):
        check_name("player", name)


@pytest.mark.parametrize(("one", "other"), SHARED)
def test_two_spellings_of_one_name_cannot_play_together(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert repeated((one, "Ben", other)) == one
    game = Game("farkle-cribbage", [one_form(one), "Ben"])
    with pytest.raises(SeatingError) as refused:
        game.join(one_form(other))
    assert refused.value.code == "name_taken"


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_look_different_are_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
    assert Game("farkle-cribbage", [one_form(one), one_form(other)]).players == (one_form(one), one_form(other))


@given(st.text(max_size=20))
def test_a_key_is_its_own_key_and_ignores_case_and_form(name: str) -> None:
    assume(name_key(f"A{name}") != "a")  # a name without a visible character is its own key
    key = name_key(name)
    assert name_key(key) == key
    assert name_key(unicodedata.normalize("NFD", name)) == key
    assert name_key(unicodedata.normalize("NFKC", name)) == key


@given(st.text(max_size=20))
def test_one_form_is_stable_and_keeps_the_key(name: str) -> None:
    assert one_form(one_form(name)) == one_form(name)
    assert name_key(one_form(f"A{name}")) == name_key(f"A{name}")


NOT_IGNORED = {
    *range(0x0600, 0x0606),
    *(0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD),  # Prepended_Concatenation_Mark
    *range(0xFFF9, 0xFFFC),  # interlinear annotation
    *range(0x13430, 0x13441),  # Egyptian hieroglyph format controls
}
"""The format characters that Unicode's derivation of the property leaves out."""

OTHER = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x3164, 0xFFA0, *range(0xFFF0, 0xFFF9)}
"""Other_Default_Ignorable_Code_Point, without the unassigned part of plane 14."""


def test_the_table_of_characters_without_shape_follows_from_the_unicode_data_of_python() -> None:
    """Derive the table as DerivedCoreProperties.txt says, from the categories and names that Python has."""
    formats = {
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) == "Cf" or "VARIATION SELECTOR" in unicodedata.name(chr(code), "")
    }
    plane_14 = set(range(0xE0000, 0xE1000))
    table = {code for each in IGNORABLE for code in each}
    assert table - plane_14 == (formats - NOT_IGNORED - plane_14) | OTHER
    assert plane_14 <= table
    assert formats & set(range(0xE0000, 0xF0000)) <= plane_14


def test_a_stored_name_joins_again_whatever_it_is() -> None:
    state = Game("farkle-cribbage", ["Ann", "Ben"]).state
    for name in ("\u3164", "ann", f"Ann{VARIATION}"):
        assert decide(state, Join(name, stored=True))
        with pytest.raises(SeatingError):
            decide(state, Join(name))
