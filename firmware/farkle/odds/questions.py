"""A question about the odds of a game: a moment, seen by the side to move."""

from dataclasses import dataclass

from farkle.odds.duel import Duel, OddsError
from farkle.odds.listing import list_rolls
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class OddsQuestion:
    """A moment of a game, seen by the side to move; scores and points are those of the game.

    Attributes:
        mine: its score.
        theirs: the other side's score; at or beyond the target it has set off the last round.
        second: whether the other side begins the rounds.
        to_come: the turns to come in this round after this one, where a side has several players; in last turns those
            until the end. None: all others', or none if `second`.
        set_off: whether the side to move has set off the last turns; None: if it alone has reached the target.
        my_farkles: its farkles in a row.
        their_farkles: the other side's.
        points: the turn points; None if the turn is about to begin.
        dice: the dice to throw; None for all.
        roll: the dice thrown; None if they are not thrown yet.
        swapped: whether the pegs were swapped in this turn.
        must_throw: whether hot dice must be thrown again first.
        off_board: whether each side, mine first, has not entered yet; None: who has no points.
        to_end: the turns that are left of both sides with this one: 1 or 2, in a game of rounds or of several players a
            side up to all; None: those of `to_come` if a side has reached the target, all in a game of rounds, else
            nobody knows.
        offer: the points and the dice that the other side has left over, where the turn is about to begin; else None.
    """

    mine: int
    theirs: int
    second: bool = False
    to_come: int | None = None
    set_off: bool | None = None
    my_farkles: int = 0
    their_farkles: int = 0
    points: int | None = None
    dice: int | None = None
    roll: Faces | None = None
    swapped: bool = False
    must_throw: bool = False
    off_board: tuple[bool, bool] | None = None
    to_end: int | None = None
    offer: tuple[int, int] | None = None


def check_question(duel: Duel, question: OddsQuestion) -> None:
    """Check that a moment can be, before a game is solved for it.

    Raises:
        OddsError: if it cannot.
    """
    rules = duel.rules
    dice = rules.n_dice
    if question.to_come is not None and not 0 <= question.to_come < 2 * duel.partners:
        most = 2 * duel.partners - 1
        raise OddsError(f"expected 0 to {most} turns to come in a round of {most + 1}, got {question.to_come}")
    if question.to_end is None and not duel.has_rounds:
        _check_scores(duel, question)
    floor = rules.switches.penalty_floor == "start" or not rules.may_go_below_zero
    for name, score in (("mine", question.mine), ("theirs", question.theirs)):
        if score < 0 and floor:
            raise OddsError(f"expected a score of {name} of 0 or more, got {score}")
    for name, farkles in (("my", question.my_farkles), ("their", question.their_farkles)):
        if not 0 <= farkles <= 2:
            raise OddsError(f"expected 0 to 2 for {name} farkles in a row, got {farkles}")
    if question.points is not None and question.points < 0:
        raise OddsError(f"expected turn points of 0 or more, got {question.points}")
    if question.dice is not None and not 1 <= question.dice <= dice:
        raise OddsError(f"expected 1 to {dice} dice, got {question.dice}")
    if question.roll is not None and question.dice is not None and len(question.roll) != question.dice:
        raise OddsError(f"expected a roll of {question.dice} dice, got {len(question.roll)}")
    if question.roll is not None and question.points is None and len(question.roll) != dice:
        raise OddsError(f"expected a first roll of {dice} dice, or --turn, got {len(question.roll)}")
    if question.swapped and not duel.may_swap:
        raise OddsError(
            "expected rules with a Bomb that swaps pegs for --swapped, got bomb_swap=off or no bonus scores"
        )
    if question.points == 0 and (question.dice or dice) != dice and not question.swapped:
        raise OddsError(f"expected turn points of 1 or more with {question.dice} dice left, got 0")
    if question.offer is not None:
        _check_offer(duel, question, *question.offer)


def check_least_points(rules: RuleSet, question: OddsQuestion) -> None:
    """Check that the dice kept so far can score as few points as the question says, and those of an offer.

    This is no check of a game under way, where players may have counted the points.

    Raises:
        OddsError: if they score more.
    """
    fewest = _fewest_points(rules)
    points, dice = question.points or 0, question.dice or len(question.roll or ()) or rules.n_dice
    if points and not question.swapped and points < fewest[dice]:
        raise OddsError(f"expected turn points of {fewest[dice]} or more with {dice} dice to throw, got {points}")
    if question.offer is not None and question.offer[0] < fewest[question.offer[1]]:
        points, dice = question.offer
        raise OddsError(f"expected {fewest[dice]} points or more with {dice} dice left over, got {points}")


def _fewest_points(rules: RuleSet) -> list[int]:
    """Return the fewest points that the dice kept can have scored, by the dice to throw; index 0 is unused."""
    listing = list_rolls(rules, lower=True)
    every = listing.dice
    fewest = [10**9] * every + [0]
    hot = [listing.paid_points] if listing.paid else []
    for size in range(every, 0, -1):
        for option in (option for each in listing.classes[size] for option in each.options):
            points = fewest[size] + option.points
            if option.hot:
                hot.append(points)
            else:
                fewest[option.left] = min(fewest[option.left], points)
    return [each * listing.step for each in (*fewest[:-1], min(hot))]


def _check_offer(duel: Duel, question: OddsQuestion, points: int, dice: int) -> None:
    """Check that dice may be left over before a turn.

    Raises:
        OddsError: if they may not.
    """
    switches = duel.rules.switches
    if not switches.piggyback:
        raise OddsError("expected rules with piggyback for dice left over, got piggyback=false")
    if question.points is not None or question.roll is not None:
        raise OddsError("expected dice left over before a turn, got one that is under way")
    most = duel.rules.n_dice - (not switches.piggyback_hot)
    if points < 1 or not 1 <= dice <= most:
        raise OddsError(f"expected 1 point or more and 1 to {most} dice left over, got {points},{dice}")


def _check_scores(duel: Duel, question: OddsQuestion) -> None:
    """Check that both scores can be those of a turn whose place before the end is not said.

    Raises:
        OddsError: if they cannot.
    """
    target = duel.rules.switches.target
    if duel.several > 1:
        _check_last_turns(duel, question)
        return
    if question.mine >= target:
        raise OddsError(f"expected a score of mine below the target {target}, got {question.mine}")
    role = duel.all_roles[-1 if not question.second else 0]
    if question.theirs >= target and not role.answered:
        why = "there is no turn after that" if question.second else "the side that begins the round has no turn then"
        raise OddsError(f"expected a score of theirs below the target {target}, got {question.theirs}: {why}")


def turns_to_come(duel: Duel, question: OddsQuestion) -> int:
    """Return the turns to come in the round after this one, or until the end, of teams with several players."""
    if question.to_come is not None:
        return question.to_come
    if question.second:
        return 0
    ended = max(question.mine, question.theirs) >= duel.rules.switches.target
    return (duel.several if ended and duel.rules.ending == "one_more_turn" else 2 * duel.several) - 1


def _check_last_turns(duel: Duel, question: OddsQuestion) -> None:
    """Check that both scores of teams with several players can be those of a turn with these turns to come.

    Raises:
        OddsError: if they cannot.
    """
    target, to_come = duel.rules.switches.target, turns_to_come(duel, question)
    in_a_row = duel.rules.ending == "one_more_turn"
    last = duel.several if in_a_row else 2 * duel.several - 1
    most = last - 2, last - 1  # the side to move reaches it in an earlier turn of its own
    for whose, score, turns in zip(("mine", "theirs"), (question.mine, question.theirs), most, strict=True):
        if score >= target and to_come > turns:
            why = f"with {to_come} turns to come nobody of that side can have reached it"
            raise OddsError(f"expected a score of {whose} below the target {target}, got {score}: {why}")
