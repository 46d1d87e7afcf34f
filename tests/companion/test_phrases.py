"""Phrases: the words of a catalogue explain the score. English is complete, and another language is one file."""

from importlib.resources import files
from pathlib import Path

import pytest
from tables import Table

from companion.devices.phrases import call_out, caption, spoken_part
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import BotBank, BotChoice, Fault, Pause
from companion.words import CatalogueError, load_catalogue
from farkle.rules.catalogue import catalogue

ENGLISH = files("companion.words").joinpath("languages", "en.toml").read_text(encoding="utf-8")
WORDS = load_catalogue()


def said(table: Table, *kinds: CueKind) -> str:
    return call_out(WORDS, table.view, [Cue(kind, table.view.message.told) for kind in kinds])


@pytest.mark.parametrize(
    ("roll", "kept", "words"),
    [
        ("144456", "4441", "three fours, eight; one, one; nine at risk"),
        ("233346", "333", "three threes, six; six at risk"),
        ("125346", "1", "one, one; one at risk"),
    ],
)
def test_a_selection_is_explained_part_by_part(roll: str, kept: str, words: str) -> None:
    table = Table().start().throws(roll).chooses(kept)
    assert said(table, CueKind.CHOSEN) == words


def test_farkles_are_counted_winners_named_and_dice_that_do_not_count_told() -> None:
    table = Table().start("Ann").throws("334466")
    assert said(table, CueKind.FARKLE) == "farkle"
    assert said(table.throws("334466"), CueKind.FARKLE) == "farkle, two in a row"
    table = Table().start("Ann", settings={"target": 5}).throws("233346").taps("bank")
    assert said(table, CueKind.GAME_OVER) == "Ann wins"
    table = Table().start().throws("233346").sets_aside("46", "2333")
    assert (table.view.chosen, said(table, CueKind.CHOSEN)) == (None, "nothing set aside counts")
    assert [WORDS.number(number) for number in (0, 20, 21, -3)] == ["zero", "twenty", "21", "-3"]
    assert [WORDS.listed(names) for names in (["Ann"], ["Ann", "Ben", "Cy"])] == ["Ann", "Ann, Ben and Cy"]


@pytest.mark.parametrize("rules", catalogue(), ids=lambda rules: rules.key)
def test_every_combination_of_every_rule_set_has_english_words(rules) -> None:
    for each in rules.table.combinations:
        part = spoken_part(WORDS, each)
        assert len(set(each.dice)) == 1 or f"combinations.{each.name}" in WORDS, each.name
        assert part.endswith(WORDS.number(each.points))


def bots_turn(kind: str, *throws: str) -> Table:
    """Play a turn of a bot that keeps the best of each throw; a second throw farkles."""
    table = Table().start(f"bot:{kind}", "Ann", settings={"target": 30})
    for roll in throws:
        table.throws(roll)
        if table.state.bot is not None and table.state.current.bot_decides:
            best = table.view.selections[0]
            table.take(BotChoice(best.dice, best.points, bank=len(throws) == 1))
    if table.state.current.bot_banks:
        table.take(BotBank())
    return table


@pytest.mark.parametrize("kind", ["cautious", "bold", "best"])
def test_each_kind_of_bot_has_a_manner_of_its_own(kind: str) -> None:
    takes_the_lead, farkles = bots_turn(kind, "111346"), bots_turn(kind, "111346", "346")
    assert said(takes_the_lead, CueKind.BANK).endswith(f". {WORDS(f'manner.{kind}_bank', name='Bones')}")
    assert said(farkles, CueKind.FARKLE) == f"farkle. {WORDS(f'manner.{kind}_farkle', name='Bones')}"


def test_a_bot_adds_nothing_to_a_farkle_without_loss_or_a_bank_behind_the_leader() -> None:
    assert said(bots_turn("bold", "334466"), CueKind.FARKLE) == "farkle"
    table = Table().start("Ann", "bot:bold").throws("111346").taps("bank").throws("344662")
    table.take(BotChoice((2,), 2, bank=True))
    table.take(BotBank())
    assert said(table, CueKind.BANK) == "Bones banks two and has two"


def test_a_voice_without_manners_says_what_happened_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(ENGLISH.partition("[manner]")[0], encoding="utf-8")
    table = bots_turn("bold", "111346", "346")
    assert call_out(load_catalogue(str(mine)), table.view, [Cue(CueKind.FARKLE)]) == "farkle"


def test_another_language_is_a_file(tmp_path: Path) -> None:
    german = tmp_path / "de.toml"
    german.write_text(
        ENGLISH.replace('"fours"', '"Vieren"').replace('"three"', '"drei"').replace("at risk", "auf dem Spiel"),
        encoding="utf-8",
    )
    words = load_catalogue(str(german))
    table = Table().start().throws("144456").chooses("444")
    assert call_out(words, table.view, [Cue(CueKind.CHOSEN)]).startswith("drei Vieren, ")
    assert call_out(words, table.view, [Cue(CueKind.CHOSEN)]).endswith(" auf dem Spiel")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("{name} banks {points:number} and", "{player} banks {points:number} and", "say.bank: expected the fields of"),
        ('and has {score:number}"', 'and has {score:dise}"', "say.bank: expected a format of"),
        ('"{names} wins"', '"{names:dice} wins"', "say.won: expected a format of"),
        ('"sixes"]', "]", "many_faces: expected 6 words, got 5"),
        ("[say]", "[say", "expected the words as in languages/en.toml"),
    ],
)
def test_an_incomplete_language_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in ENGLISH
    file = tmp_path / "mine.toml"
    file.write_text(ENGLISH.replace(old, new), encoding="utf-8")
    with pytest.raises(CatalogueError) as told:
        load_catalogue(str(file))
    assert says in str(told.value)


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(CatalogueError, match=r"expected one of .*\ben\b.*, or a \.toml file, got 'klingon'"):
        load_catalogue("klingon")


# --- the caption below the board on a terminal ---


def test_the_caption_shows_the_roll_and_its_selections_best_first() -> None:
    table = Table().start("Ann", "Ben").throws("233346")
    told, players, roll, counts, glows = caption(table.view, WORDS)
    assert told == table.view.message.text
    assert players == "> Ann 0   Ben 0"
    assert roll == f"roll {' '.join(map(str, table.view.roll))}"
    assert counts.startswith("counts 3 3 3 2 = 8   3 3 3 = 6")
    assert glows == "glows KEEP: most points   BANK: bank 8"


def test_dice_set_aside_are_shown_with_the_points_at_risk() -> None:
    table = Table().start("Ann", "Ben").throws("233346").chooses("333")
    _, players, roll, _, glows = caption(table.view, WORDS)
    assert players == "> Ann 0 +6 at risk   Ben 0"
    assert glows == "glows ROLL: how many dice?   BANK: bank 8"
    assert roll.endswith("   set aside 3 3 3")


def test_the_marked_item_of_a_menu_is_shown() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Pause())
    assert caption(table.view, WORDS)[:2] == ("Paused.", "go on")
    assert caption(table.taps("roll").view, WORDS)[:2] == ("Paused.", "count the points")


def test_an_answer_replaces_the_tables_sentence() -> None:
    table = Table().start("Ann", "Ben")
    assert caption(table.view, WORDS, "keep a die first")[0] == "keep a die first"


def test_a_degraded_part_is_shown() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Fault("leds", "The lights do not answer: gone"))
    assert caption(table.view, WORDS)[-1] == "! The lights do not answer: gone"
