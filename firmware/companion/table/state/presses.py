"""What people see of the buttons: the page's phase, the one next step, and the captions."""

from dataclasses import dataclass
from typing import Literal

from companion.words import Text

PagePhase = Literal["lobby", "to_throw", "rolling", "choosing", "asking", "farkled", "over"]

NextStep = Literal["throw", "keep", "roll", "bank", "wait"]


@dataclass(frozen=True)
class CaptionView:
    """What one button does now, in at most 24 characters."""

    tap: Text
    """What a tap does; empty if it does nothing."""
    hold: Text
    """What a hold does; empty if it does nothing."""
