"""The parts of the view that are about the turn and the tray: dice, points, what may be kept, and the last reading."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState, shows
from companion.table.state.text import explained, reason
from companion.table.throws.selection import StateWithTurn, allowed_throws, dice_due, shows_turn
from companion.table.throws.shown_standing import hole_ahead
from companion.words import NOTHING, Text
from dicereader.reading import Observation, ReadDie, Zone
from farkle.game.state import Phase
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


@lru_cache(256)
def _selection(selection: Selection | None) -> SelectionView | None:
    if selection is None:
        return None
    made, points = selection.parts, selection.points
    return SelectionView(selection.dice, points, selection.totals, explained(selection), made, reason(selection))


def _selections(at: StateWithTurn) -> tuple[SelectionView, ...]:
    return tuple([shown for each in at.turn.selections if (shown := _selection(each))])


def _dice_due(at: StateWithTurn) -> int:
    game = at.state.game
    return 0 if game is None or game.over else dice_due(at.state, at.turn)


def bank_hole(at: StateWithTurn) -> int | None:
    """Return the hole that BANK would reach, None if it keeps nothing."""
    play, bank = at.state.play, at.turn.bank
    return hole_ahead(play, play.game.turn.points + bank.points) if play and bank else None


def _roll(state: TableState) -> Faces:
    """Return the dice to choose from, or those of the farkle that is shown; none while the players count."""
    if state.game is None or state.manual is ManualEntry.COUNTING:
        return ()
    if state.game.phase is Phase.CHOOSING:
        return state.game.turn.roll
    return state.farkled.faces if state.farkled else ()


def _bot(state: TableState) -> BotView | None:
    if state.bot is None:
        return None
    banks = state.current.bot_banks
    return BotView(state.bot.kind, "" if banks is None else "bank" if banks else "throw", state.bot_waits)


@dataclass(frozen=True)
class TurnShown:
    """The turn that is played."""

    roll: Faces = shows(_roll)
    """The dice to choose from, or those of the farkle that is shown."""
    locked: Faces = shows(lambda state: state.game.turn.locked if state.game else ())
    """The dice that were kept in this turn."""
    turn_points: int = shows(lambda state: state.game.turn.points if state.game else 0)
    """The points of the turn so far."""
    dice_to_throw: int = shows_turn(_dice_due)
    """The number of dice that are thrown next."""
    may_throw: tuple[int, ...] = shows_turn(lambda at: allowed_throws(at.state, at.turn))
    """The numbers of dice that may be thrown next."""
    throw_seq: int = shows(lambda state: state.play.throws if state.play else 0)
    """Counts the throws of the game."""
    selections: tuple[SelectionView, ...] = shows_turn(_selections)
    """The dice that may be kept, the best first."""
    chosen: SelectionView | None = shows_turn(lambda at: _selection(at.turn.pending))
    """The dice that are chosen."""
    bank: SelectionView | None = shows_turn(lambda at: _selection(at.turn.bank))
    """What BANK would keep."""
    bank_hole: int | None = shows_turn(bank_hole)
    """The hole that BANK would reach."""
    bot: BotView | None = shows(_bot)
    """The bot to move; null in a person's turn."""


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


def _shelf(state: TableState) -> Faces:
    if state.observation is None:
        return ()
    hopped = state.observation.episode.hopped
    dice = enumerate(state.observation.reading.dice)
    return tuple([die.face for index, die in dice if die.zone is Zone.SHELF and index not in hopped])


@dataclass(frozen=True)
class TrayShown:
    """The tray as it was seen last."""

    reading: ReadingView | None = shows(lambda state: _reading(state.observation) if state.observation else None)
    """The last settled reading."""
    picture_size: tuple[int, int] | None = shows(lambda state: state.observation.size if state.observation else None)
    """The width and height of its picture in pixels."""
    shelf: Faces = shows(_shelf)
    """The dice on the shelf."""
    look: int = shows(lambda state: state.complaint.dice if state.complaint else 0)
    """The number of dice to look at: cocked, missing or not counting."""
    out_of_step: bool = shows(lambda state: state.out_of_step)
    """Whether the tray differs from the game until the next throw."""
