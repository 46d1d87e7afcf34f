"""An evening of several games: a kept game goes on at the table, and the evening ends. No game changes.

A game that goes on is an unfinished one, or a finished one that a feature lets the players correct. The game at the
table is kept.
"""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.feature import features_of
from companion.table.lobby.lobby import carried_over, cleared_table, close_lobby
from companion.table.state.acts import Handlers, Step, act_aside, act_of_game
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import EveningClosed, Event, GameResumed, Undone
from companion.table.state.history import history_of
from companion.table.state.inputs import CloseEvening, ReopenEvening, ResumeGame
from companion.table.state.state import Play, TableState, with_acts
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


def close_evening(state: TableState, after: int | None = None) -> Step:
    """Close the evening with the newest act; or note that it was closed with act `after`, and say nothing.

    Raises:
        RefusedError: if a game is under way, which would be of no evening.
    """
    if after is not None:
        return act_aside(state, EveningClosed(after))
    if not state.current.game.over:
        raise RefusedError(message("refused.evening_under_way"))
    return act_aside(state, EveningClosed(state.seq), message("said.evening_closed"))


def reopen_evening(state: TableState) -> Step:
    """Take back that the evening was closed.

    Raises:
        RefusedError: if it was not closed after the game at the table.
    """
    closed = closed_by(state.current)
    if closed is None:
        raise RefusedError(message("refused.evening_open"))
    return act_aside(state, Undone(closed), message("said.evening_reopened"))


def closed_by(play: Play) -> int | None:
    """Return the act that closed the evening after this game, or None if it is open."""
    undone = {event.act for each in play.acts for event in each.events if isinstance(event, Undone)}
    for each in reversed(play.acts):
        if each.number == play.act.number:
            return None
        for event in each.events:
            if isinstance(event, EveningClosed) and each.number not in undone and event.after >= play.act.number:
                return each.number
    return None


HANDLERS: Handlers = {
    ResumeGame: resume,
    CloseEvening: lambda state, given, _: close_evening(state, given.after),
    ReopenEvening: lambda state, _given, _now: reopen_evening(state),
}
