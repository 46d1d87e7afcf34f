"""The phones that may play: what each may do, and how long.

A phone holds 128 random bits; the table keeps their SHA-256. It ends two hours after its last use, and twelve hours
after pairing at the latest. Both are counted in seconds of running, which are stored each minute; the time that a table
was off counts, too, as far as its clock tells. So neither a restart nor a false clock lengthens anything, and a clock
that is set while people play ends nothing.
"""

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

MOST_PHONES = 16
IDLE_S = 2 * 3600.0
LIFE_S = 12 * 3600.0
TOKEN_BYTES = 16


@dataclass(frozen=True)
class Phone:
    """A paired phone.

    `digest` is the SHA-256 of its token in hexadecimal; `age_s` and `idle_s` are the seconds since pairing and since
    its last use.
    """

    id: str
    name: str
    digest: str
    age_s: float = 0.0
    idle_s: float = 0.0

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
    """The phones of a table, by the digests of their tokens. Thread-safe."""

    def __init__(
        self, known: Iterable[Phone], *, clock: Callable[[], float], store: Callable[[tuple[Phone, ...]], object]
    ) -> None:
        """Take up the phones of the last run.

        Args:
            known: The phones that were stored, as old as they are now.
            clock: Seconds of running; it never goes back.
            store: Keeps the phones; it gets all of them whenever one comes or goes, and by `tick`.
        """
        self._clock, self._store = clock, store
        self._lock = threading.Lock()
        self._phones = {each.id: each for each in known}
        self._counted_s = clock()

    def pair(self, name: str) -> tuple[Phone, str]:
        """Return a new phone and its token, which is kept nowhere; beyond sixteen the one idle for longest leaves."""
        token = secrets.token_hex(TOKEN_BYTES)
        with self._lock:
            self._count()
            phone = Phone(secrets.token_hex(4), name, digest_of(token))
            while len(self._phones) >= MOST_PHONES:
                del self._phones[max(self._phones.values(), key=lambda each: each.idle_s).id]
            self._phones[phone.id] = phone
            self._keep()
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

    def all(self) -> tuple[Phone, ...]:
        """Return the phones, the newest first."""
        with self._lock:
            self._count()
            return tuple(sorted(self._phones.values(), key=lambda each: each.age_s))

    def forget(self, *ids: str) -> None:
        """Take phones away by their ids; without ids all of them."""
        with self._lock:
            for each in ids or tuple(self._phones):
                self._phones.pop(each, None)
            self._keep()

    def tick(self) -> None:
        """Count the time and store it; call it each minute."""
        with self._lock:
            self._count()
            self._keep()

    def _count(self) -> None:
        now_s = self._clock()
        passed_s, self._counted_s = now_s - self._counted_s, now_s
        older = (each.older(passed_s) for each in self._phones.values())
        self._phones = {each.id: each for each in older if not each.over}

    def _keep(self) -> None:
        self._store(tuple(self._phones.values()))
