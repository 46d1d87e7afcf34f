"""Tables as files: those that come with the program, and those that a program keeps by the hash of the settings."""

from functools import cache
from importlib import resources
from typing import IO
from zipfile import BadZipFile

import numpy as np

from farkle.odds.game.duel import Duel, OddsError, duel_of
from farkle.odds.game.ending import FinalTurn, rounds_shape
from farkle.odds.game.solve import SolveProgress
from farkle.odds.game.table import Offers, Table, offers_shape
from farkle.odds.switches import VERSION, settings_hash
from farkle.odds.turn.listing import Floats
from farkle.rules.catalogue import find_rule_set
from farkle.rules.ruleset import RuleSet

PACKAGED = tuple((key, target) for key in ("farkle-cribbage", "farkle-cribbage-advanced") for target in (121, 61))
"""The rule sets and targets whose tables come with the program."""


def packaged_table(rules: RuleSet) -> Table | None:
    """Return the table of a rule set that comes with the program, or None."""
    name = _packaged().get(settings_hash(rules))
    if name is None:
        return None
    with (resources.files("farkle.odds") / "tables" / name).open("rb") as file:
        return read_table(duel_of(rules), file)


@cache
def _packaged() -> dict[str, str]:
    found = {}
    for key, target in PACKAGED:
        rules = find_rule_set(key).with_settings({"target": target})
        found[settings_hash(rules)] = f"{key}-{target}.npz"
    return found


def write_table(table: Table, file: IO[bytes], progress: SolveProgress | None = None) -> None:
    """Write a table to a file, and how far its solution is if that is under way.

    The file is compressed if there are offers, which need much room.
    """
    arrays = {f"final_{role}": _packed(each) for role, each in enumerate(table.finals)}
    arrays |= {"version": np.array(VERSION), "values": table.values}
    if progress is not None:
        arrays["state"] = np.array((progress.sweep, progress.total, progress.change))
    if table.offers is not None:
        arrays["offers"] = table.offers.values
        arrays |= {f"left_over_{role}": np.array(each.left_over) for role, each in enumerate(table.finals)}
    save = np.savez if table.offers is None else np.savez_compressed
    save(file, allow_pickle=False, **arrays)


def read_table(duel: Duel, file: IO[bytes]) -> Table:
    """Return the table of a game from a file that `write_table` wrote, whatever its state.

    Raises:
        OddsError: if the file is damaged, or holds another game's table.
    """
    offered = duel.terms.offered > 0
    try:
        with np.load(file, allow_pickle=False) as arrays:
            version, values = int(arrays["version"]), arrays["values"]
            finals = tuple(
                _unpacked(arrays[f"final_{role}"], arrays[f"left_over_{role}"] if offered else None)
                for role in range(len(duel.all_roles))
            )
            offers = Offers(duel, arrays["offers"]) if offered else None
    except (ValueError, KeyError, OSError, EOFError, BadZipFile) as error:
        raise OddsError(f"expected a table of odds, got a damaged file: {error}") from error
    shape = rounds_shape(duel.turns) if duel.terms.rounds else duel.shape
    if version != VERSION or values.shape != shape or values.dtype != np.float64:
        raise OddsError(f"expected a table of odds of the shape {shape}, got {values.shape}")
    if offers is not None and offers.values.shape != offers_shape(duel):
        raise OddsError(f"expected offers of the shape {offers_shape(duel)}, got {offers.values.shape}")
    return Table(duel, values, finals, offers)


def read_progress(duel: Duel, file: IO[bytes]) -> SolveProgress:
    """Return a solution under way from a file that `write_table` wrote; else `OddsError` reaches the caller."""
    table = read_table(duel, file)
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        sweep, total, change = arrays["state"].tolist()
    return SolveProgress(table, int(sweep), int(total), change)


def _packed(final: FinalTurn) -> Floats:
    longest = max(len(final.on_board), len(final.off_board))
    rows = [np.pad(each, (0, longest - len(each)), mode="edge") for each in (final.on_board, final.off_board)]
    return np.array([*rows, np.full(longest, final.tie)])


def _unpacked(rows: Floats, left_over: Floats | None) -> FinalTurn:
    return FinalTurn(rows[0], rows[1], float(rows[2, 0]), left_over)
