"""The coach's thread at a running table: what it says, which lamp breathes, and that a late answer is dropped."""

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hosted import PATIENCE_S, Hosted, eventually, hosted

from companion.features.coach.coach import Coach
from companion.features.coach.table import CoachChosen
from companion.features.coach.table_coach import TableCoach
from companion.odds.live_odds import LiveOdds
from companion.table.state.inputs import Answer, ChooseSelection, MotionReported, Pause
from companion.table.state.state import TableState
from companion.words import Text, english
from dicereader.reading import Motion
from pegboard.buttons.port import Button


class SlowCoach(Coach):
    """A coach that waits before it answers, while `go` is not set, as on a slow machine."""

    def __init__(self, state: Callable[[], TableState], odds: LiveOdds) -> None:
        super().__init__(state, odds)
        self.go = threading.Event()
        self.go.set()
        self.at_work = threading.Event()

    def answer(self, state: TableState) -> tuple[Text, str]:
        found = super().answer(state)
        self.at_work.set()
        assert self.go.wait(PATIENCE_S)
        return found


@dataclass
class Coached:
    """A table with its coach, and what the coach says: answers, and words after a turn."""

    table: Hosted
    coach: SlowCoach
    thread: TableCoach
    said: "queue.Queue[str]" = field(default_factory=queue.Queue)
    told: "queue.Queue[str]" = field(default_factory=queue.Queue)

    def breathes(self, button: Button | None) -> None:
        """Wait until the lamp of this button breathes, and no other."""
        eventually(lambda: self.thread.better(self.table.host.state.seq) == button)


@contextmanager
def coached(folder: Path, *parts: str, target: int = 61) -> Iterator[Coached]:
    with hosted(folder, running=True) as table:
        table.game(settings={"target": target}, track=61)
        table.take(Pause())
        table.take(Answer("coach"))
        for part in parts:
            table.take(Answer(f"coach_{part}"))
        table.take(Answer("go_on"))
        assert table.host.state.acts[-1].events == (CoachChosen(tuple(sorted(parts, key=ORDER.index))),)
        coach = SlowCoach(lambda: table.host.state, LiveOdds(folder, solves=False))
        said: queue.Queue[str] = queue.Queue()
        told: queue.Queue[str] = queue.Queue()
        thread = TableCoach(table.host, coach, lambda words: said.put(text(words)), lambda words: told.put(text(words)))
        thread.start()
        try:
            yield Coached(table, coach, thread, said, told)
        finally:
            coach.go.set()
            thread.close()


ORDER = ["ask", "odds", "lamps", "after"]


def text(words: Text) -> str:
    return english().text(words)


def choose(table: Hosted, *dice: int) -> None:
    table.take(ChooseSelection(dice))


def test_a_hold_of_bank_is_answered_and_the_better_lamp_breathes_until_the_next_act(tmp_path: Path) -> None:
    with coached(tmp_path, "ask") as at:
        at.table.throws("112346")
        choose(at.table, 1, 1, 2)
        at.table.holds("bank")
        assert at.said.get(timeout=PATIENCE_S).startswith("Bank: ")
        at.breathes(Button.ROLL)
        at.table.holds("bank")  # nobody has heard it in the noise
        assert at.said.get(timeout=PATIENCE_S).startswith("Bank: ")
        choose(at.table, 2)
        at.breathes(None)
        assert at.said.empty()
        assert at.table.view.to_move == "Ann"


def test_with_its_part_the_better_lamp_breathes_by_itself_and_nothing_is_said(tmp_path: Path) -> None:
    with coached(tmp_path, "lamps") as at:
        at.table.throws("666345")
        at.breathes(None)
        choose(at.table, 6, 6, 6)
        at.breathes(Button.BANK)
        at.table.take(MotionReported(Motion.MOVING))
        at.breathes(None)
        assert at.said.empty()


def test_a_late_answer_is_dropped(tmp_path: Path) -> None:
    with coached(tmp_path, "ask") as at:
        at.table.throws("112346")
        at.coach.go.clear()
        at.table.holds("bank")
        assert at.coach.at_work.wait(PATIENCE_S)
        choose(at.table, 2)  # on the host's thread, which does not wait for the coach
        at.coach.go.set()
        at.table.holds("bank")
        assert at.said.get(timeout=PATIENCE_S).startswith("Bank: ")
        assert at.said.empty()


def test_after_a_turn_it_is_told_once_what_was_given_away(tmp_path: Path) -> None:
    with coached(tmp_path, "after") as at:
        at.table.throws("234466")
        choose(at.table, 2)
        at.table.taps("bank")
        assert at.told.get(timeout=PATIENCE_S).startswith("Ann banked 2; throwing was worth ")
        at.table.take(MotionReported(Motion.HAND))
        at.table.throws("666345")
        choose(at.table, 6, 6, 6)
        at.table.taps("bank")  # the best that Ben could do
        at.table.throws("234466")
        choose(at.table, 2)
        at.table.taps("bank")
        assert at.told.get(timeout=PATIENCE_S).startswith("Ann banked 2; throwing was worth ")
        assert at.told.empty()
        assert at.said.empty()


def test_where_the_odds_of_the_game_are_not_known_the_answer_tells_the_farkle(tmp_path: Path) -> None:
    with coached(tmp_path, "ask", "lamps", "after", target=14) as at:
        at.table.throws("234466")
        choose(at.table, 2)
        at.table.holds("bank")
        assert at.said.get(timeout=PATIENCE_S) == "Five dice to throw: 7.7 per cent farkle."
        at.breathes(None)
        at.table.taps("bank")
        at.table.holds("bank")
        assert at.said.get(timeout=PATIENCE_S) == "Six dice to throw: 3.1 per cent farkle."
        assert at.told.empty()


def test_no_odds_are_in_the_feed_whatever_the_table_wants(tmp_path: Path) -> None:
    with coached(tmp_path, *ORDER) as at:
        at.table.throws("112346")
        choose(at.table, 1, 1, 2)
        at.table.holds("bank")
        assert at.said.get(timeout=PATIENCE_S)
        at.table.taps("bank")
        assert at.told.get(timeout=PATIENCE_S)
        assert "per cent" not in repr(at.table.told)
