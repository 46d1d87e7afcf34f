"""The part of the view that is about the table itself: its faults, its sound, its address, and phones at its door."""

from dataclasses import dataclass

from companion.table.asking.address import address_digits
from companion.table.asking.manual_entry import SEEING, count_unit
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.words import Text
from pegboard.pegs import IdleStage


@dataclass(frozen=True)
class SoundView:
    """The table's sound."""

    volume: int
    """The volume in percent."""
    muted: bool
    """Whether it is muted."""


@dataclass(frozen=True)
class HouseShown:
    """The table itself."""

    blind: bool
    """Whether the table cannot see its tray."""
    by_hand: ManualEntry
    """What players do in place of the eye."""
    count_unit: int
    """In points mode the points of a turn are a multiple of this."""
    degraded: tuple[Text, ...]
    """The faults, in sentences."""
    rest: IdleStage
    """For how long nothing has happened."""
    sound: SoundView | None
    """The sound; null at a table that makes none."""
    address_digits: tuple[int, ...]
    """The digits of the last number of the table's address in the network."""
    asks: str
    """The name of the phone that asks to play."""
    lets_in: bool
    """Whether phones may be let in."""
    door_open: bool
    """Whether the table shows what phones answer with, until one of them is in."""
    sets_up: str
    """The name of the phone that asks to set the table up."""


def shown_house(state: TableState) -> HouseShown:
    """Return how the table itself is shown."""
    return HouseShown(
        blind=any(part in SEEING for part, _ in state.faults),
        by_hand=state.manual,
        count_unit=count_unit(state.game.rules) if state.game else 1,
        degraded=tuple(said for _, said in state.faults),
        rest=state.idle,
        sound=None if state.sound is None else SoundView(state.sound.volume, state.sound.muted),
        address_digits=address_digits(state),
        asks=state.asks,
        lets_in=state.lets_in,
        door_open=state.door_open,
        sets_up=state.sets_up,
    )
