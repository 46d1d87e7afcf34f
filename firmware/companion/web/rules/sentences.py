"""The sentences of a rule card. Only rules that are on have one, and amounts are those of the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.web.rules.switches import amounts
from companion.words import NOTHING, Message, Text, english, joined, message
from farkle.rules.ruleset import RuleSet


class Section(StrEnum):
    """The sections of a rule card, in their order; the values are keys of [group] in the catalogue of words."""

    SCORING = "scoring"
    TURN = "turn"
    FARKLES = "farkles"
    EXTRAS = "extras"
    END = "end"


@dataclass(frozen=True)
class RuleSentence:
    """One rule in plain words; `name` is what players call it, or nothing."""

    section: Section
    name: Message
    text: Text


Rule = tuple[Message, Text]
"""A sentence without its section: its name and its text."""


def sentences_of(rules: RuleSet) -> tuple[RuleSentence, ...]:
    """Return a sentence for every rule that is on, as its switches are played, in the order of the sections."""
    told = zip(Section, (_scoring, _turn, _farkles, _extras, _end), strict=True)
    return tuple(RuleSentence(section, name, text) for section, rules_of in told for name, text in rules_of(rules))


def about(rules: RuleSet) -> Text:
    """Return what a rule set is, in one line; that of a house's own rule set is in the language of its file."""
    key = f"about.{rules.key}"
    return message(key) if key in english() else rules.about


def group_of(rules: RuleSet) -> Message:
    """Return the name of the group in which a rule set is listed."""
    return message(f"rule_group.{rules.group}")


def to_end(rules: RuleSet) -> bool:
    """Return whether the game goes to the end of whichever track it is played on."""
    return rules.to_track_end and rules.switches.target == rules.sheet.target


def _scoring(rules: RuleSet) -> Iterator[Rule]:
    s, chart = rules.switches, rules.chart
    bonus = message("rule_name.bonus_scores") if s.bonus_scores else NOTHING
    yield bonus, _equal_dice(rules)
    if 2 in chart.rows.get(1, {}) and 2 not in chart.rows.get(3, {}):
        yield NOTHING, _twos(rules)
    if any(each.name == "three pairs" for each in rules.table.combinations):
        yield NOTHING, message("rule.pairs_may_repeat" if s.pairs_may_repeat else "rule.pairs_differ")
    if s.full_house_bonus:
        yield message("rule_name.full_house"), message("rule.full_house_bonus", points=s.full_house_bonus)
    if s.lower_values:
        yield message("rule_name.lower_values"), message("rule.lower_values", **amounts("lower_values", chart))
    if s.no_straight:
        yield message("rule_name.no_straight"), message("rule.no_straight")
    if s.pocket_farkle:
        yield message("rule_name.pocket_farkle"), message("rule.pocket_farkle", **amounts("pocket_farkle", chart))
    if s.overpowered_ones:
        yield (
            message("rule_name.overpowered_ones"),
            message("rule.overpowered_ones", **amounts("overpowered_ones", chart)),
        )
    yield NOTHING, message("rule.any_split" if rules.lower_total_can_win else "rule.best_split")


def _equal_dice(rules: RuleSet) -> Text:
    """Return what four and more equal dice are worth."""
    s, chart = rules.switches, rules.chart
    six = s.n_dice == 6
    said: list[Message] = []
    if s.bonus_scores:
        said.append(message("rule.bonus" if six else "rule.bonus_of_five", **amounts("bonus_scores", chart)))
    elif s.of_a_kind == "double":
        said.append(message("rule.double"))
    elif s.of_a_kind == "flat":
        said.append(message("rule.flat" if six else "rule.flat_of_five", **amounts("of_a_kind_flat", chart)))
    if s.four_kind:
        said.append(message("rule.four_kind"))
    if s.five_kind:
        said.append(message("rule.five_kind"))
    if s.six_kind and six:
        said.append(message("rule.six_kind"))
    if said:
        return joined(*said)
    if any(size > 3 and row for size, row in chart.rows.items()):
        return message("rule.own_rows")
    return message("rule.no_rows" if six else "rule.no_rows_of_five")


def _twos(rules: RuleSet) -> Message:
    """Return what three 2s and more are worth where they have no row of their own."""
    s = rules.switches
    three = 3 * rules.chart.rows[1][2]
    scores = any(len(each.dice) > 3 and set(each.dice) == {2} for each in rules.table.combinations)
    follows = s.of_a_kind == "double" or s.bonus_scores or s.four_kind or s.five_kind or s.six_kind
    if s.twos_kind_value == "none" and not scores:
        return message("rule.twos_nothing", points=three)
    if s.twos_kind_value != "none" and scores and follows:
        return message("rule.twos_as_if", points=three, three=s.twos_kind_value)
    return message("rule.twos", points=three)


def _turn(rules: RuleSet) -> Iterator[Rule]:
    s = rules.switches
    yield NOTHING, message("rule.start", dice=s.start_roll_dice)
    yield NOTHING, message("rule.turn", dice=s.n_dice)
    yield NOTHING, message("rule.keep")
    hot = {"none": "rule.hot_may", "single_throw": "rule.hot_single_throw", "any": "rule.hot_must"}[s.forced_hot]
    name, key = ("rule_name.too_hot", "rule.too_hot") if s.too_hot else ("rule_name.hot", hot)
    yield message(name), message(key, dice=s.n_dice)
    if s.opening_min:
        yield message("rule_name.opening"), message("rule.opening", points=s.opening_min)
    if s.min_bank:
        yield message("rule_name.min_bank"), message("rule.min_bank", points=s.min_bank)
    if s.five_dice_rollover:
        worth = s.five_dice_rollover_points
        yield (
            message("rule_name.five_dice"),
            message("rule.five_dice" if worth else "rule.five_dice_nothing", points=worth),
        )


def _farkles(rules: RuleSet) -> Iterator[Rule]:
    s = rules.switches
    yield NOTHING, message("rule.farkle")
    at_most = s.penalty_floor == "start"
    if s.farkle_penalty:
        each = message("rule.farkle_cost_at_most" if at_most else "rule.farkle_cost", points=s.farkle_penalty)
        yield message("rule_name.farkle_cost"), each
    if s.three_strikes_out:
        yield message("rule_name.out"), message("rule.out")
    elif rules.farkles_cost:
        cost = message("rule.cost_at_most" if at_most else "rule.cost", points=rules.farkles_cost)
        then = message("rule.count_goes_on" if s.farkle_streak_reset == "never" else "rule.count_restarts")
        yield message("rule_name.ouch" if s.three_strikes_ouch else "rule_name.cost"), joined(cost, then)
    if rules.nobody_loses:
        brings = "rule.nobody_loses_any" if s.nobody_loses_scope == "any_six" else "rule.nobody_loses"
        yield message("rule_name.nobody_loses"), message(brings, points=rules.nobody_loses, dice=s.n_dice)
    if s.troublesome_twos:
        yield message("rule_name.troublesome_twos"), message("rule.troublesome_twos")


def _extras(rules: RuleSet) -> Iterator[Rule]:
    s = rules.switches
    if s.bonus_scores and s.n_dice == 6:
        bomb = {"permanent": "rule.bomb", "undone_on_farkle": "rule.bomb_undone", "off": "rule.bomb_off"}[s.bomb_swap]
        yield message("rule_name.bomb"), message(bomb)
    if s.vant_hof_6:
        ones = "rule.vant_hof_turn" if s.vant_hof_scope == "turn" else "rule.vant_hof"
        yield message("rule_name.vant_hof"), message(ones, points=rules.vant_hof)
    if s.piggyback:
        yield message("rule_name.piggyback"), message("rule.piggyback_hot" if s.piggyback_hot else "rule.piggyback")
    if s.one_peg_per_hole != "off":
        yield message("rule_name.one_peg"), message("rule.one_peg", holes=s.one_peg_per_hole)
    teams = message("rule.partners", players=rules.partners) if rules.partners else message("rule.teams")
    yield message("rule_name.teams"), joined(teams, _counted_by(rules))


def _counted_by(rules: RuleSet) -> Message:
    """Return for whom farkles in a row and openings count in teams."""
    s = rules.switches
    if s.streaks_per == "player":
        return message("rule.openings_of_player" if s.opening_min else "rule.farkles_of_player")
    return message("rule.openings_of_team" if s.opening_min else "rule.farkles_of_team")


def _end(rules: RuleSet) -> Iterator[Rule]:
    s = rules.switches
    reaches = _reaches(rules)
    if s.find_loser:
        loser = message("rule.find_loser", reaches=reaches)
        yield message("rule_name.find_loser"), loser
    elif s.rounds:
        ends = message("rule.rounds", rounds=s.rounds)
        yield message("rule_name.rounds"), joined(ends, message(_TIES[s.tie]))
    else:
        name = message("rule_name.defend") if s.endgame == "defend" else NOTHING
        yield name, _last_turns(rules, reaches)
    if s.six_ones_win:
        yield message("rule_name.six_ones_win"), message("rule.six_ones_win")
    if s.charity:
        yield message("rule_name.charity"), message("rule.charity", points=s.target)
    if s.points_a_hole:
        yield NOTHING, message("rule.points_a_hole", points=s.points_a_hole)


def _reaches(rules: RuleSet) -> Message:
    """Return what a side does to reach the target."""
    target = rules.switches.target
    if to_end(rules):
        return message("rule.to_track_end", hole=target)
    if rules.chart.pegs:
        return message("rule.to_hole", hole=target)
    return message("rule.to_points", points=target)


def _last_turns(rules: RuleSet, reaches: Message) -> Text:
    """Return how the game ends after a side has reached the target."""
    s = rules.switches
    ends = {
        "immediate": "rule.immediate",
        "one_more_turn": "rule.one_more_turn",
        "finish_round": "rule.finish_round",
        "defend": "rule.defend",
    }
    said = message(ends[s.endgame], reaches=reaches)
    if s.endgame == "immediate":
        return said
    one_throw = s.endgame == "one_more_turn" and s.last_turns == "one_throw"
    tie = "rule.tie_leader" if s.endgame == "defend" and s.tie == "trigger" else _TIES[s.tie]
    return joined(said, message("rule.one_throw") if one_throw else NOTHING, message(tie))


_TIES = {"shared": "rule.tie_shared", "trigger": "rule.tie_trigger", "extra_round": "rule.tie_extra_round"}
