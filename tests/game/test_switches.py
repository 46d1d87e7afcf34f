"""The switches: values, defaults, exclusions, and what each packaged rule set sets."""

from dataclasses import fields

import brute_force
import pytest
from written_games import play, refused_settings, rules_of

from farkle.errors import RuleSetError, UnknownRuleSetError
from farkle.rules.catalogue import catalogue, find_rule_set, own_rule_set
from farkle.rules.switches import SWITCHES, Flag, OneOf, Points, Switches

BASIC, ADVANCED, CLASSIC, FREE, ALBERT, CLASS = (
    *("farkle-cribbage", "farkle-cribbage-advanced", "classic"),
    *("free-the-dice", "sir-albert", "christian-brothers"),
)

WORDS = {
    "penalty_floor": ("none", "start"),
    "tie": ("shared", "trigger", "extra_round"),
    "farkle_streak_reset": ("after_penalty", "never"),
    "streaks_per": ("side", "player"),
    "bomb_swap": ("permanent", "undone_on_farkle", "off"),
    "one_peg_per_hole": ("off", 1, 5),
    "forced_hot": ("none", "single_throw", "any"),
    "endgame": ("finish_round", "one_more_turn", "immediate", "defend"),
    "last_turns": ("whole_turn", "one_throw"),
    "of_a_kind": ("none", "flat", "double"),
    "n_dice": (6, 5),
    "twos_kind_value": (6, 4, "none"),
    "vant_hof_scope": ("dice_set", "turn"),
}
FLAGS = (
    *("charity", "nobody_loses", "find_loser", "piggyback", "piggyback_hot", "vant_hof_6", "too_hot"),
    *("troublesome_twos", "three_strikes_out", "four_kind", "five_kind", "six_kind", "lower_values", "no_straight"),
    *("pocket_farkle", "overpowered_ones", "bonus_scores", "five_dice_rollover", "pairs_may_repeat"),
    "six_ones_win",
)
AMOUNTS = (
    *("opening_min", "min_bank", "farkle3_penalty", "three_strikes_ouch", "five_dice_rollover_points"),
    *("three_pairs", "two_triplets", "farkle_penalty", "full_house_bonus"),
)


def test_every_switch_has_its_kind_in_the_order_of_the_fields_its_meaning_and_its_default() -> None:
    assert list(SWITCHES) == [each.name for each in fields(Switches)]
    for each in fields(Switches):
        kind = SWITCHES[each.name]
        assert kind.read(each.name, each.default) == each.default
        assert kind.meaning, each.name
        assert kind.allowed, each.name


def test_a_switch_takes_its_values_the_first_is_the_usual_and_others_are_refused() -> None:
    for name, values in WORDS.items():
        kind = SWITCHES[name]
        assert isinstance(kind, OneOf)
        assert (kind.values, getattr(Switches(), name)) == (values, values[0])
        assert [getattr(rules_of(FREE, **{name: value}).switches, name) for value in values] == list(values)
        for wrong in ("sometimes", 7, -1, 1.5, ""):
            reason = refused_settings(BASIC, **{name: wrong})
            assert reason == f"{name}: expected {' or '.join(map(str, values))}, got {wrong!r}"


def test_a_flag_is_off_by_itself_and_takes_true_and_false() -> None:
    for name in FLAGS:
        assert isinstance(SWITCHES[name], Flag)
        assert getattr(Switches(), name) is False
        for value in (True, "true", "yes", "on", " TRUE "):
            assert getattr(rules_of(CLASSIC, **{name: value}).switches, name) is True
        for value in (False, "false", "no", "off"):
            assert getattr(rules_of(CLASSIC, **{name: value}).switches, name) is False
        for wrong in ("maybe", "", None, 1.5):
            assert refused_settings(CLASSIC, **{name: wrong}).startswith(f"{name}: expected true")


def test_an_amount_is_nothing_by_itself_and_takes_points() -> None:
    for name in AMOUNTS:
        assert isinstance(SWITCHES[name], Points)
        assert getattr(Switches(), name) == 0
        for value in (350, "350", " 350 "):
            assert getattr(rules_of(CLASSIC, **{name: value}).switches, name) == 350
        for off in (0, "0", False, "off"):
            assert getattr(rules_of(CLASSIC, **{name: off}).switches, name) == 0
        for wrong in (-1, "-1", "lots", True, 1.5, 10**7, None):
            assert refused_settings(CLASSIC, **{name: wrong}).startswith(f"{name}: expected points from 0")


def test_only_nobody_loses_also_takes_a_number_of_points() -> None:
    points = [rules_of(FREE, **given).nobody_loses for given in ({}, {"nobody_loses": True}, {"nobody_loses": "250"})]
    assert points == [0, 300, 250]
    assert {name for name in FLAGS if getattr(SWITCHES[name], "points", False)} == {"nobody_loses"}


@pytest.mark.parametrize(
    ("name", "wrong", "expected"),
    [
        *(("target", wrong, "points from 1") for wrong in (0, -1, True, "0", "far")),
        *(("rounds", wrong, "rounds from 0 to 1000") for wrong in (-1, 1001, "many", True)),
    ],
)
def test_a_number_beyond_its_limits_is_refused(name: str, wrong: object, expected: str) -> None:
    assert refused_settings(FREE, **{name: wrong}).startswith(f"{name}: expected {expected}")


def test_a_switch_set_to_what_the_sheet_says_is_no_change() -> None:
    for rules in catalogue():
        same = {name: getattr(rules.switches, name) for name in SWITCHES}
        assert rules.with_settings(same).settings() == {}


# --- exclusions ---


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"three_strikes_out": True, "three_strikes_ouch": 1000}, "out_or_cost"),
        ({"three_strikes_out": True, "farkle3_penalty": 20}, "out_or_cost"),
        ({"charity": True, "tie": "extra_round"}, "charity_or_extra_round"),
        ({"find_loser": True, "charity": True}, "loser_or_charity"),
        ({"rounds": 2, "find_loser": True}, "rounds_or_loser"),
        ({"rounds": 2, "charity": True}, "rounds_or_charity"),
        ({"rounds": 2, "tie": "trigger"}, "rounds_or_trigger"),
        ({"six_ones_win": True, "find_loser": True}, "six_ones_or_loser"),
        ({"full_house": 1500, "full_house_bonus": 250}, "full_house_or_bonus"),
        ({"six_ones_win": True, "n_dice": 5}, "needs_six_dice"),
        ({"vant_hof_6": True, "n_dice": 5}, "needs_six_dice"),
        *(
            ({"n_dice": 5, name: brute_force.SWITCHES[name][1]}, "needs_six_dice")
            for name in sorted(brute_force.SIX_DICE_ONLY)
        ),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else value,
)
def test_switches_that_exclude_each_other_are_refused_with_both_names(options: dict, code: str) -> None:
    with pytest.raises(RuleSetError) as refused:
        rules_of(FREE, **options)
    assert refused.value.code == code
    assert all(name in str(refused.value) for name in options)
    for name, value in options.items():
        assert rules_of(FREE, **{name: value}).settings() in ({name: value}, {})  # {}: as the sheet has it anyway


@pytest.mark.parametrize("rules", [CLASS, ADVANCED, "super-farkle", "zilch-online"])
def test_three_strikes_out_contradicts_a_penalty_of_the_sheets_own(rules: str) -> None:
    assert "farkle3_penalty" in refused_settings(rules, three_strikes_out=True)
    assert rules_of(rules, three_strikes_out=True, farkle3_penalty=0).switches.three_strikes_out


def test_rounds_contradict_the_tie_of_a_sheet() -> None:
    assert "tie=trigger" in refused_settings(CLASSIC, rounds=10)
    assert rules_of(CLASSIC, rounds=10, tie="shared").ending == "rounds"


@pytest.mark.parametrize("rules", brute_force.SHEETS)
def test_every_rule_set_can_be_played_with_five_dice(rules: str) -> None:
    five = rules_of(rules, n_dice=5)
    assert max(len(each.dice) for each in five.table.combinations) <= 5
    assert play(rules, n_dice=5).state.turn.dice_left == 5


def test_a_house_file_that_contradicts_itself_is_refused() -> None:
    head = 'key = "ours"\ntitle = "Ours"\nlike = "free-the-dice"\n[settings]\n'
    with pytest.raises(RuleSetError, match=r"ours\.toml.*three_strikes_out and three_strikes_ouch"):
        own_rule_set(head + "three_strikes_out = true\nthree_strikes_ouch = 500\n", "ours.toml")
    with pytest.raises(RuleSetError, match=r"ours\.toml.*n_dice=5 and two_triplets"):
        own_rule_set(head + "n_dice = 5\ntwo_triplets = 2500\n", "ours.toml")
    assert own_rule_set(head + "n_dice = 5\n", "ours.toml").n_dice == 5


# --- the defaults of the sheets and presets ---

OFF = dict.fromkeys(("charity", "find_loser", "piggyback", "vant_hof_6", "too_hot", "troublesome_twos"), False)
DEFAULTS: dict[str, dict[str, object]] = {
    BASIC: {**OFF, "target": 121, "bonus_scores": False, "five_dice_rollover": False, "farkle3_penalty": 0},
    ADVANCED: {**OFF, "farkle3_penalty": 20, "bomb_swap": "permanent", "one_peg_per_hole": "off"},
    CLASSIC: {**OFF, "target": 10_000, "opening_min": 0, "min_bank": 0},
    FREE: {**dict.fromkeys(FLAGS, False), "target": 10_000, "opening_min": 0, "three_strikes_ouch": 0},
    ALBERT: {**OFF, "target": 10_000, "opening_min": 1000, "of_a_kind": "double", "forced_hot": "single_throw"},
    "sir-albert-350": {"opening_min": 350},
    CLASS: {**OFF, "target": 5000, "opening_min": 350, "farkle3_penalty": 1000},
}
DIFFERENCES = {
    (BASIC, ADVANCED): {"bonus_scores", "five_dice_rollover", "farkle3_penalty"},
    (ALBERT, "sir-albert-350"): {"opening_min"},
    (CLASS, "packet-farkle"): {"of_a_kind", "two_triplets"},
    (CLASS, "facebook-farkle"): {"of_a_kind", "three_pairs"},
}
TOP_WINS = {"classic", "playmonster", "sir-albert", "sir-albert-350"}
"""The sheets that say that the others have one more turn to top the score."""


def test_each_sheet_sets_what_it_says() -> None:
    wrong = {
        (key, name): getattr(rules_of(key).switches, name)
        for key, expected in DEFAULTS.items()
        for name, value in expected.items()
        if getattr(rules_of(key).switches, name) != value
    }
    assert wrong == {}


def test_the_presets_of_a_sheet_differ_from_it_in_few_switches() -> None:
    for (sheet, preset), expected in DIFFERENCES.items():
        one, other = rules_of(sheet).switches, rules_of(preset).switches
        assert {name for name in SWITCHES if getattr(one, name) != getattr(other, name)} == expected


@pytest.mark.parametrize(
    ("name", "value", "sheets"),
    [
        ("penalty_floor", "start", {BASIC, ADVANCED}),
        ("start_roll_dice", 2, {BASIC, ADVANCED}),
        ("endgame", "one_more_turn", TOP_WINS),
        ("endgame", "immediate", {"kcd-dice"}),
        ("endgame", "defend", set()),
        ("tie", "trigger", TOP_WINS),
        ("tie", "extra_round", set()),
        ("streaks_per", "player", {FREE}),
        ("n_dice", 5, set()),
    ],
)
def test_few_sheets_set_a_switch_in_another_way(name: str, value: object, sheets: set[str]) -> None:
    assert {rules.key for rules in catalogue() if getattr(rules.switches, name) == value} == sheets


# --- the catalogue ---


@pytest.mark.parametrize("rules", catalogue(), ids=lambda rules: rules.key)
def test_every_rule_set_is_found_by_key_and_title_and_tells_its_source_and_track(rules) -> None:
    assert rules.source
    assert rules.about
    assert rules.fits(rules.smallest_track)
    assert find_rule_set(rules.key) is find_rule_set(rules.key.upper()) is rules
    shared = [each for each in catalogue() if rules.title in (each.title, *each.aliases)]
    if len(shared) == 1:
        assert find_rule_set(f" {rules.title.lower()} ") is rules


@pytest.mark.parametrize(
    ("alias", "keys"),
    [
        ("Zilch", ("zilch-online", "dice-10000")),
        ("10000", ("classic", "free-the-dice", "sir-albert", "playmonster", "dice-10000")),
        ("10,000", ("classic", "free-the-dice", "sir-albert")),
        ("Farkle", ("classic", "free-the-dice", "christian-brothers")),
    ],
)
def test_an_alias_that_several_share_is_refused_with_their_list(alias: str, keys: tuple[str, ...]) -> None:
    with pytest.raises(UnknownRuleSetError) as caught:
        find_rule_set(alias)
    assert all(repr(key) in str(caught.value) for key in keys)
