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


@pytest.mark.parametrize("name", SWITCHES)
def test_a_switch_takes_the_values_of_its_kind_as_text_too_and_refuses_others(name: str) -> None:
    kind, usual = SWITCHES[name], getattr(Switches(), name)
    assert kind.meaning
    assert kind.read(name, usual) == usual
    good: tuple[tuple[object, object], ...]
    match kind:
        case OneOf(values=values):
            assert usual == values[0]
            off = [(False, each) for each in ("none", "off") if each in values]
            good, wrong = (*((each, each) for each in values), *off), ("sometimes", 7, -1, 1.5, "")
        case Flag(points=points):
            assert (usual, points) == (False, name == "nobody_loses")
            good = ((True, True), (" TRUE ", True), ("yes", True), ("on", True), (False, False), ("off", False))
            good += (("250", 250), (0, False)) if points else ()
            wrong = ("maybe", "", None, 1.5, -1, 10**7)
        case Points(least=least, most=most):
            good = ((least, least), (f" {most} ", most), *((off, 0) for off in ("0", False, "off") if least == 0))
            wrong = (least - 1, "-1", "lots", True, 1.5, most + 1, None, *((0, "off") if least else ()))
    assert [kind.read(name, given) for given, _ in good] == [value for _, value in good]
    for each in wrong:
        assert refused_settings(FREE, **{name: each}) == f"{name}: expected {kind.allowed}, got {each!r}"


def test_the_switches_are_in_the_order_of_their_fields() -> None:
    assert list(SWITCHES) == [each.name for each in fields(Switches)]


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


def test_a_switch_may_contradict_what_the_sheet_sets() -> None:
    assert "farkle3_penalty" in refused_settings(ADVANCED, three_strikes_out=True)
    assert rules_of(ADVANCED, three_strikes_out=True, farkle3_penalty=0).switches.three_strikes_out
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


@pytest.mark.parametrize(("counts", "tracks"), [("points", {121: 100, 241: 50}), ("pegs", {121: 1, 241: 1})])
def test_rules_that_are_like_no_others_fit_the_usual_tracks(counts: str, tracks: dict[int, int]) -> None:
    head = f'key = "ours"\ntitle = "Ours"\nsource = "a wall"\ncounts_in = "{counts}"\n'
    assert own_rule_set(head + "[points]\nsingle = { 1 = 100 }\n", "ours.toml").tracks == tracks


# --- the defaults of the sheets and presets ---

OFF = dict.fromkeys(("charity", "find_loser", "piggyback", "vant_hof_6", "too_hot", "troublesome_twos"), False)
DEFAULTS: dict[str, dict[str, object]] = {
    BASIC: {**OFF, "target": 121, "bonus_scores": False, "five_dice_rollover": False, "farkle3_penalty": 0},
    ADVANCED: {**OFF, "farkle3_penalty": 20, "bomb_swap": "permanent", "one_peg_per_hole": "off"},
    CLASSIC: {**OFF, "target": 10_000, "opening_min": 0, "min_bank": 0},
    FREE: {**OFF, "target": 10_000, "opening_min": 0, "three_strikes_ouch": 0},
    ALBERT: {**OFF, "target": 10_000, "opening_min": 1000, "of_a_kind": "double", "forced_hot": "single_throw"},
    "sir-albert-350": {"opening_min": 350},
    CLASS: {**OFF, "target": 5000, "opening_min": 350, "farkle3_penalty": 1000},
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
