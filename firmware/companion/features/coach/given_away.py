"""What a turn gave away: its most costly decision, once the turn is over. It assumes fair dice."""

from companion.odds.sentences import better, done
from companion.table.state.state import TableState
from companion.words import NOTHING, Text, message
from farkle.odds.game.answers import GameOdds
from farkle.review.game_review import ReviewedAct, decisions_of
from farkle.review.moves import moves_of

TELL_FROM = 0.01
"""The smallest part of the chance to win that is told: one per cent."""

TELL_FROM_ESTIMATE = 0.02
"""The same where the chances are an estimate: the choices of one turn share most of its error."""


def given_away(state: TableState, odds: GameOdds) -> Text:
    """Return what the most costly decision of the last turn gave away; nothing below `TELL_FROM`.

    A bot's turn has no decision of a person. What the odds do not know is left out.
    """
    play = state.current
    _, moves = moves_of(event for each in play.history for event in each.act.game_events)
    last = max((move.turn for move in moves if move.turn is not None), default=None)
    turn = [move for move in moves if last is not None and move.turn == last]
    bots = {bot.player for bot in play.bots}
    decisions, exact = decisions_of([move for move in turn if move.player not in bots], odds)
    dearest = max(decisions, key=lambda act: act.price, default=None)
    least = TELL_FROM if exact else TELL_FROM_ESTIMATE
    if dearest is None or dearest.price < least:
        return NOTHING
    return message("coach.after", did=_did(dearest), best=better(dearest), percent=100 * dearest.price)


def _did(act: ReviewedAct) -> Text:
    """Return what was done; a throw is told by the decision to throw, not by its dice."""
    if act.did == "throw" and act.best in ("fresh", "piggyback"):
        return message("review_did.fresh", player=act.player)
    return message("coach.threw_on", player=act.player) if act.did == "throw" else done(act)
