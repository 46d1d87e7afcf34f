"""A folder of photographs for tests: gives the observation of one photograph at a time, again and again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tables import Table, observation

from companion.runtime.feed import Feed
from companion.simulation.photo_source import PhotoThrows
from companion.table.state.inputs import Button, Press, ReadingSettled
from companion.table.view import View
from dicereader.reading import Observation


def photo(name: str, thrown: str, *, shelf: str = "", sure: bool = True) -> Observation:
    return replace(observation(thrown, shelf=shelf, sure=sure, still=True, first=True), name=name)


def photos(*thrown: str) -> list[Observation]:
    """Return photographs of these dice. A question mark after the dice means that the reading is not sure."""
    return [photo(f"{n:04d}.jpg", dice.rstrip("?"), sure="?" not in dice) for n, dice in enumerate(thrown, start=1)]


@dataclass
class Folder:
    """The photographs of a folder as an eye reads them: one for each request, but no photograph while it is `away`."""

    pictures: Sequence[Observation]
    asked: int = 0
    given: int = 0
    away: bool = False

    def advance(self) -> None:
        self.asked += 0 if self.away else 1

    def next(self) -> Observation | None:
        if not self.asked:
            return None
        self.asked -= 1
        self.given += 1
        return replace(self.pictures[(self.given - 1) % len(self.pictures)], number=self.given)


class Evening:
    """An album over a table that the test steps by hand. `look` shows the photographs that the album asked for."""

    def __init__(self, *thrown: str, banking: bool = False, **settings: str) -> None:
        self.folder = Folder(photos(*thrown))
        self.table = Table().start(settings=settings)
        self.feed = Feed(self.table.view)
        self.bank: Callable[[View], object] = lambda _: self.banks()
        bank = (lambda view: self.bank(view)) if banking else None
        self.album = PhotoThrows(self.feed, self.folder.advance, self.accept, bank=bank)
        self.album.hello(False)

    def accept(self, observation: Observation) -> None:
        self.table.take(ReadingSettled(observation, "recorded"))
        self.feed.publish(self.table.view)

    def look(self) -> "Evening":
        """Let the eye read every photograph that was asked for."""
        while (seen := self.folder.next()) is not None:
            self.album.observed(seen)
        return self

    def throw(self) -> "Evening":
        self.album.throw(None)
        return self.look()

    def keeps(self, dice: str) -> "Evening":
        self.table.chooses(dice)
        self.feed.publish(self.table.view)
        return self

    def banks(self) -> "Evening":
        self.table.take(Press(Button.BANK))
        self.feed.publish(self.table.view)
        return self

    @property
    def view(self) -> View:
        return self.table.view
