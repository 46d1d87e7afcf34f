"""Cues: what just happened, for lights and voice. They are not journalled; a missed cue is lost."""

from dataclasses import dataclass
from enum import StrEnum

from companion.words import NOTHING, Text


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
    READY = "ready"  # the number of dice to throw
    BOT = "bot"  # what a bot has decided, and what people do for it
    COACH = "coach"  # the coach was asked
    QUESTION = "question"
    PRESSES = "presses"  # what each button does, once a question, a menu or the lobby has opened
    REFUSED = "refused"
    CHANGED = "changed"  # an undo or a correction: only the change is spoken
    COMPLAINT = "complaint"  # the tray cannot be right: said once, then from time to time
    ADDED = "added"  # what BANK kept beside the dice that were set aside
    RESUMED = "resumed"  # the table is on again, in the middle of a game
    ADDRESS = "address"  # of the page: its last number is counted out in lights
    SELF_TEST = "self-test"
    OVERLOOK = "overlook"  # the eye shall read in spite of the camera's faults
    POWER_OFF = "power off"
    LET_IN = "let in"  # the door opens: phones get in that answer with what the table shows
    ASKS = "asks"  # a phone asks to play
    SET_UP = "set up"  # the phone that asked for it may set the table up
    FORGET_PHONES = "forget phones"  # no phone may play any more
    BUMPED = "bumped"  # the tray was moved and is located again
    FAULT = "fault"  # a part is degraded: said once
    OUT_OF_STEP = "out of step"  # the next settled picture of the eye is a first one


@dataclass(frozen=True)
class Cue:
    """One thing that happened, with the words that say it."""

    kind: CueKind
    text: Text = NOTHING
