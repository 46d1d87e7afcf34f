"""The one obvious next step of a table, the same in words, on the page and in the lamps of the buttons.

The first of these that holds is the next step. It is a convention that leads through every game, and not advice.

- asleep: ROLL, which wakes the table
- a score is adjusted: BANK sets it, or KEEP where that score cannot be set
- another menu or a question: KEEP, which goes on, or gives the first and likeliest answer
- lobby, game over: BANK starts a game; wait while the game in the lobby's form cannot start
- players count points: KEEP while nothing is counted or the turn may not be banked, else BANK
- dice move, a hand is in the tray, or dice are to be moved by hand: wait
- a bot is to move: throw for it, or ROLL where players enter the faces; KEEP lets it go on after one of its acts was
  taken off; wait while it decides, and while simulated hands throw for it
- a throw is due: throw it, or ROLL where players enter its faces
- dice are to be chosen, and no dice are chosen yet: KEEP
- dice are chosen or kept: BANK if banking wins the game, if the turn's only throw is done, or if it is allowed, fewer
  than `FEW` dice are left to throw, and in the last round the bank catches the leader, or passes a leader who defends a
  win. Else throw the rest.
"""

from companion.table.buttons.modes import Mode, Situation
from companion.table.state.presses import NextStep
from companion.table.state.state import ManualEntry
from companion.table.throws.interpret import dice_to_throw
from dicereader.reading import Motion
from farkle.game.order import is_last_round
from farkle.game.standing import must_pass
from farkle.game.state import GameState, Phase

FEW = 3
"""With fewer dice than these left to throw, the next step is to bank."""


def next_step(at: Situation) -> NextStep:
    """Return the one obvious next step."""
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
            return _in_turn(at)


def _first_allowed(at: Situation, *steps: NextStep) -> NextStep:
    return next((step for step in steps if step not in at.refused), "wait")


def _in_turn(at: Situation) -> NextStep:
    state = at.state
    by_hand = state.incomplete is not None and not state.incomplete.again
    if state.motion is not Motion.STILL or by_hand:
        return "wait"
    if state.bot is not None:
        return _for_bot(at)
    throw: NextStep = "roll" if state.manual is ManualEntry.FACES else "throw"
    game = state.current.game
    if state.incomplete is not None or game.phase in (Phase.TO_THROW, Phase.STARTING):
        return throw
    if at.turn.no_throw is not None:
        return "bank"
    if game.phase is Phase.CHOOSING and at.turn.pending is None:
        return "keep"
    return "bank" if at.turn.banked is not None and _bank_next(at, game, at.turn.banked) else throw


def _for_bot(at: Situation) -> NextStep:
    """Return what people do in a bot's turn: they throw for it, and wait while it decides."""
    state = at.state
    if state.bot_waits:
        return "keep"
    choosing = state.current.bot_decides and state.current.bot_banks is not False
    if choosing or (state.simulated and state.manual is ManualEntry.NO):
        return "wait"
    return "roll" if state.manual is ManualEntry.FACES else "throw"


def _bank_next(at: Situation, game: GameState, after: GameState) -> bool:
    """Return whether to bank, which leads to the game `after`, comes before a throw."""
    side = game.side_to_move
    if after.over:
        return side in after.winners or after.loser not in (None, side)
    if dice_to_throw(game, at.turn.pending) >= FEW:
        return False
    needed = max(other.score for other in game.sides) + (must_pass(game) is not None)
    return not is_last_round(game) or after.sides[side].score >= needed
