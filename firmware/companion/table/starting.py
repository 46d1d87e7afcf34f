"""Who begins: players throw for it, one after the other, where the game was begun so."""

from dataclasses import replace

from companion.table.acts import Step, act
from companion.table.asking import ask
from companion.table.cues import Cue, CueKind
from companion.table.events import Event, StartToBeThrown
from companion.table.state import Question, TableState
from companion.table.text import counted
from farkle.game.commands import ThrowForStart
from farkle.game.machine import decide
from farkle.game.state import Phase
from farkle.rules.dice import Faces


def thrower(state: TableState) -> int | None:
    """The player who throws next for who begins; None where that is decided, or not thrown for."""
    game = state.game
    if game is None or game.begun or game.phase not in (Phase.STARTING, Phase.TO_THROW) or not state.effective:
        return None
    if not any(isinstance(event, StartToBeThrown) for event in state.effective[0].events):
        return None
    thrown = {player for player, _ in game.start_throws}
    return next((player for player in game.start_among or game.playing() if player not in thrown), None)


def dice_for_start(state: TableState) -> int:
    """How many dice each throws for who begins."""
    assert state.game is not None
    return state.game.rules.switches.start_roll_dice


def thrown_for_start(state: TableState, faces: Faces, seen: tuple[Event, ...], now: float) -> Step:
    """The act of one player's throw for who begins; `seen` are the events of what the eye saw."""
    player = thrower(state)
    assert state.game is not None
    assert player is not None
    events = (*seen, *decide(state.game, ThrowForStart(player, faces)))
    made = act(state, events, now)
    cues = (*made.cues, Cue(CueKind.TURN)) if thrower(made.state) is not None else made.cues
    return replace(made, state=replace(made.state, out_of_step=False), cues=cues)


def asked_to_begin(state: TableState, faces: Faces) -> Step:
    """All dice were thrown where two were to be: perhaps it is clear to the players who begins."""
    player = thrower(state)
    assert state.game is not None
    assert player is not None
    name = state.game.players[player]
    text = f"{counted(dice_for_start(state)).capitalize()} for who begins; does {name} begin with these?"
    return ask(state, Question("begins", text, f"{name} begins?", ("yes", "no"), faces))
