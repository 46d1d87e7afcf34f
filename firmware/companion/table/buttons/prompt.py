"""What the table says: the prompt, which says what it waits for, what happened, and what lies ahead.

Each sentence has a short form of at most 21 characters.
"""

from dataclasses import dataclass

from companion.table.asking.menu import menu_message
from companion.table.buttons.modes import Situation, shows_now
from companion.table.feature import features_of
from companion.table.state.outlook import ahead, outlook, skunks_of, skunks_said
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState, shows
from companion.table.throws.bot_turn import bot_decision, bot_throws
from companion.table.throws.interpret import dice_to_throw
from companion.table.throws.selection import shows_turn
from companion.words import NOTHING, Message, Text, joined, message
from dicereader.reading import Motion
from farkle.game.order import is_last_round, is_one_throw
from farkle.game.standing import must_pass, side_name
from farkle.game.state import GameState, Phase


@dataclass(frozen=True)
class MessageView:
    """What the table says."""

    text: Text
    """What happened, and what the table waits for."""
    short: Text
    """What the table waits for, in up to 21 characters."""
    told: Text
    """What happened."""


def prompt(at: Situation) -> Message:
    """Return what the table waits for."""
    state, play = at.state, at.state.play
    if state.menu is not None:
        return menu_message(state, state.menu)
    if state.question is not None:
        return state.question.asks
    if play is None or state.lobby.open:
        draft = state.lobby.draft
        players, rules = len(draft.names), draft.rules.title
        if "bank" in at.refused:
            return message("prompt.lobby_not_ready", players=players, rules=rules)
        return _of_feature(state) or message("prompt.lobby", players=players, rules=rules)
    game = play.game
    if game.over:
        return _of_feature(state) or _over(game, play.track)
    if state.motion is not Motion.STILL:
        return message("prompt.hand" if state.motion is Motion.HAND else "prompt.moving")
    name = game.players[play.to_move]
    if play.start_thrower is not None:
        key = "prompt.throw_for_start" if state.bot is None else "prompt.bot_throws_for_start"
        return message(key, name=name, dice=play.dice_for_start)
    if state.manual is ManualEntry.COUNTING:
        return _counting(at, game, name)
    dice = game.turn.dice_left
    if state.farkled is not None and state.farkled.lost:
        return message("prompt.farkled_lost", name=name, dice=dice, lost=state.farkled.lost)
    if state.farkled is not None:
        return message("prompt.farkled", name=name, dice=dice)
    if state.bot is not None:
        return _bot(at, name)
    if game.phase is not Phase.TO_THROW:
        return _choosing(at, game, name)
    if state.manual is ManualEntry.FACES:
        return message("prompt.to_enter", name=name, dice=dice)
    return _to_throw(game, name, dice)


def _of_feature(state: TableState) -> Message:
    """Return the prompt of a feature, or nothing if none has one."""
    return next((said for feature in features_of(state) if (said := feature.prompt(state))), NOTHING)


def _bot(at: Situation, name: str) -> Message:
    """Return the prompt in a bot's turn: what the bot does, and what people do for it."""
    state = at.state
    if state.bot_waits:
        return message("prompt.bot_waits", name=name)
    if not state.current.bot_decides:
        return bot_throws(state)
    return message("prompt.bot_thinks", name=name) if state.current.bot_banks is None else bot_decision(state, at.turn)


def _to_throw(game: GameState, name: str, dice: int) -> Message:
    """Return the prompt for the first throw of a turn, with what the last turns of a game ask of it."""
    leader = must_pass(game)
    if leader is not None:
        return message("prompt.to_pass", name=name, dice=dice, score=game.sides[leader].score)
    if is_one_throw(game):
        return message("prompt.only_throw", name=name, dice=dice)
    rounds = game.rules.switches.rounds
    if not rounds or game.extra:
        return message("prompt.to_throw", name=name, dice=dice)
    if is_last_round(game):
        return message("prompt.last_round", name=name, dice=dice)
    return message("prompt.in_round", name=name, dice=dice, round=game.round, rounds=rounds)


def _over(game: GameState, track: int) -> Message:
    if game.loser is not None:
        return message("prompt.lost", name=side_name(game, game.loser))
    if game.winners:
        names = tuple([side_name(game, side) for side in game.winners])
        skunked = tuple([side_name(game, side) for side, skunk in enumerate(skunks_of(game, track)) if skunk])
        if not skunked:
            return message("prompt.won", names=names)
        said = joined(*skunks_said(game, track))
        return message("prompt.won_skunk", names=names, skunks=said, skunked=skunked)
    best = max(side.score for side in game.sides)
    if best <= 0:
        return message("prompt.ended_without_points")
    leaders = tuple([side_name(game, index) for index, side in enumerate(game.sides) if side.score == best])
    return message("prompt.ended", names=leaders, score=best)


def _counting(at: Situation, game: GameState, name: str) -> Message:
    points = game.turn.points
    if game.phase is not Phase.KEPT:
        return message("prompt.count", name=name)
    why = at.refused.get("bank")
    if why is None:
        return message("prompt.count_or_bank", name=name, points=points)
    return message("prompt.count_on", name=name, points=points, why=why)


def _choosing(at: Situation, game: GameState, name: str) -> Message:
    """Return the prompt while dice are to be chosen, or are kept: throw the rest, or bank."""
    kept, bank, why = at.turn.pending, at.turn.bank, at.turn.refused
    points = game.turn.points + (bank.points if bank else 0)
    if game.phase is Phase.CHOOSING and kept is None and at.turn.no_throw is None:
        best = at.turn.selections[0].dice
        if why is None:
            return message("prompt.choose_or_bank", name=name, points=points, dice=best)
        return message("prompt.choose", name=name, dice=best)
    if at.turn.no_throw is not None:
        only = message("prompt.bank_only", name=name, points=points)
        return only if points else message("prompt.end_only", name=name)
    dice = dice_to_throw(game, kept)
    if why is not None:
        return message("prompt.throw_on", name=name, dice=dice, why=why, points=points)
    bank_first = at.next == "bank"
    if not points:
        return message("prompt.end_or_throw" if bank_first else "prompt.throw_or_end", name=name, dice=dice)
    key = "prompt.bank_or_throw" if bank_first else "prompt.throw_or_bank"
    return message(key, name=name, dice=dice, points=points)


def _message(at: Situation) -> MessageView:
    state, asks = at.state, prompt(at)
    said = state.complaint.says.text if state.complaint is not None else state.announced
    asking = state.question is not None or state.menu is not None
    urgent = None if asking else state.complaint
    told_all = urgent is not None and urgent.dice > 0  # a complaint about dice says what to do
    return MessageView(
        text=asks.text if asking else said if told_all else joined(said, asks.text),
        short=urgent.says.short if urgent else asks.short,
        told=state.announced,
    )


@dataclass(frozen=True)
class SaidShown:
    """What the table says of now, and of what lies ahead."""

    message: MessageView = shows_now(_message)
    """What happened, and what the table waits for."""
    outlook: Text = shows_turn(lambda at: outlook(at.state.game, at.pending_points) if at.state.game else NOTHING)
    """What the player to move needs, and how many turns are left."""
    ahead: Text = shows(lambda state: NOTHING if state.game is None or state.game.over else ahead(state.game))
    """In short what lies ahead by the rules: the round, whom the player must pass, or that the turn is one throw."""
