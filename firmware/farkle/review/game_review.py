"""The review of a game: the chance to win after each act, what each decision gave away, and what each throw was worth.

For every act of an exact review `after - before == luck - price`. A throw is worth the chance to win after it; its luck
is that less the mean over all its rolls. A decision costs the worth of the best option less that of the one taken.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeVar

from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.standing import side_names
from farkle.game.state import GameState, Phase
from farkle.odds.game.answers import GameOdds, WinOdds
from farkle.odds.game.duel import OddsError
from farkle.review.moves import GameMove, moves_of
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet

T = TypeVar("T")

ACCURATE = 0.001
"""A decision is accurate if it gave away less than this chance to win."""


@dataclass(frozen=True)
class ReviewedAct:
    """One act.

    Attributes:
        act: its number in the game, from 1.
        player: who did it; empty for an act of all.
        before: the player's chance to win before it; None where nobody knows.
        after: the same after it.
        did: what was done, such as `throw`, `keep` or `bank`.
        best: the best option; None where there was nothing to choose.
        price: what the decision gave away of the chance.
        luck: what a throw was worth less its mean.
        decision: whether there was anything to choose.
        dice: the faces thrown or kept.
        points: the points kept or banked.
        best_dice: the dice that were best to keep, if `best` is `keep`.
        best_points: the total to declare for them, where that is not the most, or was not declared; else None.
        turn: the index of its turn; None between turns.
        chances: the chance of each side after it; empty where nobody knows.
    """

    act: int
    player: str
    before: float | None
    after: float | None
    did: str
    best: str | None
    price: float
    luck: float
    decision: bool
    dice: Faces
    points: int | None
    best_dice: Faces
    best_points: int | None
    turn: int | None
    chances: tuple[float, ...]


@dataclass(frozen=True)
class PlayerReview:
    """One player's game: `decisions`, how many of them were `accurate`, the chance given away, and the luck."""

    name: str
    decisions: int
    accurate: int
    given_away: float
    luck: float

    @property
    def accuracy(self) -> float | None:
        """The share of decisions that gave away less than `ACCURATE`; None without a decision."""
        return self.accurate / self.decisions if self.decisions else None


@dataclass(frozen=True)
class GameReview:
    """A game looked at afterwards.

    Attributes:
        exact: whether every chance is that of the game itself.
        untold: why some chances are not known; empty if all are.
        sides: the names of the sides at the end.
        start: the chance of each side at the start; empty where nobody knows.
        acts: all acts in order.
        players: the players in the order of their seats.
        luckiest: the number of the luckiest throw; None without a throw that was better than its mean.
        turning: the number of the act from which on the winner was ahead to the end; None for a game without one
            winner, or whose winner was ahead from the start.
    """

    exact: bool
    untold: str
    sides: tuple[str, ...]
    start: tuple[float, ...]
    acts: tuple[ReviewedAct, ...]
    players: tuple[PlayerReview, ...]
    luckiest: int | None
    turning: int | None


def review_of(
    events: Iterable[ev.Event],
    odds: Callable[[RuleSet], GameOdds],
    done: Callable[[float], object] | None = None,
) -> GameReview:
    """Return the review of a game.

    Args:
        events: the effective events of the game, from its start.
        odds: returns the odds of the games of a rule set.
        done: takes the share of the work that is done, from 0 to 1.

    Raises:
        OddsError: if the game has no chance to win.
    """
    start, moves = moves_of(events)
    end = moves[-1].after if moves else start
    if start.rules.switches.find_loser:
        raise OddsError("expected rules that look for a winner, got find_loser: nobody knows the chance to lose")
    if len(end.sides) < 2:
        raise OddsError("expected a game of two sides or more, got one")
    known = _KnownOdds(odds(start.rules))
    begin = chances = known.chances(start)
    acts: list[ReviewedAct] = []
    for number, move in enumerate(moves, 1):
        acts.append(_act(number, move, chances, known))
        chances = acts[-1].chances
        if done is not None:
            done(number / len(moves))
    return GameReview(
        exact=known.exact,
        untold=known.untold,
        sides=side_names(end),
        start=begin,
        acts=tuple(acts),
        players=tuple(_player(name, acts) for name in end.players),
        luckiest=_luckiest(acts),
        turning=_turning(end, begin, acts),
    )


def costly(review: GameReview) -> list[ReviewedAct]:
    """Return the decisions that gave something away, the most costly first."""
    return sorted((act for act in review.acts if act.price >= ACCURATE), key=lambda act: -act.price)


def decisions_of(moves: Iterable[GameMove], odds: GameOdds) -> tuple[tuple[ReviewedAct, ...], bool]:
    """Return the decisions among moves, and whether all their chances are exact; what nobody knows is left out."""
    known = _KnownOdds(odds)
    acts = [_act(number, move, (), known) for number, move in enumerate(moves, 1)]
    return tuple(act for act in acts if act.decision), known.exact


class _KnownOdds:
    """What the odds tell of a game; notes whether it is all exact, and why something is not known."""

    def __init__(self, odds: GameOdds) -> None:
        self._odds = odds
        self.exact = True
        self.untold = ""

    def _told(self, ask: Callable[[GameState], T], state: GameState) -> T | None:
        """Return what the odds tell of a state, or None where nobody knows."""
        try:
            return ask(state)
        except OddsError as error:
            self.exact, self.untold = False, self.untold or str(error)
            return None

    def chances(self, state: GameState) -> tuple[float, ...]:
        """Return the chance of each side, or nothing where nobody knows."""
        if state.over and not state.winners:
            return ()
        self.exact &= state.over or self._odds.exact(state)
        return self._told(self._odds.chances, state) or ()

    def choices(self, state: GameState) -> WinOdds | None:
        """Return the worth of the choices before an act, or None where nobody knows."""
        found = self._told(self._odds.choices, state)
        self.exact &= found is not None and found.exact
        return found


@dataclass(frozen=True)
class _Option:
    """One option of a decision and the chance to win that it leaves.

    An option that keeps dice has their `points`. `lower` says that a higher total was allowed for them.
    """

    name: str
    worth: float
    dice: Faces = ()
    points: int | None = None
    lower: bool = False


def _act(number: int, move: GameMove, before: tuple[float, ...], known: _KnownOdds) -> ReviewedAct:
    after = known.chances(move.after)
    chosen = isinstance(move.command, do.Roll | do.Keep | do.Bank | do.Choose)  # the odds know what these are worth
    found = known.choices(move.before) if chosen else None
    options = _options(move.before, found) if found is not None else []
    dice, points = _dice_and_points(move)
    side = None if move.player is None else move.after.side_of(move.player)
    was, now = (None if side is None or side >= len(each) else each[side] for each in (before, after))
    done = _done(move, options, now)
    if done is not None and done not in options:  # a lower total that is worth less
        options.append(done)
    luck = 0.0
    if move.did == "throw" and now is not None:
        mean = done.worth if done is not None else was
        luck = now - mean if mean is not None else 0.0
    best = max(options, key=lambda each: each.worth) if done is not None and len(options) > 1 else None
    total = best and done and (best.lower or (best.dice == done.dice and best.points != done.points))
    return ReviewedAct(
        act=number,
        player="" if move.player is None else move.after.players[move.player],
        before=was,
        after=now,
        did=move.did,
        best=best.name if best else None,
        price=max(0.0, best.worth - done.worth) if best and done else 0.0,
        luck=luck,
        decision=best is not None,
        dice=dice,
        points=points,
        best_dice=best.dice if best else (),
        best_points=best.points if best and total else None,
        turn=move.turn,
        chances=after,
    )


def _options(state: GameState, found: WinOdds) -> list[_Option]:
    """Return the options before an act, the selections with the most points first."""
    choices = found.choices or ()
    if state.phase is Phase.CHOOSING:
        kept: dict[tuple[Faces, int], float] = {}
        most: dict[Faces, int] = {}
        for each in choices:
            dice = tuple(sorted(each.dice))
            points = each.points if each.choice != "swap" else most[dice]  # the swap is chosen after the dice are kept
            most.setdefault(dice, points)
            kept[dice, points] = max(kept.get((dice, points), 0.0), each.worth)
        return [_Option("keep", worth, dice, n, lower=n < most[dice]) for (dice, n), worth in kept.items()]
    named = {"bank": found.bank, "throw": found.throw, "fresh": found.fresh, "piggyback": found.piggyback}
    options = [_Option(name, worth) for name, worth in named.items() if worth is not None]
    return options + [_Option(each.choice, each.worth) for each in choices if each.choice is not None]


def _done(move: GameMove, options: Sequence[_Option], now: float | None) -> _Option | None:
    """Return the option that was taken, or None if the odds do not list it.

    A declared total that the odds do not list gets the chance `now`.
    """
    if move.did == "keep":
        kept, points = _dice_and_points(move)
        dice = tuple(sorted(kept))
        fitting = [each for each in options if each.dice == dice]
        if fitting and points not in [each.points for each in fitting] and now is not None:
            return replace(fitting[0], worth=now, points=points, lower=True)
        return next((each for each in fitting if each.points == points), None)
    if move.did == "points":  # a Bomb's points: what then is best
        return max(
            (each for each in options if each.name in ("bank", "throw")), key=lambda each: each.worth, default=None
        )
    begins = move.did == "throw" and any(each.name == "fresh" for each in options)
    did = "fresh" if begins else move.did  # a throw of all dice begins a fresh turn
    return next((each for each in options if each.name == did), None)


def _dice_and_points(move: GameMove) -> tuple[Faces, int | None]:
    """Return the dice that were thrown or kept, and the points that were kept, banked, counted or agreed on."""
    match move.events[0]:
        case ev.DiceRolled(faces=faces) | ev.StartThrown(faces=faces):
            return faces, None
        case ev.DiceKept(dice=dice, points=points):
            return dice, points
        case ev.TurnBanked(points=points) | ev.PointsCounted(points=points) | ev.ScoreAdjusted(score=points):
            return (), points
    return (), None


def _player(name: str, acts: Sequence[ReviewedAct]) -> PlayerReview:
    own = [act for act in acts if act.player == name]
    decisions = [act for act in own if act.decision]
    return PlayerReview(
        name=name,
        decisions=len(decisions),
        accurate=sum(act.price < ACCURATE for act in decisions),
        given_away=sum(act.price for act in decisions),
        luck=sum(act.luck for act in own),
    )


def _luckiest(acts: Sequence[ReviewedAct]) -> int | None:
    best = max(acts, key=lambda act: act.luck, default=None)
    return best.act if best is not None and best.luck > 0 else None


def _turning(end: GameState, begin: tuple[float, ...], acts: Sequence[ReviewedAct]) -> int | None:
    """Return the number of the act from which on the only winner had the best chance of all sides."""
    if len(end.winners) != 1:
        return None
    winner = end.winners[0]

    def leads(chances: tuple[float, ...]) -> bool:
        others = [chance for side, chance in enumerate(chances) if side != winner]
        return winner < len(chances) and chances[winner] > max(others, default=0.0)

    every = (begin, *(act.chances for act in acts))
    number = len(every) - len(tuple(takewhile(leads, reversed(every))))
    return number if 0 < number < len(every) else None
