"""Measure reading in other light and with other cameras: `python bench/conditions_bench.py [FOLDER...]`.

Every development picture of level dice is read as it is, and as another lamp or camera would have shown it. A
condition whose figures fall far below those of "as taken" is one that the reader has yet to learn. Changed pictures are
no photographs: the figures compare readers and conditions, and say nothing of a table.
"""

import argparse
import sys

from conditions import CONDITIONS
from paired import of_picture, shares
from picture_sets import SHARED, all_sets, read_set, reading_pool, set_folder


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description="How reading holds in other light and with other cameras.")
    parser.add_argument("folders", nargs="*", type=set_folder)
    arguments = parser.parse_args()
    if not arguments.folders and not SHARED.exists():
        sys.stdout.write(f"skipped: photographs, rigs and most trays, for there is no {SHARED}\n")
    sets = [read_set(folder) for folder in arguments.folders] or list(all_sets())
    pictures = [(each.name, p) for each in sets for p in each.pictures if not p.held_out and not p.odd]
    with reading_pool() as pool:
        for condition in CONDITIONS:
            rows = pool.map(of_picture, [(name, condition, picture) for name, picture in pictures], 8)
            sys.stdout.writelines(f"{line}\n" for line in (condition, *shares(rows)))
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
