"""What the events of a game are to those who watch: a cue for voice and lights, and a moment that a page shows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from companion.table.state.events import RollCorrected
from companion.table.state.outlook import skunks_said
from companion.table.state.state import Play, TableState
from companion.table.state.text import describe
from companion.words import NOTHING, Text, joined, message
from farkle.game import events as ev
from farkle.game.order import coming, is_last_round
from farkle.game.standing import must_pass, side_name
from farkle.game.state import GameState


class CueKind(StrEnum):
    """What a cue is about."""

    SETTLED = "settled"
    CHOSEN = "chosen"
    HOT_DICE = "hot dice"
    FARKLE = "farkle"
    BANK = "bank"
    FINAL_ROUND = "final round"
    GAME_OVER = "game over"
    TURN = "turn"
    READY = "ready"  # the number of dice to throw
    BOT = "bot"  # what a bot has decided, and what people do for it
    COACH = "coach"  # the coach was asked
    QUESTION = "question"
    PRESSES = "presses"  # what each button does, once a question, a menu or the lobby has opened
    REFUSED = "refused"
    CHANGED = "changed"  # an undo or a correction: only the change is spoken
    COMPLAINT = "complaint"  # the tray cannot be right: said once, then from time to time
    ADDED = "added"  # what BANK kept beside the dice that were set aside
    RESUMED = "resumed"  # the table is on again, in the middle of a game
    ADDRESS = "address"  # of the page: its last number is counted out in lights
    SELF_TEST = "self-test"
    OVERLOOK = "overlook"  # the eye shall read in spite of the camera's faults
    POWER_OFF = "power off"
    LET_IN = "let in"  # the door opens: phones get in that answer with what the table shows
    ASKS = "asks"  # a phone asks to play
    SET_UP = "set up"  # the phone that asked for it may set the table up
    FORGET_PHONES = "forget phones"  # no phone may play any more
    BUMPED = "bumped"  # the tray was moved and is located again
    FAULT = "fault"  # a part is degraded: said once
    OUT_OF_STEP = "out of step"  # the next settled picture of the eye is a first one


@dataclass(frozen=True)
class Cue:
    """One thing that happened, with the words that say it."""

    kind: CueKind
    text: Text = NOTHING


MomentKind = Literal["win", "skunk", "final round", "last throw", "bump", "hot dice", "farkle", "bank"]
"""What a moment is, the loudest first."""


@dataclass(frozen=True)
class Watched:
    """The cue and the moment of one type of event; None if it has none.

    With the cue `CHANGED` the voice speaks the event's description.
    """

    cue: CueKind | None = CueKind.CHANGED
    moment: MomentKind | None = None


WATCHED: Mapping[type[ev.Event], Watched] = {
    ev.DiceRolled: Watched(CueKind.SETTLED),
    ev.DiceKept: Watched(None),
    ev.HotDiceMade: Watched(CueKind.HOT_DICE, "hot dice"),
    ev.Farkled: Watched(CueKind.FARKLE, "farkle"),
    ev.TurnBanked: Watched(CueKind.BANK, "bank"),
    ev.PegBumped: Watched(moment="bump"),
    ev.LeadTaken: Watched(moment="final round"),
    ev.FinalRoundBegan: Watched(CueKind.FINAL_ROUND, "final round"),
    ev.LastRoundBegan: Watched(CueKind.FINAL_ROUND, "final round"),
    ev.TurnPassed: Watched(CueKind.TURN, "last throw"),
    ev.GameEnded: Watched(CueKind.GAME_OVER, "win"),
}


def watched(event: ev.Event) -> Watched:
    """Return the cue and the moment of an event."""
    return WATCHED.get(type(event), Watched())


@dataclass(frozen=True)
class MomentView:
    """One moment: a thing of note that the newest act made happen."""

    kind: MomentKind
    """What it is."""
    text: Text
    """The sentence that says it."""


def moments(state: TableState) -> tuple[MomentView, ...]:
    """Return what the newest act made happen, in order; nothing after an undo."""
    play = state.play
    if play is None or state.lobby.open:
        return ()
    made = play.acts[-1]
    match made.events:
        case (RollCorrected(act=number),):
            made = play.act if play.act.number == number else made
    return tuple([moment for event in made.game_events for moment in _moments(play, event)])


def _moments(play: Play, event: ev.Event) -> Iterator[MomentView]:
    game, kind = play.game, watched(event).moment
    text = describe(game, (event,))
    skunks: tuple[Text, ...] = ()
    match event:
        case ev.Farkled(player=player, lost=lost) if lost:
            text = joined(text, message("moment.farkle_lost", player=game.players[player], lost=lost))
        case ev.HotDiceMade(player=player):
            text = joined(text, message("moment.hot_dice", player=game.players[player], dice=game.rules.n_dice))
        case ev.TurnBanked(points=0) | ev.GameEnded(winners=()):
            kind = None
        case ev.TurnPassed(player=player):
            kind, text = (kind, _last_throw(game, player)) if _is_last(game) else (None, NOTHING)
        case ev.GameEnded():
            skunks = skunks_said(game, play.track)
            text = joined(text, *skunks)
    if kind is not None:
        yield MomentView(kind, text)
    if skunks:
        yield MomentView("skunk", joined(*skunks))


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
