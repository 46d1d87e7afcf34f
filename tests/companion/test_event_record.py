"""The record of named events: what happens reaches each reader, and what was missed comes from the journal."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hosted import PATIENCE_S, Hosted, hosted

from companion.errors import JournalError
from companion.named_events import record
from companion.named_events.kinds import AnyEvent
from companion.named_events.record import Entry, EventReader, EventRecord, PlaceLostError
from companion.storage.rows import JournalRow
from companion.table.state.inputs import Answer, CorrectRoll, Fault, NewGame, Undo


@dataclass
class Listener:
    """Reads the record of a running table, and waits for what it expects."""

    table: Hosted
    record: EventRecord
    woken: threading.Event = field(default_factory=threading.Event)
    heard: list[Entry] = field(default_factory=list)

    def listens(self, after: str | None = None) -> EventReader:
        return self.record.reader(self.woken.set, after)

    def hears(self, reader: EventReader, until: Callable[[Entry], bool]) -> list[Entry]:
        """Return the entries up to the first one that fits."""
        found: list[Entry] = []
        while not any(map(until, found)):
            entries = reader.read()
            found += entries
            if not entries:
                assert self.woken.wait(PATIENCE_S), found
                self.woken.clear()
        return found

    def hears_all(self, reader: EventReader) -> list[Entry]:
        """Return the entries up to the newest act."""
        newest = self.table.host.state.seq
        return self.hears(reader, lambda entry: entry.acted and entry.events[-1].act == newest)


@contextmanager
def listening(folder: Path) -> Iterator[Listener]:
    """Host a table with a record."""
    with hosted(folder, running=True) as table:
        record = EventRecord(table.host)
        record.start()
        try:
            yield Listener(table, record)
        finally:
            record.close()


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    with listening(tmp_path) as made:
        yield made


def kinds(entries: list[Entry]) -> list[str]:
    return [event.event_type for entry in entries for event in entry.events]


def happened(entries: list[Entry]) -> list[AnyEvent]:
    return [event for entry in entries if entry.acted for event in entry.events]


def play(table: Hosted) -> None:
    """Play turns with a farkle, hot dice, an undo and a correction, and a second game."""
    table.game().throws("233346").taps("bank").throws("344566").throws("111111")
    table.take(CorrectRoll((1, 1, 1, 1, 1, 5)))
    table.taps("keep")
    table.take(Undo())
    table.take(NewGame("classic", ("Cy", "Dee", "Eve")))
    table.throws("223466").throws("111234").taps("bank")


def test_a_reader_gets_each_act_as_it_happens_with_its_id_and_the_one_before(listener: Listener) -> None:
    reader = listener.listens()
    play(listener.table)
    heard = listener.hears_all(reader)
    assert [entry.events[-1].act for entry in heard] == list(range(1, listener.table.host.state.seq + 1))
    assert [entry.events[0].before for entry in heard] == ["", *[entry.id for entry in heard[:-1]]]
    assert heard[-1].id == reader.id
    said = kinds(heard)
    assert said[:8] == ["start", "throw", "keep", "bank", "throw", "farkle", "throw", "correction"]
    assert said.index("correction") < said.index("undo") < said.index("start", 1)


@pytest.mark.parametrize("kept", [1, 4, 256])
def test_what_was_missed_is_what_a_reader_got_at_once_also_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int
) -> None:
    monkeypatch.setattr(record, "KEPT", kept)
    monkeypatch.setattr("companion.storage.journal.MOST_ROWS", 12)
    with listening(tmp_path) as listener:
        reader = listener.listens()
        play(listener.table)
        at_once = listener.hears_all(reader)
        missed = listener.hears_all(listener.listens(at_once[2].id))
        assert happened(missed) == happened(at_once[3:])
    with listening(tmp_path) as listener:
        reader = listener.listens(at_once[2].id)
        listener.table.throws("344566")
        *before, last = listener.hears_all(reader)
        assert happened(before) == happened(at_once[3:])
        assert {event.late for entry in before for event in entry.sent_at(0.0)} == {True}
    newest = replace(last, seen_s=100.0)
    assert [newest.sent_at(at_s)[-1].late for at_s in (100.0, 105.0, 105.1)] == [False, False, True]


def test_an_id_that_the_journal_does_not_hold_is_refused(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = listener.listens()
    play(listener.table)
    first, *_, last = listener.hears_all(reader)
    act, _, hashed = first.id.partition("-")
    for wrong in ("x", "-", f"{act}-", f"9{act}-{hashed}", f"{act}-{hashed[:-1]}", f"-{hashed}", f"{act}-{last.id}"):
        with pytest.raises(PlaceLostError, match="expected the id of an act that the journal holds, got") as error:
            listener.listens(wrong)
        assert error.value.nearest in (None, "", first.id, last.id)
    monkeypatch.setattr(record, "MOST_MISSED", 3)
    with pytest.raises(PlaceLostError, match="expected at most 3 missed acts, got"):
        listener.listens(first.id)
    assert listener.listens(last.id).read() == []


def test_the_place_in_a_deleted_game_is_lost(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "KEPT", 1)
    reader = listener.listens()
    play(listener.table)
    heard = listener.hears_all(reader)
    behind = listener.listens(heard[1].id)
    listener.table.host.consult(lambda journal: journal.delete(1)).result(PATIENCE_S)
    with pytest.raises(PlaceLostError, match="the journal does not hold the act that was read last") as error:
        behind.read()
    assert error.value.nearest == ""  # no act before it is kept
    kept = happened(listener.hears_all(listener.listens("")))
    assert [event.act for event in kept] == [event.act for event in happened(heard) if event.game == 2]
    with pytest.raises(PlaceLostError) as error:
        listener.listens(heard[-2].id[:-1])
    assert error.value.nearest == heard[-2].id
    assert listener.hears_all(listener.listens(heard[-3].id))[0].events[0].game == 2


def test_faults_and_questions_are_told_once_and_have_no_id(listener: Listener) -> None:
    table = listener.table.game()
    reader = listener.listens()
    table.take(Fault("camera", "It is dark."))
    table.take(Fault("camera", None))
    table.take(Fault("lights", "No lights."))
    began = listener.hears(reader, lambda entry: getattr(entry.events[0], "part", "") == "lights")
    assert {(event.part, event.over) for entry in began for event in entry.events} >= {("lights", False)}
    table.take(Fault("lights", None))
    (ended,) = listener.hears(reader, lambda entry: True)
    assert (ended.events[0].event_type, ended.events[0].over, ended.id) == ("fault", True, "")
    table.throws("123346", sure=False)
    (asked,) = listener.hears(reader, lambda entry: True)
    assert (asked.events[0].event_type, asked.id, asked.events[0].before) == ("question", "", "")
    table.take(Answer(table.view.question.keys[0]))
    assert "question" not in kinds(listener.listens().read())


def test_a_correction_says_what_the_throw_makes_now(listener: Listener) -> None:
    reader = listener.listens()
    listener.table.game().throws("123346").take(CorrectRoll((3, 4, 4, 5, 6, 6)))
    corrected = listener.hears_all(reader)[-1].events[-1]
    assert corrected.event_type == "correction"
    assert (corrected.corrected, corrected.faces, corrected.makes) == (2, (3, 4, 4, 5, 6, 6), ("throw", "farkle"))
    assert corrected.standing.to_move == 2


def test_a_reader_that_has_left_is_not_woken(listener: Listener) -> None:
    reader, other = listener.listens(), threading.Event()
    listener.record.reader(other.set).close()
    listener.table.game()
    listener.hears_all(reader)
    assert not other.is_set()


def test_a_game_that_is_deleted_before_the_record_has_read_on_stops_nothing(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = listener.listens()
    listener.table.game()
    listener.hears_all(reader)
    monkeypatch.setattr(listener.record, "_wake", lambda: None)
    listener.table.game().throws("344566")
    listener.table.host.consult(lambda journal: journal.delete(1)).result(PATIENCE_S)
    monkeypatch.undo()
    listener.table.throws("344566")
    assert [entry.events[0].act for entry in listener.hears_all(reader)] == [2, 3, 4]


def test_acts_whose_reading_failed_halfway_are_told_right_the_next_time(tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        play(table)
        journal = table.storage.journal
        rows = journal.after(None)
        first = next(number for number, row in enumerate(rows) if row.act == 2)
        told, fold = record.entries(rows[:first], "", None, journal.rows)

        def refuses(_: int) -> list[JournalRow]:
            raise JournalError("the journal did not answer")

        with pytest.raises(JournalError, match="did not answer"):
            record.entries(rows[first:], told[-1].id, fold, refuses)  # fails at the second game
        again, _ = record.entries(rows[first:], told[-1].id, fold, journal.rows)
        assert [*told, *again] == record.entries(rows, "", None, journal.rows)[0]
