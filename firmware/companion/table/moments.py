"""The moments of a game: what the newest act made happen that people want to see and hear."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from companion.table.state.events import RollCorrected
from companion.table.state.play import Play
from companion.table.state.skunk import skunks_said
from companion.table.state.state import TableState
from companion.table.state.text import describe
from companion.words import NOTHING, Text, joined, message
from farkle.game import events as ev
from farkle.game.order import coming, is_last_round
from farkle.game.standing import must_pass, side_name
from farkle.game.state import GameState

MomentKind = Literal["farkle", "hot dice", "bump", "final round", "last throw", "win", "skunk", "bank"]


@dataclass(frozen=True)
class TableMoment:
    """One moment, and the sentence that says it."""

    kind: MomentKind
    text: Text


def moments(state: TableState) -> tuple[TableMoment, ...]:
    """Return what the newest act made happen, in order; nothing after an undo."""
    play = state.play
    if play is None or state.lobby.open:
        return ()
    made = play.acts[-1]
    match made.events:
        case (RollCorrected(act=number),):
            made = play.newest if play.newest.number == number else made
    return tuple(moment for event in made.game_events for moment in _moments(play, event))


def _moments(play: Play, event: ev.Event) -> Iterator[TableMoment]:
    game = play.game
    text = describe(game, (event,))
    match event:
        case ev.Farkled(player=player, lost=lost):
            more = message("moment.farkle_lost", player=game.players[player], lost=lost) if lost else NOTHING
            yield TableMoment("farkle", joined(text, more))
        case ev.HotDiceMade(player=player):
            more = message("moment.hot_dice", player=game.players[player], dice=game.rules.n_dice)
            yield TableMoment("hot dice", joined(text, more))
        case ev.PegBumped():
            yield TableMoment("bump", text)
        case ev.FinalRoundBegan() | ev.LeadTaken() | ev.LastRoundBegan():
            yield TableMoment("final round", text)
        case ev.TurnBanked(points=points) if points:
            yield TableMoment("bank", text)
        case ev.TurnPassed(player=player) if _is_last(game):
            yield TableMoment("last throw", _last_throw(game, player))
        case ev.GameEnded(winners=winners) if winners:
            skunks = skunks_said(game, play.track)
            yield TableMoment("win", joined(text, *skunks))
            if skunks:
                yield TableMoment("skunk", joined(*skunks))
        case _:
            pass


def _is_last(game: GameState) -> bool:
    """Return whether the turn that begins is the last one of the game."""
    return is_last_round(game) and not game.over and not game.extra and not coming(game)


def _last_throw(game: GameState, player: int) -> Text:
    best = max(side.score for index, side in enumerate(game.sides) if game.competes(index))
    behind = best - game.sides[game.side_of(player)].score
    name = game.players[player]
    leader = must_pass(game)
    if leader is not None:
        return message("moment.last_answer", player=name, score=best, leader=side_name(game, leader))
    if behind < 1:
        return message("moment.last_turn_ahead", player=name)
    return message("moment.last_turn", player=name, behind=behind)
