"""The part of the view that is about the turn: its dice, its points, and what may be kept or banked."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from companion.table.state.seen import ManualEntry
from companion.table.state.shown_standing import hole_ahead
from companion.table.state.state import TableState
from companion.table.state.text import explained, reason
from companion.table.state.turn import TurnOptions
from companion.table.throws.selection import allowed_throws, dice_due
from companion.words import NOTHING, Text
from farkle.game.state import GameState, Phase
from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection


@dataclass(frozen=True)
class SelectionView:
    """Dice that may be kept."""

    dice: Faces
    """Their faces."""
    points: int
    """Their points."""
    totals: tuple[int, ...]
    """The totals that may be declared for them."""
    parts: Text
    """What makes the points, in words."""
    made: tuple[Combination, ...] = ()
    """What makes the points, part by part."""
    why: Text = NOTHING
    """What makes the points, in short."""


@dataclass(frozen=True)
class BotView:
    """The bot to move."""

    kind: str
    """How it plays."""
    then: Literal["", "bank", "throw"] = ""
    """What it does with the dice that are chosen; empty until it has decided."""
    waits: bool = False
    """Whether one of its acts was taken off, so that it waits until KEEP lets it go on."""


@dataclass(frozen=True)
class TurnShown:
    """The turn that is played."""

    roll: Faces
    """The dice to choose from, or those of the farkle that is shown."""
    locked: Faces
    """The dice that were kept in this turn."""
    turn_points: int
    """The points of the turn so far."""
    dice_to_throw: int
    """The number of dice that are thrown next."""
    may_throw: tuple[int, ...]
    """The numbers of dice that may be thrown next."""
    throw_seq: int
    """Counts the throws of the game."""
    selections: tuple[SelectionView, ...]
    """The dice that may be kept, the best first."""
    chosen: SelectionView | None
    """The dice that are chosen."""
    bank: SelectionView | None
    """What BANK would keep."""
    bank_hole: int | None
    """The hole that BANK would reach."""
    bot: BotView | None
    """The bot to move; null in a person's turn."""


def shown_turn(state: TableState, turn: TurnOptions) -> TurnShown:
    """Return how the turn is shown."""
    play, game, bank = state.play, state.game, turn.bank
    selections = _selections((*turn.selections, *filter(None, (turn.pending, bank))))
    return TurnShown(
        roll=_roll(state, game) if game else (),
        locked=game.turn.locked if game else (),
        turn_points=game.turn.points if game else 0,
        dice_to_throw=dice_due(state, turn) if game and not game.over else 0,
        may_throw=allowed_throws(state, turn),
        throw_seq=play.history[-1].throws if play else 0,
        selections=tuple(map(selections.__getitem__, turn.selections)),
        chosen=selections[turn.pending] if turn.pending else None,
        bank=selections[bank] if bank else None,
        bank_hole=hole_ahead(play, play.game.turn.points + bank.points) if play and bank else None,
        bot=_bot(state),
    )


def _selections(selections: Collection[Selection]) -> dict[Selection, SelectionView]:
    """Return how each selection is shown."""
    return {
        each: SelectionView(each.dice, each.points, each.totals, explained(each), each.parts, reason(each))
        for each in selections
    }


def _roll(state: TableState, game: GameState) -> Faces:
    """Return the dice to choose from, or those of the farkle that is shown; none while the players count."""
    if state.manual is ManualEntry.COUNTING:
        return ()
    if game.phase is Phase.CHOOSING:
        return game.turn.roll
    return state.farkled.faces if state.farkled else ()


def _bot(state: TableState) -> BotView | None:
    if state.bot is None:
        return None
    banks = state.current.bot_banks
    return BotView(state.bot.kind, "" if banks is None else "bank" if banks else "throw", state.bot_waits)
