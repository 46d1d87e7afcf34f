"""How loud the table is: a volume, and a night in which it whispers and plays no tones."""

from dataclasses import dataclass

from pegboard.errors import DriverError

WHISPER = 0.35


@dataclass(frozen=True)
class Loudness:
    """`volume` from 0 (silent) to 1."""

    volume: float = 0.8
    night: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.volume <= 1:
            raise DriverError(f"expected a volume from 0 to 1, got {self.volume!r}")

    @property
    def speech(self) -> float:
        """How loud speech is."""
        return self.volume * (WHISPER if self.night else 1)

    @property
    def tones(self) -> bool:
        """Whether tones are played."""
        return self.volume > 0 and not self.night
