"""One row for each mode of a table: when it holds, what the page calls it, and why a button is dark.

What glows and the next step follow, which are the same in words, on the page and in the lamps of the buttons.

What glows may be pressed: each press that is sensible now. No press is advised, so ROLL and BANK glow alike where both
are open; one of them glows alone where it is the only sensible press. The first of these that holds decides:

- asleep: ROLL, which wakes the table
- a menu, a question, a score that is adjusted, or players count points: each press that is allowed
- lobby, game over: BANK, which starts a game; nothing while the game in the lobby's form cannot start
- dice move, a hand is in the tray, or dice are to be moved by hand: nothing
- a bot is to move: ROLL while people throw for it; KEEP lets it go on after one of its acts was taken off; nothing
  while it decides, and while simulated hands throw for it
- a throw is due: ROLL
- the turn's only throw is done: BANK
- dice are to be chosen, and no dice are chosen yet: KEEP, and BANK if the best may be banked
- dice are chosen or kept: ROLL and BANK. ROLL alone if the turn may not be banked, or if banking loses the game and
  saves from no skunk; BANK alone if it wins the game.

The next step is one of these, for words and for programs: a convention that leads through every game, and not advice.
It is KEEP before dice are chosen, BANK in a turn with fewer than `FEW` dice left to throw, the first answer, and the
press that goes on with a menu.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Literal, TypeVar

from companion.table.asking.idle import only_wakes
from companion.table.lobby.form import problem_at
from companion.table.state.inputs import Button
from companion.table.state.outlook import saves_from_skunk
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState, shows_from
from companion.table.state.text import why_not
from companion.table.throws.bot_turn import why_bot
from companion.table.throws.interpret import dice_to_throw
from companion.table.throws.selection import StateWithTurn, TurnOptions, turn_of
from companion.words import Text, message
from dicereader.reading import Motion
from farkle.game.commands import Adjust, Count
from farkle.game.order import is_last_round
from farkle.game.seating import MOST_PLAYERS
from farkle.game.standing import must_pass
from farkle.game.state import Phase

T = TypeVar("T")

PagePhase = Literal["lobby", "to_throw", "rolling", "choosing", "asking", "farkled", "over"]

NextStep = Literal["throw", "keep", "roll", "bank", "wait"]

Refusals = dict[str, Text]
"""Why the tap of a button is refused, by button; the tap of a button that is not in it is legal."""


FEW = 3
"""With fewer dice than these left to throw, the next step is to bank."""


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
class Situation(StateWithTurn):
    """What the buttons are about: a state, the record of its turn, and what follows from both, derived once.

    `refused` tells why taps are refused, and `wakes` whether a press only wakes the table. `lets_in`: a phone asks to
    play, and KEEP lets it in, because it would do nothing else, or because the table is in its lobby.
    """

    mode: Mode
    phase: PagePhase
    refused: Refusals
    wakes: bool
    lets_in: bool

    @cached_property
    def next(self) -> NextStep:
        """The one obvious next step."""
        return _next_step(self)


def shows_now(make: Callable[[Situation], T]) -> T:
    """Return a field of the view that a function makes from a situation."""
    return shows_from(make)


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


def glows(at: Situation) -> tuple[str, ...]:
    """Return the buttons whose presses are sensible now. ROLL stands for a throw, too."""
    sensible: set[str]
    if at.mode is Mode.PLAY and not at.wakes:
        sensible = set(_in_turn(at))
    elif at.wakes or at.mode in (Mode.LOBBY, Mode.OVER):
        sensible = {at.next}
    else:
        sensible = {button for button in Button if button not in at.refused}
    if "throw" in sensible:
        sensible.add("roll")
    if at.lets_in and not at.wakes:
        sensible.add("keep")
    return tuple([button.value for button in Button if button in sensible])


def _next_step(at: Situation) -> NextStep:
    if at.wakes:
        return "roll"
    match at.mode:
        case Mode.MENU | Mode.ASKING:
            return "keep"
        case Mode.LOBBY | Mode.OVER:
            return _first_allowed(at, "bank")
        case Mode.ADJUST:
            return _first_allowed(at, "bank", "keep")
        case Mode.COUNTING:
            return _first_allowed(at, "bank", "keep", "roll")
        case Mode.PLAY:
            return next(iter(_in_turn(at)), "wait")


def _first_allowed(at: Situation, *steps: NextStep) -> NextStep:
    return next((step for step in steps if step not in at.refused), "wait")


def _in_turn(at: Situation) -> tuple[NextStep, ...]:
    """Return the steps of a turn that are sensible, the next step first; none while people can only wait."""
    state = at.state
    by_hand = state.incomplete is not None and not state.incomplete.again
    if state.motion is not Motion.STILL or by_hand:
        return ()
    if state.bot is not None:
        return _for_bot(at)
    throw: NextStep = "roll" if state.manual is ManualEntry.FACES else "throw"
    game, after = state.current.game, at.turn.banked
    if state.incomplete is not None or game.phase in (Phase.TO_THROW, Phase.STARTING):
        return (throw,)
    if at.turn.no_throw is not None:
        return ("bank",)
    if game.phase is Phase.CHOOSING and at.turn.pending is None:
        return ("keep",) if after is None else ("keep", "bank")
    if after is None:
        return (throw,)
    side, score = game.side_to_move, after.sides[game.side_to_move].score
    if after.over and (side in after.winners or after.loser not in (None, side)):
        return ("bank",)
    needed = max(other.score for other in game.sides) + (must_pass(game) is not None)
    if after.over or (is_last_round(game) and score < needed):
        return (throw, "bank") if saves_from_skunk(game, state.current.track, side, score) else (throw,)
    return ("bank", throw) if dice_to_throw(game, at.turn.pending) < FEW else (throw, "bank")


def _for_bot(at: Situation) -> tuple[NextStep, ...]:
    """Return what people do in a bot's turn: they throw for it, and wait while it decides."""
    state = at.state
    if state.bot_waits:
        return ("keep",)
    choosing = state.current.bot_decides and state.current.bot_banks is not False
    if choosing or (state.simulated and state.manual is ManualEntry.NO):
        return ()
    return ("roll",) if state.manual is ManualEntry.FACES else ("throw",)
