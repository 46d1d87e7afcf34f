"""Every rule set and every switch about scoring against the scorer of the tests, on all 923 sorted rolls."""

import json
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations, product
from pathlib import Path

import brute_force
import pytest
from samples import sampled

from farkle.errors import IllegalMoveError, RuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.dice import parse_dice
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


def worth(key: str, dice: str, **options: object) -> int | None:
    """Return the most points for all of these dice, or None if they may not be kept."""
    roll = parse_dice(dice)
    try:
        return find_selection(find_rule_set(key).with_settings(options), roll, roll).points
    except IllegalMoveError:
        return None


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
def test_the_best_selection_comes_first_and_of_equals_the_one_with_fewer_dice(key: str) -> None:
    rules = find_rule_set(key)
    for roll in brute_force.rolls():
        found = [(-each.points, len(each.dice)) for each in legal_selections(rules, roll)]
        assert found == sorted(found), roll


@pytest.mark.parametrize("key", KEYS)
def test_the_parts_of_a_selection_are_its_dice_and_make_its_points(key: str) -> None:
    rules = find_rule_set(key)
    rows = set(brute_force.chart(key))
    for roll in brute_force.rolls():
        for each in legal_selections(rules, roll):
            assert tuple(die for part in each.parts for die in part.dice) == each.dice
            assert sum(part.points for part in each.parts) == each.points == each.totals[0]
            assert list(each.totals) == sorted(set(each.totals), reverse=True)
            for part in each.parts:
                assert (part.dice, part.points) in rows or part.name == "five dice roll over", part


def test_one_more_point_switch_never_takes_a_selection_away() -> None:
    for name in ("four_kind", "five_kind", "six_kind", "two_triplets", "four_and_pair", "full_house", "three_pairs"):
        base = offered(find_rule_set("free-the-dice"))
        more = offered(find_rule_set("free-the-dice").with_settings({name: True if "kind" in name else 1500}))
        for roll, kept in base.items():
            assert kept.keys() <= more[roll].keys(), (name, roll)


@pytest.mark.parametrize("name", sorted(SWITCHES.keys() - brute_force.SWITCHES.keys()))
def test_a_switch_that_is_not_about_scoring_changes_no_score(name: str) -> None:
    values = {"points_a_hole": 3, "target": 77, "twos_kind_value": 4}
    kind = SWITCHES[name]
    others = [value for value in (values.get(name), True, 7, "any", *getattr(kind, "values", ())) if value is not None]
    rules = find_rule_set("free-the-dice")
    tried = 0
    for value in others:
        try:
            changed = rules.with_settings({name: value})
        except RuleSetError:
            continue
        tried += changed.settings() != {}
        assert changed.table.combinations == rules.table.combinations
    assert tried


# --- amounts of one sheet in a rule set that counts otherwise: 50 points a peg, the conversion of sheet 000 ---


@pytest.mark.parametrize(
    ("dice", "options", "pegs"),
    [
        ("111", {"pocket_farkle": True}, 6),
        ("111111", {"overpowered_ones": True}, 100),
        ("3333", {"of_a_kind": "flat"}, 20),
        ("33333", {"of_a_kind": "flat"}, 40),
        ("333333", {"of_a_kind": "flat"}, 60),
        ("123456", {"bonus_scores": True, "lower_values": True}, 30),
        ("334455", {"bonus_scores": True, "lower_values": True}, 15),
    ],
)
def test_amounts_given_in_points_are_a_fiftieth_in_a_set_that_counts_in_pegs(dice: str, options: dict, pegs: int):
    assert worth("farkle-cribbage", dice, **options) == pegs


@pytest.mark.parametrize(
    ("dice", "points"),
    [("3333", 300 + 500), ("33333", 300 + 750), ("333333", 300 + 1000), ("112244", 1500), ("1111", 1000 + 500)],
)
def test_the_bonus_scores_are_fifty_fold_in_a_set_that_counts_in_points(dice: str, points: int) -> None:
    assert worth("free-the-dice", dice, bonus_scores=True) == points


def test_bonus_scores_pay_a_straight_and_three_pairs_where_the_sheet_has_none() -> None:
    rules = find_rule_set("free-the-dice").with_settings({"straight": 0, "three_pairs": 0, "bonus_scores": True})
    assert find_selection(rules, (1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)).points == 1250
    assert find_selection(rules, (2, 2, 3, 3, 4, 4), (2, 2, 3, 3, 4, 4)).points == 500


def test_a_switch_of_one_size_beats_the_bonus_and_the_bonus_the_switch_of_all_sizes() -> None:
    assert worth("free-the-dice", "3333", of_a_kind="flat", bonus_scores=True) == 800
    assert worth("free-the-dice", "3333", of_a_kind="flat", bonus_scores=True, four_kind=True) == 600
    assert worth("free-the-dice", "33333", of_a_kind="flat", four_kind=True) == 2000


def test_no_straight_takes_the_straights_of_five_away_too() -> None:
    assert worth("kcd-dice", "12345") == 500
    assert worth("kcd-dice", "12345", no_straight=True) is None


# --- the last die: five dice roll over ---


@pytest.mark.parametrize(("face", "success"), [(1, True), (2, True), (3, True), (4, False), (5, False), (6, False)])
def test_the_last_die_succeeds_on_one_to_three(face: int, success: bool) -> None:
    rules = find_rule_set("farkle-cribbage-advanced")
    assert bool(legal_selections(rules, (face,))) is success
    assert bool(legal_selections(rules, (face,), locked=5)) is success


def test_a_single_die_with_fewer_than_five_aside_is_no_last_die() -> None:
    rules = find_rule_set("farkle-cribbage-advanced")
    for locked in range(5):
        assert legal_selections(rules, (3,), locked=locked) == ()
        assert legal_selections(rules, (2,), locked=locked)[0].points == 2


@pytest.mark.parametrize("size", range(2, 6))
def test_a_three_beside_other_dice_is_no_last_die(size: int) -> None:
    assert legal_selections(find_rule_set("farkle-cribbage-advanced"), (3, 4, 6, 6, 4, 3)[:size]) == ()


# --- what all rule sets agree on ---


@pytest.mark.parametrize("key", KEYS)
def test_a_straight_is_never_worth_less_than_its_single_dice(key: str) -> None:
    singles = (1, 2) if "cribbage" in key else (1, 5)
    rules = find_rule_set(key)
    best = legal_selections(rules, (1, 2, 3, 4, 5, 6))[0].points
    assert best >= find_selection(rules, (1, 2, 3, 4, 5, 6), singles).points


@pytest.mark.parametrize("key", KEYS)
def test_dice_thrown_in_any_order_offer_the_same(key: str) -> None:
    rules = find_rule_set(key)
    for roll in ((2, 3, 3, 3, 4, 6), (1, 1, 2, 2, 6, 6), (1, 2, 3, 4, 5, 6)):
        expected = legal_selections(rules, roll)
        for order in set(permutations(roll)):
            assert legal_selections(rules, order) == expected


# --- the worked examples beside the repository ---


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


@pytest.mark.shared
def test_the_worked_examples_touch_every_sheet_and_many_switches(shared: Path) -> None:
    examples = json.loads((shared / "rules_examples.json").read_text(encoding="utf-8"))
    sheets = {"farkle-cribbage", "farkle-cribbage-advanced", "classic", "free-the-dice", "sir-albert"}
    assert {each["ruleset"] for each in examples} == sheets | {"christian-brothers", "facebook-farkle"}
    assert {name for each in examples for name in each["options"]} <= SWITCHES.keys()
