"""The rules in plain words: every switch has a text, and every active rule has a sentence."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from companion.web.rules.card import card_of
from companion.web.rules.sentences import Section, about, sentences_of
from companion.web.rules.switches import GROUPS, NEEDS, UNLESS, label, value_words
from companion.words import Message, Text, english
from farkle.errors import RuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set, own_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import SWITCHES, Flag, OneOf, Switches, changed

VALUES: dict[str, object] = {"target": 20_000, "start_roll_dice": 2, "n_dice": 5, "twos_kind_value": 4}
"""Values that turn a switch on and differ from 500 points."""


def on_with(name: str, base: RuleSet) -> dict[str, object]:
    """Return the settings that turn a switch of a rule set on: another value, and one of the switches that it needs."""
    kind, needed = SWITCHES[name], {}
    if not {*NEEDS.get(name, ())} & set(changed(base.switches, Switches())):
        for each in NEEDS.get(name, ())[:1]:
            needed = on_with(each, base)
    if name == "last_turns":
        needed = {"endgame": "one_more_turn"}
    if isinstance(kind, OneOf):
        return {**needed, name: next(each for each in kind.values if each != getattr(base.switches, name))}
    return {**needed, name: VALUES.get(name, True if isinstance(kind, Flag) else 500)}


def with_switch(name: str) -> tuple[RuleSet, RuleSet]:
    """Return a rule set with a switch on, and the same one without it but with the switches that it needs."""
    base = find_rule_set("farkle-cribbage-advanced" if name == "twos_kind_value" else "free-the-dice")
    on = on_with(name, base)
    return base.with_settings(on), base.with_settings({each: value for each, value in on.items() if each != name})


def said(rules: RuleSet) -> list[str]:
    """Return the sentences of a rule set in English."""
    return [english().text(one.text) for one in sentences_of(rules)]


def test_every_switch_has_a_label_and_a_group() -> None:
    assert [name for names in GROUPS.values() for name in names] == list(SWITCHES)
    assert set(english().section("switch")) == set(SWITCHES)
    assert set(english().section("group")) == set(GROUPS) | set(Section)


def test_every_value_of_a_choice_has_words() -> None:
    choices = {name: kind.values for name, kind in SWITCHES.items() if isinstance(kind, OneOf)}
    named = {f"{name}_{value}" for name, values in choices.items() for value in values}
    assert set(english().section("switch_value")) == named | {"on", "off", "points", "automatic", "no_row"}


@pytest.mark.parametrize(("section", "part"), [("rule", "text"), ("rule_name", "name")])
def test_every_sentence_and_every_name_of_a_rule_is_used(section: str, part: str) -> None:
    told = {key for rules in every_card() for one in sentences_of(rules) for key in keys_of(getattr(one, part))}
    assert {key for key in told if key.startswith(f"{section}.")} == {
        f"{section}.{name}" for name in english().section(section)
    }


def every_card() -> Iterator[RuleSet]:
    """Yield a rule set with rows of its own, and each packaged one with each switch on and each value of a choice."""
    rows = "[points]\nfour_of_a_kind = { 1 = 1000 }"
    yield own_rule_set(f'key = "rows"\ntitle = "Rows"\nsource = "a wall"\nlike = "free-the-dice"\n{rows}', "own.toml")
    for rules in catalogue():
        for name, kind in SWITCHES.items():
            on = on_with(name, rules)
            for value in kind.values if isinstance(kind, OneOf) else (on[name], 241):
                with suppress(RuleSetError):
                    yield rules.with_settings({**on, name: value})


def keys_of(text: Text) -> Iterator[str]:
    """Yield the key of a message, and those of the messages in its fields."""
    if isinstance(text, Message):
        yield text.key
        for value in text.fields.values():
            for each in value if isinstance(value, tuple) else (value,):
                yield from keys_of(each)


def test_the_line_about_a_rule_set_is_that_of_its_file() -> None:
    assert english().section("about") == {rules.key: rules.about for rules in catalogue()}
    assert [english().text(about(rules)) for rules in catalogue()] == [rules.about for rules in catalogue()]
    own = 'key = "our-pub"\ntitle = "Ours"\nsource = "a wall"\nlike = "classic"\nabout = "As on the wall."'
    assert about(own_rule_set(own, "own.toml")) == "As on the wall."


def test_the_requirements_of_a_switch_are_switches() -> None:
    named = (*NEEDS.items(), *UNLESS.items())
    assert {each for name, others in named for each in (name, *others)} <= set(SWITCHES)


def test_a_switch_changes_what_the_card_says() -> None:
    for name in SWITCHES:
        shown, plain = map(card_of, with_switch(name))
        parts = ("scoring", "sections", "patterns", "equal")
        assert any(getattr(shown, part) != getattr(plain, part) for part in parts), name


def test_amounts_are_counted_as_the_rule_set_counts() -> None:
    text = english().text
    cribbage, points = find_rule_set("farkle-cribbage"), find_rule_set("free-the-dice")
    assert text(label("pocket_farkle", points.chart)) == "Pocket Farkle: three 1s are 300"
    assert text(label("pocket_farkle", cribbage.chart)) == "Pocket Farkle: three 1s are 6"
    assert "10, 15, 20 more than the three" in text(label("bonus_scores", cribbage.chart))
    assert "500, 750, 1,000 more than the three" in text(label("bonus_scores", points.chart))
    assert text(value_words("of_a_kind", "flat", points.chart)) == "1,000, 2,000, 3,000"
    assert text(value_words("opening_min", 1500, points.chart)) == "1,500"
    assert text(value_words("opening_min", 0, points.chart)) == "off"


@pytest.mark.parametrize(
    ("key", "settings", "expected"),
    [
        ("sir-albert", {}, "To get on the board you need 1,000 points in one turn"),
        ("sir-albert", {}, "When all six dice score in a single throw, you must throw all six again"),
        ("farkle-cribbage-advanced", {}, "Three farkled turns in a row cost 20 points, but never more than you have."),
        ("christian-brothers", {}, "Three farkled turns in a row cost 1,000 points; a score may fall below 0."),
        ("farkle-cribbage-advanced", {}, "swap your peg at once with the leader's"),
        ("farkle-cribbage-advanced", {"bomb_swap": "undone_on_farkle"}, "A farkle in the same turn undoes it."),
        ("zilch-online", {}, "Any throw of all six dice in which nothing scores is no farkle: it brings 500 points."),
        ("zilch-online", {}, "four of a kind with a pair counts, and six of a kind"),
        ("classic", {}, "each of the others has one more turn"),
        ("classic", {}, "An equal score is not enough: the player who got there first wins."),
        ("kcd-dice", {}, "The first player who has 4,000 or more wins at once."),
        ("farkle-cribbage", {}, "to the end of the track (hole 121 on the usual one), or past it"),
        ("farkle-cribbage", {"target": 241}, "to hole 241 or past it"),
        ("farkle-cribbage", {"find_loser": True}, "Play goes on until one peg is left: its side loses."),
        ("farkle-cribbage", {"one_peg_per_hole": 5}, "puts it five holes back, never behind the start"),
        ("free-the-dice", {"charity": True}, "10,000 points must be hit exactly."),
        ("super-farkle", {}, "Four of a kind are twice the three. Five of a kind are three times the three."),
        ("farkle-cribbage-advanced", {}, "Three 2s are three singles, 6; four or more 2s score as if three 2s were 6."),
        ("farkle-cribbage", {"of_a_kind": "flat"}, "Three 2s are three singles, 6. "),
        ("free-the-dice", {"rounds": 10}, "The game ends after 10 rounds. The highest score wins"),
        ("free-the-dice", {"endgame": "defend"}, "each other side has one turn to pass it"),
        ("classic", {"last_turns": "one_throw"}, "Each of these last turns is one throw"),
        ("free-the-dice", {"last_turns": "one_throw"}, "has 10,000 or more, the round is finished"),
        ("free-the-dice", {"farkle_penalty": 100}, "Each farkle costs 100 points; a score may fall below 0."),
        ("farkle-cribbage", {"farkle_penalty": 2}, "Each farkle costs 2 points, but never more than you have."),
        ("free-the-dice", {"six_ones_win": True}, "Six 1s in one throw win the game at once"),
        ("free-the-dice", {"full_house_bonus": 250}, "its three of a kind and 250 points more"),
        ("packet-farkle", {}, "Four, five, six of a kind are 1,000, 2,000, 3,000, whichever face they show."),
    ],
)
def test_the_sentences_match_the_rules(key: str, settings: dict[str, object], expected: str) -> None:
    assert expected in " ".join(said(find_rule_set(key).with_settings(settings)))


@pytest.mark.parametrize(
    ("key", "settings", "row", "holes"),
    [
        ("classic", {}, 0, {50: "½", 300: "3", 10_000: "100"}),
        ("classic", {}, 1, {50: "1", 300: "6", 10_000: "200"}),
        ("classic", {"points_a_hole": 200}, 0, {100: "½", 300: "1½", 50: "0.2"}),
        ("farkle-cribbage", {}, 0, {1: "50", 8: "400", 20: "1,000"}),  # a peg is fifty points
    ],
)
def test_a_card_converts_points_to_holes_of_each_track(
    key: str, settings: dict[str, object], row: int, holes: dict[int, str]
) -> None:
    card = card_of(find_rule_set(key).with_settings(settings))
    converted = dict(zip(card.amounts, english().rendered(card.conversions[row].amounts), strict=True))
    assert {amount: converted[amount] for amount in holes} == holes


@pytest.mark.parametrize(
    ("key", "settings", "board", "tracks"),
    [
        (
            "classic",
            {},
            (),
            ["121 holes: 100 points a hole, won at hole 100.", "241 holes: 50 points a hole, won at hole 200."],
        ),
        ("classic", {}, (61, 121), ["61 holes: 200 points a hole, won at hole 50."]),
        ("farkle-cribbage", {}, (61,), ["61 holes: 1 point a hole, won at hole 61."]),
        ("classic", {"target": 20_000}, (), ["121 holes: too short at 100 points a hole."]),
        ("free-the-dice", {"rounds": 10}, (), ["121 holes: 100 points a hole."]),
    ],
)
def test_a_card_says_what_a_hole_is_worth_on_the_tracks_of_the_board(
    key: str, settings: dict[str, object], board: tuple[int, ...], tracks: list[str]
) -> None:
    card = card_of(find_rule_set(key).with_settings(settings), *([board] if board else []))
    assert english().rendered(card.tracks)[: len(tracks)] == tuple(tracks)
    assert "rounds" not in settings or 10_000 not in card.amounts


def test_every_card_shows_an_example_that_scores() -> None:
    for rules in catalogue():
        example = card_of(rules).example
        assert len(example) == 3
        assert example[0].points == max(each.points for each in example)


def test_a_card_of_five_dice_shows_no_row_of_six() -> None:
    card = card_of(find_rule_set("classic").with_settings({"n_dice": 5}))
    assert all(len(pattern.example) <= 5 for pattern in card.patterns)
    assert "six of a kind" not in {line.name for line in card.equal}


def test_a_full_house_with_its_triplet_is_a_line_of_the_table_of_faces() -> None:
    card = card_of(find_rule_set("free-the-dice").with_settings({"full_house_bonus": 250}))
    line = next(line for line in card.equal if line.name == "full house")
    assert line.points == (1250, 450, 550, 650, 750, 850)
    assert "full house" not in {pattern.name for pattern in card.patterns}


def test_a_sheet_counts_its_switches_apart_from_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = find_rule_set("christian-brothers")
    assert card_of(rules).changes == ()
    house = replace(rules, switches=replace(rules.switches, opening_min=0))
    assert [english().text(change) for change in card_of(house).changes] == [
        "Points in one turn to get on the board: off"
    ]
