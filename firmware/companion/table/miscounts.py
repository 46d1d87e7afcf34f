"""Miscounts: another number of dice came to rest than may be thrown; what the table says, and what it asks."""

from dataclasses import replace

from companion.table.acts import Step
from companion.table.asking import ask, complain
from companion.table.explain import Miscounted, dice_to_throw, thrown_dice
from companion.table.pending import wait_for
from companion.table.phrases import counted, counted_any
from companion.table.proposal import may_bank, to_bank
from companion.table.starting import asked_to_begin, thrower
from companion.table.state import Complaint, Pending, Question, TableState
from dicereader.reading import Observation
from farkle.game.state import Phase
from farkle.rules.scoring import Selection


def miscounted(
    state: TableState, meaning: Miscounted, observation: Observation, chosen: Selection | None, now: float
) -> Step:
    """The step of a throw of the wrong number of dice: nothing of it counts before someone says so.

    Fewer dice are told at once: the eye has waited for the others already.
    """
    game = state.game
    assert game is not None
    reading = observation.reading
    faces = tuple(reading.dice[index].face for index in thrown_dice(observation))
    sure = reading.sure and not state.distrust
    if thrower(state) is not None and meaning.count == game.rules.n_dice and sure:
        return asked_to_begin(state, faces)
    points = _might_have_banked(state)
    if points is not None and meaning.count == game.rules.n_dice:
        name = game.players[game.to_move]
        text = f"Did {name} bank {points}? Then this is the next player's throw."
        return ask(state, Question("banked", text, f"banked {points}?", ("yes", "no"), faces, sure=sure))
    expected = dice_to_throw(game, chosen)
    few = meaning.count < min(meaning.allowed) and meaning.seen < game.rules.n_dice
    if few and expected > meaning.count and reading.sure and state.house.off_table == "that_die":
        kept = chosen.dice if chosen and game.phase is Phase.CHOOSING else None
        missing = expected - meaning.count
        return wait_for(state, Pending("missing", faces, missing, kept), missing, now)
    text, short = _words(state, meaning, few)
    out = replace(state, out_of_step=True, said=text)
    return complain(out, Complaint(text, short, now, max(1, abs(min(meaning.allowed) - meaning.count))), now)


def _words(state: TableState, meaning: Miscounted, few: bool) -> tuple[str, str]:
    assert state.game is not None
    allowed = counted_any(meaning.allowed)
    if few:
        missing = min(meaning.allowed) - meaning.count
        return f"{counted(missing).capitalize()} missing: throw {allowed} again.", f"{missing} missing"
    if state.game.phase is Phase.CHOOSING and meaning.count == len(state.game.turn.roll) and state.chosen is None:
        return "Set one aside first: that throw does not count.", "set one aside first"
    text = f"{counted(meaning.count).capitalize()} thrown, {allowed} allowed: throw again."
    return text, f"{meaning.count} dice, not {max(meaning.allowed)}"


def _might_have_banked(state: TableState) -> int | None:
    """What a bank without a press would have brought, None where none was allowed."""
    kept = to_bank(state)
    if state.game is None or not may_bank(state):
        return None
    return state.game.turn.points + (kept.points if kept else 0)
