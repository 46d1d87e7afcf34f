"""Stills: the picture that each throw was read from, kept for disputes as a file beside the journal."""

import os
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from companion.feed import Feed, Update
from companion.table.events import ThrowSeen
from companion.table.history import Act

FOLDER = "stills"
KEPT = 600
"""The last so many throws keep their still: two long evenings, some 40 MB."""


class Stills:
    """The stills of one data folder, each named by its act. A still that cannot be written or is gone is no error."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._folder = folder / FOLDER
        self._kept = kept

    def keep(self, act: int, jpeg: bytes) -> None:
        """Keep the still of an act; the oldest beyond the last `kept` go."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part = self._file(act).with_suffix(".part")
            part.write_bytes(jpeg)
            part.replace(self._file(act))
            for name in self._names()[: -self._kept]:
                os.unlink(self._folder / name)  # noqa: PTH108 - names are as the folder lists them

    def still(self, act: int) -> bytes | None:
        """The JPEG of an act's throw, None where none is kept."""
        try:
            return self._file(act).read_bytes()
        except OSError:
            return None

    def acts(self) -> frozenset[int]:
        """The acts whose stills are kept."""
        return frozenset(int(name.partition(".")[0]) for name in self._names())

    def delete(self, acts: Iterable[int]) -> None:
        """Let go of the stills of these acts."""
        for act in acts:
            self._file(act).unlink(missing_ok=True)

    def _file(self, act: int) -> Path:
        return self._folder / f"{act:08d}.jpg"

    def _names(self) -> list[str]:
        try:
            return sorted(each.name for each in self._folder.iterdir() if each.suffix == ".jpg")
        except OSError:
            return []


class StillKeeper:
    """Writes each throw's still on a thread of its own. `acts` gives the newest game's acts, `picture` a JPEG."""

    def __init__(
        self,
        stills: Stills,
        feed: Feed,
        acts: Callable[[], Sequence[Act]],
        picture: Callable[[int], bytes | None],
    ) -> None:
        self._stills = stills
        self._acts = acts
        self._picture = picture
        newest = acts()
        self._last = newest[-1].number if newest else 0
        self._waiting: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._leave = feed.subscribe(self._on_update)
        self._thread = threading.Thread(target=self._run, name="stills", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what waits, then end."""
        self._leave()
        self._waiting.put(None)
        self._thread.join(5.0)

    def _on_update(self, update: Update) -> None:  # noqa: ARG002 - the acts say more than the view
        acts = self._acts()
        if not acts or acts[-1].number == self._last:
            return
        self._last = acts[-1].number
        for event in acts[-1].events:
            if isinstance(event, ThrowSeen):
                jpeg = self._picture(event.picture)
                if jpeg is not None:
                    self._waiting.put((self._last, jpeg))

    def _run(self) -> None:
        while (given := self._waiting.get()) is not None:
            self._stills.keep(*given)
