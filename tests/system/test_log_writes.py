"""The disks that power cuts leave, made from a log of writes as in `make test-vm`."""

import importlib.util
import struct
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[1] / "vm/log_writes.py"
SECTOR = 512


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("vm_log_writes", FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["vm_log_writes"] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    return module


LOG = loaded()


def written(folder: Path, *entries: tuple[int, int, bytes]) -> tuple[Path, Path]:
    """Write a disk of ones, and a log of (sector, flags, data). Discarded sectors are zero here."""
    base, log = folder / "base", folder / "log"
    base.write_bytes(b"1" * SECTOR * 64)
    text = struct.pack("<QQQI", LOG.MAGIC, 1, len(entries), SECTOR).ljust(SECTOR, b"\0")
    for sector, flags, data in entries:
        text += struct.pack("<QQQQ", sector, len(data) // SECTOR, flags, 0).ljust(SECTOR, b"\0") + data
    log.write_bytes(text)
    return base, log


def block(mark: bytes, sectors: int = 8) -> bytes:
    return mark * SECTOR * sectors


def test_flushed_data_is_on_every_disk(tmp_path: Path) -> None:
    base, log = written(tmp_path, (0, 0, block(b"a")), (0, LOG.FLUSH, b""), (8, LOG.FUA, block(b"b")))
    entries = list(LOG.read_entries(log))
    for seed in range(30):
        assert LOG.cut_disk(base, log, entries, seed, tmp_path / "out") == (0, 0)
        assert (tmp_path / "out").read_bytes() == block(b"a") + block(b"b") + block(b"1", 48)


def test_data_that_was_not_flushed_is_whole_torn_at_a_sector_or_missing(tmp_path: Path) -> None:
    base, log = written(tmp_path, (0, LOG.FLUSH, b""), (0, 0, block(b"a")))
    entries = list(LOG.read_entries(log))
    kept = set()
    for seed in range(60):
        LOG.cut_disk(base, log, entries, seed, tmp_path / "out")
        sectors = [(tmp_path / "out").read_bytes()[n * SECTOR : (n + 1) * SECTOR] for n in range(8)]
        count = sectors.count(block(b"a", 1))
        assert sectors == [block(b"a", 1)] * count + [block(b"1", 1)] * (8 - count)
        kept.add(count)
    assert {0, 8} < kept


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(bytes(600))
    with pytest.raises(ValueError, match="expected a log of writes"):
        list(LOG.read_entries(tmp_path / "log"))
