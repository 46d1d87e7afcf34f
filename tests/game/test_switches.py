"""The switches: values, defaults, exclusions with their reasons, the presets, and the five sets in wide use."""

from dataclasses import fields

import brute_force
import pytest
from written_games import (
    cannot_begin,
    ended,
    play,
    points,
    refusal,
    refused_settings,
    rules_of,
    scores,
    to_move,
    winners,
    worth,
)

from farkle.errors import FarkleError, RuleSetError, UnknownRuleSetError
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


def test_every_switch_has_its_kind_in_the_order_of_the_fields_and_allows_its_default() -> None:
    assert list(SWITCHES) == [each.name for each in fields(Switches)]
    for each in fields(Switches):
        assert SWITCHES[each.name].read(each.name, each.default) == each.default


@pytest.mark.parametrize("name", WORDS)
def test_a_switch_takes_its_values_and_the_first_is_the_usual(name: str) -> None:
    kind = SWITCHES[name]
    assert isinstance(kind, OneOf)
    assert kind.values == WORDS[name]
    assert getattr(Switches(), name) == WORDS[name][0]


@pytest.mark.parametrize("name", WORDS)
def test_a_value_that_a_switch_does_not_know_is_refused_with_those_it_does(name: str) -> None:
    for wrong in ("sometimes", 7, -1, 1.5, ""):
        reason = refused_settings(BASIC, **{name: wrong})
        assert reason == f"{name}: expected {' or '.join(map(str, WORDS[name]))}, got {wrong!r}"


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_off_by_itself_and_takes_true_and_false(name: str) -> None:
    assert isinstance(SWITCHES[name], Flag)
    assert getattr(Switches(), name) is False
    for value in (True, "true", "yes", "on", " TRUE "):
        assert getattr(rules_of(CLASSIC, **{name: value}).switches, name) is True
    for value in (False, "false", "no", "off"):
        assert getattr(rules_of(CLASSIC, **{name: value}).switches, name) is False
    for wrong in ("maybe", "", None, 1.5):
        assert refused_settings(CLASSIC, **{name: wrong}).startswith(f"{name}: expected true")


@pytest.mark.parametrize("name", AMOUNTS)
def test_an_amount_is_nothing_by_itself_and_takes_points(name: str) -> None:
    assert isinstance(SWITCHES[name], Points)
    assert getattr(Switches(), name) == 0
    for value in (350, "350", " 350 "):
        assert getattr(rules_of(CLASSIC, **{name: value}).switches, name) == 350
    for off in (0, "0", False, "off"):
        assert getattr(rules_of(CLASSIC, **{name: off}).switches, name) == 0
    for wrong in (-1, "-1", "lots", True, 1.5, 10**7, None):
        assert refused_settings(CLASSIC, **{name: wrong}).startswith(f"{name}: expected points from 0")


def test_only_nobody_loses_also_takes_a_number_of_points() -> None:
    assert rules_of(FREE, nobody_loses=250).nobody_loses == 250
    assert rules_of(FREE, nobody_loses="250").nobody_loses == 250
    assert rules_of(FREE, nobody_loses=True).nobody_loses == 300
    assert rules_of(FREE).nobody_loses == 0
    assert {name for name in FLAGS if getattr(SWITCHES[name], "points", False)} == {"nobody_loses"}


@pytest.mark.parametrize("wrong", [0, -1, True, "0", "far"])
def test_a_target_is_at_least_one_point(wrong: object) -> None:
    assert refused_settings(BASIC, target=wrong).startswith("target: expected points from 1")


def test_a_switch_without_a_name_is_refused_with_the_nearest() -> None:
    assert (
        refused_settings(BASIC, charty=True) == "expected the name of a switch, got 'charty' (did you mean 'charity'?)"
    )
    assert "known: target, " in refused_settings(BASIC, xyzzy=True)


@pytest.mark.parametrize("name", ["wagering", "wager", "bets"])
def test_wagering_is_left_out(name: str) -> None:
    assert "expected the name of a switch" in refused_settings(ALBERT, **{name: True})


def test_every_switch_says_what_it_means_and_takes() -> None:
    for name, kind in SWITCHES.items():
        assert kind.meaning, name
        assert kind.allowed, name


def test_a_switch_set_to_what_the_sheet_says_is_no_change() -> None:
    for rules in catalogue():
        same = {name: getattr(rules.switches, name) for name in SWITCHES}
        assert rules.with_settings(same).settings() == {}


# --- exclusions ---


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"three_strikes_out": True, "three_strikes_ouch": 1000}, "cannot both put a player out and cost points"),
        ({"three_strikes_out": True, "farkle3_penalty": 20}, "cannot both put a player out and cost points"),
        ({"charity": True, "tie": "extra_round"}, "no side can pass"),
        ({"find_loser": True, "charity": True}, "pegs leave the board past its end, or must hit it exactly, not both"),
    ],
)
def test_contradictions_are_refused_with_both_names_and_the_reason(options: dict, words: str) -> None:
    reason = refused_settings(FREE, **options)
    assert words in reason
    assert all(name in reason for name in options)
    for name, value in options.items():
        assert rules_of(FREE, **{name: value}).settings() == {name: value}


@pytest.mark.parametrize("rules", [CLASS, ADVANCED, "super-farkle", "zilch-online"])
def test_three_strikes_out_contradicts_a_penalty_of_the_sheets_own(rules: str) -> None:
    assert "farkle3_penalty" in refused_settings(rules, three_strikes_out=True)
    assert rules_of(rules, three_strikes_out=True, farkle3_penalty=0).switches.three_strikes_out


def test_three_strikes_ouch_takes_the_place_of_the_sheets_own_penalty() -> None:
    lines = ("scores: Ann 2000, Ben 0", "farkles: Ann 2", "Ann: 223446")
    assert scores(play(CLASS, *lines, three_strikes_ouch=500)) == (1500, 0)


@pytest.mark.parametrize("name", sorted(brute_force.SIX_DICE_ONLY))
def test_combinations_of_six_dice_are_refused_with_five(name: str) -> None:
    value = brute_force.SWITCHES[name][1]
    reason = refused_settings(FREE, n_dice=5, **{name: value})
    assert reason == f"expected switches that go together, got n_dice=5 and {name}, which needs six dice"


def test_van_t_hofs_six_is_refused_with_five_dice() -> None:
    assert "n_dice=5 and vant_hof_6" in refused_settings(CLASSIC, n_dice=5, vant_hof_6=True)


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


@pytest.mark.parametrize("players", ["Ann", "Ann, Ben"])
def test_a_loser_is_found_among_three_or_more(players: str) -> None:
    assert "at least 3 players to find a loser" in cannot_begin(FREE, f"players: {players}", find_loser=True)
    assert play(FREE, "players: Ann, Ben, Cy", find_loser=True).state.rules.switches.find_loser


def test_a_loser_is_found_among_three_teams_and_not_two() -> None:
    six = "players: Ann, Ben, Cy, Di, Ed, Flo"
    two = (six, "teams: A = Ann, Cy, Ed; B = Ben, Di, Flo")
    assert "at least 3 teams to find a loser" in cannot_begin(BASIC, *two, find_loser=True)
    assert len(play(BASIC, six, "teams: A = Ann, Di; B = Ben, Ed; C = Cy, Flo", find_loser=True).state.sides) == 3


@pytest.mark.parametrize(
    ("players", "teams", "words"),
    [
        ("Ann, Ben, Cy", "A = Ann, Cy; B = Ben", "expected teams of equal size"),
        ("Ann, Ben, Cy, Di", "A = Ann, Cy; B = Ben", "expected each of Ann, Ben, Cy, Di in one team"),
        ("Ann, Ben, Cy, Di", "A = Ann, Cy; B = Ben, Cy", "expected each of Ann, Ben, Cy, Di in one team"),
        ("Ann, Ben, Cy, Di", "A = Ann, Ben, Cy, Di", "expected at least two teams, got one"),
        ("Ann, Ben", "A = Ann; B = Ben", "expected teams of equal size, two players or more in each"),
        ("Ann, Ben, Cy, Di", "A = Ann, Ben; B = Cy, Di", "expected the teams to alternate, such as Ann, Cy, Ben, Di"),
        ("Ann, Ben, Cy, Di", "A = Ann, Cy; a = Ben, Di", "expected teams of different names"),
    ],
)
def test_teams_that_do_not_divide_the_players_are_refused(players: str, teams: str, words: str) -> None:
    assert cannot_begin(FREE, f"players: {players}", f"teams: {teams}").startswith(words)


def test_partners_are_four_or_six_in_the_cribbage_game_and_any_number_elsewhere() -> None:
    eight = "players: A1, B1, A2, B2, A3, B3, A4, B4"
    teams = "teams: A = A1, A2, A3, A4; B = B1, B2, B3, B4"
    assert cannot_begin(BASIC, eight, teams).startswith("expected 4 or 6 players for partners")
    assert cannot_begin(ADVANCED, eight, teams).startswith("expected 4 or 6 players for partners")
    assert len(play(FREE, eight, teams).state.sides) == 2


@pytest.mark.parametrize("count", [1, 2, 12])
def test_one_to_twelve_may_play(count: int) -> None:
    names = ", ".join(f"P{number}" for number in range(count))
    assert len(play(BASIC, f"players: {names}").state.sides) == count


def test_thirteen_may_not() -> None:
    names = ", ".join(f"P{number}" for number in range(13))
    assert cannot_begin(BASIC, f"players: {names}") == "expected 1 to 12 players, got 13"


# --- the defaults of the sheets and presets ---

ALL_OFF = ("charity", "find_loser", "piggyback", "vant_hof_6", "too_hot", "troublesome_twos", "three_strikes_out")


def test_the_basic_cribbage_game_has_none_of_the_other_rules() -> None:
    switches = rules_of(BASIC).switches
    assert (switches.target, switches.start_roll_dice, switches.penalty_floor) == (121, 2, "start")
    for name in (*ALL_OFF, "bonus_scores", "five_dice_rollover", "farkle3_penalty"):
        assert not getattr(switches, name), name
    assert switches.one_peg_per_hole == "off"


def test_the_advanced_cribbage_game_has_the_first_three_and_the_bomb() -> None:
    basic, advanced = rules_of(BASIC).switches, rules_of(ADVANCED).switches
    differ = {name for name in SWITCHES if getattr(basic, name) != getattr(advanced, name)}
    assert differ == {"bonus_scores", "five_dice_rollover", "farkle3_penalty"}
    assert (advanced.farkle3_penalty, advanced.bomb_swap) == (20, "permanent")


def test_the_classic_sheet_has_its_optional_rules_off() -> None:
    switches = rules_of(CLASSIC).switches
    assert not any(getattr(switches, name) for name in ("opening_min", "min_bank", "vant_hof_6", "piggyback"))
    assert (switches.target, switches.endgame, switches.tie) == (10_000, "one_more_turn", "trigger")


def test_free_the_dice_has_all_sixteen_options_off() -> None:
    switches = rules_of(FREE).switches
    options = (
        *("opening_min", "three_strikes_out", "three_strikes_ouch", "four_kind", "five_kind", "six_kind"),
        *("nobody_loses", "lower_values", "no_straight", "pocket_farkle", "overpowered_ones", "too_hot"),
        *("charity", "troublesome_twos"),
    )
    assert not any(getattr(switches, name) for name in options)
    assert (switches.target, switches.streaks_per) == (10_000, "player")


def test_sir_albert_opens_at_1000_with_doubling_and_the_forced_throw() -> None:
    switches = rules_of(ALBERT).switches
    assert (switches.opening_min, switches.of_a_kind, switches.forced_hot) == (1000, "double", "single_throw")
    assert (switches.endgame, switches.tie, switches.target) == ("one_more_turn", "trigger", 10_000)


def test_sir_alberts_gentler_preset_differs_in_the_opening_alone() -> None:
    ours, sheet = rules_of("sir-albert-350").switches, rules_of(ALBERT).switches
    assert {name for name in SWITCHES if getattr(ours, name) != getattr(sheet, name)} == {"opening_min"}
    assert ours.opening_min == 350


def test_the_class_sheet_opens_at_350_and_takes_1000_for_three_farkles() -> None:
    switches = rules_of(CLASS).switches
    assert (switches.target, switches.opening_min, switches.farkle3_penalty) == (5000, 350, 1000)
    assert (switches.penalty_floor, switches.endgame) == ("none", "finish_round")


@pytest.mark.parametrize(
    ("preset", "differs"),
    [("packet-farkle", {"of_a_kind", "two_triplets"}), ("facebook-farkle", {"of_a_kind", "three_pairs"})],
)
def test_the_class_sheets_presets_differ_in_two_rows(preset: str, differs: set[str]) -> None:
    ours, sheet = rules_of(preset).switches, rules_of(CLASS).switches
    assert {name for name in SWITCHES if getattr(ours, name) != getattr(sheet, name)} == differs


def test_two_dice_are_thrown_for_the_start_in_the_cribbage_games_alone() -> None:
    found = {key: rules_of(key).switches.start_roll_dice for key in brute_force.SHEETS}
    assert {key for key, dice in found.items() if dice == 2} == {BASIC, ADVANCED}


def test_farkles_count_for_the_side_save_on_the_sheet_that_scores_teams_by_player() -> None:
    found = {key: rules_of(key).switches.streaks_per for key in brute_force.SHEETS}
    assert {key for key, whom in found.items() if whom == "player"} == {FREE}


@pytest.mark.parametrize("rules", catalogue(), ids=lambda rules: rules.key)
def test_every_rule_set_tells_its_title_source_and_track(rules) -> None:
    assert rules.title
    assert rules.source
    assert rules.about
    assert rules.fits(rules.smallest_track)


@pytest.mark.parametrize("rules", catalogue(), ids=lambda rules: rules.key)
def test_every_rule_set_is_found_by_key_and_title(rules) -> None:
    assert find_rule_set(rules.key) is rules
    assert find_rule_set(rules.key.upper()) is rules
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


# --- the five sets in wide use ---


def test_playmonster_is_the_classic_table_with_500_to_open() -> None:
    assert refusal("playmonster", "Ann: 444236 > 444, bank") == "500 to open, you have 400"
    assert scores(play("playmonster", "Ann: 555236 > 555, bank")) == (500, 0)
    rolls = ("111", "3333", "33333", "333333", "123456", "223344", "111555", "666611")
    found = [worth("playmonster", dice) for dice in rolls]
    assert found == [300, 1000, 2000, 3000, 1500, 1500, 2500, 1500]


def test_super_farkle_multiplies_and_takes_1000_for_three_farkles() -> None:
    found = [worth("super-farkle", dice) for dice in ("111", "3333", "33333", "333333", "123456", "223344")]
    assert found == [1000, 600, 900, 1200, 1500, 750]
    lines = ("scores: Ann 400, Ben 0", "farkles: Ann 2", "Ann: 223446")
    assert scores(play("super-farkle", *lines)) == (-600, 0)


def test_super_farkle_has_no_four_and_two_pairs() -> None:
    assert worth("super-farkle", "333344") is None


ZILCH = "zilch-online"


def test_zilch_doubles_and_takes_any_three_pairs() -> None:
    found = [worth(ZILCH, dice) for dice in ("111", "3333", "33333", "333333", "123456", "223344", "333344")]
    assert found == [1000, 600, 1200, 2400, 1500, 1500, 1500]


def test_zilch_asks_300_in_every_turn() -> None:
    assert refusal(ZILCH, "Ann: 222346 > 222, bank") == "300 at least in a turn, you have 200"
    assert scores(play(ZILCH, "Ann: 333246 > 333, bank")) == (300, 0)


def test_zilch_pays_500_for_six_dice_of_nothing_and_throws_them_again() -> None:
    assert scores(play(ZILCH, "Ann: 223446, bank")) == (500, 0)
    assert scores(play(ZILCH, "Ann: 223446, 223446, bank")) == (1000, 0)
    assert scores(play(ZILCH, "Ann: 111555 > 111555, 223446, bank")) == (2000, 0)
    assert ended(play(ZILCH, "Ann: 122346 > 1, 23446")) == [("Ann", 0, "farkle")]


def test_zilch_takes_500_for_the_third_zilch() -> None:
    lines = ("scores: Ann 2000, Ben 0", "farkles: Ann 2", "Ann: 122346 > 1, 23446")
    assert scores(play(ZILCH, *lines)) == (1500, 0)


TENTHOUSAND = "dice-10000"


def test_dice_10000_doubles_and_has_a_full_house() -> None:
    rolls = ("111", "3333", "33333", "333333", "123456", "223344", "33344")
    assert [worth(TENTHOUSAND, dice) for dice in rolls] == [1000, 600, 1200, 2400, 1500, 1000, 1500]
    assert worth(TENTHOUSAND, "333344") is None


def test_dice_10000_opens_at_1000_and_asks_300_after() -> None:
    assert refusal(TENTHOUSAND, "Ann: 666234 > 666, bank") == "1000 to open, you have 600"
    on_board = "scores: Ann 1000, Ben 0"
    assert refusal(TENTHOUSAND, on_board, "Ann: 222346 > 222, bank") == "300 at least in a turn, you have 200"
    assert scores(play(TENTHOUSAND, on_board, "Ann: 333246 > 333, bank")) == (1300, 0)


def test_dice_10000_lets_the_next_take_over() -> None:
    lines = ("Ann: 111246 > 111, bank", "Ben: piggyback, 246")
    assert ended(play(TENTHOUSAND, *lines))[-1] == ("Ben", 0, "farkle")
    assert points(play(TENTHOUSAND, lines[0], "Ben: piggyback, 146 > 1")) == 1100


def test_kcd_dice_has_straights_of_five_and_doubles() -> None:
    rolls = ("111", "3333", "33333", "333333", "12345", "23456", "123456")
    assert [worth("kcd-dice", dice) for dice in rolls] == [1000, 600, 1200, 2400, 500, 750, 1500]
    assert worth("kcd-dice", "112345") == 600
    assert worth("kcd-dice", "223344") is None


def test_kcd_dice_ends_with_the_first_to_reach_4000() -> None:
    lines = ("players: Ann, Ben, Cy", "scores: Ann 3900, Ben 3950, Cy 0", "Ann: 122346 > 1, bank")
    assert winners(play("kcd-dice", *lines)) == ("Ann",)


def test_the_next_turn_begins_where_the_target_was_not_reached() -> None:
    assert to_move(play("kcd-dice", "scores: Ann 3890, Ben 0", "Ann: 122346 > 1, bank")) == "Ben"


def test_every_error_of_the_rules_is_a_farkle_error() -> None:
    for options in ({"target": 0}, {"xyzzy": 1}, {"n_dice": 5, "two_triplets": 9}):
        with pytest.raises(FarkleError):
            rules_of(FREE, **options)
