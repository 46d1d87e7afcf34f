"""The selection in hand: the dice set aside now, the dice that BANK would keep, and the next suggestion of KEEP."""

from collections import Counter
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.play import Play
from companion.table.state.questions import Choice
from companion.table.state.state import TableState
from companion.table.state.text import in_plain_words
from companion.table.state.turn import TurnOptions
from companion.table.throws.interpret import dice_to_throw, fits, throw_counts
from companion.words import message
from farkle.errors import FarkleError
from farkle.game.commands import Bank, Keep
from farkle.game.machine import course_of
from farkle.game.order import is_last_round
from farkle.game.state import GameState, Phase
from farkle.game.turn import may_throw_again, offered
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection


def turn_of(state: TableState) -> TurnOptions:
    """Return what the turn allows now: one record for view, captions, next step, prompt, buttons and refusals."""
    play = state.play
    if play is None:
        return TurnOptions(refused=message("refused.no_game"))
    game, aside = play.game, state.set_aside
    possible = offered(game)
    no_throw = message("rules.one_throw") if not may_throw_again(game) else None
    # A bot's decision stands, whatever people have set aside for it.
    pending = play.chosen if state.bot is not None else _pending(possible, aside, state.hopped, play.chosen)
    bank = _bank_selection(game, possible, pending)
    try:
        keeping = (Keep(bank.dice, bank.points),) if bank else ()
        course = course_of(game, *keeping, Bank())
    except FarkleError as error:
        return TurnOptions(possible, aside, pending, bank, refused=in_plain_words(error), no_throw=no_throw)
    return TurnOptions(possible, aside, pending, bank, tuple(course.events), course.state, no_throw=no_throw)


def _pending(
    possible: tuple[Selection, ...], aside: Faces, hopped: Faces, chosen: Selection | None
) -> Selection | None:
    """Return what the next throw would keep: the dice on the shelf that count, else what was chosen by press or page.

    A chosen die that hopped onto the shelf stays chosen when other chosen dice are laid beside it.
    """
    if not aside:
        return chosen
    beside = Counter(aside)
    parts = [each for each in possible if not Counter(each.dice) - beside]
    best = max(parts, key=lambda each: (len(each.dice), each.points), default=None)
    if best is not None and chosen is not None:
        wanted = Counter(chosen.dice)
        if not beside - wanted and not wanted - beside - Counter(hopped):
            return chosen
    return best or chosen


def _bank_selection(game: GameState, possible: tuple[Selection, ...], base: Selection | None) -> Selection | None:
    """Return what BANK keeps: the best legal selection that contains the pending one.

    No dice are added where a lower score can win, as below the goal where it gives the others a last turn.
    """
    if base is None:
        return possible[0] if possible else None
    if game.rules.lower_score_can_win:
        return base
    wanted = Counter(base.dice)
    best = next((each for each in possible if not wanted - Counter(each.dice)), None)
    if best is None or sorted(best.dice) == sorted(base.dice):
        return best and base
    short = game.rules.goal - game.sides[game.side_to_move].score - game.turn.points
    below = game.rules.lower_total_can_win and not is_last_round(game) and base.points < short <= best.points
    return base if below else best


def as_journalled(state: TableState) -> bool:
    """Return whether a tray that is out of step fits the game after all."""
    game, seen = state.game, state.observation
    if not state.out_of_step or seen is None or game is None or game.phase is not Phase.CHOOSING:
        return False
    return fits(game, seen.reading) and len(seen.reading.dice) >= len(game.turn.roll)


def dice_due(state: TableState, turn: TurnOptions) -> int:
    """Return how many dice the table waits for; none if the turn's only throw is done."""
    play = state.current
    if turn.no_throw is not None:
        return 0
    if state.incomplete is not None and state.incomplete.again:
        return state.incomplete.again
    return dice_to_throw(play.game, turn.pending) if play.start_thrower is None else play.dice_for_start


def allowed_throws(state: TableState, turn: TurnOptions) -> tuple[int, ...]:
    """Return the numbers of dice that may be thrown next, in rising order; empty while a question prevents a throw.

    All dice are allowed if the turn may be banked: a player may bank without a press.
    """
    play = state.play
    if play is None or (state.question is not None and not isinstance(state.question, Choice)):
        return ()
    game = play.game
    counts = throw_counts(game, turn.selections)
    if state.bot is not None and play.bot_decides:
        counts = bot_throw_counts(play)
    if state.incomplete is not None and state.incomplete.again:
        return tuple(sorted({state.incomplete.again, *counts}))
    if play.start_thrower is not None:
        return (play.dice_for_start,)
    if state.bot is not None:
        return counts
    return tuple(sorted({game.rules.n_dice, *counts} if turn.refused is None else counts))


def bot_throw_counts(play: Play) -> tuple[int, ...]:
    """Return the numbers of dice that may be thrown for the bot that has a roll; none before it has decided.

    After a decision to bank that is the next player's throw.
    """
    if play.bot_banks is None or (not play.bot_banks and not may_throw_again(play.game)):
        return ()
    return (play.game.rules.n_dice if play.bot_banks else dice_to_throw(play.game, play.chosen),)


def next_suggestion(turn: TurnOptions, chosen: Selection | None) -> Selection | None:
    """Return what the next tap on KEEP suggests: the best selection, then the next best; the best follows the last.

    The result is None if the only selection is `chosen` already.
    """
    possible = turn.selections
    dice = sorted(chosen.dice) if chosen else None
    current = next((i for i, each in enumerate(possible) if sorted(each.dice) == dice), -1)
    return possible[(current + 1) % len(possible)] if current < 0 or len(possible) > 1 else None


def with_declared_points(selection: Selection, points: int | None) -> Selection:
    """Return the selection at a declared total.

    Raises:
        RefusedError: if these dice cannot be given that total.
    """
    if points is None or points == selection.points:
        return selection
    if points not in selection.totals:
        raise RefusedError(message("rules.these_totals", totals=selection.totals))
    return replace(selection, points=points)


def selection_of(state: TableState, dice: Faces | None) -> Selection | None:
    """Return the selection of these dice of the last roll, or None for no dice."""
    game = state.current.game
    return None if dice is None else find_selection(game.rules, game.turn.roll, dice)
