"""Undo and correction: examples, and a state machine that tries any order of acts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tables import Table, paused

from companion.errors import RefusedError
from companion.table.state.events import RollCorrected, Undone
from companion.table.state.history import Act, corrected, history_of
from companion.table.state.state import restored
from farkle.game.events import Event, PlayerJoined
from farkle.game.evolve import evolve, fold
from farkle.game.state import GameState, Phase
from farkle.rules.selections import legal_selections


def test_undo_takes_the_last_act_off() -> None:
    table = Table().start().throws("233346").taps("bank").undoes()
    assert (table.score("Ann"), table.view.to_move, table.view.phase) == (0, "Ann", "choosing")
    misread = Table().start().throws("233346").holds("keep").answers("throw again")
    assert (misread.view.phase, misread.view.out_of_step) == ("to_throw", True)
    table.undoes()
    assert (table.view.phase, table.view.undo, len(table.state.acts), len(table.state.effective)) == (
        "to_throw",
        False,
        5,
        1,
    )
    with pytest.raises(RefusedError, match="start of the game"):
        table.undoes()


def test_after_an_undo_the_tray_is_out_of_step_until_the_next_throw() -> None:
    table = Table().start().throws("233346").taps("bank").undoes()
    assert table.view.out_of_step
    table.sets_aside("333", "246")
    assert table.view.chosen is None
    table.throws("146", shelf="333")
    assert not table.view.out_of_step
    assert table.view.turn_points == 6


def test_a_stored_name_folds_even_if_a_new_one_like_it_is_refused() -> None:
    table = Table().start().throws("111346").taps("bank")
    acts = tuple(Act(number, events) for number, events in enumerate(table.journal, 1))
    throw = next(act.number for act in acts if act.rolls)
    joined = tuple(Act(len(acts) + 1 + place, (PlayerJoined(name),)) for place, name in enumerate(("\u3164", "ANN")))
    mended = Act(len(acts) + 3, (RollCorrected(throw, (1, 1, 1, 3, 4, 4)),))
    assert history_of((*acts, *joined, mended))[-1].game.players == ("Ann", "Ben", "\u3164", "ANN")


def test_a_correction_folds_the_acts_after_it_again() -> None:
    table = Table().start().throws("233346").chooses("333").corrects("333346")
    assert table.view.chosen.dice == (3, 3, 3)


def test_a_correction_after_the_bank_keeps_what_stays_legal() -> None:
    table = Table().start().throws("233346").chooses("333").taps("bank")
    with pytest.raises(RefusedError, match=r"keeping 3 3 3 2 would be lost.*undo back to it"):
        table.corrects("133346")
    table = Table().start().throws("133346").chooses("1").undoes().chooses("333").taps("bank")
    assert table.score("Ann") == 7


def test_a_correction_may_turn_a_farkle_into_a_roll_and_back() -> None:
    table = Table().start().throws("334466").corrects("134466")
    assert (table.view.to_move, table.view.phase) == ("Ann", "choosing")
    table.corrects("334466")
    assert (table.view.to_move, table.view.phase) == ("Ben", "farkled")


@pytest.mark.parametrize(
    ("dice", "words"),
    [("23334", "this throw has six dice"), ("233346", "is 2 3 3 3 4 6 already"), ("233347", "a die shows one to six")],
)
def test_an_impossible_correction_is_refused_with_a_reason(dice: str, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        Table().start().throws("233346").corrects(dice)
    with pytest.raises(RefusedError, match="nothing has been thrown yet"):
        Table().start().corrects(dice)


@dataclass
class Counted:
    """A count of the folded events."""

    events: int = 0

    def evolve(self, state: GameState | None, event: Event) -> GameState:
        self.events += 1
        return evolve(state, event)


@contextmanager
def counted_events() -> Iterator[Counted]:
    counted = Counted()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("farkle.game.evolve.evolve", counted.evolve)
        yield counted


def events_folded(acts: int, *hands: str) -> int:
    """Return the number of events that the table folds for these presses and their views, after `acts` of farkles."""
    table = Table().start("Ann", "Ben")
    for _ in range(acts):
        table.throws("334466")
    table.throws("233346").chooses("333")
    with counted_events() as counted:
        for hand in hands:
            way, _, what = hand.partition(" ")
            getattr(table, way)(what) if what else getattr(table, way)()
            assert table.view.refused is not None
    return counted.events


@pytest.mark.parametrize(
    "hands", [("taps keep",), ("taps bank",), ("holds keep",), ("undoes", "undoes"), ("corrects 333346",)]
)
def test_a_press_folds_no_more_events_in_a_long_game(hands: tuple[str, ...]) -> None:
    assert 0 < events_folded(5, *hands) == events_folded(60, *hands)


def test_the_likely_faces_of_a_throw_long_ago_are_found_without_folding_all_that_followed() -> None:
    def folded(acts: int) -> int:
        table = Table().start().throws("334466")
        paused(table, "count_points")
        for _ in range(acts):
            table.taps("roll")
        paused(table, "read_again")
        with counted_events() as counted:
            table.holds("keep")
        assert table.view.question is not None
        return counted.events

    assert 0 < folded(5) == folded(60)


def from_scratch(acts: list[Act]) -> tuple[Act, ...]:
    """Return the acts that count, found in the whole list of acts, without a table's stored results."""
    left: list[Act] = []
    for act in acts:
        match act.events:
            case (RollCorrected(act=number, faces=faces),):
                left = [each.act for each in corrected(history_of(left), number, faces)]
            case events:
                undone = {event.act for event in events if isinstance(event, Undone)}
                left = [each for each in left if each.number not in undone]
                rest = tuple(event for event in events if not isinstance(event, Undone))
                left += [Act(act.number, rest)] if rest else []
    return tuple(left)


class AnyEvening(RuleBasedStateMachine):
    """Throws, choices, banks, undos, corrections and restarts in any order: the folded game is the played one."""

    @initialize(players=st.integers(1, 3), goal=st.integers(10, 121))
    def begin(self, players: int, goal: int) -> None:
        self.table = Table().start(*[f"P{i}" for i in range(players)], settings={"target": goal})

    def _game(self):
        assert self.table.state.game is not None
        return self.table.state.game

    @precondition(lambda self: not self._game().over)
    @rule(dice=st.lists(st.integers(1, 6), min_size=6, max_size=6))
    def throw(self, dice: list[int]) -> None:
        count = self.table.view.dice_to_throw
        if self._game().phase is Phase.CHOOSING and self.table.state.current.chosen is None:
            return
        before = len(self.table.journal)
        chosen = self.table.state.current.chosen
        still_there = chosen is not None and count < self._game().rules.n_dice  # all six are thrown again
        aside = "".join(map(str, chosen.dice)) if chosen and still_there else ""
        undone = self.table.state.out_of_step
        self.table.throws("".join(map(str, dice[:count])), shelf=aside)
        if undone and self.table.view.question is not None:  # the dice lie otherwise than the table knows: it asks
            self.table.answers(self.table.view.question.keys[0])
        assert len(self.table.journal) == before + 1

    @precondition(lambda self: self._game().phase is Phase.CHOOSING)
    @rule(data=st.data())
    def choose(self, data) -> None:
        selection = data.draw(st.sampled_from(legal_selections(self._game().rules, self._game().turn.roll)))
        self.table.chooses("".join(map(str, selection.dice)), data.draw(st.sampled_from(selection.totals)))

    @precondition(lambda self: self._game().phase is Phase.CHOOSING)
    @rule()
    def bank(self) -> None:
        mover, score = self.table.view.to_move, self._game().sides[self._game().side_to_move].score
        brings = self.table.view.bank
        assert mover is not None
        expected = score + self._game().turn.points + brings.points
        self.table.taps("bank")
        assert self.table.score(mover) == expected

    @precondition(lambda self: self.table.view.undo)
    @rule()
    def undo(self) -> None:
        before = fold(event for act in self.table.state.effective[:-1] for event in act.game_events)
        self.table.undoes()
        assert self._game() == before

    @rule(dice=st.lists(st.integers(1, 6), min_size=1, max_size=6))
    def correct(self, dice: list[int]) -> None:
        before = self.table.state
        try:
            self.table.corrects("".join(map(str, dice)))
        except RefusedError:
            assert self.table.state == before

    @rule()
    def restart(self) -> None:
        live = self.table.state
        again = restored(live.acts, seq=live.seq, game_number=live.game_number)
        assert again.play == live.play
        self.table.state = again

    @invariant()
    def the_journal_folds_to_the_live_state(self) -> None:
        acts = [Act(number, events) for number, events in enumerate(self.table.journal, start=1)]
        left = from_scratch(acts)
        assert left == self.table.state.effective
        assert fold(event for act in left for event in act.game_events) == self._game()


AnyEvening.TestCase.settings = hypothesis_settings(stateful_step_count=25)
test_any_evening = AnyEvening.TestCase
