"""Opening: what the configuration says of a table and of its buttons, as these take it."""

from dataclasses import asdict

from companion.config import Config
from companion.table.history import Act
from companion.table.machine import resumed
from companion.table.state import House, TableState, Times, restored
from pegboard.buttons.pins import Pins


def opened_table(acts: tuple[Act, ...], *, seq: int, game_number: int, config: Config) -> TableState:
    """The table with these acts of its newest game, with the house's customs and times."""
    house = House(config.table.off_table, config.table.cocked)
    times = Times(**asdict(config.times))
    return resumed(restored(acts, seq=seq, game_number=game_number, times=times, house=house))


def buttons_of(config: Config) -> tuple[str, Pins]:
    """The buttons' driver and its pins."""
    named = asdict(config.buttons)
    return named.pop("driver"), Pins(**named)
