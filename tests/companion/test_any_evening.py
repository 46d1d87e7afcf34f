"""Any evening at a table with a real journal: the file always holds the state that people saw."""

import contextlib
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hosted import Hosted, ToldClock, hosted, seen
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tables import faces

from companion.errors import CompanionError
from companion.games.statistics import summarize
from companion.games.story import story_of
from companion.named_events.kinds import Standing
from companion.named_events.of_acts import GameFold
from companion.named_events.record import entries, id_of
from companion.storage.database import read
from companion.storage.rows import JournalRow, acts_of, game_at_table, sound_rows
from companion.table.asking.answers import closing
from companion.table.asking.idle import only_wakes, wake_at
from companion.table.buttons.modes import Mode, mode
from companion.table.lobby.lobby import SAID
from companion.table.state.history import Act
from companion.table.state.inputs import (
    Answer,
    Button,
    ChooseNextStarter,
    ChooseSelection,
    CloseEvening,
    CorrectRoll,
    EditLobby,
    Fault,
    Gesture,
    Input,
    NewGame,
    Origin,
    Pause,
    Press,
    ReopenEvening,
    ResumeGame,
    Tick,
    Undo,
)
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState, restored
from companion.table.step import step
from companion.web.games.chart import race_of
from companion.web.games.replay import replay_of
from farkle.game.standing import teams_of
from farkle.game.state import GameState, Phase
from farkle.notation import write
from farkle.replay import replay
from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

Kept = tuple[int, int, GameState | None, tuple[Act, ...], tuple[Act, ...], object, int]


def kept(state: TableState) -> Kept:
    """Return the parts of a state that a journal must restore, without those that are only seen or shown."""
    return state.seq, state.game_number, state.game, state.acts, state.effective, state.play


def refusal(state: TableState, given: Input) -> str | None:
    """Return why the table would refuse this input now, or None if it would accept it. Changes nothing."""
    try:
        step(state, given, 100.0)
    except CompanionError as error:
        return str(error)
    return None


def pressed(button: Button, gesture: Gesture = Gesture.TAP) -> Press:
    """Return a press of somebody who stands at the table, as everybody does here."""
    return Press(button, gesture, Origin.TABLE)


def answered(answer: str) -> Answer:
    return Answer(answer, Origin.TABLE)


HouseRules = tuple[str, Mapping[str, object], bool]
"""A rule set, what the house has switched, and whether two teams play."""

BASIC: HouseRules = ("farkle-cribbage", {}, False)
HOUSES: tuple[HouseRules, ...] = (
    BASIC,
    ("farkle-cribbage", {"find_loser": True}, False),
    ("farkle-cribbage", {"one_peg_per_hole": 5, "tie": "extra_round"}, False),
    ("farkle-cribbage-advanced", {}, True),
    ("farkle-cribbage-advanced", {"bomb_swap": "undone_on_farkle", "troublesome_twos": True}, False),
    ("classic", {"piggyback": True, "piggyback_hot": True, "vant_hof_6": True, "opening_min": 200}, False),
    ("classic", {"piggyback": True, "vant_hof_6": True, "vant_hof_scope": "turn", "too_hot": True}, True),
    ("free-the-dice", {"nobody_loses": True, "charity": True, "three_strikes_out": True}, False),
    ("zilch-online", {}, False),
    ("farkle-cribbage", {"rounds": 2, "farkle_penalty": 3, "one_peg_per_hole": 1, "tie": "extra_round"}, False),
    ("farkle-cribbage", {"endgame": "defend", "farkle_penalty": 3, "six_ones_win": True}, True),
    ("classic", {"last_turns": "one_throw", "piggyback": True, "nobody_loses": True, "min_bank": 300}, False),
    ("farkle-cribbage-advanced", {"endgame": "one_more_turn", "last_turns": "one_throw", "full_house_bonus": 4}, False),
)


class AnyEvening(RuleBasedStateMachine):
    """Throws, doubts, choices, banks, undos, corrections, other games, full disks and restarts, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.left: dict[int, GameState] = {}
        self.told: JournalRow | None = None
        self.fold: GameFold | None = None
        self.standing: Standing | None = None
        self._open()

    def _open(self) -> None:
        self.clock = ToldClock()
        self._table = hosted(Path(self._folder.name), self.clock.clock)
        self.table: Hosted = self._table.__enter__()

    def _close(self) -> None:
        self._table.__exit__(None, None, None)

    def teardown(self) -> None:
        self._close()
        self._folder.cleanup()

    @property
    def state(self) -> TableState:
        return self.table.host.state

    @property
    def game(self) -> GameState:
        return self.state.game

    @property
    def reads(self) -> bool:
        """Return whether a throw that the eye sees counts."""
        state = self.state
        return not (self.game.over or state.in_lobby or state.manual is ManualEntry.COUNTING or state.confirm_readings)

    @initialize(
        players=st.integers(1, 4),
        goal=st.integers(10, 121),
        house=st.sampled_from(HOUSES),
        track=st.sampled_from((121, 61, 91, 241)),
    )
    def begin(self, players: int, goal: int, house: HouseRules = BASIC, track: int = 121) -> None:
        rules, settings, partners = house
        seats = [f"P{i}" for i in range(4 if partners else max(players, 3 if "find_loser" in settings else 1))]
        teams = {"A": (seats[0], seats[2]), "B": (seats[1], seats[3])} if partners else {}
        target = min(goal, track) * find_rule_set(rules).points_a_hole(track)
        self.table.take(NewGame(rules, tuple(seats), {**settings, "target": target}, track=track, teams=teams))

    @precondition(lambda self: self.reads and (self.game.phase is not Phase.CHOOSING or self.state.current.chosen))
    @rule(dice=st.lists(st.integers(1, 6), min_size=6, max_size=6))
    def throw(self, dice: list[int]) -> None:
        before = self.state.seq
        chosen = self.state.current.chosen
        count = self.table.view.dice_to_throw
        aside = (*self.game.turn.locked, *chosen.dice) if chosen and count < 6 else ()
        self.table.take(seen("".join(map(str, dice[:count])), shelf="".join(map(str, aside))))
        assert self.state.seq == before + 1

    @precondition(lambda self: self.state.menu)
    @rule(data=st.data())
    def choose_of_the_menu(self, data: st.DataObject) -> None:
        self.table.take(answered(data.draw(st.sampled_from(self.state.menu.items)).id))

    @precondition(lambda self: not self.game.over)
    @rule(dice=st.text("123456", min_size=1, max_size=6), sure=st.booleans())
    def throw_what_may_not_be_clear(self, dice: str, sure: bool) -> None:
        before = self.state
        self.table.take(seen(dice, sure=sure))
        assert sure or self.state.acts == before.acts

    @precondition(lambda self: self.state.question and not self.state.menu)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        asked = self.state.question
        self.table.take(answered(data.draw(st.sampled_from(asked.answers)).id))
        assert self.state.question is not asked

    @precondition(lambda self: self.game.phase is Phase.CHOOSING and not self.state.question)
    @rule(data=st.data())
    def choose(self, data: st.DataObject) -> None:
        selection = data.draw(st.sampled_from(legal_selections(self.game.rules, self.game.turn.roll)))
        points = data.draw(st.sampled_from(selection.totals))
        self.table.take(ChooseSelection(selection.dice, points))
        assert self.state.current.chosen.points == points

    @precondition(lambda self: mode(self.state) is Mode.PLAY and "bank" in self.table.view.legal)
    @rule()
    def bank(self) -> None:
        bank, side = self.table.view.bank, self.game.side_to_move
        before = self.game.sides[side].score
        expected = before + self.game.turn.points + (bank.points if bank else 0)
        if self.game.rules.switches.charity and expected > self.game.rules.switches.target:
            expected = before
        self.table.taps("bank")
        assert self.game.sides[side].score == expected

    @precondition(lambda self: self.table.view.undo)
    @rule()
    def undo(self) -> None:
        before = self.state.effective
        open_ = closing(self.state) is not None
        self.table.take(Undo())
        assert self.state.effective == (before if open_ else before[:-1])

    @rule()
    def pause(self) -> None:
        before = self.state.acts
        self.table.take(Pause())
        assert self.state.acts == before

    @rule(blind=st.booleans(), doubtful=st.booleans())
    def lose_or_find_the_camera(self, blind: bool, doubtful: bool) -> None:
        before = self.state.acts
        self.table.take(Fault("camera", "It is dark." if blind else None, doubtful))
        assert self.state.acts == before

    @rule()
    def wait(self) -> None:
        """Let time pass, which must never change the game."""
        before = self.state.acts
        self.clock.now = max(self.clock.now, wake_at(self.state) or 0.0)
        self.table.take(Tick())
        assert self.state.acts == before

    @rule(dice=st.text("123456", min_size=1, max_size=6))
    def correct(self, dice: str) -> None:
        before = self.state
        try:
            self.table.take(CorrectRoll(faces(dice)))
        except CompanionError:
            assert self.state == before
        else:
            assert self.state.seq == before.seq + 1

    @rule(button=st.sampled_from(Button), gesture=st.sampled_from(Gesture))
    def press_in_vain_or_not(self, button: Button, gesture: Gesture) -> None:
        before = self.state
        try:
            self.table.take(pressed(button, gesture))
        except CompanionError:
            assert self.state == before

    @rule(button=st.sampled_from(Button))
    def press_while_the_disk_is_full(self, button: Button) -> None:
        before = kept(self.state)
        self.table.connected.refuse_writes()
        with contextlib.suppress(CompanionError):
            seq = self.table.take(pressed(button)).seq
            assert seq == before[0]  # there was nothing to write
        self.table.connected.refuse_writes(False)
        assert kept(self.state) == before

    @precondition(lambda self: self.game.over)
    @rule()
    def rematch(self) -> None:
        number = self.state.last_game
        players = self.game.players
        self.table.take(NewGame(self.game.rules, players, track=121, teams=teams_of(self.game)))
        assert (self.state.game_number, self.game.players) == (number + 1, players)

    @rule(names=st.lists(st.sampled_from(["Ann", "ann", "Ben", "", "x" * 21]), max_size=4))
    def write_on_the_form_or_leave_it(self, names: list[str]) -> None:
        before = kept(self.state)
        with contextlib.suppress(CompanionError):
            self.table.take(EditLobby(names=tuple(names), open=True) if names else EditLobby(open=False))
        assert kept(self.state) == before

    @rule(given=st.sampled_from([CloseEvening(), ReopenEvening(), *map(ChooseNextStarter, SAID)]))
    def decide_beside_the_game(self, given: Input) -> None:
        before = self.state
        with contextlib.suppress(CompanionError):
            self.table.take(given)
        assert (self.state.game, self.state.effective) == (before.game, before.effective)

    @rule(data=st.data())
    def go_on_with_a_game(self, data: st.DataObject) -> None:
        games = {**self.left, self.state.game_number: self.state.game}
        self.left[self.state.game_number] = self.game
        number = data.draw(st.sampled_from(sorted(games)))
        before = self.state
        try:
            self.table.take(ResumeGame(number))
        except CompanionError:
            assert self.state == before
        else:
            assert (self.state.game_number, self.state.in_lobby) == (number, False)
            assert self.game == games[number]

    @rule()
    def start_another_game(self) -> None:
        number = self.state.last_game
        self.left[self.state.game_number] = self.game
        self.table.take(NewGame("farkle-cribbage", ("Eve", "Fay"), {"target": 30}, track=121))
        assert self.state.game_number == number + 1

    @rule()
    def restart(self) -> None:
        before = kept(self.state)
        self._close()
        self._open()
        assert self.table.storage.loaded.loss is None
        assert kept(self.state) == before

    @invariant()
    def the_file_holds_the_live_state(self) -> None:
        rows, wrong = sound_rows(read(self.table.storage.journal.path).rows)
        assert wrong is None
        newest = game_at_table(rows)
        acts = acts_of(row for row in rows if row.game == newest)
        again = restored(acts, seq=max((row.act for row in rows), default=0), game_number=newest)
        assert kept(again) == kept(self.state)

    @invariant()
    def a_listener_that_keeps_the_newest_standing_shows_what_the_table_shows(self) -> None:
        journal = self.table.storage.journal
        while rows := journal.after(self.told):
            made, self.fold = entries(rows, id_of(self.told), self.fold, journal.rows)
            assert [event.before for entry in made for event in entry.events[-1:]] == [
                id_of(self.told),
                *[entry.id for entry in made[:-1]],
            ]
            self.told, self.standing = made[-1].row, made[-1].events[-1].standing
        view, shown = self.table.view, self.standing
        assert shown is not None
        assert self.state.play is not None
        assert {player.side: player.score for player in view.players} == dict(enumerate(shown.scores))
        to_move = None if shown.to_move is None else self.game.players[shown.to_move - 1]
        assert (to_move, shown.turn_points, shown.locked) == (view.to_move, view.turn_points, view.locked)
        if not self.state.farkled and not self.state.manual:
            assert shown.roll == view.roll

    @invariant()
    def the_written_game_has_the_same_events(self) -> None:
        events = tuple(event for act in self.state.effective for event in act.game_events)
        assert replay(write(events)).events == events

    @invariant()
    def the_report_of_the_game_can_be_shown(self) -> None:
        report = story_of(self.table.storage.journal.rows(self.state.game_number))
        assert [place.score for place in sorted(report.places, key=lambda place: place.side)] == list(report.race[-1])
        race_of(report)
        assert {len(turn.holes) for turn in replay_of(report, ()).turns} <= {len(self.game.sides)}
        summarize(report)

    @invariant()
    def a_lamp_is_lit_if_and_only_if_its_press_is_legal(self) -> None:
        view = self.table.view
        if only_wakes(self.state):
            assert view.legal == ("roll",)
            return
        for button in Button:
            why = refusal(self.state, pressed(button))
            assert (button in view.legal) is (why is None), (button, why)
            assert why is None or view.refused[button] == why

    @invariant()
    def every_selection_that_is_shown_may_be_chosen(self) -> None:
        for selection in self.table.view.selections if self.state.question is None else ():
            for points in selection.totals:
                assert refusal(self.state, ChooseSelection(selection.dice, points)) is None

    @invariant()
    def undo_is_offered_if_and_only_if_something_can_be_undone(self) -> None:
        assert self.table.view.undo is (refusal(self.state, Undo()) is None)

    @invariant()
    def a_question_is_asked_if_and_only_if_it_can_be_answered(self) -> None:
        question = self.table.view.question
        assert (self.table.view.phase == "asking") is (question is not None)
        for answer in (*question.keys, *question.answers) if question else ():  # by its name, and in English words
            assert refusal(self.state, answered(answer)) is None

    @invariant()
    def every_message_has_a_short_form(self) -> None:
        message = self.table.view.message
        assert 0 < len(message.short) <= 21
        assert message.text


BOUNDS = {
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
}

AnyEvening.TestCase.settings = hypothesis_settings(stateful_step_count=20, **BOUNDS)
test_any_evening = AnyEvening.TestCase


class LongEvening(AnyEvening):
    """The same evening, with as many steps as the docs promise."""


LongEvening.TestCase.settings = hypothesis_settings(max_examples=2000, stateful_step_count=50, **BOUNDS)
test_two_thousand_evenings = pytest.mark.soak(LongEvening.TestCase)
