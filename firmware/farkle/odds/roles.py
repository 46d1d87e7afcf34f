"""The turns of a round of two sides: their order, and the last turns after a win in each."""

from dataclasses import dataclass

from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Role:
    """A turn's place in the round: the other side's role in the next turn, and the last turns after a win in this one.

    `begins` says whether it is the side that begins the round.
    """

    follows: int
    last_turns: int
    begins: bool

    @property
    def answered(self) -> bool:
        """Whether the other side may still answer a win."""
        return self.last_turns > 0


def roles_of(ending: str, partners: int) -> tuple[Role, ...]:
    """Return the roles of a round of two sides with these players each, in the order of their turns."""
    count = 2 * partners
    last_turns = {
        "one_more_turn": (partners,) * count,
        "immediate": (0,) * count,
    }.get(ending, tuple(range(count - 1, -1, -1)))
    return tuple(Role((place + 1) % count, last_turns[place], place % 2 == 0) for place in range(count))


def partners_left_aside(rules: RuleSet) -> tuple[str, ...]:
    """Return the switches that make a game of two teams an estimate, though one of two players is exact."""
    switches = rules.switches
    found = []
    alone = rules.farkles_cost or switches.three_strikes_out or switches.opening_min
    if switches.streaks_per == "player" and alone:
        found.append("streaks_per")
    if switches.one_peg_per_hole != "off" and rules.ending != "immediate":
        found.append("one_peg_per_hole")
    if rules.ending == "one_more_turn" and switches.tie == "extra_round":
        found.append("tie")
    if switches.piggyback and rules.ending != "immediate":
        found.append("piggyback")
    return tuple(found)


def partners_that_count(rules: RuleSet, partners: int) -> int:
    """Return the players of a side that change the odds: one where the game ends at once, or is an estimate anyway."""
    several = rules.ending in ("finish_round", "one_more_turn", "rounds")
    return 1 if not several or rules.ends_with_one_throw or partners_left_aside(rules) else partners
