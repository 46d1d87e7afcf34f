"""A bot's turn: what the bot decides, and what the dice that people throw and set aside for it mean.

The bot decides and people move the dice. So what is kept follows from the bot's decision alone: dice on the shelf are
only compared with it, and a throw counts if it has the right number of dice.
"""

from collections import Counter
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step, act, say
from companion.table.state.bots import BUILT_IN
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import BotDecided, BotSeated, SelectionChosen
from companion.table.state.inputs import BotBank, BotChoice, BotKindsKnown, SeatBots
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.table.state.text import named_dice
from companion.table.throws.interpret import Interpretation, Miscounted, Thrown, dice_to_throw
from companion.table.throws.selection import TurnOptions, bot_throw_counts, turn_of, with_declared_points
from companion.words import NOTHING, Message, Text, message
from dicereader.reading import DiceReading
from farkle.game.commands import Keep
from farkle.game.machine import decide
from farkle.game.state import Phase
from farkle.rules.selections import find_selection


def seat_bots(state: TableState, now: float) -> Step:
    """Let the board play for everybody for whom it does not yet; without a game under way nothing changes."""
    if not state.under_way:
        return Step(state)
    kind, there = BUILT_IN[0], {bot.player for bot in state.current.bots}
    others = [player for player in range(len(state.current.game.players)) if player not in there]
    seated = tuple([BotSeated(player, kind.name, kind.parameters) for player in others])
    return act(state, seated, now) if seated else Step(state)


def bot_chooses(state: TableState, given: BotChoice, now: float) -> Step:
    """Add the act of a bot's decision, and say what people have to do for it.

    Raises:
        RefusedError: if no bot has a roll to choose from.
    """
    play = state.current
    game = play.game
    if state.bot is None or not play.bot_decides or state.question is not None:
        raise RefusedError(message("refused.no_bot"))
    if game.phase is Phase.KEPT:
        return _decided(act(state, (BotDecided(given.bank),), now))
    chosen = with_declared_points(find_selection(game.rules, game.turn.roll, given.dice), given.points)
    decide(game, Keep(chosen.dice, chosen.points))  # refuses what may not be kept in this turn
    return _decided(act(state, (SelectionChosen(chosen.dice, chosen.points), BotDecided(given.bank)), now))


def _decided(made: Step) -> Step:
    """Return the step of a decision with the sentence that says it; it is the prompt too, so it is not announced."""
    says = bot_decision(made.state, turn_of(made.state))
    return replace(made, state=replace(made.state, announced=NOTHING), cues=(Cue(CueKind.BOT, says.spoken),))


def bot_banks(state: TableState, now: float) -> Step:
    """Bank the turn of a bot that has decided to.

    Raises:
        RefusedError: if no bot has.
    """
    turn = turn_of(state)
    if state.bot is None or not state.current.bot_banks or state.question is not None:
        raise RefusedError(message("refused.no_bot"))
    if turn.refused is not None:
        raise RefusedError(turn.refused)
    return act(state, turn.banking, now)


def bot_decision(state: TableState, turn: TurnOptions) -> Message:
    """Return what the bot to move has decided, and what people do for it; the bot must have decided."""
    play = state.current
    kept, name = turn.pending, state.bot_name
    if kept is None:  # the dice are kept already
        if play.bot_banks:
            return message("prompt.bot_banks_all", name=name, points=play.game.turn.points)
        return bot_throws(state)
    named = named_dice(kept.dice)
    if play.bot_banks:
        points = play.game.turn.points + (turn.bank.points if turn.bank else 0)
        return message("prompt.bot_banks", name=name, kept=named, points=points)
    if state.simulated:
        key = "prompt.bot_throws_on"
    else:
        all_dice = len(kept.dice) == len(play.game.turn.roll)
        key = "prompt.bot_all_again" if all_dice else "prompt.bot_set_aside"
    return message(key, name=name, kept=named, dice=kept.dice, left=dice_to_throw(play.game, kept))


def bot_throws(state: TableState) -> Message:
    """Return that dice are to be thrown for the bot to move, or that simulated hands throw them."""
    key = "prompt.bot_rolls" if state.simulated else "prompt.bot_throw"
    if state.manual is ManualEntry.FACES:
        key = "prompt.bot_enter"
    return message(key, name=state.bot_name, dice=state.current.game.turn.dice_left)


def bot_goes_on(state: TableState) -> Step:
    """Let the bot decide again, after one of its acts was taken off; the dice count as they lie."""
    return say(replace(state, bot_waits=False, out_of_step=False), message("said.bot_goes_on", name=state.bot_name))


def why_bot(state: TableState) -> Text | None:
    """Return why people may not decide in this turn, or None if no bot is to move."""
    return message("refused.bot_decides", name=state.bot_name) if state.bot is not None else None


def thrown_for_bot(state: TableState, reading: DiceReading, thrown: tuple[int, ...]) -> Interpretation:
    """Return what a throw means for the bot that has a roll: it counts if the number of dice is right."""
    faces = tuple(reading.dice[index].face for index in thrown)
    counts = bot_throw_counts(state.current)
    if state.current.bot_banks is False and len(faces) in counts:
        return Thrown(state.current.chosen, faces)
    return Miscounted(len(faces), counts, len(reading.dice))


def wrongly_aside(state: TableState) -> Message | None:
    """Return which dice on the shelf the bot does not keep, or None if there are none, or it has not decided."""
    chosen = state.current.chosen
    if chosen is None:
        return None
    wrong = Counter(state.set_aside) - Counter(chosen.dice)
    if not wrong:
        return None
    back = tuple(sorted(wrong.elements()))
    kept = named_dice(chosen.dice)
    return message("complaint.bot_keeps", name=state.bot_name, kept=kept, back=named_dice(back), dice=back)


HANDLERS: Handlers = {
    BotChoice: bot_chooses,
    BotBank: lambda state, _, now: bot_banks(state, now),
    SeatBots: lambda state, _, now: seat_bots(state, now),
    BotKindsKnown: lambda state, given, _: Step(replace(state, bots=given.kinds)),
}
