"""A kept game becomes the table's game again, and the one at the table is kept.

That is an unfinished game, which goes on, or a finished one that a feature lets the players correct.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.feature import features_of
from companion.table.lobby.lobby import cleared_table, close_lobby
from companion.table.lobby.next_starter import carried_over
from companion.table.state.acts import Handlers, Step, act_of_game
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import Event, GameResumed
from companion.table.state.history import history_of
from companion.table.state.inputs import ResumeGame
from companion.table.state.state import TableState, with_acts
from companion.table.state.text import standing
from companion.words import Text, message
from farkle.game.state import GameState


def under_way(game: GameState) -> Text:
    """Return whose turn it is in a game that goes on, such as `Ann, 9 at risk, four dice.`."""
    name, dice, points = game.players[game.to_move], game.turn.dice_left, game.turn.points
    if not points:
        return message("said.resumed", name=name, dice=dice)
    return message("said.resumed_at_risk", name=name, dice=dice, points=points)


def resume(state: TableState, given: ResumeGame, now: float) -> Step:
    """Make a kept game the table's game; what lies in the tray is out of step, as after an undo.

    Raises:
        RefusedError: if the game is finished and may not be corrected, no longer kept, or at the table.
    """
    if given.game == state.game_number and not state.current.game.over:
        if not state.lobby.open:
            raise RefusedError(message("refused.at_table"))
        return Step(close_lobby(state))
    if not given.acts:
        raise RefusedError(message("refused.not_kept"))
    game = history_of(given.acts)[-1].game
    if game.over and not any(feature.corrects(state.play, given.game) for feature in features_of(state)):
        raise RefusedError(message("refused.is_finished"))
    laid = with_acts(replace(cleared_table(state), play=None), given.game, given.acts)
    carried = [event for feature in features_of(state) for event in feature.resumes(laid.current, state.play)]
    events: tuple[Event, ...] = (GameResumed(), *carried_over(state.play), *carried)
    made = act_of_game(laid, given.game, events, now, Cue(CueKind.OUT_OF_STEP))
    said = message("said.goes_on", standing=standing(game))
    if game.over:
        said = message("said.to_correct")
    after = replace(made.state, announced=said, out_of_step=True)
    return Step(after, made.events, (Cue(CueKind.RESUMED, said if game.over else under_way(game)), *made.cues))


HANDLERS: Handlers = {
    ResumeGame: resume,
}
