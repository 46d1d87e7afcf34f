"""Cues: what just happened, for lights and voice. Not journalled; a cue that is missed is lost."""

from dataclasses import dataclass
from enum import StrEnum


class CueKind(StrEnum):
    """What a cue is about."""

    SETTLED = "settled"
    CHOSEN = "chosen"
    HOT_DICE = "hot dice"
    FARKLE = "farkle"
    BANK = "bank"
    FINAL_ROUND = "final round"
    GAME_OVER = "game over"
    TURN = "turn"
    QUESTION = "question"
    REFUSED = "refused"
    CHANGED = "changed"  # an undo or a correction: only the change is spoken
    FAULT = "fault"  # a part is degraded: said once
    OUT_OF_STEP = "out of step"  # the eye's next settled picture is a first one


@dataclass(frozen=True)
class Cue:
    """One thing that happened, with the words that say it."""

    kind: CueKind
    text: str = ""
