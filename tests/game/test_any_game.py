"""Whole random games of any rule set, any compatible switches, any sides and any acts, played to their end."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

import brute_force
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from farkle.errors import FarkleError, RuleSetError, SeatingError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.choices import open_choice
from farkle.game.evolve import fold
from farkle.game.machine import NOT_NOW, TRANSITIONS, can, command_of, decide, verify
from farkle.game.order import is_one_throw
from farkle.game.seating import start
from farkle.game.standing import hole, losers, places, position
from farkle.game.state import GameState, Phase
from farkle.game.takeover import Standing, take_over
from farkle.game.turn import offered
from farkle.notation import write
from farkle.replay import replay
from farkle.rules.catalogue import find_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import legal_selections
from farkle.rules.switches import SWITCHES

KEYS = tuple(brute_force.SHEETS)
TURN_SWITCHES: Mapping[str, tuple[object, ...]] = {
    "start_roll_dice": (1, 2),
    "rounds": (0, 3),
    "endgame": ("finish_round", "one_more_turn", "immediate", "defend"),
    "last_turns": ("whole_turn", "one_throw"),
    "tie": ("shared", "trigger", "extra_round"),
    "charity": (False, True),
    "find_loser": (False, True),
    "six_ones_win": (False, True),
    "opening_min": (0, 3),
    "min_bank": (0, 2),
    "forced_hot": ("none", "single_throw", "any"),
    "too_hot": (False, True),
    "farkle_penalty": (0, 7),
    "farkle3_penalty": (0, 20),
    "three_strikes_ouch": (0, 30),
    "three_strikes_out": (False, True),
    "penalty_floor": ("none", "start"),
    "farkle_streak_reset": ("after_penalty", "never"),
    "streaks_per": ("side", "player"),
    "nobody_loses": (False, True, 4),
    "nobody_loses_scope": ("first_throw", "any_six"),
    "bomb_swap": ("permanent", "undone_on_farkle", "off"),
    "vant_hof_6": (False, True),
    "vant_hof_scope": ("dice_set", "turn"),
    "piggyback": (False, True),
    "piggyback_hot": (False, True),
    "one_peg_per_hole": ("off", 1, 5),
}
"""Every switch about turns, banking and the end, with the values that are tried."""

ALL = {**brute_force.SWITCHES, **TURN_SWITCHES}
CHOICES = [(name, value) for name, values in ALL.items() for value in values]
OPTIONS = st.lists(st.sampled_from(CHOICES), max_size=9).map(dict)
NAMES = ("Ann", "Ben", "Cy Dee", "bank", "Zoë", "A:B", "7", "throws", "a,b; c", "x = #1 > y", "-", "<b>")


def excluded(key: str, options: Mapping[str, object]) -> bool:
    """Return whether these switches, added to the sheet's own, contradict each other by the rules."""
    sheet = find_rule_set(key).switches
    on = {name: options.get(name, getattr(sheet, name)) for name in SWITCHES}
    costs = on["three_strikes_ouch"] or on["farkle3_penalty"]
    six = (*brute_force.SIX_DICE_ONLY, "vant_hof_6", "six_ones_win")
    asked = any(options.get(name) and options[name] != getattr(sheet, name) for name in six)
    return bool(
        (on["three_strikes_out"] and costs)
        or (on["charity"] and (on["find_loser"] or on["tie"] == "extra_round"))
        or (on["rounds"] and (on["charity"] or on["find_loser"] or on["tie"] == "trigger"))
        or (on["six_ones_win"] and on["find_loser"])
        or (on["full_house"] and on["full_house_bonus"])
        or (on["n_dice"] == 5 and asked)
    )


@given(st.sampled_from(KEYS), OPTIONS)
def test_settings_that_contradict_each_other_never_start_and_all_others_do(key: str, options: dict) -> None:
    try:
        rules = find_rule_set(key).with_settings(options)
    except RuleSetError:
        assert excluded(key, options)
    else:
        assert not excluded(key, options)
        assert start(rules, NAMES[:3])


def test_every_switch_is_tried() -> None:
    assert SWITCHES.keys() - ALL.keys() == {"target", "points_a_hole"}


# --- what a game's events say, added up once more ---


class Ledger:
    """Scores and turn points, computed from the events alone."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.scores: list[int] = []
        self.side_of: list[int] = []
        self.turn = 0
        self.turns: Counter[int] = Counter()
        self.won_at_once: int | None = None

    def take(self, event: ev.Event) -> None:
        match event:
            case ev.GameStarted(sides=sides, players=players):
                self.scores = [0] * len(sides)
                self.side_of = [next(s for s, members in enumerate(sides) if p in members) for p in range(len(players))]
            case ev.StandingGiven(scores=scores):
                self.scores = list(scores)
            case ev.PlayerJoined():
                self.side_of.append(len(self.scores))
                self.scores.append(0)
            case ev.ScoreAdjusted(side=side, score=score):
                self.scores[side] = score
            case ev.PiggybackTaken(points=points):
                self.turn = points
            case ev.NobodyLost(points=points) | ev.DiceKept(points=points):
                self.turn += points
            case ev.PointsCounted(points=points):
                self.turn = points
            case ev.VantHofTaken(points=points, forgone=forgone):
                self.turn += points - forgone
            case ev.PegsSwapped(side=side, other=other, forgone=forgone):
                self.turn -= forgone
                self._exchange(side, other)
            case ev.SwapUndone(side=side, other=other):
                self._exchange(side, other)
            case ev.Farkled(player=player, lost=lost):
                assert lost == self.turn
                self._turn_over(player)
            case ev.PenaltyPaid(player=player, points=points, score=score):
                assert 0 <= points <= (self.rules.switches.three_strikes_ouch or self.rules.switches.farkle3_penalty)
                self.scores[self.side_of[player]] -= points
                assert self.scores[self.side_of[player]] == score
            case ev.FarklePaid(player=player, points=points, score=score):
                assert 0 < points <= self.rules.switches.farkle_penalty
                self.scores[self.side_of[player]] -= points
                assert self.scores[self.side_of[player]] == score
                assert score >= 0 or self.rules.switches.penalty_floor == "none"
            case ev.SixOnesThrown(player=player):
                assert self.rules.switches.six_ones_win
                self.won_at_once = self.side_of[player]
            case ev.TurnBanked(player=player, points=points, score=score):
                assert points == self.turn or (points == 0 and self.rules.switches.charity)
                self.scores[self.side_of[player]] += points
                assert self.scores[self.side_of[player]] == score
                if points == self.turn:
                    self._turn_over(player)
            case ev.PointsGiven(player=player, points=points, side=side, score=score):
                assert points == self.turn
                assert self.scores[self.side_of[player]] + points > self.rules.switches.target
                if side is not None:
                    assert side != self.side_of[player]
                    self.scores[side] += points
                    assert self.scores[side] == score <= self.rules.switches.target
                self._turn_over(player)
            case ev.PegBumped(side=side, score=score):
                back = int(self.rules.switches.one_peg_per_hole) * self.rules.hole_points
                assert score == max(0, self.scores[side] - back)
                self.scores[side] = score
            case _:
                pass

    def _turn_over(self, player: int) -> None:
        self.turns[player] += 1
        self.turn = 0

    def _exchange(self, side: int, other: int) -> None:
        self.scores[side], self.scores[other] = self.scores[other], self.scores[side]


# --- a game by chance ---

CHECKED = 0.05
"""After how many of the commands all others are asked whether they might be done."""


@cache
def _offered(key: str, options: tuple[tuple[str, object], ...]) -> dict:
    return brute_force.selections(key, dict(options))


class Chance:
    """A player of one random game that checks the invariants at every step."""

    def __init__(
        self, chance: Random, key: str, options: dict, count: int, *, acts: bool, first: int | None = None
    ) -> None:
        self.chance, self.acts = chance, acts
        peg = 1 if "cribbage" in key else 50
        amounts = ("opening_min", "min_bank", "farkle_penalty", "farkle3_penalty", "three_strikes_ouch")
        options = {name: value * peg if name in amounts else value for name, value in options.items()}
        options["target"] = chance.randint(20, 60) * peg
        self.rules = find_rule_set(key).with_settings(options)
        scoring = {name: value for name, value in options.items() if name in brute_force.SWITCHES}
        self.offered = _offered(key, tuple(sorted(scoring.items())))
        self.events: list[ev.Event] = []
        self.ledger = Ledger(self.rules)
        self.names = NAMES[: max(count, 3 if self.rules.switches.find_loser else 1)]
        begins = chance.randrange(len(self.names)) if first is None else first
        self.began = tuple(start(self.rules, self.names, first=begins, teams=self._teams()))
        self.state = fold(self.began)
        self.happened(self.began)

    def _teams(self) -> dict[str, list[str]] | None:
        count = len(self.names)
        size = self.chance.choice((1, 2, 2, 3))
        sides = count // size
        wanted = self.rules.partners
        least = 3 if self.rules.switches.find_loser else 2
        if size == 1 or count % size or sides < least or (wanted and count not in wanted):
            return None
        return {f"T{side}": list(self.names[side::sides]) for side in range(sides)}

    def play(self) -> None:
        for step in range(1500):
            if self.state.over:
                break
            self.take(self._command(hurry=step > 400))
            if self.chance.random() < CHECKED:
                self.check_every_command()
        assert self.state.over
        self.check_every_command()
        self.check_the_end()

    def _command(self, *, hurry: bool) -> do.Command:
        state, chance = self.state, self.chance
        if state.phase is Phase.STARTING or (not state.begun and chance.random() < 0.3):
            thrown = {player for player, _ in state.start_throws}
            among = [p for p in state.start_among or range(len(state.players)) if p not in thrown]
            dice = tuple(chance.randint(1, 6) for _ in range(state.rules.switches.start_roll_dice))
            command = do.ThrowForStart(chance.choice(among), dice)
            if state.phase is Phase.STARTING or can(state, command):
                return command
        if self.acts and chance.random() < 0.05:  # the camera is missing
            count = do.Count(chance.choice((None, state.turn.points + chance.randint(0, 5) * self.rules.hole_points)))
            if can(state, count):
                return count
        if state.phase is Phase.CHOOSING:
            selection = chance.choice(offered(state))
            return do.Keep(selection.dice, chance.choice((None, *selection.totals)))
        choice = open_choice(state)
        if choice is not None and chance.random() < 0.5:
            option = chance.choice(choice.options)
            sides = [side for side in range(len(state.sides)) if can(state, do.Choose(option, side))]
            return do.Choose(option, chance.choice(sides) if sides else None)
        if state.phase is Phase.TO_THROW and (hurry or (self.acts and chance.random() < 0.12)):
            acts = [act for act in self._table_acts(hurry=hurry) if can(state, act)]
            if acts:
                return chance.choice(acts)
        if (chance.random() < 0.7 or is_one_throw(state)) and can(state, do.Bank()):
            return do.Bank()
        return do.Roll(self._dice())

    def _dice(self) -> tuple[int, ...]:
        """Return random dice, sometimes equal ones, so that rare events happen too."""
        count = self.state.turn.dice_left
        if self.chance.random() < 0.1:
            return (self.chance.randint(1, 6),) * count
        return tuple(self.chance.randint(1, 6) for _ in range(count))

    def _table_acts(self, *, hurry: bool) -> Iterator[do.Command]:
        side, target = self.chance.randrange(len(self.state.sides)), self.rules.switches.target
        if hurry:  # a random game without an end is ended by agreement
            yield do.Adjust(side, target)
            return
        player = self.chance.randrange(len(self.state.players))
        yield do.Adjust(side, self.chance.randint(-5, target + 5))
        yield do.Join(f"P{len(self.state.players)}")
        yield do.Skip(self.state.to_move)
        yield do.GiveTurn(player)
        if self.chance.random() < 0.3:
            yield do.Leave(player)

    def take(self, command: do.Command) -> None:
        """Decide a command and check its result."""
        before = self.state
        made = decide(before, command)
        assert command_of(made[0]) is not None
        self.state = fold(made, before)
        assert self.state.phase in TRANSITIONS[before.phase, type(command)].leads_to
        for event in made:
            if isinstance(event, ev.DiceRolled):
                self._check_roll(event.faces, made)
        self.happened(made)
        self._check_invariants()

    def _check_roll(self, faces: tuple[int, ...], made: tuple[ev.Event, ...]) -> None:
        kept = self.offered[tuple(sorted(faces))]
        dead = any(isinstance(event, ev.Farkled | ev.NobodyLost) for event in made)
        won = self.rules.switches.six_ones_win and faces == (1,) * 6
        assert dead is not (won or bool(kept))
        assert won is any(isinstance(event, ev.SixOnesThrown) for event in made)

    def happened(self, made: tuple[ev.Event, ...]) -> None:
        self.events.extend(made)
        for event in made:
            self.ledger.take(event)

    def _check_invariants(self) -> None:
        state, switches = self.state, self.rules.switches
        assert [side.score for side in state.sides] == self.ledger.scores
        if state.phase in (Phase.CHOOSING, Phase.KEPT):
            assert state.turn.points == self.ledger.turn
            assert 1 <= state.turn.dice_left <= self.rules.n_dice
        if not state.over:
            assert state.plays(state.to_move)
            assert len(set(state.to_come)) == len(state.to_come) or state.closer is not None
            assert state.round <= (switches.rounds or state.round)
            self._check_the_last_turns()
        if switches.charity:
            assert max(self.ledger.scores) <= switches.target
        assert switches.piggyback or state.left_over is None
        if switches.one_peg_per_hole != "off" and not state.teams:
            pegs = [
                position(side.score, self.rules.hole_points)
                for index, side in enumerate(state.sides)
                if state.competes(index) and not side.out and side.score < switches.target
            ]
            taken = Counter(peg for peg in pegs if peg > 0)
            assert not taken or max(taken.values()) == 1
        for side in state.sides:
            assert 0 <= hole(position(side.score, self.rules.hole_points), 121) <= 121

    def _check_the_last_turns(self) -> None:
        """Check who leads in a win that is defended, and that a last turn of one throw is one throw."""
        state, switches = self.state, self.rules.switches
        swapped = state.turn.swaps  # who leads then is settled when the turn ends
        if switches.endgame == "defend" and state.closer is not None and not (state.extra or swapped):
            leader = state.side_of(state.closer)
            best = max(side.score for index, side in enumerate(state.sides) if state.competes(index))
            assert state.sides[leader].score == best >= switches.target
            assert leader not in map(state.side_of, state.to_come)
        if is_one_throw(state):
            assert switches.endgame == "one_more_turn"
            assert switches.last_turns == "one_throw"
            assert state.left_over is None
            if state.turn.throws:
                assert not can(state, do.Roll((1,) * state.turn.dice_left))
            if state.phase is Phase.KEPT:
                assert can(state, do.Bank())

    def panel(self) -> Iterator[do.Command]:
        """Return commands of every kind, sensible and not."""
        state = self.state
        yield do.Roll(self._dice())
        yield do.Roll(self._dice()[1:])
        yield do.Bank()
        for selection in legal_selections(state.rules, state.turn.roll)[:3] if state.turn.roll else ():
            yield do.Keep(selection.dice)
            yield do.Keep(selection.dice, selection.points + 1)
        yield do.Keep((4,))
        for option in ("fresh", "piggyback", "points", "swap", "vant-hof", "nothing"):
            yield do.Choose(option)
        for number in range(-1, len(state.sides) + 2):
            yield do.Choose("swap", number)
            yield do.Adjust(number, 7)
        for number in range(-1, len(state.players) + 1):
            yield do.Leave(number)
            yield do.Skip(number)
            yield do.GiveTurn(number)
            yield do.ThrowForStart(number, (1,) * state.rules.switches.start_roll_dice)
        yield do.Count(7)
        yield do.Count(None)
        yield do.End()
        yield do.Join("Somebody")
        yield do.Join("ann")

    def check_every_command(self) -> None:
        for command in self.panel():
            refused = verify(self.state, command)
            pair = (self.state.phase, type(command))
            if pair not in TRANSITIONS:
                assert refused is not None
                assert refused.code in (NOT_NOW[self.state.phase][1], "finish_turn"), command
            if refused is None:
                made = decide(self.state, command)
                after = fold(made, self.state)
                assert after.phase in TRANSITIONS[pair].leads_to, (command, after.phase)
                assert after != self.state or isinstance(command, do.Choose | do.Skip)
            else:
                assert refused.code or not self._names_someone(command), command
                assert not can(self.state, command)
                with pytest.raises(FarkleError):
                    decide(self.state, command)
        choice = open_choice(self.state)
        for option in ("fresh", "piggyback", "points", "swap", "vant-hof"):
            may = any(can(self.state, do.Choose(option, side)) for side in (None, *range(len(self.state.sides))))
            assert may is (choice is not None and option in choice.options)

    def _names_someone(self, command: do.Command) -> bool:
        """Return whether the indices in a command are those of players and sides."""
        players, sides = len(self.state.players), len(self.state.sides)
        fields = vars(command)
        return 0 <= fields.get("player", 0) < players and 0 <= (fields.get("side") or 0) < sides

    def check_the_end(self) -> None:
        state, switches = self.state, self.rules.switches
        competing = [side for side in range(len(state.sides)) if state.competes(side)]
        if self.ledger.won_at_once is not None:
            assert state.winners == (self.ledger.won_at_once,)
        elif state.loser is not None:
            assert switches.find_loser
            assert state.loser not in state.winners
        elif switches.find_loser or len(competing) < 2:
            assert len(state.winners) <= 1
        else:
            best = max(state.sides[side].score for side in competing)
            assert {state.sides[side].score for side in state.winners} == {best} or switches.tie == "extra_round"
            assert len(state.winners) == 1 or switches.tie != "extra_round"
        assert set(state.winners) <= set(competing) or switches.find_loser
        ranks = places(state)
        assert len(ranks) == len(state.sides)
        there = {side for side, each in enumerate(state.sides) if not all(state.seats[p].left for p in each.players)}
        lost = there - set(state.winners) if state.winners and not switches.find_loser else set()
        assert losers(state) == tuple(sorted(lost))
        for winner in state.winners:
            assert ranks[winner] == 1
        by_turns = (
            self.rules.ending in ("finish_round", "rounds") and len(state.in_play()) > 1
        )  # otherwise the last player left has won
        by_turns = by_turns and self.ledger.won_at_once is None
        if not self.acts and by_turns and not switches.find_loser and not state.extra:
            playing = [seat for seat in range(len(state.players)) if state.plays(seat)]
            turns = {self.ledger.turns[player] for player in playing}
            assert turns == {switches.rounds} if switches.rounds else len(turns) <= 1
        assert fold(self.events) == state
        again = replay(write(self.events))
        assert again.events == tuple(self.events)
        assert again.state == state
        assert Counter(turn.player for turn in again.turns if turn.ended in ("bank", "farkle")) == self.ledger.turns


GAME = {
    "key": st.sampled_from(KEYS),
    "options": OPTIONS,
    "count": st.sampled_from((1, 2, 2, 3, 4, 4, 6, 6, 8)),
    "seed": st.integers(0, 2**32),
}


def _play(key: str, options: dict, count: int, seed: int, *, acts: bool) -> None:
    assume(not excluded(key, options))
    Chance(Random(seed), key, options, count, acts=acts).play()


QUICK = settings(suppress_health_check=[HealthCheck.filter_too_much])
LONG = settings(max_examples=4000, suppress_health_check=[HealthCheck.filter_too_much])


@QUICK
@given(**GAME)
def test_any_game_is_played_to_its_end_and_every_event_adds_up(key: str, options: dict, count: int, seed: int) -> None:
    _play(key, options, count, seed, acts=False)


@QUICK
@given(**GAME)
def test_any_game_with_the_tables_acts_is_played_to_its_end_and_every_event_adds_up(
    key: str, options: dict, count: int, seed: int
) -> None:
    _play(key, options, count, seed, acts=True)


@pytest.mark.soak
@LONG
@given(**GAME, acts=st.booleans())
def test_four_thousand_games_add_up(key: str, options: dict, count: int, seed: int, acts: bool) -> None:
    _play(key, options, count, seed, acts=acts)


def _random_standing(chance: Random, state: GameState) -> Standing:
    target = state.rules.switches.target
    sides, players = range(len(state.sides)), range(len(state.players))
    return Standing(
        scores={side: chance.randint(-2, target + 3) for side in sides if chance.random() < 0.8},
        to_move=chance.choice(players),
        farkles={player: chance.randint(0, 3) for player in players if chance.random() < 0.3},
        on_board=chance.choice((None, frozenset(player for player in players if chance.random() < 0.5))),
        out=tuple(side for side in sides if chance.random() < 0.1),
        left_over=chance.choice((None, None, (chance.randint(0, 6), chance.randint(0, 500)))),
        closer=chance.choice((None, *players)),
    )


@QUICK
@given(**GAME)
def test_any_standing_is_refused_or_played_to_the_end_and_written_alike(
    key: str, options: dict, count: int, seed: int
) -> None:
    assume(not excluded(key, options))
    game = Chance(Random(seed), key, options, count, acts=True, first=0)
    for _ in range(20):
        try:
            given_ = take_over(game.began, _random_standing(game.chance, game.state))
        except SeatingError:
            continue
        game.state = fold(given_, game.state)
        game.happened(given_)
        assert game.state.plays(game.state.to_move)
        game.play()
        return
