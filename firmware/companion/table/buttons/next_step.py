"""What glows, and the one next step: the same in words, on the page and in the lamps of the buttons.

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

from companion.table.buttons.modes import Mode, NextStep, Situation
from companion.table.state.inputs import Button
from companion.table.state.outlook import saves_from_skunk
from companion.table.state.seen import ManualEntry
from companion.table.throws.interpret import dice_to_throw
from dicereader.reading import Motion
from farkle.game.order import is_last_round
from farkle.game.standing import must_pass
from farkle.game.state import Phase

FEW = 3
"""With fewer dice than these left to throw, the next step is to bank."""


def glows(at: Situation) -> tuple[str, ...]:
    """Return the buttons whose presses are sensible now. ROLL stands for a throw, too."""
    sensible: set[str]
    if at.mode is Mode.PLAY and not at.wakes:
        sensible = set(_in_turn(at))
    elif at.wakes or at.mode in (Mode.LOBBY, Mode.OVER):
        sensible = {next_step(at)}
    else:
        sensible = {button for button in Button if button not in at.refused}
    if "throw" in sensible:
        sensible.add("roll")
    if at.lets_in and not at.wakes:
        sensible.add("keep")
    return tuple(button.value for button in Button if button in sensible)


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
