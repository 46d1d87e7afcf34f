"""The journal returns acts unchanged. A disk that refuses a write causes an error, and no act is lost."""

from contextlib import suppress
from pathlib import Path

import pytest
from hosted import Connected
from hypothesis import given
from hypothesis import strategies as st
from journal_acts import Refusing, files_of_at_most, filled, loaded, some_acts, wall

from companion.errors import JournalError
from companion.features.tournament.table.matches import tournament_now
from companion.features.tournament.table.shown import shown_tournament
from companion.storage.codec import decode, encode, kinds_beside
from companion.storage.data_folder import open_storage
from companion.storage.files import FILE
from companion.storage.journal import Journal
from companion.storage.rows import acts_of, sound_rows
from companion.table.state.events import Aside, Event, Gone, TableEvent, Undone
from companion.table.state.history import Act
from companion.table.state.state import restored
from farkle.game import events as game

KINDS = (*game.EVENT_KINDS, *TableEvent.__subclasses__(), *kinds_beside().values())
ALL_EVENTS = tuple(kind for kind in KINDS if kind is not Aside)


@pytest.mark.parametrize(
    ("kind", "body", "event"),
    [
        (
            "GameStarted",
            '{"first":1,"players":["Ann","Ben"],"rules":"farkle-cribbage","settings":[["target",61]],"sides":[[0],[1]]}',
            game.GameStarted("farkle-cribbage", (("target", 61),), ("Ann", "Ben"), ((0,), (1,)), 1),
        ),
        ("GameEnded", '{"winners":[0]}', game.GameEnded((0,))),
        ("Undone", '{"act":7}', Undone(7)),
    ],
)
def test_an_event_of_the_first_schema_is_still_read(kind: str, body: str, event: Event) -> None:
    assert decode(kind, 1, body) == event


@given(st.sampled_from(ALL_EVENTS).flatmap(st.from_type))
def test_every_event_comes_back_as_it_was(event: Event) -> None:
    assert decode(*encode(event)) == event


@pytest.mark.parametrize(
    ("kind", "schema", "body"),
    [
        ("Teleported", 1, "{}"),
        ("Undone", 3, '{"act":1}'),
        ("Undone", 0, '{"act":1}'),
        ("Undone", 1, "{"),
        ("Undone", 1, "[]"),
        ("Undone", 1, '{"act":"1"}'),
        ("Undone", 1, '{"act":true}'),
        ("Undone", 1, '{"act":1,"more":2}'),
        ("DiceRolled", 1, '{"faces":1,"player":0}'),
        ("Undone", 2, '{"act":1.0}'),
        ("GameStarted", 1, '{"first":0,"players":[],"rules":"x","settings":[["a"]],"sides":[]}'),
        ("GameStarted", 1, "[]"),
        ("GameStarted", 2, '{"first":0,"players":[],"rules":"x","settings":[],"sides":[]}'),
        ("GameEnded", 2, '{"winners":[0]}'),
    ],
)
def test_a_body_that_is_no_event_is_refused_in_one_line(kind: str, schema: int, body: str) -> None:
    with pytest.raises(JournalError, match=r"^expected .*, got .*$") as refused:
        decode(kind, schema, body)
    assert kind != "DiceRolled" or ": faces: " in str(refused.value)


def test_events_of_what_the_table_has_no_longer_are_kept_and_change_nothing(tmp_path: Path) -> None:
    gone = (
        Gone("DailyBegan", 2, '{"attempt":1,"day":"2026-11-27"}'),
        Gone("TournamentStands", 2, '{"form":"losers_out","players":["Ann","Ben","Cy"]}'),
    )
    for each in gone:
        assert decode(*encode(each)) == each
    storage = open_storage(tmp_path, wall)
    (started, *acts) = some_acts(3)
    storage.journal.append(1, 1, wall(), [*started, *gone])
    for number, events in enumerate(acts, start=2):
        storage.journal.append(1, number, wall(), events)
    storage.journal.append(1, 4, wall(), [gone[1]])
    storage.close()
    found = loaded(tmp_path)
    assert (found.loss, found.acts[0].events) == (None, (*started, *gone))
    state = restored(found.acts, seq=found.seq, game_number=1, last_game=1)
    plain = restored(found.acts[:3], seq=3, game_number=1, last_game=1)
    assert (state.current.game, tournament_now(state.play)) == (plain.current.game, None)
    assert [each.act.number for each in state.history] == [1, 2, 3]
    assert shown_tournament(state).tournament is None


def test_written_acts_are_there_after_a_restart_and_the_chain_goes_on(tmp_path: Path) -> None:
    written = filled(tmp_path, 3)
    connected = Connected()
    storage = open_storage(tmp_path, wall, connecting=connected)
    settings = [list(connected.connection.execute(f"PRAGMA {name}")) for name in ("synchronous", "journal_mode")]
    assert settings == [[(2,)], [("wal",)]]  # it waits for the disk
    assert storage.loaded.acts == tuple(Act(number, events) for number, events in enumerate(written, start=1))
    assert (storage.loaded.game, storage.loaded.seq, storage.loaded.loss) == (1, len(written), None)
    storage.journal.append(1, 4, wall(), list(some_acts(4))[-1])
    rows, wrong = sound_rows(storage.journal.rows(1))
    assert (len(acts_of(rows)), wrong) == (4, None)
    storage.journal.append(2, 5, wall(), next(some_acts(1)))
    storage.close()
    assert [act.number for act in loaded(tmp_path).acts] == [5]  # of the newest game alone


@pytest.mark.parametrize("statement", ["BEGIN", "INSERT", "COMMIT"])
def test_an_act_that_cannot_be_written_leaves_nothing_and_the_next_one_fits(tmp_path: Path, statement: str) -> None:
    path = tmp_path / FILE
    connection = Refusing(path, "", on=statement)
    journal = Journal(path, wall, lambda _: connection)
    written = list(some_acts(3))
    journal.append(1, 1, 0.0, written[0])
    connection.words = "database or disk is full"
    with pytest.raises(JournalError, match="database or disk is full"):
        journal.append(1, 2, 0.0, written[1])
    connection.words = ""
    journal.append(1, 2, 0.0, written[2])
    rows, wrong = sound_rows(journal.rows(1))
    assert wrong is None
    assert [act.events for act in acts_of(rows)] == [written[0], written[2]]
    journal.close()


def test_a_file_size_limit_is_an_error_and_no_crash(tmp_path: Path) -> None:
    storage, done = open_storage(tmp_path, wall), 0
    with files_of_at_most(60_000), suppress(JournalError):  # Python ignores its signal
        for number, events in enumerate(some_acts(1000), start=1):
            storage.journal.append(1, number, 0.0, events)
            done = number
    storage.journal.append(1, done + 1, 0.0, next(some_acts(1)))
    storage.close()
    assert 0 < done < 1000
    assert (len(loaded(tmp_path).acts), loaded(tmp_path).loss) == (done + 1, None)


def test_a_folder_that_cannot_be_written_is_played_from_a_copy(tmp_path: Path) -> None:
    written = filled(tmp_path)

    def read_only(path: Path) -> Refusing:
        words = "attempt to write a readonly database" if path.parent == tmp_path else ""
        return Refusing(path, words, on="PRAGMA journal_mode")

    storage = open_storage(tmp_path, wall, connecting=read_only)
    assert not storage.saved
    assert [act.events for act in storage.loaded.acts] == written
    storage.journal.append(1, len(written) + 1, wall(), next(some_acts(1)))
    storage.close()
