"""Sound drivers by name."""

from collections.abc import Callable, Mapping

from pegboard.errors import UnknownDriverError
from pegboard.sound.port import Sound
from pegboard.sound.recorder import SoundRecorder
from pegboard.sound.silent import Silent

DRIVERS: Mapping[str, Callable[[], Sound]] = {"recorder": SoundRecorder, "silent": Silent}


def sound_drivers() -> tuple[str, ...]:
    """The names that `open_sound` knows."""
    return tuple(DRIVERS)


def open_sound(name: str) -> Sound:
    """Open the driver called `name`; raises UnknownDriverError with the known names."""
    if name not in DRIVERS:
        raise UnknownDriverError(f"expected one of the sound drivers {', '.join(DRIVERS)}; got {name!r}")
    return DRIVERS[name]()
