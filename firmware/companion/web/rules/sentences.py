"""A rule set in plain words: the sentences of a rule card, each with the switches that it tells.

Only rules that are on are told. Words are English; amounts are those of the rule set.
"""

from companion.web.rules.scoring import SCORE_TELLERS
from companion.web.rules.told import Section, Teller, Told, points, to_end
from companion.web.rules.words import number
from farkle.rules.ruleset import RuleSet

KEEPING = Told(
    Section.TURN, "You need not keep all that scores. Only dice of one throw combine, and each die counts once."
)
FARKLING = Told(Section.FARKLES, "A throw in which nothing scores is a farkle: your turn ends and its points are lost.")

COUNTS = {1: "one", 2: "two", 5: "five", 6: "six"}
"""Small numbers as words."""


def told(rules: RuleSet) -> tuple[Told, ...]:
    """Every rule of this rule set that is on, as its switches are played, in the order of the sections."""
    tellers = (*SCORE_TELLERS, *TELLERS)
    found = [each if isinstance(each, Told) else each(rules) for each in tellers]
    return tuple(one for section in Section for one in found if one is not None and one.section is section)


def _throw(rules: RuleSet) -> Told:
    s = rules.switches
    dice = COUNTS[s.n_dice]
    return Told(
        Section.TURN,
        f"Throw all {dice} dice. Set aside at least one die or combination that scores; then bank the points, or throw "
        "the other dice for more.",
        ("n_dice",),
    )


def _hot(rules: RuleSet) -> Told:
    s = rules.switches
    dice = COUNTS[s.n_dice]
    switches = ("forced_hot", "too_hot")
    if s.too_hot:
        text = f"Once all {dice} dice have scored, they must be thrown again before you may bank."
        return Told(Section.TURN, text, switches, "Too Hot To Handle")
    text = {
        "none": f"When all {dice} dice have scored, you may throw all {dice} again and go on counting.",
        "single_throw": f"When all {dice} dice score in a single throw, you must throw all {dice} again; when they "
        "took several throws, you may.",
        "any": f"When all {dice} dice have scored, you must throw all {dice} again.",
    }[s.forced_hot]
    return Told(Section.TURN, text, switches, "Hot dice")


def _opening(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.opening_min:
        return None
    return Told(
        Section.TURN,
        f"To get on the board you need {points(s.opening_min)} in one turn; until then less cannot be banked.",
        ("opening_min",),
        "Opening",
    )


def _least(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.min_bank:
        return None
    return Told(
        Section.TURN, f"Every turn needs {points(s.min_bank)} before it may be banked.", ("min_bank",), "Least bank"
    )


def _last_die(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.five_dice_rollover:
        return None
    worth = s.five_dice_rollover_points
    text = "With five dice set aside the last one succeeds on a 1, a 2 or a 3. Where it has no score of its own it is "
    text += f"worth {points(worth) if worth else 'nothing'}, but all six have scored: bank, or throw all six."
    return Told(Section.TURN, text, ("five_dice_rollover", "five_dice_rollover_points"), "5 dice roll over")


def _streak(rules: RuleSet) -> Told | None:
    s = rules.switches
    if s.three_strikes_out:
        text = "Three farkled turns in a row put a player out of the game."
        return Told(Section.FARKLES, text, ("three_strikes_out",), "Three Strikes and Out")
    if not rules.farkles_cost:
        return None
    cost = points(rules.farkles_cost)
    text = f"Three farkled turns in a row cost {cost}"
    text += ", but never more than you have. " if s.penalty_floor == "start" else "; a score may fall below 0. "
    if s.farkle_streak_reset == "never":
        text += "Each further one in a row costs it again; a banked turn ends the row."
    else:
        text += "Then, and after a banked turn, counting begins anew."
    switches = ("farkle3_penalty", "three_strikes_ouch", "penalty_floor", "farkle_streak_reset")
    name = "Three Strikes and Ouch" if s.three_strikes_ouch else "Three in a row"
    return Told(Section.FARKLES, text, switches, name)


def _nobody_loses(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not rules.nobody_loses:
        return None
    any_six = s.nobody_loses_scope == "any_six"
    which = f"Any throw of all {COUNTS[s.n_dice]} dice" if any_six else "The first throw of a turn"
    text = (
        f"{which} in which nothing scores is no farkle: it pays {points(rules.nobody_loses)}. Bank, or throw all again."
    )
    return Told(Section.FARKLES, text, ("nobody_loses", "nobody_loses_scope"), "Nobody Loses")


def _twos(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.troublesome_twos:
        return None
    text = "Four or more 2s in one throw are a farkle, whatever else lies there."
    return Told(Section.FARKLES, text, ("troublesome_twos",), "Troublesome Twos")


def _bomb(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.bonus_scores or s.n_dice < 6:
        return None
    if s.bomb_swap == "off":
        return Told(Section.EXTRAS, "Six of a kind have their points; no pegs are swapped.", ("bomb_swap",), "The Bomb")
    stays = (
        "The swap stays, also after a farkle." if s.bomb_swap == "permanent" else "A farkle in the same turn undoes it."
    )
    text = "For six of a kind take the points, or none and swap your peg at once with the leader's ahead of you. "
    return Told(Section.EXTRAS, f"{text}{stays}", ("bomb_swap",), "The Bomb")


def _vant_hof(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.vant_hof_6:
        return None
    which = "of one turn" if s.vant_hof_scope == "turn" else "of one set of six dice"
    text = (
        f"Six 1s {which}, set aside over several throws, may be given {points(rules.vant_hof)} in place of their own."
    )
    return Told(Section.EXTRAS, text, ("vant_hof_6", "vant_hof_scope"), "Van't Hof 6")


def _piggyback(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.piggyback:
        return None
    text = (
        "When the player before you has banked, throw all the dice, or only those left over and go on from those points"
    )
    text += "; all of them again where all had scored." if s.piggyback_hot else "."
    return Told(Section.EXTRAS, text, ("piggyback", "piggyback_hot"), "Piggyback")


def _bump(rules: RuleSet) -> Told | None:
    s = rules.switches
    if s.one_peg_per_hole == "off":
        return None
    holes = "one hole" if s.one_peg_per_hole == 1 else f"{COUNTS[int(s.one_peg_per_hole)]} holes"
    text = (
        f"A peg that comes to rest on another puts it {holes} back, never behind the start; that one may bump in turn."
    )
    return Told(Section.EXTRAS, text, ("one_peg_per_hole",), "One peg per hole")


def _teams(rules: RuleSet) -> Told:
    s = rules.switches
    if rules.partners:
        counts = " or ".join(str(count) for count in rules.partners)
        text = f"{counts} players may play in teams of equal size; they take turns team by team and share one peg. "
    else:
        text = "Teams of equal size take turns team by team and add up their scores. "
    text += f"Farkles in a row {'and openings ' if s.opening_min else ''}count for "
    return Told(
        Section.EXTRAS, text + ("each player." if s.streaks_per == "player" else "the team."), ("streaks_per",), "Teams"
    )


def _start(rules: RuleSet) -> Told:
    s = rules.switches
    dice = "one die" if s.start_roll_dice == 1 else f"{COUNTS[s.start_roll_dice]} dice"
    text = f"Who starts: each throws {dice}, the highest begins, and who ties throws again. Turns go clockwise."
    return Told(Section.TURN, text, ("start_roll_dice",))


def _goal(rules: RuleSet) -> str:
    target = rules.switches.target
    if to_end(rules):
        return f"gets a peg to the end of the track, hole {number(target)} (241 on the long one), or past it"
    if rules.chart.pegs:
        return f"gets a peg to hole {number(target)} or past it" + (
            ", the end of the track" if target in (121, 241) else ""
        )
    return f"has {number(target)} or more"


def _end(rules: RuleSet) -> Told:
    s = rules.switches
    if s.find_loser:
        text = f"Who {_goal(rules)} is safe and takes the peg off. Play goes on until one is left: that side loses."
        return Told(Section.END, text, ("find_loser", "target", "endgame", "tie"), "Find a Loser")
    if s.endgame == "immediate":
        text = f"The first who {_goal(rules)} wins at once."
        return Told(Section.END, text, ("target", "endgame", "tie"))
    after = "the round is finished, so that all have had equally many turns"
    if s.endgame == "one_more_turn":
        after = "each of the others has one more turn"
    ties = {
        "shared": "Equal scores share the win.",
        "trigger": "Equal is not enough: who got there first keeps the win.",
        "extra_round": "Who ties plays another round.",
    }[s.tie]
    text = f"When someone {_goal(rules)}, {after}. The highest score wins. {ties}"
    return Told(Section.END, text, ("target", "endgame", "tie"))


def _charity(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.charity:
        return None
    text = f"{points(s.target)} must be hit exactly. A turn that would overshoot gives its points to the lowest other "
    return Told(Section.END, f"{text}player, unless they would overshoot too.", ("charity",), "Charity")


def _a_hole(rules: RuleSet) -> Told | None:
    s = rules.switches
    if not s.points_a_hole:
        return None
    return Told(Section.END, f"The house counts {points(s.points_a_hole)} for one hole.", ("points_a_hole",))


TELLERS: tuple[Teller | Told, ...] = (
    _start,
    _throw,
    KEEPING,
    _hot,
    _opening,
    _least,
    _last_die,
    FARKLING,
    _streak,
    _nobody_loses,
    _twos,
    _bomb,
    _vant_hof,
    _piggyback,
    _bump,
    _teams,
    _end,
    _charity,
    _a_hole,
)
"""Each is one rule or tells one, None where it is off."""
