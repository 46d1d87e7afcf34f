"""What scores, in plain words: the sentences beside the table of combinations."""

from companion.web.rules.told import Section, Teller, Told
from companion.web.rules.words import number
from farkle.rules.ruleset import RuleSet

ROWS = {
    "straight": "straight",
    "low_straight": "low straight",
    "high_straight": "high straight",
    "three_pairs": "three pairs",
    "two_triplets": "two triplets",
    "four_and_pair": "four of a kind and a pair",
    "full_house": "full house",
}
"""Switches that are rows of the table of combinations, with the row's name: the table itself tells them."""

_MORE = {4: "four", 5: "five", 6: "six"}
_TIMES = (("four_kind", "four", "twice"), ("five_kind", "five", "three times"), ("six_kind", "six", "four times"))


def _has(rules: RuleSet, name: str) -> bool:
    return any(each.name == name for each in rules.table.combinations)


def _split(rules: RuleSet) -> Told:
    text = "Dice that can be split in several ways are worth the best split"
    text += "; you may declare a lower one." if rules.lower_score_can_win else "."
    return Told(Section.SCORING, text)


def _more_of_a_kind(rules: RuleSet) -> Told:
    s = rules.switches
    most = [size for size in _MORE if size <= s.n_dice]
    sizes = ", ".join(_MORE[size] for size in most)
    chart = rules.chart
    said: list[str] = []
    if s.bonus_scores:
        more = ", ".join(number(chart.convert_pegs({4: 10, 5: 15, 6: 20}[size])) for size in most)
        said.append(f"{sizes} of a kind are {more} more than the three")
    elif s.of_a_kind == "double":
        said.append("each equal die beyond the third doubles the score")
    elif s.of_a_kind == "flat":
        flat = ", ".join(number(chart.convert_points(1000 * (size - 3))) for size in most)
        said.append(f"{sizes} of a kind are {flat}, whatever their number")
    said += [f"{size} of a kind are {times} the three" for name, size, times in _TIMES if getattr(s, name)]
    switches = ("of_a_kind", "bonus_scores", "four_kind", "five_kind", "six_kind")
    if said or any(size > 3 and row for size, row in chart.rows.items()):
        text = _sentence("; ".join(said) or f"{sizes} of a kind have rows of their own")
        return Told(Section.SCORING, text, switches, "Bonus scores" if s.bonus_scores else "")
    text = "A fourth and a fifth equal die count by themselves, or not at all"
    return Told(Section.SCORING, text + ("; six equal dice are twice the three." if s.n_dice == 6 else "."), switches)


def _twos(rules: RuleSet) -> Told | None:
    s = rules.switches
    chart = rules.chart
    if 2 not in chart.rows.get(1, {}) or 2 in chart.rows.get(3, {}):
        return None
    text = f"Three 2s are three singles, {number(3 * chart.rows[1][2])}"
    grows = any(
        each.dice[0] == 2 and len(each.dice) in _MORE and len(set(each.dice)) == 1 for each in rules.table.combinations
    )
    if s.twos_kind_value == "none":
        text += ", and more of them build on nothing"
    elif grows:
        text += f"; four and more build on {s.twos_kind_value}"
    return Told(Section.SCORING, f"{text}.", ("twos_kind_value",))


def _pairs(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not _has(rules, "three pairs"):
        return None
    text = "Three pairs are of three different numbers."
    if s.pairs_may_repeat:
        text = "Three pairs may repeat a number: four and two equal dice count, and six equal ones."
    return Told(Section.SCORING, text, ("pairs_may_repeat",))


def _lower(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.lower_values:
        return None
    chart = rules.chart
    pairs, straight = number(chart.convert_points(750)), number(chart.convert_points(1500))
    text = f"Three pairs are {pairs} and the straight {straight}, where they score."
    return Told(Section.SCORING, text, ("lower_values",), "Lower Values")


def _no_straight(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.no_straight:
        return None
    return Told(Section.SCORING, "A straight is worth only its single dice.", ("no_straight",), "No Straight")


def _pocket(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.pocket_farkle:
        return None
    return Told(
        Section.SCORING, f"Three 1s are {number(rules.chart.convert_points(300))}.", ("pocket_farkle",), "Pocket Farkle"
    )


def _overpowered(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.overpowered_ones:
        return None
    text = f"Six 1s are {number(rules.chart.convert_points(5000))}."
    return Told(Section.SCORING, text, ("overpowered_ones",), "Overpowered Ones")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


SCORE_TELLERS: tuple[Teller, ...] = (
    _more_of_a_kind,
    _twos,
    _pairs,
    _lower,
    _no_straight,
    _pocket,
    _overpowered,
    _split,
)
"""Each tells one thing about what scores, or None where there is nothing to tell."""
