"""One row for each mode of a table: when it holds, what the page calls it, and why a button is dark."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from companion.table.asking.idle import only_wakes
from companion.table.lobby.form import problem_at
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.table.state.text import why_not
from companion.table.throws.bot_turn import why_bot
from companion.table.throws.selection import TurnOptions, turn_of
from companion.words import Text, message
from dicereader.reading import Motion
from farkle.game.commands import Adjust, Count
from farkle.game.seating import MOST_PLAYERS
from farkle.game.state import Phase

PagePhase = Literal["lobby", "to_throw", "rolling", "choosing", "asking", "farkled", "over"]

NextStep = Literal["throw", "keep", "roll", "bank", "wait"]

Refusals = dict[str, Text]
"""Why the tap of a button is refused, by button; the tap of a button that is not in it is legal."""


class Mode(StrEnum):
    """What the buttons are about."""

    MENU = "a menu is open"
    ADJUST = "a score is adjusted"
    ASKING = "a question is open"
    LOBBY = "the lobby"
    OVER = "the game is over"
    COUNTING = "players count"
    PLAY = "a turn"


@dataclass(frozen=True)
class ModeRow:
    """One mode: when it holds, its phase on the page, and which taps are refused."""

    mode: Mode
    holds: Callable[[TableState], bool]
    phase: Callable[[TableState], PagePhase]
    refusals: Callable[[TableState, TurnOptions], Refusals]


@dataclass(frozen=True)
class Situation:
    """What the buttons are about: a state, the record of its turn, and what follows from both, derived once.

    `refused` tells why taps are refused, and `wakes` whether a press only wakes the table. `lets_in`: a phone asks to
    play, and KEEP lets it in, because it would do nothing else, or because the table is in its lobby.
    """

    state: TableState
    turn: TurnOptions
    mode: Mode
    phase: PagePhase
    refused: Refusals
    wakes: bool
    lets_in: bool


def situation_of(state: TableState) -> Situation:
    """Return what the buttons are about now."""
    turn, row = turn_of(state), _row(state)
    refused = row.refusals(state, turn)
    free = "keep" in refused or row.mode is Mode.LOBBY
    lets_in = bool(state.asks) and free and state.question is None and state.menu is None
    if lets_in:
        refused.pop("keep", None)
    return Situation(state, turn, row.mode, row.phase(state), refused, only_wakes(state), lets_in)


def mode(state: TableState) -> Mode:
    """Return the mode of a table."""
    return _row(state).mode


def _row(state: TableState) -> ModeRow:
    return next(row for row in MODES if row.holds(state))


def _adjusting(state: TableState, _: TurnOptions) -> Refusals:
    menu = state.menu
    why = why_not(state.current.game, Adjust(menu.side, menu.amount)) if menu is not None else None
    return {} if why is None else {"bank": why}


def _asking(state: TableState, _: TurnOptions) -> Refusals:
    third = state.question is not None and state.question.bank is not None
    return {} if third else {"bank": message("refused.answer_first")}


def _in_menu(state: TableState, _: TurnOptions) -> Refusals:
    return {"roll": message("refused.nothing_else")} if state.menu is not None and len(state.menu.items) < 2 else {}


def _in_lobby(state: TableState, _: TurnOptions) -> Refusals:
    found: Refusals = {}
    if len(state.lobby.draft.names) >= MOST_PLAYERS:
        found["keep"] = message("rules.most_players", most=MOST_PLAYERS)
    if why := problem_at(state, state.lobby.draft).text:
        found["bank"] = why
    return found


def _counting(state: TableState, turn: TurnOptions) -> Refusals:
    game = state.current.game
    bank = turn.refused if game.phase is Phase.KEPT else message("refused.count_first")
    count = why_not(game, Count(None))
    found = {"keep": count, "roll": count, "bank": bank}
    return {button: why for button, why in found.items() if why is not None}


def _playing(state: TableState, turn: TurnOptions) -> Refusals:
    phase = state.current.game.phase
    if (why := why_bot(state)) is not None:
        keep = {} if state.bot_waits else {"keep": why}
        decides = state.current.bot_decides and state.current.bot_banks is not False
        return {**keep, "bank": why, **({"roll": why} if decides else {})}
    if phase in (Phase.TO_THROW, Phase.STARTING):
        return dict.fromkeys(("keep", "bank"), message("rules.throw_first"))
    found: Refusals = {}
    if phase is Phase.KEPT:
        found["keep"] = message("rules.are_kept")
    elif turn.pending is None:
        found["roll"] = message("rules.keep_first")
    if turn.no_throw is not None:
        found["roll"] = turn.no_throw
    if turn.refused is not None:
        found["bank"] = turn.refused
    return found


def _turn_phase(state: TableState) -> PagePhase:
    if state.motion is not Motion.STILL:
        return "rolling"
    if state.farkled is not None:
        return "farkled"
    choosing = state.manual is not ManualEntry.COUNTING and state.current.game.phase is Phase.CHOOSING
    return "choosing" if choosing else "to_throw"


def _over(*_: object) -> Refusals:
    return dict.fromkeys(("keep", "roll"), message("rules.game_over"))


MODES = (
    ModeRow(Mode.ADJUST, lambda s: s.menu is not None and s.menu.kind == "adjust", lambda _: "asking", _adjusting),
    ModeRow(Mode.MENU, lambda s: s.menu is not None, lambda _: "asking", _in_menu),
    ModeRow(Mode.ASKING, lambda s: s.question is not None, lambda _: "asking", _asking),
    ModeRow(Mode.LOBBY, lambda s: s.in_lobby, lambda _: "lobby", _in_lobby),
    ModeRow(Mode.OVER, lambda s: not s.under_way, lambda _: "over", _over),
    ModeRow(Mode.COUNTING, lambda s: s.manual is ManualEntry.COUNTING, _turn_phase, _counting),
    ModeRow(Mode.PLAY, lambda _: True, _turn_phase, _playing),
)
"""The modes; the first that holds is the table's."""
