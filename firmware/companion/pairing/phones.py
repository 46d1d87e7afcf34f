"""The phones that may play, how long each may, and the file that holds them across restarts.

A phone holds 128 random bits; the table keeps their SHA-256. It ends two hours after its last use, and twelve hours
after pairing at the latest. Both are counted in seconds of running, which are stored each minute; the time that a table
was off counts, too, as far as its clock tells. So neither a restart nor a false clock lengthens anything, and a clock
that is set while people play ends nothing.
"""

import errno
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.log import logger_of
from companion.nothing import nothing
from companion.storage.whole_file import replacing
from dicereader.data.files import read_text

FILE = "paired-phones.json"
"""The file in the data folder that holds the paired phones."""

MOST_PHONES = 16
IDLE_S = 2 * 3600.0
LIFE_S = 12 * 3600.0
TOKEN_BYTES = 16

PARTNERS = 2
"""The most phones that share the place of a player."""

_log = logger_of("phones")


@dataclass(frozen=True)
class Phone:
    """A paired phone.

    `digest` is the SHA-256 of its token in hexadecimal; `age_s` and `idle_s` are the seconds since pairing and since
    its last use. `seat` is the name of the player whose place it has taken, and `did` names its last act; both may be
    empty.
    """

    id: str
    name: str
    digest: str
    age_s: float = 0.0
    idle_s: float = 0.0
    seat: str = ""
    did: str = ""

    @property
    def over(self) -> bool:
        """Whether its time has passed."""
        return self.age_s >= LIFE_S or self.idle_s >= IDLE_S

    def older(self, seconds: float) -> "Phone":
        """Return the phone after so many seconds without a use."""
        return replace(self, age_s=self.age_s + seconds, idle_s=self.idle_s + seconds)


def digest_of(token: str) -> str:
    """Return the SHA-256 of a token, in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


class Phones:
    """The phones of a table, by the digests of their tokens. Thread-safe.

    A phone comes or takes a seat once that is stored; it goes at once, and is then stored. So `store` is called before
    each of these methods returns, and its error reaches the caller.
    """

    def __init__(
        self,
        known: Iterable[Phone],
        *,
        clock: Callable[[], float],
        store: Callable[[Sequence[Phone]], object] = nothing,
        changed: Callable[[], object] = nothing,
    ) -> None:
        """Take up the phones of the last run.

        Args:
            known: The phones that were stored, as old as they are now.
            clock: Seconds of running; it never goes back.
            store: Stores the phones.
            changed: Called when a phone has come or gone, or has taken a seat.
        """
        self._clock, self._write, self._changed = clock, store, changed
        self._lock = threading.Lock()
        self._storing = threading.Lock()
        self._phones = {each.id: each for each in known}
        self._counted_s = clock()

    def pair(self, name: str, before: str = "") -> tuple[Phone, str]:
        """Return a new phone and its token, which is kept nowhere; beyond sixteen the one idle for longest leaves.

        `before` is the id of the phone whose place it takes.
        """
        token = secrets.token_hex(TOKEN_BYTES)
        phone = Phone(secrets.token_hex(4), name, digest_of(token))

        def paired(phones: dict[str, Phone]) -> None:
            phones.pop(before, None)
            while len(phones) >= MOST_PHONES:
                del phones[max(phones.values(), key=lambda each: each.idle_s).id]
            phones[phone.id] = phone

        self._change(paired)
        return phone, token

    def use(self, token: str) -> Phone | None:
        """Return the phone that holds a token, and note its use; None if there is none, or its time has passed."""
        digest = digest_of(token)
        with self._lock:
            self._count()
            found = next((each for each in self._phones.values() if each.digest == digest), None)
            if found is None:
                return None
            used = replace(found, idle_s=0.0)
            self._phones[found.id] = used
            return used

    def holds(self, phone: str) -> bool:
        """Return whether the phone of this id may play."""
        return phone in self._phones

    def all(self) -> tuple[Phone, ...]:
        """Return the phones, the newest first."""
        with self._lock:
            self._count()
            return tuple(sorted(self._phones.values(), key=lambda each: each.age_s))

    def forget(self, *ids: str) -> None:
        """Take phones away by their ids; without ids all of them."""
        gone = ids or tuple(self._phones)

        def forgotten(phones: dict[str, Phone]) -> None:
            for each in gone:
                phones.pop(each, None)

        self._change(forgotten, at_once=True)

    def sit(self, phone: str, player: str) -> None:
        """Give a phone a player's seat, or take its seat away with an empty name.

        Two phones may share a seat. If a third phone takes it, the one that has been idle longest loses it. So a new
        phone can replace a lost one.
        """

        def seated(phones: dict[str, Phone]) -> None:
            others = [each for each in phones.values() if player and each.seat == player and each.id != phone]
            for each in sorted(others, key=lambda each: each.idle_s)[PARTNERS - 1 :]:
                phones[each.id] = replace(each, seat="")
            if phone in phones:
                phones[phone] = replace(phones[phone], seat=player)

        self._change(seated)

    def did(self, phone: str, what: str) -> None:
        """Note the last act of a phone."""
        with self._lock:
            if phone in self._phones:
                self._phones[phone] = replace(self._phones[phone], did=what)

    def store(self) -> None:
        """Store the phones as they are, with the seconds that they have aged."""
        with self._storing:
            self._write(self.all())

    def _change(self, change: Callable[[dict[str, Phone]], object], *, at_once: bool = False) -> None:
        """Store the phones after a change, and then adopt it; `at_once` adopts it before, whatever the disk says."""
        with self._storing:  # two changes are stored one after the other
            with self._lock:
                self._count()
                after = dict(self._phones)
                change(after)
                if at_once:
                    self._phones = after
            if at_once:
                self._changed()
            self._write(tuple(after.values()))
            if not at_once:
                with self._lock:
                    change(self._phones)  # as they are now: one may have been used meanwhile
                self._changed()

    def _count(self) -> None:
        now_s = self._clock()
        passed_s, self._counted_s = now_s - self._counted_s, now_s
        older = (each.older(passed_s) for each in self._phones.values())
        self._phones = {each.id: each for each in older if not each.over}


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    at: float
    phones: list[Phone] = Field(max_length=MOST_PHONES)


class PhonesFile:
    """Reads and writes the phones of a table."""

    def __init__(self, folder: Path, wall: Callable[[], float], *, saved: bool = True) -> None:
        """Name the file.

        Args:
            folder: The data folder.
            wall: The wall clock, in seconds since 1970.
            saved: Whether the folder can be written; else what changes holds until the end.
        """
        self._path = folder / FILE
        self._wall, self._saved = wall, saved

    def read(self) -> tuple[Phone, ...]:
        """Return the stored phones, older by the time since. A file that cannot be read is logged, and holds none."""
        try:
            stored = _Stored.model_validate_json(read_text(self._path))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, ValidationError) as error:
            _log.warning("the paired phones cannot be read and pair again: %s: %s", self._path, error)
            return ()
        off_s = min(max(0.0, self._wall() - stored.at), LIFE_S)
        return tuple(older for each in stored.phones if not (older := each.older(off_s)).over)

    def write(self, phones: Sequence[Phone]) -> None:
        """Replace the stored phones. `OSError` reaches the caller if the file cannot be written.

        Raises:
            OSError: if the folder cannot be written, and a phone that is gone would come back at the next start.
        """
        if not self._saved:
            if {each.id for each in self.read()} - {each.id for each in phones}:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            return
        body = {"at": self._wall(), "phones": [vars(each) for each in phones]}
        with replacing(self._path) as file:
            file.write(json.dumps(body).encode())
