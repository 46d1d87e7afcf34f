"""The real program while something under it fails: a full disk, an eye that hangs, a journal of many evenings."""

import os
import random
import resource
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hosted import Connected, Hosted, hosted, seen
from journal_acts import some_acts
from running import Table, table

from companion.games.repository import open_games
from companion.games.throw_images import ThrowImageWriter
from companion.runtime.host import Clock
from companion.storage.data_folder import open_storage
from companion.storage.files import FILE
from companion.table.state.inputs import Answer, ChooseSelection, NewGame, Undo
from farkle.rules.selections import legal_selections


def begun(running: Table, *players: str) -> int:
    """Start another game, the shortest act without an eye. Return the status of the answer."""
    return running.post("game", {"rules": "farkle-cribbage", "players": list(players)})[0]


@pytest.mark.exhaustive
def test_a_full_disk_is_reported_acknowledges_no_act_and_recovers_by_itself(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben") as running:
        before = running.ready().get("state")
        _, hard = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        full = min((tmp_path / name).stat().st_size for name in (FILE, f"{FILE}-wal"))
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (full, hard))
        assert begun(running, "Cy") == 503
        after = running.get("state")
        assert (after["seq"], after["players"]) == (before["seq"], before["players"])
        assert any("Not saved" in each for each in after["degraded"])
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert begun(running, "Cy") == 200
        assert not any("Not saved" in each for each in running.get("state")["degraded"])
        running.process.kill()
        running.process.wait()
    with table(tmp_path) as again:
        assert [player["name"] for player in again.ready().get("state")["players"]] == ["Cy"]


@pytest.mark.exhaustive
def test_while_the_eye_hangs_buttons_and_page_answer_and_the_table_says_so(tmp_path: Path) -> None:
    with table(tmp_path, "--players", "Ann,Ben") as running:
        running.ready().until(lambda state: state["reading"] is not None)
        (eye,) = running.children()
        os.kill(eye, signal.SIGSTOP)
        assert running.post("buttons/bank", {"press": "tap"})[0] == 422  # the reason why it cannot throw yet
        assert begun(running, "Cy", "Di") == 200
        said = running.until(lambda state: state["degraded"])
        assert "can't see the tray" in said["degraded"][0]
        running.until(lambda state: not state["degraded"])  # a new eye has started
        running.end()
        assert any(" warning table: fault: I can't see the tray" in line for line in running.said)
        assert any(" info table: fault ended: I can't see the tray" in line for line in running.said)


def big_journal(folder: Path, events: int) -> int:
    """Write a journal of this many events, in games of three hundred acts. Return the number of games."""
    connected = Connected()
    storage = open_storage(folder, time.time, connecting=connected)
    connected.set("synchronous=OFF")
    written = act = game = 0
    while written < events:
        game += 1
        for made in some_acts(300):
            act += 1
            storage.journal.append(game, act, 1.7e9 + act, made)
            written += len(made)
    storage.close()
    return game


@pytest.mark.soak
def test_a_journal_of_a_hundred_thousand_events_restores_the_table(tmp_path: Path) -> None:
    games = big_journal(tmp_path, 100_000)
    with table(tmp_path) as running:
        assert running.ready().get("state")["seq"] == games * 300


@dataclass(frozen=True)
class Held:
    """The resources of this process: resident kilobytes, threads, file descriptors."""

    kilobytes: int
    threads: int
    files: int


def held() -> Held:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return Held(pages * 4, threading.active_count(), len(os.listdir("/proc/self/fd")))


def evening(running: Hosted, games: int) -> Iterator[int]:
    """Play this many games at simulated speed through host, journal and feed. Return the acts of each game."""
    chance = random.Random(running.host.state.seq)
    for _ in range(games):
        began = running.host.state.seq
        running.take(NewGame("farkle-cribbage", ("Ann", "Ben", "Cy", "Di")))
        while not running.view.winners:
            state, view = running.host.state, running.view
            if view.question:
                running.take(Answer(chance.choice(view.question.keys)))
            elif view.phase == "choosing" and not view.chosen:
                running.take(ChooseSelection(legal_selections(state.game.rules, state.game.turn.roll)[0].dice))
            elif view.phase == "choosing" and "bank" in view.legal and view.dice_to_throw < 4:
                running.taps("bank")
            else:
                dice = "".join(str(chance.randint(1, 6)) for _ in range(view.dice_to_throw))
                aside = (*view.locked, *(view.chosen.dice if view.chosen else ())) if view.dice_to_throw < 6 else ()
                running.take(seen(dice, shelf="".join(map(str, aside))))
                if chance.random() < 0.02:
                    running.take(Undo())
        yield running.host.state.seq - began


def month(folder: Path, evenings: int, games: int) -> tuple[list[Held], Counter[str]]:
    """Return the resources after each evening of a month, and the games played."""
    done: Counter[str] = Counter()
    found: list[Held] = []
    with hosted(folder, Clock(), running=True) as running:
        kept = open_games(folder, running.host)
        keeper = ThrowImageWriter(
            kept.images, running.host.feed, lambda: running.host.state.acts, lambda _: b"jpeg" * 1000
        )
        keeper.start()
        for _ in range(evenings):
            running.told.clear()
            for acts in evening(running, games):
                done.update(acts=acts, games=1)
            assert len(kept.summaries()) == done["games"]
            found.append(held())
        keeper.close()
    return found, done


@pytest.mark.exhaustive
def test_two_evenings_leave_no_thread_and_no_file_open(tmp_path: Path) -> None:
    found, done = month(tmp_path, evenings=2, games=1)
    assert done["games"] == 2
    assert (found[0].threads, found[0].files) == (found[1].threads, found[1].files)


@pytest.mark.soak
def test_a_month_of_evenings_keeps_memory_threads_and_files_flat(tmp_path: Path) -> None:
    found, done = month(tmp_path, evenings=30, games=5)
    settled = found[5:]
    assert done["games"] == 150
    assert {(each.threads, each.files) for each in settled} == {(settled[0].threads, settled[0].files)}
    assert settled[-1].kilobytes - settled[0].kilobytes < 20_000
