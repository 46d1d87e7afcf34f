"""Power cuts below SQLite: no acknowledged act is lost. The same test finds the losses of a weaker setting."""

import random
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest
from journal_acts import some_acts, wall
from sector_disk import Connection, Disk, PowerCutError

from companion.errors import JournalError
from companion.storage.database import Database
from companion.storage.journal import Journal
from companion.storage.rows import acts_of, sound_rows

ACTS = 24


@dataclass
class Outcome:
    """The result of a cut: the acknowledged acts that are gone, and whether the rest is damaged."""

    lost: int
    damaged: bool


def cut(seed: int, synchronous: str, folder: Path) -> Outcome:
    """Write acts until the power fails, then read the disk."""
    chance = random.Random(seed)
    disk = Disk(chance, fuse=chance.randrange(1, 150))
    written = list(some_acts(ACTS))
    acknowledged = 0
    path = folder / f"{synchronous}-{seed}" / "journal.db"
    path.parent.mkdir()
    try:
        journal = Journal(path, wall, lambda _: Connection(disk, str(path), synchronous))
        for number, events in enumerate(written, start=1):
            journal.append(1, number, 0.0, events)
            acknowledged = number
    except (PowerCutError, apsw.Error, JournalError):
        pass
    after = disk.after_cut()
    try:
        again = Database(path, Connection(after, str(path), synchronous))
        again.prepare()
        rows, wrong = sound_rows(again.rows())
    except (apsw.Error, JournalError):
        return Outcome(acknowledged, damaged=True)
    left = [act.events for act in acts_of(rows)]
    damaged = wrong is not None or left != written[: len(left)]
    return Outcome(max(0, acknowledged - len(left)), damaged)


def outcomes(cuts: int, synchronous: str, folder: Path) -> tuple[int, int]:
    """Return how many of the cuts lost acknowledged acts, and how many left damage."""
    found = [cut(seed, synchronous, folder) for seed in range(cuts)]
    return sum(each.lost > 0 for each in found), sum(each.damaged for each in found)


@pytest.mark.parametrize(
    "cuts",
    [40, pytest.param(120, marks=pytest.mark.exhaustive), pytest.param(400, marks=pytest.mark.soak)],
)
def test_no_cut_loses_an_acknowledged_act(tmp_path: Path, cuts: int) -> None:
    assert outcomes(cuts, "FULL", tmp_path) == (0, 0)


def test_the_same_cuts_lose_acts_where_the_journal_does_not_wait(tmp_path: Path) -> None:
    lost, _ = outcomes(15, "NORMAL", tmp_path)
    assert lost > 3
    lost, damaged = outcomes(10, "OFF", tmp_path)
    assert lost + damaged > 3
