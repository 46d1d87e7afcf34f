"""The table's words: what it waits for, in one sentence, and in a short form of at most 21 characters."""

from companion.table.inputs import Motion
from companion.table.interpret import dice_to_throw
from companion.table.menu import text_of
from companion.table.selection import may_bank, proposal, refusals, selections, to_bank
from companion.table.starting import dice_for_start, thrower
from companion.table.state import ByHand, TableState
from companion.table.text import Message, clipped, counted, joined, plural
from farkle.game.commands import Bank
from farkle.game.machine import verify
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase
from farkle.rules.catalogue import catalogue
from farkle.rules.dice import spaced


def waiting(state: TableState) -> Message:
    """What the table waits for, in one sentence."""
    game = state.game
    if state.menu is not None:
        text, short = text_of(state)
        return Message(text, clipped(short))
    if state.question is not None:
        return Message(state.question.text, clipped(state.question.short))
    if game is None or state.lobby.open:
        return _lobby(state)
    if game.over:
        names = [side_name(game, side) for side in game.winners]
        if game.loser is not None:
            loser = side_name(game, game.loser)
            return Message(f"{loser} is the last on the board and loses.", clipped(f"{loser} lost"))
        if not names:
            return Message(f"{_standing(game)} BANK: another game.", "another game?")
        return Message(f"{joined(names)} {'win' if len(names) > 1 else 'wins'}!", clipped(f"{joined(names)} won"))
    starts = thrower(state)
    name = game.players[game.to_move if starts is None else starts]
    if state.motion is Motion.HAND:
        return Message("A hand is in the tray.", "hand in the tray")
    if state.motion is Motion.MOVING:
        return Message("The dice are moving.", "dice moving")
    if starts is not None:
        count = counted(dice_for_start(state))
        return Message(f"{name}: throw {count} for who begins.", clipped(f"{name}: {count}"))
    if state.by_hand is ByHand.COUNTING:
        return _counting(game, name)
    if state.farkled is not None:
        lost = f"{plural(state.farkled.lost, 'point')} lost. " if state.farkled.lost else ""
        return Message(f"{lost}{name} is next.", "farkle")
    if game.phase is Phase.TO_THROW:
        again = " Out of step: the next throw counts." if state.out_of_step else ""
        return Message(
            f"{name}: throw {counted(game.turn.dice_left)}.{again}", clipped(f"{name}: {game.turn.dice_left} dice")
        )
    if game.phase is Phase.KEPT:
        return _kept(game, name)
    if game.phase is Phase.STARTING:
        return Message("Throw for who begins.", "who begins?")
    return _choosing(state, game, name)


def _lobby(state: TableState) -> Message:
    players = plural(state.lobby.players, "player")
    rules = catalogue()[state.lobby.rules].title
    text = f"{players}, {rules}. KEEP: one more, ROLL: other rules, BANK: start."
    return Message(text, clipped(f"{players}, start?"))


def _counting(game: GameState, name: str) -> Message:
    risk = game.turn.points
    return Message(f"{name}: {risk} counted. KEEP more, BANK pegs, ROLL farkle.", clipped(f"{name}: {risk} counted"))


def _standing(game: GameState) -> str:
    """Who leads a game that was ended early."""
    best = max(side.score for side in game.sides)
    names = [side_name(game, index) for index, side in enumerate(game.sides) if side.score == best]
    return f"{joined(names)} {'lead' if len(names) > 1 else 'leads'} with {best}."


def _choosing(state: TableState, game: GameState, name: str) -> Message:
    """What is waited for while dice lie that score."""
    kept = proposal(state)
    left = counted(dice_to_throw(game, kept))
    if kept is None:
        best = selections(state)[0]
        banks = f", or bank {game.turn.points + best.points}" if may_bank(state) else ""
        return Message(
            f"{name}: set dice aside{banks}.",
            clipped(f"best {spaced(best.dice)}"),
        )
    risk = game.turn.points + kept.points
    bank = to_bank(state)
    brings = game.turn.points + (bank.points if bank else kept.points)
    why = None if may_bank(state) else refusals(state).get("bank")
    text = f"{name}: {risk} at risk. Throw {left}{f', or bank {brings}' if why is None else f': {why}'}."
    return Message(text, clipped(f"{risk} at risk"))


def _kept(game: GameState, name: str) -> Message:
    """What is waited for once dice are kept for good: the throw of the rest, or a bank."""
    left, points = counted(game.turn.dice_left), game.turn.points
    why = verify(game, Bank())
    text = f"{name}: {points} at risk. Throw {left}{f', or bank {points}' if why is None else f': {why}'}."
    return Message(text, clipped(f"{points} at risk"))
