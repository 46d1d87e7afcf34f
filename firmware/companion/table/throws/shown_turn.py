"""The parts of the view that are about the turn and the tray: dice, points, what may be kept, and the last reading."""

from dataclasses import dataclass
from typing import Literal

from companion.table.state.seen import ManualEntry
from companion.table.state.shown_standing import hole_ahead
from companion.table.state.state import TableState
from companion.table.state.text import explained, reason
from companion.table.throws.selection import TurnOptions, allowed_throws, dice_due
from companion.words import NOTHING, Text
from dicereader.reading import Observation, ReadDie, Zone
from farkle.game.state import GameState, Phase
from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces


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
    selections = {
        each: SelectionView(each.dice, each.points, each.totals, explained(each), each.parts, reason(each))
        for each in (*turn.selections, *filter(None, (turn.pending, bank)))
    }
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


PICTURE = "/api/v1/tray.jpg?v={}"
"""The address of the picture of a reading, by the reading's number."""


@dataclass(frozen=True)
class DieView:
    """One die as read."""

    face: int
    """The face."""
    box: tuple[int, int, int, int]
    """Left, top, width and height in pixels of the picture."""
    outline: tuple[tuple[float, float], ...]
    """The corners in pixels of the picture."""
    confidence: float
    """How likely the face is right, from 0 to 1."""
    zone: str | None
    """Where in the tray it lies; null if the tray is unknown."""
    doubts: tuple[str, ...]
    """Why the face is in doubt."""


@dataclass(frozen=True)
class ReadingView:
    """The last settled reading."""

    sure: bool
    """Whether nothing is in doubt."""
    dice: tuple[DieView, ...]
    """The dice."""
    picture: str
    """The address of its picture."""
    shelf: tuple[tuple[int, int], ...] = ()
    """The corners of the shelf in pixels of the picture; empty if the tray is unknown."""


@dataclass(frozen=True)
class TrayShown:
    """The tray as it was seen last."""

    reading: ReadingView | None
    """The last settled reading."""
    picture_size: tuple[int, int] | None
    """The width and height of its picture in pixels."""
    shelf: Faces
    """The dice on the shelf."""
    look: int
    """The number of dice to look at: cocked, missing or not counting."""
    out_of_step: bool
    """Whether the tray differs from the game until the next throw."""


def shown_tray(state: TableState) -> TrayShown:
    """Return how the tray is shown."""
    seen = state.observation
    dice, hopped = (seen.reading.dice, seen.episode.hopped) if seen else ((), ())
    return TrayShown(
        reading=_reading(seen) if seen else None,
        picture_size=seen.size if seen else None,
        shelf=tuple(die.face for i, die in enumerate(dice) if die.zone is Zone.SHELF and i not in hopped),
        look=state.complaint.dice if state.complaint is not None else 0,
        out_of_step=state.out_of_step,
    )


def _reading(seen: Observation) -> ReadingView:
    dice = tuple(map(_die, seen.reading.dice))
    return ReadingView(seen.reading.sure, dice, PICTURE.format(seen.number), seen.shelf)


def _die(die: ReadDie) -> DieView:
    return DieView(
        face=die.face,
        box=(die.box.x, die.box.y, die.box.w, die.box.h),
        outline=tuple([(round(x, 1), round(y, 1)) for x, y in die.outline]),
        confidence=round(die.confidence, 4),
        zone=die.zone.value if die.zone else None,
        doubts=tuple([doubt.value for doubt in die.doubts]),
    )
