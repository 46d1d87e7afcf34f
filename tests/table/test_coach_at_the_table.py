"""The coach at the table: its parts in the pause menu, kept by the journal, and a hold of BANK, which asks it."""

import pytest
from tables import FEATURES, Table, paused

from companion.errors import RefusedError
from companion.features.coach.table import CoachChosen, CoachNote, CoachPart, CoachView, parts_on
from companion.table.state.cues import CueKind
from companion.table.state.inputs import MotionReported
from companion.table.state.state import TableState, restored
from dicereader.reading import Motion


def coached(*parts: CoachPart, players: tuple[str, ...] = ("Ann", "Ben")) -> Table:
    """Return a table whose configuration has these parts."""
    table = Table().start(*players)
    table.state = table.state.with_note(CoachNote(parts))
    return table


def shown(table: Table) -> CoachView:
    return table.view.coach


def again(state: TableState) -> TableState:
    return restored(state.acts, seq=state.seq, game_number=state.game_number, features=FEATURES)


def test_each_part_is_switched_on_and_off_in_the_pause_menu() -> None:
    table = paused(coached(), "coach")
    assert table.view.question.text == "What does the coach do?"
    keys = ("coach_ask", "coach_odds", "coach_lamps", "coach_after", "go_on")
    assert table.view.question.keys == keys
    for part in reversed(CoachPart):
        table.answers(f"coach_{part.value}")
    assert parts_on(table.state) == tuple(CoachPart)
    assert [cue.text for cue in table.cues] == ["Hold BANK, and the coach tells the odds, with fair dice."]
    assert table.view.question.keys == (*(f"{key}_off" for key in keys[:4]), "go_on")
    assert shown(table.answers("coach_odds_off")).parts == ("ask", "lamps", "after")


def test_the_choice_outlives_a_restart_and_a_new_game_and_overrules_the_configuration() -> None:
    table = paused(coached(CoachPart.ASK), "coach").answers("coach_ask_off").answers("coach_lamps")
    assert table.journal[-1] == (CoachChosen(("lamps",)),)
    assert parts_on(again(table.state)) == (CoachPart.LAMPS,)
    table.answers("go_on").start("Ann", "Cy")
    assert CoachChosen(("lamps",)) in table.journal[0]
    assert parts_on(again(table.state)) == (CoachPart.LAMPS,)


def test_a_choice_in_mid_turn_leaves_the_turn_as_it_is_and_is_not_undone() -> None:
    table = coached().throws("112346").chooses("112")
    paused(table, "coach").answers("coach_ask").answers("go_on")
    assert table.view.chosen is not None
    assert table.holds("roll").view.chosen is None
    assert parts_on(table.state) == (CoachPart.ASK,)


def test_a_hold_of_bank_asks_and_banks_nothing() -> None:
    table = coached(CoachPart.ASK).throws("112346").chooses("112")
    assert table.view.captions["bank"].hold == "ask the coach"
    table.holds("bank")
    assert [cue.kind for cue in table.cues] == [CueKind.COACH]
    assert shown(table).asked
    assert (table.view.to_move, table.score("Ann"), len(table.journal)) == ("Ann", 0, 3)


def test_the_question_ends_with_the_next_act_and_when_the_dice_move() -> None:
    table = coached(CoachPart.ASK).throws("112346").holds("bank")
    assert not shown(table.chooses("112")).asked
    assert shown(table.holds("bank")).asked
    table.take(MotionReported(Motion.HAND))
    assert not shown(table).asked


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (coached().throws("112346"), "the coach is off; the pause menu switches it on"),
        (coached(CoachPart.ODDS).throws("112346"), "the coach is off; the pause menu switches it on"),
        (coached(CoachPart.ASK, players=("bot:bold", "Ann")).throws("112346"), "the board decides for Bones"),
    ],
)
def test_a_hold_that_asks_nobody_says_why_and_banks_nothing(table: Table, why: str) -> None:
    assert table.view.captions["bank"].hold == ""
    before = table.state
    with pytest.raises(RefusedError, match=why):
        table.holds("bank")
    assert table.state == before
