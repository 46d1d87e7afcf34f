"""Every rule set and every switch about scoring against the scorer of the tests, on all 923 sorted rolls."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from pathlib import Path

import brute_force
import pytest
from samples import sampled

from farkle.errors import IllegalMoveError, RuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import find_selection, legal_selections
from farkle.rules.switches import SWITCHES

KEYS = tuple(brute_force.SHEETS)
SINGLES = tuple({name: value} for name, values in brute_force.SWITCHES.items() for value in values)
PAIRS = (
    {"pocket_farkle": True, "four_kind": True},
    {"pocket_farkle": True, "four_kind": True, "five_kind": True, "six_kind": True},
    {"pocket_farkle": True, "of_a_kind": "double"},
    {"pocket_farkle": True, "of_a_kind": "flat"},
    {"pocket_farkle": True, "bonus_scores": True},
    {"overpowered_ones": True, "six_kind": True},
    {"overpowered_ones": True, "pocket_farkle": True},
    {"overpowered_ones": True, "of_a_kind": "double"},
    {"no_straight": True, "lower_values": True},
    {"no_straight": True, "bonus_scores": True},
    {"lower_values": True, "bonus_scores": True},
    {"lower_values": True, "pairs_may_repeat": True, "three_pairs": 1500},
    {"pairs_may_repeat": True, "bonus_scores": True},
    {"pairs_may_repeat": True, "four_and_pair": 1400},
    {"bonus_scores": True, "twos_kind_value": 4},
    {"bonus_scores": True, "twos_kind_value": "none"},
    {"of_a_kind": "double", "twos_kind_value": 4},
    {"of_a_kind": "flat", "two_triplets": 2500},
    {"of_a_kind": "double", "two_triplets": 2500},
    {"of_a_kind": "flat", "six_kind": True},
    {"five_dice_rollover": True, "five_dice_rollover_points": 5},
    {"five_dice_rollover": True, "troublesome_twos": True},
    {"troublesome_twos": True, "four_kind": True},
    {"low_straight": 500, "high_straight": 750, "no_straight": True},
    {"n_dice": 5, "of_a_kind": "flat"},
    {"n_dice": 5, "four_kind": True, "five_kind": True},
    {"n_dice": 5, "low_straight": 500, "high_straight": 750, "full_house": 1100},
    {"n_dice": 5, "troublesome_twos": True},
    {"full_house_bonus": 350, "pocket_farkle": True},
    {"full_house_bonus": 350, "twos_kind_value": 4, "of_a_kind": "double"},
    {"full_house_bonus": 350, "n_dice": 5, "five_kind": True},
)


def offered(rules: RuleSet) -> dict[tuple[int, ...], dict[tuple[int, ...], set[int]]]:
    """Return the engine's selections of every sorted roll in the form of the plain scorer."""
    return {
        roll: {tuple(sorted(each.dice)): set(each.totals) for each in legal_selections(rules, roll)}
        for roll in brute_force.rolls(rules.n_dice)
    }


def assert_agrees(key: str, options: Mapping[str, object]) -> None:
    ours = offered(find_rule_set(key).with_settings(options))
    expected = brute_force.selections(key, options)
    assert ours.keys() == expected.keys()
    for roll, kept in expected.items():
        assert ours[roll] == kept, (key, options, roll)


def test_the_plain_scorer_knows_every_packaged_rule_set() -> None:
    assert sorted(KEYS) == sorted(rules.key for rules in catalogue())


def test_there_are_923_sorted_rolls_and_55986_in_all() -> None:
    assert len(brute_force.rolls()) == 923
    assert sum(map(brute_force.ways, brute_force.rolls())) == sum(6**size for size in range(1, 7)) == 55_986


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_set_offers_what_the_plain_scorer_finds_on_every_roll(key: str) -> None:
    assert_agrees(key, {})


@pytest.mark.parametrize("key", sampled(KEYS, "classic"))
def test_every_scoring_switch_alone_offers_what_the_plain_scorer_finds(key: str) -> None:
    rules = find_rule_set(key)
    allowed = [options for options in SINGLES if not (rules.switches.full_house and options.get("full_house_bonus"))]
    changes = [options for options in allowed if rules.with_settings(options).settings()]
    assert len(changes) > 20
    for options in changes:
        assert_agrees(key, options)


@pytest.mark.parametrize(
    "key",
    sampled(("farkle-cribbage-advanced", "farkle-cribbage", "classic", "free-the-dice"), "farkle-cribbage-advanced"),
)
@pytest.mark.parametrize("options", PAIRS, ids=lambda options: "+".join(options))
def test_switches_together_offer_what_the_plain_scorer_finds(options: dict, key: str) -> None:
    assert_agrees(key, options)


def _products() -> Iterator[dict[str, object]]:
    for names in combinations(brute_force.SWITCHES, 2):
        for values in product(*(brute_force.SWITCHES[name][1:] for name in names)):
            options = dict(zip(names, values, strict=True))
            five = "n_dice" in options and brute_force.SIX_DICE_ONLY & options.keys()
            if not five and options.keys() != {"full_house", "full_house_bonus"}:
                yield options


@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_every_two_scoring_switches_offer_what_the_plain_scorer_finds(key: str) -> None:
    for options in _products():
        if not ("full_house_bonus" in options and find_rule_set(key).switches.full_house):
            assert_agrees(key, options)


@pytest.mark.parametrize("key", KEYS)
def test_the_best_selection_comes_first_and_each_is_the_sum_of_its_parts(key: str) -> None:
    rules = find_rule_set(key)
    rows = set(brute_force.chart(key))
    for roll in brute_force.rolls():
        found = legal_selections(rules, roll)
        order = [(-each.points, len(each.dice)) for each in found]
        assert order == sorted(order), roll  # of equal ones the one with fewer dice
        for each in found:
            assert tuple(die for part in each.parts for die in part.dice) == each.dice
            assert sum(part.points for part in each.parts) == each.points == each.totals[0]
            assert list(each.totals) == sorted(set(each.totals), reverse=True)
            for part in each.parts:
                assert (part.dice, part.points) in rows or part.name == "five dice roll over", part


def test_a_switch_that_is_not_about_scoring_changes_no_score() -> None:
    rules = find_rule_set("free-the-dice")
    values = {"points_a_hole": 3, "target": 77}
    for name in SWITCHES.keys() - brute_force.SWITCHES.keys():
        tried = 0
        for value in (values.get(name, True), 7, "any", *getattr(SWITCHES[name], "values", ())):
            try:
                changed = rules.with_settings({name: value})
            except RuleSetError:
                continue
            tried += changed.settings() != {}
            assert changed.table.combinations == rules.table.combinations
        assert tried, name


def test_the_last_die_succeeds_on_one_to_three_beside_five_locked_ones_alone() -> None:
    rules = find_rule_set("farkle-cribbage-advanced")
    for face in range(1, 7):
        assert bool(legal_selections(rules, (face,), locked=5)) is (face <= 3)
    for locked in range(5):
        assert legal_selections(rules, (3,), locked=locked) == ()
        assert legal_selections(rules, (2,), locked=locked)[0].points == 2
    for size in range(2, 6):
        assert legal_selections(rules, (3, 4, 6, 6, 4, 3)[:size]) == ()


@pytest.mark.shared
def test_all_worked_examples_hold(shared: Path) -> None:
    examples = json.loads((shared / "rules_examples.json").read_text(encoding="utf-8"))
    assert len(examples) > 100
    for each in examples:
        rules = find_rule_set(each["ruleset"]).with_settings(each["options"])
        roll, dice = tuple(each["roll"]), tuple(each["selection"])
        assert (not legal_selections(rules, roll)) is each["farkle"], each
        try:
            points: int | str = find_selection(rules, roll, dice).points
        except IllegalMoveError:
            points = "illegal"
        assert points == each["expect_points"], each
