"""The host, the only writer: a view is published only after its act is on disk."""

import itertools
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from hosted import PATIENCE_S, Hosted, ToldClock, fast_clock, hosted, seen
from tables import faces

from companion.errors import JournalError, RaceLostError, RefusedError
from companion.runtime.feed import Update
from companion.runtime.host import NOT_WRITTEN, Clock
from companion.storage.files import FILE
from companion.table.state.cues import CueKind
from companion.table.state.inputs import (
    Answer,
    Button,
    ChooseSelection,
    CorrectRoll,
    EnterRoll,
    Fault,
    Input,
    MotionReported,
    NewGame,
    Pause,
    Press,
    ReadingSettled,
)
from companion.table.view import View
from companion.times import Times
from companion.words import because, english
from dicereader.reading import Motion


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Hosted]:
    """Open a host without a thread. The test handles each input itself."""
    with hosted(tmp_path) as made:
        yield made


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Hosted]:
    """Open a host on its own thread."""
    with hosted(tmp_path, running=True) as made:
        yield made


def acts_on_disk(folder: Path) -> list[int]:
    """Return the acts that another reader of the file sees, which are the committed ones."""
    reader = sqlite3.connect(f"file:{folder / FILE}?mode=ro", uri=True)
    try:
        return [act for (act,) in reader.execute("SELECT DISTINCT act FROM events ORDER BY act")]
    finally:
        reader.close()


def test_an_act_is_on_disk_before_its_view_is_published(table: Hosted, tmp_path: Path) -> None:
    on_disk: list[tuple[int, list[int]]] = []
    table.host.feed.subscribe(lambda update: on_disk.append((update.view.seq, acts_on_disk(tmp_path))))
    table.game().throws("233346").taps("keep").taps("bank")
    assert on_disk == [(1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (4, [1, 2, 3, 4])]


def test_an_act_is_on_disk_before_its_state_is_adopted(table: Hosted, tmp_path: Path) -> None:
    table.game()
    adopted: list[int] = []
    append = table.storage.journal.append

    def watched(*act: object) -> None:
        append(*act)  # type: ignore[arg-type]
        adopted.append(table.host.state.seq)

    table.storage.journal.append = watched  # type: ignore[method-assign]
    table.throws("233346")
    assert (adopted, table.host.state.seq) == ([1], 2)


def test_an_input_that_is_not_journalled_is_published_and_not_written(table: Hosted) -> None:
    table.game()
    before = table.written()
    table.take(MotionReported(Motion.HAND))
    table.take(Fault("sound", "The speaker is gone."))
    assert (table.view.phase, table.view.degraded) == ("rolling", ("The speaker is gone.",))
    assert (table.written(), table.view.seq) == (before, 1)


def test_a_refused_input_changes_nothing_and_is_said_once(running: Hosted) -> None:
    running.game()
    before = running.host.state, running.written()
    with pytest.raises(RefusedError, match="throw first"):
        running.taps("bank")
    assert (running.host.state, running.written()) == before
    running.take(MotionReported(Motion.STILL))
    assert running.refusals() == ["throw first"]


def test_a_lost_race_is_answered_and_not_announced(running: Hosted) -> None:
    running.game().throws("233346").taps("keep")
    with pytest.raises(RaceLostError, match="expected act 2 to be the last, but the last is 3"):
        running.host.submit(Press(Button.BANK), expected_seq=2).result(PATIENCE_S)
    assert running.host.submit(Press(Button.BANK), expected_seq=3).result(PATIENCE_S).seq == 4
    assert running.refusals() == []


@pytest.mark.parametrize(
    "given",
    [
        NewGame("bogus", ("Ann", "Ben")),
        NewGame("classic", ("Ann", "Ben"), settings={"targt": 5}),
        NewGame("classic", ("Ann", "ann")),
        CorrectRoll(faces("444444")),
        CorrectRoll(faces("1")),
        ChooseSelection(faces("66")),
        EnterRoll(faces("9")),
        Answer("perhaps"),
    ],
    ids=repr,
)
def test_a_refused_request_of_a_page_is_answered_and_not_announced(running: Hosted, given: Input) -> None:
    running.game().throws("133346").throws("13344", shelf="1")
    with pytest.raises(RefusedError):
        running.take(given)
    running.take(MotionReported(Motion.STILL))
    assert running.refusals() == []


def test_a_game_that_cannot_be_played_again_is_refused_in_words_for_players(running: Hosted) -> None:
    running.game("Ann", "Ben", "Cy", "Dee", teams={"Red": ("Ann", "Cy"), "Blue": ("Ben", "Dee")})
    for given in (Pause(), Answer("a player leaves"), Answer("Ann"), Answer("Ann leaves"), Pause(), Answer("rematch")):
        running.take(given)
    with pytest.raises(RefusedError, match="3 players cannot make 2 teams"):
        running.taps("roll")
    running.take(MotionReported(Motion.STILL))
    assert [said.split(".")[0] for said in running.refusals()] == ["3 players cannot make 2 teams"]


def test_the_reason_of_a_fault_is_shown_and_not_said(table: Hosted) -> None:
    table.take(Fault("sound", because("No sound", "expected aplay, got none")))
    assert [cue.text for update in table.told for cue in update.cues] == ["No sound"]
    assert table.view.degraded == ("No sound: expected aplay, got none",)


def test_a_press_that_cannot_be_saved_is_refused_in_words_for_players(running: Hosted) -> None:
    running.game().throws("233346")
    before, written = running.host.state, running.written()
    running.connected.refuse_writes()
    with pytest.raises(JournalError, match="readonly"):
        running.taps("bank")
    running.take(MotionReported(Motion.STILL))
    after = running.host.state
    assert running.refusals() == ["Not saved, so it does not count"]
    assert running.view.degraded == (english().text(NOT_WRITTEN),)
    assert (after.seq, after.play, running.written()) == (before.seq, before.play, written)
    running.connected.refuse_writes(False)
    running.taps("bank")
    assert (running.view.degraded, running.view.players[0].score, running.view.seq) == ((), 8, 3)


def test_inputs_of_many_threads_become_acts_one_after_the_other(running: Hosted) -> None:
    running.game().throws("112236")
    ready = threading.Barrier(4)
    answers: list[Future[View]] = []

    def choose(dice: str) -> None:
        ready.wait(PATIENCE_S)
        for _ in range(10):
            answers.append(running.host.submit(ChooseSelection(faces(dice))))

    threads = [threading.Thread(target=choose, args=(dice,)) for dice in ("1", "2", "11", "22")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(answer.result(PATIENCE_S).seq for answer in answers) == list(range(3, 43))
    assert [act for act, _ in running.written()] == sorted(act for act, _ in running.written())


def test_a_cancelled_input_has_no_effect(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game()
        assert table.host.submit(seen("233346")).cancel()
        table.host.start()
        assert table.take(MotionReported(Motion.STILL)).seq == 1


def test_a_farkle_ends_when_its_time_has_passed(tmp_path: Path) -> None:
    clock = ToldClock(stride=10.0)  # each reading of the clock takes ten seconds, so the host's timer is due at once
    with hosted(tmp_path, clock.clock, running=True) as table:
        table.game()
        table.throws("334466")
        assert table.host.feed.wait(lambda update: update.view.phase == "to_throw", PATIENCE_S)
        table.host.consult(lambda _: None).result(PATIENCE_S)  # every listener has heard of it
        phases = [phase for phase, _ in itertools.groupby(update.view.phase for update in table.told)]
        assert phases == ["to_throw", "farkled", "to_throw"]


def test_waits_are_shorter_in_fast_motion(tmp_path: Path) -> None:
    hour = Times(blind_ask_s=3600.0)
    with hosted(tmp_path, fast_clock(10_000.0), running=True, times=hour) as table:
        table.game().take(Fault("eye", because("No picture", "the cable")))
        assert table.host.feed.wait(lambda update: update.view.phase == "asking", PATIENCE_S)


def test_stopping_takes_what_is_in_the_inbox_first(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        answers = [table.host.submit(NewGame("farkle-cribbage", ("Ann",))), table.host.submit(seen("233346"))]
        table.host.start()
        table.host.stop(PATIENCE_S)
        assert [answer.result(0).seq for answer in answers] == [1, 2]
        assert not table.host.alive


def test_messages_are_published_in_order_on_the_hosts_own_thread(running: Hosted) -> None:
    threads: list[tuple[str, str]] = []

    def note(update: Update) -> None:
        kinds = [cue.kind for cue in update.cues]
        threads.append((threading.current_thread().name, "refused" if CueKind.REFUSED in kinds else "act"))

    running.host.feed.subscribe(note)
    running.host.submit(NewGame("farkle-cribbage", ("Ann", "Ben")))
    running.host.tell("the dice are moving")
    running.take(seen("233346"))
    assert threads == [("host", "act"), ("host", "refused"), ("host", "act")]
    assert running.refusals() == ["the dice are moving"]


def test_a_bug_ends_the_host_and_what_was_written_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(threading, "excepthook", lambda _: ended.set())
    with hosted(tmp_path, running=True) as table:
        table.game()
        with pytest.raises(AttributeError):
            table.host.submit(ReadingSettled(None, "nowhere")).result(PATIENCE_S)  # type: ignore[arg-type]
        assert ended.wait(PATIENCE_S)
        table.host.stop(PATIENCE_S)
        assert not table.host.alive
        assert acts_on_disk(tmp_path) == [1]


def test_after_a_restart_the_view_is_the_same(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben", settings={"target": 30}, track=121).throws("334466").throws("233346")
        table.take(ChooseSelection(faces("333")))
        before, written = table.view, table.written()
    with hosted(tmp_path) as again:
        after = again.view
        assert again.written() == written
    for each in ("seq", "players", "roll", "chosen", "to_move", "selections", "settings", "track", "undo", "last"):
        assert getattr(after, each) == getattr(before, each), each


def test_jumps_of_the_clock_change_no_order_and_no_state(tmp_path: Path) -> None:
    def evening(folder: Path, jumps: list[float]) -> tuple[object, list[tuple[int, str]]]:
        wall = iter(jumps)
        with hosted(folder, Clock(lambda: 0.0, lambda: next(wall))) as table:
            table.game().throws("233346").taps("keep").taps("bank")
            written = table.written()
        with hosted(folder) as again:
            return again.host.state.game, written

    year = 365.25 * 86400
    plain = evening(tmp_path / "plain", [1.79e9, 1.79e9 + 1, 1.79e9 + 2, 1.79e9 + 3])
    assert evening(tmp_path / "jumping", [0.0, 1.79e9 - 10 * year, 1.79e9 + 50 * year, 1.79e9]) == plain
