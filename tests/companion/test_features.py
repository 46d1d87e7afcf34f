"""Features: an own one joins the table by data, one that fails degrades alone, and a table plays on without each."""

from dataclasses import dataclass, replace

import pytest
from hosted import hosted
from running import launched, until
from tables import FEATURES, Table

from companion.app import FEATURES as PROGRAM_FEATURES
from companion.errors import RefusedError
from companion.features.tournament.table import TOURNAMENT
from companion.features.tournament.table.stands import TournamentStands
from companion.storage.codec import decode, encode, unknown
from companion.table.feature import TableFeature, guarded
from companion.table.state.acts import Step, act_aside
from companion.table.state.events import Aside, Gone
from companion.table.state.inputs import PageInput, StartDraft
from companion.table.state.state import TableState
from companion.web.feature import Feature


@dataclass(frozen=True)
class RoundOrdered(Aside, of="drinks"):
    """Drinks were ordered."""

    glasses: int


@dataclass(frozen=True)
class OrderRound(PageInput):
    """Somebody orders drinks."""

    glasses: int


@dataclass(frozen=True)
class DrinksShown:
    """The drinks."""

    glasses: int
    """How many were ordered last."""


def ordered(state: TableState) -> int:
    last = None if state.play is None else state.play.last(RoundOrdered)
    return 0 if last is None else last.glasses


def order(state: TableState, given: OrderRound, _: float) -> Step:
    return act_aside(state, RoundOrdered(10 // given.glasses))


DRINKS = TableFeature(
    "drinks", handlers={OrderRound: order}, part=DrinksShown, shown=lambda state: DrinksShown(ordered(state))
)


def drinking() -> Table:
    table = Table()
    table.state = replace(table.state, features=(*FEATURES, guarded(DRINKS)))
    return table.start()


def test_an_own_feature_takes_its_inputs_journals_its_events_and_adds_to_the_view() -> None:
    table = drinking()
    table.take(OrderRound(5))
    assert vars(table.view)["glasses"] == 2
    assert table.journal[-1] == (RoundOrdered(2),)
    assert encode(RoundOrdered(2)) == ("drinks.RoundOrdered", 2, '{"glasses":2}')
    assert decode(*encode(RoundOrdered(2))) == RoundOrdered(2)
    assert table.throws("112346").holds("roll").state.play is not None
    assert vars(table.view)["glasses"] == 2


def test_events_of_a_feature_that_the_program_does_not_have_are_kept_as_they_are() -> None:
    gone = decode("darts.BullHit", 1, '{"by":"Ann"}')
    assert gone == Gone("darts.BullHit", 1, '{"by":"Ann"}')
    assert encode(gone) == ("darts.BullHit", 1, '{"by":"Ann"}')
    assert unknown("BullHit", 1) == "an event of the kind 'BullHit'"


def test_an_input_of_a_feature_that_the_table_does_not_have_is_refused() -> None:
    table = Table().start()
    with pytest.raises(RefusedError, match="this table cannot do that"):
        table.take(OrderRound(5))
    table.state = replace(table.state, features=())
    with pytest.raises(RefusedError, match="this table cannot play knock_out"):
        table.take(StartDraft(names=("Ann", "Ben", "Cy"), plays="knock_out", open=True))


def test_a_table_without_the_tournament_plays_on_in_the_game_that_was_its_match() -> None:
    table = Table()
    table.take(StartDraft(names=("Ann", "Ben", "Cy"), plays="knock_out"))
    assert any(isinstance(event, TournamentStands) for event in table.journal[0])
    table.state = replace(table.state, features=tuple(each for each in FEATURES if each is not TOURNAMENT))
    assert "tournament" not in vars(table.throws("112346").view)
    assert table.holds("roll").taps("roll").view.phase == "to_throw"


def fails(*_: object) -> Step:
    raise ZeroDivisionError("no glasses")


def refuses(state: TableState) -> DrinksShown:
    return DrinksShown(state.current.number - 1)  # there is no game at the start


@pytest.mark.parametrize(
    "broken",
    [
        replace(DRINKS, handlers={OrderRound: fails}),
        replace(DRINKS, shown=fails),
        replace(DRINKS, shown=refuses),
        replace(DRINKS, shown=lambda _: None),
    ],
    ids=["an input", "its part of the view", "a refusal in the view", "no part of the view"],
)
def test_a_feature_that_fails_is_reported_and_the_table_goes_on_without_it(tmp_path, broken: TableFeature) -> None:
    with hosted(tmp_path, features=(*FEATURES, guarded(broken))) as table:
        table.game()
        with pytest.raises(RefusedError, match="this table cannot do that"):
            table.take(OrderRound(5))
        table.throws("112346")
        assert table.view.degraded == ("The feature drinks does not work; the table goes on without it.",)
        assert table.view.phase == "choosing"


def test_a_feature_that_cannot_be_opened_is_shown_and_the_table_starts(tmp_path) -> None:
    broken = Feature("drinks", begins=fails, opened=fails)
    said = ("The feature drinks does not work; the table goes on without it.",)
    with launched(tmp_path, features=(*PROGRAM_FEATURES, broken)) as made:
        until(made, lambda update: update.view.degraded == said)
