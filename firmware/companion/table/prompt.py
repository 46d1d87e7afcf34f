"""The prompt: what the table waits for, in one sentence and in a short form of at most 21 characters."""

from companion.table.interpret import dice_to_throw
from companion.table.menu import menu_text
from companion.table.modes import refusals
from companion.table.selection import bank_selection, may_bank, pending_selection, selections
from companion.table.state import ManualEntry, TableState
from companion.table.text import Message, clipped, counted, joined, plural
from dicereader.reading import Motion
from farkle.game.commands import Bank
from farkle.game.machine import verify
from farkle.game.standing import side_name
from farkle.game.state import GameState, Phase
from farkle.rules.dice import spaced


def prompt(state: TableState) -> Message:
    """Return what the table waits for."""
    play = state.play
    if state.menu is not None:
        text, short = menu_text(state, state.menu)
        return Message(text, clipped(short))
    if state.question is not None:
        return Message(state.question.text, clipped(state.question.short))
    if play is None or state.lobby.open:
        return _lobby(state)
    game = play.game
    if game.over:
        names = [side_name(game, side) for side in game.winners]
        if game.loser is not None:
            loser = side_name(game, game.loser)
            return Message(f"{loser} is the last on the board and loses.", clipped(f"{loser} lost"))
        if not names:
            return Message(f"{_standing(game)} BANK: another game.", "another game?")
        return Message(f"{joined(names)} {'win' if len(names) > 1 else 'wins'}!", clipped(f"{joined(names)} won"))
    name = game.players[play.to_move]
    if state.motion is Motion.HAND:
        return Message("A hand is in the tray.", "hand in the tray")
    if state.motion is Motion.MOVING:
        return Message("The dice are moving.", "dice moving")
    if play.start_thrower is not None:
        count = counted(play.dice_for_start)
        return Message(f"{name}: throw {count} for who begins.", clipped(f"{name}: {count}"))
    if state.manual is ManualEntry.COUNTING:
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
    players = plural(len(state.lobby.names), "player")
    rules = state.lobby.rules.title
    text = f"{players}, {rules}. KEEP: one more, ROLL: other rules, BANK: start."
    return Message(text, clipped(f"{players}, start?"))


def _counting(game: GameState, name: str) -> Message:
    risk = game.turn.points
    return Message(f"{name}: {risk} counted. KEEP more, BANK pegs, ROLL farkle.", clipped(f"{name}: {risk} counted"))


def _standing(game: GameState) -> str:
    """Return who leads a game that was ended early."""
    best = max(side.score for side in game.sides)
    names = [side_name(game, index) for index, side in enumerate(game.sides) if side.score == best]
    return f"{joined(names)} {'lead' if len(names) > 1 else 'leads'} with {best}."


def _choosing(state: TableState, game: GameState, name: str) -> Message:
    """Return the prompt while dice are to be chosen."""
    kept = pending_selection(state)
    left = counted(dice_to_throw(game, kept))
    if kept is None:
        best = selections(state)[0]
        banks = f", or bank {game.turn.points + best.points}" if may_bank(state) else ""
        return Message(
            f"{name}: set dice aside{banks}.",
            clipped(f"best {spaced(best.dice)}"),
        )
    risk = game.turn.points + kept.points
    bank = bank_selection(state)
    brings = game.turn.points + (bank.points if bank else kept.points)
    why = None if may_bank(state) else refusals(state).get("bank")
    text = f"{name}: {risk} at risk. Throw {left}{f', or bank {brings}' if why is None else f': {why}'}."
    return Message(text, clipped(f"{risk} at risk"))


def _kept(game: GameState, name: str) -> Message:
    """Return the prompt once dice are kept for good: throw the rest, or bank."""
    left, points = counted(game.turn.dice_left), game.turn.points
    why = verify(game, Bank())
    text = f"{name}: {points} at risk. Throw {left}{f', or bank {points}' if why is None else f': {why}'}."
    return Message(text, clipped(f"{points} at risk"))
