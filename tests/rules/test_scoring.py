"""The scores of basic Farkle Cribbage by its sheet, every rule set's table of counts, and refused selections."""

import tomllib
from importlib import resources

import brute_force
import pytest

from farkle.errors import DiceError, IllegalMoveError, RuleSetError, UnknownRuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.combinations import card_rows
from farkle.rules.dice import check_faces, parse_dice
from farkle.rules.document import rule_set_from
from farkle.rules.selections import find_selection, legal_selections

RULES = find_rule_set("farkle-cribbage")


def test_the_order_of_the_dice_does_not_matter() -> None:
    for roll in brute_force.rolls():
        assert legal_selections(RULES, roll[::-1]) is legal_selections(RULES, roll)


@pytest.mark.parametrize("rules", catalogue(), ids=lambda rules: rules.key)
def test_a_rule_sets_table_of_counts_is_what_its_file_says(rules) -> None:
    text = (resources.files("farkle.rules") / "sets" / f"{rules.key}.toml").read_text(encoding="utf-8")
    expected = tomllib.loads(text)["expected"]
    counted = {"farkles": [0] * 6, "selections": [0] * 6, "best_scores": [0] * 6}
    for roll in brute_force.rolls():  # the 923 sorted ones, each as often as it is thrown
        found, place, times = legal_selections(rules, roll), len(roll) - 1, brute_force.ways(roll)
        counted["farkles"][place] += times * (not found)
        counted["selections"][place] += times * len(found)
        counted["best_scores"][place] += times * (found[0].points if found else 0)
    assert counted == expected


def test_equal_dice_have_a_row_of_the_card_for_each_face_unless_all_faces_score_alike() -> None:
    rules = find_rule_set("classic").with_settings({"overpowered_ones": True, "four_and_pair": 0})
    assert [(row.name, row.example, row.points, row.any_faces) for row in card_rows(rules.table.combinations)] == [
        *(("single", (face,), points, False) for face, points in {1: 100, 5: 50}.items()),
        *(("three of a kind", (face,) * 3, 300 if face == 1 else face * 100, False) for face in range(1, 7)),
        ("four of a kind", (1,) * 4, 1000, True),
        ("five of a kind", (1,) * 5, 2000, True),
        *(("six of a kind", (face,) * 6, 5000 if face == 1 else 3000, False) for face in range(1, 7)),
        ("straight", (1, 2, 3, 4, 5, 6), 1500, False),
        ("three pairs", (1, 1, 2, 2, 3, 3), 1500, True),
        ("two triplets", (1, 1, 1, 2, 2, 2), 2500, True),
    ]


def test_a_refused_selection_says_what_was_expected() -> None:
    with pytest.raises(IllegalMoveError, match="expected dice of the roll 3 4 4 6 6 2, got '5'"):
        find_selection(RULES, (3, 4, 4, 6, 6, 2), (5,))
    with pytest.raises(IllegalMoveError, match="only 2 of them can score"):
        find_selection(RULES, (3, 4, 4, 6, 6, 2), (2, 4))
    with pytest.raises(IllegalMoveError, match="none of them scores"):
        find_selection(RULES, (3, 4, 4, 6, 6, 2), (4, 4))
    with pytest.raises(IllegalMoveError, match="at least one die"):
        find_selection(RULES, (1, 2), ())


@pytest.mark.parametrize("text", ["", "   ", "117", "0", "1 12", "1,1", "one", "１", "1 1 1 1 1 1 1", "-1.5"])
def test_dice_that_are_no_dice_are_refused(text: str) -> None:
    with pytest.raises(DiceError, match="expected"):
        parse_dice(text)


@pytest.mark.parametrize("text", ["1 1 5", "115", "1-1-5", " 1  1 5 "])
def test_dice_are_read_as_people_write_them(text: str) -> None:
    assert parse_dice(text) == (1, 1, 5)
    assert check_faces([5]) == parse_dice("5") == (5,)


def test_an_unknown_rule_set_lists_the_known() -> None:
    with pytest.raises(UnknownRuleSetError, match=r"did you mean 'farkle-cribbage'\?"):
        find_rule_set("farkle-cribage")
    assert find_rule_set(" FARKLE CRIB ") is RULES


GOOD = {
    "key": "k",
    "title": "t",
    "source": "s",
    "tracks": {"121": 1},
    "points": {"single": {"1": 100}},
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"key": 3}, "mine.toml: key: expected a text of at most 100 characters, got 3"),
        ({"points": {"single": {"7": 1}}}, "mine.toml: points.single: expected faces from 1 to 6, got '7'"),
        ({"points": {"single": {"1": -1}}}, "points.single.1: expected points from 0 to 1000000, got -1"),
        ({"points": {"pairs": {}}}, "points.pairs: expected one of"),
        ({"points": {}}, "points: expected at least one combination"),
        ({"points": {"single": 3}}, "points.single: expected a table"),
        ({"tracks": {"10": 1}}, "tracks: expected numbers of holes from 11 to 1001, got '10'"),
        ({"tracks": {"0121": 1}}, "tracks: expected numbers of holes from 11 to 1001, got '0121'"),
        ({"tracks": {"121": 0}}, "tracks.121: expected points a hole"),
        ({"tracks": 3}, "tracks: expected a table"),
        ({"aliases": "x"}, "aliases: expected a list of at most 100 texts of at most 100 characters"),
        ({"colour": "red"}, "expected one of the keys"),
        ({"settings": {"traget": 1}}, "did you mean 'target'"),
    ],
)
def test_a_broken_rule_set_says_file_key_and_what_was_expected(change: dict, words: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        rule_set_from({**GOOD, **change}, "mine.toml")
    assert words in str(caught.value)
    assert rule_set_from(GOOD, "mine.toml").key == "k"


LIMITS = {
    "key": "k" * 100,
    "title": "t" * 100,
    "source": "s" * 1000,
    "about": "a" * 1000,
    "aliases": ["x" * 100] * 100,
    "partners": [2, 12],
    "tracks": {"11": 1, "1001": 1},
    "points": {"single": {"1": 1_000_000, "6": 0}},
}
BEYOND = [{name: value + value[-1:]} for name, value in LIMITS.items() if isinstance(value, str)]
BEYOND += [{"aliases": ["x"] * 101}, {"aliases": ["x" * 101]}, {"partners": [1]}, {"partners": [13]}]
BEYOND += [{"tracks": {"1002": 1}}, {"points": {"single": {"1": 1_000_001}}}]


@pytest.mark.parametrize("beyond", BEYOND, ids=lambda each: next(iter(each)))
def test_a_rule_set_may_go_to_its_limits_and_not_beyond(beyond: dict) -> None:
    assert rule_set_from(LIMITS, "mine.toml").partners == (2, 12)
    with pytest.raises(RuleSetError, match=rf"mine.toml: {next(iter(beyond))}[.\w]*: expected "):
        rule_set_from({**LIMITS, **beyond}, "mine.toml")


@pytest.mark.parametrize(("counts_in", "tracks"), [("points", {121: 100, 241: 50}), ("pegs", {121: 1, 241: 1})])
def test_rules_without_tracks_fit_both_lengths_of_a_track(counts_in: str, tracks: dict[int, int]) -> None:
    document = {name: value for name, value in GOOD.items() if name != "tracks"}
    assert rule_set_from(document | {"counts_in": counts_in}, "mine.toml").tracks == tracks
