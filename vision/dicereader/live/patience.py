"""How patient the eye is: how long it waits for a tray to come to rest, and how often it looks."""

from dataclasses import dataclass

from dicereader.errors import PatienceError


@dataclass(frozen=True)
class Patience:
    """How long to wait and how often to look. Seconds are those of the frames."""

    still_s: float = 0.35
    still_frames: int = 5  # these frames are the votes
    agreeing: int = 3  # votes that are enough
    hand_gone_s: float = 0.07  # a hand's last shadow still passes over the dice for so long
    missing_s: float = 3.0  # where fewer dice than can be were thrown, the others may come within so long
    unsteady: int = 4  # so often dice that turn are waited for, though the picture is still
    dead_still_s: float = 5.0  # what lies over the border and has not stirred for so long is no hand
    frames_a_second: float = 30.0  # looked at from the first motion on
    idle_frames_a_second: float = 10.0  # looked at while nothing moves
    idle_after_s: float = 3.0  # nothing has moved for so long

    def __post_init__(self) -> None:
        for name, least, most in (
            ("still_s", 0.05, 5.0),
            ("still_frames", 1, 30),
            ("agreeing", 1, self.still_frames),
            ("hand_gone_s", 0.0, 2.0),
            ("missing_s", self.still_s, 60.0),
            ("unsteady", 0, 100),
            ("dead_still_s", 0.5, 60.0),
            ("frames_a_second", 2.0, 120.0),
            ("idle_frames_a_second", 1.0, self.frames_a_second),
            ("idle_after_s", 0.0, 600.0),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise PatienceError(f"{name}: expected {least} to {most}, got {value!r}")
