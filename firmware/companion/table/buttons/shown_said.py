"""The part of the view that is about what the table says."""

from dataclasses import dataclass

from companion.table.buttons.modes import Situation
from companion.table.buttons.prompt import ahead, prompt
from companion.table.state.outlook import outlook
from companion.table.state.presses import NextStep
from companion.words import NOTHING, Text, joined


@dataclass(frozen=True)
class MessageView:
    """What the table says."""

    text: Text
    """What happened, and what the table waits for."""
    short: Text
    """What the table waits for, in up to 21 characters."""
    told: Text
    """What happened."""


@dataclass(frozen=True)
class SaidShown:
    """What the table says of now, and of what lies ahead."""

    message: MessageView
    """What happened, and what the table waits for."""
    outlook: Text
    """What the player to move needs, and how many turns are left."""
    ahead: Text
    """In short what lies ahead by the rules: the round, whom the player must pass, or that the turn is one throw."""


def shown_said(at: Situation, following: NextStep) -> SaidShown:
    """Return what the table says; `following` is the next step."""
    state, game = at.state, at.state.game
    asks = prompt(at, following)
    said = state.complaint.says.text if state.complaint is not None else state.announced
    asking = state.question is not None or state.menu is not None
    urgent = None if asking else state.complaint
    told_all = urgent is not None and urgent.dice > 0  # a complaint about dice says what to do
    pending = at.turn.pending.points if at.turn.pending else 0
    return SaidShown(
        message=MessageView(
            text=asks.text if asking else said if told_all else joined(said, asks.text),
            short=urgent.says.short if urgent else asks.short,
            told=state.announced,
        ),
        outlook=outlook(game, pending) if game else NOTHING,
        ahead=ahead(game) if game and not game.over else NOTHING,
    )
