"""Menus: an entry is words and an input. Here are the inputs that come from entries of menus alone, too."""

from dataclasses import dataclass

from companion.table.state.inputs import Input
from companion.table.state.questions import GO_ON, Option
from companion.words import message
from farkle.game.commands import Command


@dataclass(frozen=True)
class Entry(Option):
    """One entry of a menu, and the input that choosing it gives; None closes the menu."""

    gives: Input | None = None


def entry(name: str, gives: Input | None, key: str = "") -> Entry:
    """Return the entry of this name; its words are those of `key`, or of the name, in the section [menu]."""
    return Entry(name, message(f"menu.{key or name}"), gives)


CLOSES = Entry(GO_ON.id, GO_ON.words)


@dataclass(frozen=True)
class Menu:
    """An open menu: its entries, the index of the present one, and the score that is being adjusted.

    `kind` is a key of `companion.table.asking.menu.MENUS`. `amount` is the new score of `side`.
    """

    kind: str
    items: tuple[Entry, ...]
    place: int = 0
    side: int = 0
    amount: int = 0


@dataclass(frozen=True)
class OpenMenu(Input):
    """Open the menu of a kind; `side` is the one whose score is adjusted."""

    kind: str
    side: int = 0


@dataclass(frozen=True)
class Confirm(Input):
    """Ask first whether an input is wanted that loses something."""

    wanted: Input


@dataclass(frozen=True)
class CarryOut(Input):
    """A command of the rules is carried out: a turn is skipped, a score is set, a player leaves, or the game ends."""

    command: Command


class CountByHand(Input):
    """The players count the points themselves, until they end it."""


class ReadAgain(Input):
    """The eye reads the dice again."""


@dataclass(frozen=True)
class GiveThrow(Input):
    """The last throw was that of this player; or this player has the next turn if the newest act is not a throw."""

    player: int


class ChooseThrows(Input):
    """The players throw for who begins."""


@dataclass(frozen=True)
class ChangeAmount(Input):
    """The score that is being adjusted changes by this many steps of points."""

    steps: int


class StartAgain(Input):
    """The game at the table starts again."""


class AskForNext(Input):
    """Ask whether the next game begins."""


@dataclass(frozen=True)
class ChoosePlays(Input):
    """The lobby's players play what a feature offers under this name, or one game with an empty one."""

    plays: str


class SelfTest(Input):
    """The table says what is wrong with its parts."""


class SayAddress(Input):
    """The table says where its page is."""


class ForgetPhones(Input):
    """No phone may play any more."""


class SwitchOff(Input):
    """The machine is switched off; a table that may not do that ends its program."""
