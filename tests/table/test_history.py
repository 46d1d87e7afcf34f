"""Undo and correction: examples, and the work that a press takes in a long game."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from tables import Table, paused

from companion.errors import RefusedError
from companion.table.state.events import RollCorrected
from companion.table.state.history import Act, history_of
from farkle.game.events import Event, PlayerJoined
from farkle.game.evolve import evolve
from farkle.game.state import GameState


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
