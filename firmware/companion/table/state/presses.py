"""What people see of the buttons: the page's phase, the one next step, and the captions."""

from dataclasses import dataclass
from typing import Literal

from companion.words import Text

PagePhase = Literal["lobby", "to_throw", "rolling", "choosing", "asking", "farkled", "over"]

NextStep = Literal["throw", "keep", "roll", "bank", "wait"]


@dataclass(frozen=True)
class CaptionView:
    """What the tap and the hold of one button do now, each in at most 24 characters; "" for a press without effect."""

    tap: Text
    hold: Text
