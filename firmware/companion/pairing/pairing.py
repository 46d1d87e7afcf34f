"""Joins door, phones and table: the table shows who asks, its menu opens the door, and the phones are stored."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from companion.errors import DataFolderError, NotStoredError, RefusedError
from companion.nothing import nothing
from companion.pairing import door
from companion.pairing.phones import Phone, Phones, PhonesFile
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import DoorChanged, Input, PhoneLetIn, PhonesSeated
from companion.words import message

SET_UP_S = 600.0
"""Seconds for which a phone may set the table up."""

SET_UP_ASKED_S = 60.0
"""Seconds for which the table shows that a phone asks to set it up."""

STORE_S = 60.0
"""Seconds between two times that the phones are stored, so that a restart lengthens nothing."""


LOOK_S = 0.5
"""Seconds between two looks at a door that is open, or at which a phone asks."""


def running_s() -> float:
    """Return the seconds since the machine was started; those of its sleep count, too."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Pairing(Worker):
    """The phones of a table. Any thread may call it; a thread of its own stores the phones each minute."""

    def __init__(
        self,
        feed: Feed,
        submit: Callable[[Input], object],
        *,
        reachable: bool = True,
        holes: Callable[[], int] = int,
        asking: bool = True,
        real_buttons: bool = False,
        file: PhonesFile | None = None,
        tell: Callable[[str], object] = nothing,
        clock: Callable[[], float] = running_s,
        set_up_until_s: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        """Take up the phones of the last run.

        Args:
            feed: The table's views and cues.
            submit: The table's inbox.
            reachable: Whether other machines reach the page; if not, one click pairs.
            holes: Returns the number of holes of which the table can light three for the room alone, 0 if it cannot.
            asking: Whether phones may ask.
            real_buttons: Whether the table has buttons of its own.
            file: Where the phones are stored; None keeps them until the end.
            tell: Gets the six digits when the door opens with digits, and an empty text when it is shut again.
            clock: Seconds of running; it never goes back.
            set_up_until_s: Until when a phone may set the table up, by its id.
        """
        super().__init__("phones", Guard("phones", message("fault.phones"), submit))
        self._feed, self._submit, self._file, self._tell, self._clock = feed, submit, file, tell, clock
        self._reachable, self._holes, self.real_buttons = reachable, holes, real_buttons
        self._telling = threading.Lock()
        self._shown = DoorChanged()
        self._told = self._unsaved = False
        self._asks_set_up: tuple[Phone, float] | None = None  # and until when the line stands
        self.set_up_until_s = dict(set_up_until_s)
        self._present: Counter[str] = Counter()
        self._seated: dict[str, tuple[str, ...]] = {}
        self._stored_s = clock()
        self.door = door.Door(clock, asking=asking)
        known = file.read() if file else ()
        self.phones = Phones(known, clock=clock, store=self._store, changed=self._on_change)
        self.changed: Callable[[], object] = nothing
        """Called when a phone has come or gone."""
        self._unsubscribe = feed.subscribe(self._on_update, "phones")

    @property
    def shows(self) -> door.Shows:
        """What the table shows now to whoever stands before it."""
        if not self._reachable:
            return door.Shows.NOTHING
        return door.Shows.HOLES if self._holes() >= door.FEWEST_HOLES else door.Shows.DIGITS

    def ask(self, name: str) -> float:
        """Show that a phone asks. Returns the same as `Door.ask`."""
        wait_s = self.door.ask(name)
        self._tell_door()
        return wait_s

    def refuse(self) -> None:
        """Do not let the phone in that asks."""
        self.door.refuse()
        self._tell_door()

    def open(self) -> door.Opening:
        """Open the door for a minute with what this table shows."""
        opening = self.door.open(
            door.draw_holes(self._holes()) if self.shows is door.Shows.HOLES else door.draw_digits()
        )
        if isinstance(opening.secret, door.ShownDigits):
            self._tell(opening.secret.text)
            self._told = True
        self._tell_door()
        return opening

    def open_with_digits(self, *, set_up: bool = False) -> str:
        """Open the door for a minute with six digits, and return them.

        Args:
            set_up: Whether these phones may also set the table up. Only for a table without buttons.

        Raises:
            RefusedError: if no phone can reach this table, or if `set_up` is asked of a table with buttons.
        """
        if self.shows is door.Shows.NOTHING:
            raise RefusedError(message("refused.no_phones"))
        if set_up and self.real_buttons:
            raise RefusedError(message("refused.hold_keep"))
        digits = door.draw_digits()
        self.door.open(digits, to_set_up=set_up)
        self._tell_door()
        return digits.text

    def answer(self, name: str, given: object, before: Phone | None = None) -> tuple[door.Answered, str]:
        """Check a phone's answer, and let the phone in if it is right.

        Args:
            name: The name that the phone shall have.
            given: The numbers of three holes, or a text with six digits.
            before: The phone that the same browser was until now; it is forgotten if the answer is right.

        Returns:
            The result, and the token of the new phone; the token is empty if the answer is not right.

        `DataFolderError` reaches the caller if the disk does not keep the new phone, which then may not play.
        """
        answered = door.Answered.IN if self.shows is door.Shows.NOTHING else self.door.answer(given)
        if answered not in {door.Answered.IN, door.Answered.IN_TO_SET_UP}:
            self._tell_door()
            return answered, ""
        phone, token = self.phones.pair(name, before.id if before else "")
        if answered is door.Answered.IN_TO_SET_UP:
            self._let_set_up(phone.id)
        self.door.welcome(name)
        self._tell_door()
        self._submit(PhoneLetIn(name))
        return answered, token

    def forget(self, *phones: str) -> None:
        """Take phones away by their ids; without ids all of them.

        Raises:
            NotStoredError: if the disk does not keep it. They may not play any more all the same.
        """
        try:
            self.phones.forget(*phones)
        except DataFolderError as error:
            raise NotStoredError(message("access.taken_not_stored", cause=str(error))) from error

    def prepare(self, cues: Sequence[Cue]) -> None:
        """Do what the table is about to tell by these cues; `NotStoredError` reaches the caller as from `forget`."""
        if CueKind.FORGET_PHONES in {cue.kind for cue in cues}:
            self.door.shut()
            self._tell_door()
            self.forget()

    def ask_to_set_up(self, phone: Phone) -> None:
        """Show for a minute that a phone asks to set the table up. A long hold of KEEP allows it."""
        with self._telling:
            self._asks_set_up = (phone, self._clock() + SET_UP_ASKED_S)
        self._tell_door()

    def may_set_up(self, phone: str) -> bool:
        """Return whether a phone may set the table up now."""
        return self._clock() < self.set_up_until_s.get(phone, 0.0)

    def lit_holes(self) -> tuple[int, ...]:
        """Return the holes that the strip must light now; empty if none."""
        opening = self.door.opening
        return opening.secret.numbers if opening and isinstance(opening.secret, door.LitHoles) else ()

    def digits(self) -> str:
        """Return the six digits that the table shows now; empty if none, or once a phone got in by them."""
        opening = self.door.opening
        return (
            opening.secret.text if opening and isinstance(opening.secret, door.ShownDigits) and not opening.came else ""
        )

    def now_s(self) -> float:
        """Return the time of the door's clock."""
        return self._clock()

    def arrives(self, phone: str) -> None:
        """Note that a phone shows the page; call `leaves` at its end."""
        self._present[phone] += 1
        self._wake()

    def leaves(self, phone: str) -> None:
        """Note that a phone shows the page no longer."""
        self._present[phone] -= 1
        self._wake()

    def is_present(self, phone: str) -> bool:
        """Return whether a phone shows the page now."""
        return self._present[phone] > 0

    def close(self) -> None:
        """Store the phones for the last time, and end the thread."""
        self._unsubscribe()
        self._end()
        self.phones.store()

    def _let_set_up(self, phone: str) -> None:
        self.set_up_until_s = {phone: self._clock() + SET_UP_S}

    def _on_change(self) -> None:
        self.changed()
        self._wake()

    def _on_update(self, update: Update) -> None:
        kinds = {cue.kind for cue in update.cues}
        if CueKind.LET_IN in kinds:
            self.open()
        if CueKind.SET_UP in kinds and self._asks_set_up is not None:
            self._let_set_up(self._asks_set_up[0].id)
            self._asks_set_up = None

    def _work(self) -> float:
        self._tell_door()
        if self._told and not self.digits():
            self._told = False
            self._tell("")
        self._tell_seats()
        if self._unsaved or self._clock() - self._stored_s >= STORE_S:
            self.phones.store()
        self._guard.works()
        return LOOK_S if self._shown != DoorChanged() else STORE_S

    def _tell_door(self) -> None:
        """Tell the table who asks and whether the door is open, if that has changed."""
        with self._telling:
            if self._asks_set_up is not None and self._clock() >= self._asks_set_up[1]:
                self._asks_set_up = None
            sets_up = self._asks_set_up[0].name if self._asks_set_up else ""
            opening = self.door.opening
            shown = DoorChanged(self.door.asking, opening is not None and not opening.came, sets_up)
            if shown != self._shown:
                self._shown = shown
                self._submit(shown)
                self._wake()

    def _tell_seats(self) -> None:
        """Tell the table which places are taken by phones that show the page."""
        seated: dict[str, tuple[str, ...]] = {}
        for phone in reversed(self.phones.all()):
            if phone.seat and self.is_present(phone.id):
                seated[phone.seat] = (*seated.get(phone.seat, ()), phone.name)
        if seated != self._seated:
            self._seated = seated
            self._submit(PhonesSeated(seated))

    def _store(self, phones: Sequence[Phone]) -> None:
        """Store the phones; if the disk refuses, the thread tries again.

        Raises:
            DataFolderError: if the disk refuses.
        """
        self._stored_s, self._unsaved = self._clock(), True
        try:
            if self._file is not None:
                self._file.write(phones)
        except OSError as error:
            self._wake()
            raise DataFolderError(error.strerror or str(error)) from None
        self._unsaved = False
