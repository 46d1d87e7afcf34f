"""Who begins: the players throw for it one after the other, if the game was started so."""

from dataclasses import replace

from companion.table.acts import Step, act, ask
from companion.table.cues import Cue, CueKind
from companion.table.events import Event, StartToBeThrown
from companion.table.questions import begins_with_these
from companion.table.state import TableState
from farkle.game.commands import ThrowForStart
from farkle.game.machine import decide
from farkle.game.state import Phase
from farkle.rules.dice import Faces


def start_thrower(state: TableState) -> int | None:
    """Return the player who throws next for who begins, or None if that is decided or not thrown for."""
    play = state.play
    if play is None or play.game.begun or play.game.phase not in (Phase.STARTING, Phase.TO_THROW):
        return None
    if not any(isinstance(event, StartToBeThrown) for event in play.effective[0].events):
        return None
    thrown = {player for player, _ in play.game.start_throws}
    return next((player for player in play.game.start_among or play.game.playing() if player not in thrown), None)


def dice_for_start(state: TableState) -> int:
    """Return how many dice each player throws for who begins."""
    return state.current.game.rules.switches.start_roll_dice


def throw_for_start(state: TableState, player: int, faces: Faces, seen: tuple[Event, ...], now: float) -> Step:
    """Add the act of a player's throw for who begins; `seen` are the events of what the eye saw."""
    made = act(state, (*seen, *decide(state.current.game, ThrowForStart(player, faces))), now)
    cues = (*made.cues, Cue(CueKind.TURN)) if start_thrower(made.state) is not None else made.cues
    return replace(made, state=replace(made.state, out_of_step=False), cues=cues)


def ask_to_begin(state: TableState, player: int, faces: Faces) -> Step:
    """Ask whether a player begins with these faces: all dice fell where fewer are thrown for who begins."""
    return ask(state, begins_with_these(state.current.game.players[player], dice_for_start(state), faces))
