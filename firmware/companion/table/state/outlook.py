"""The outlook: what the player to move needs, and how many turns are left, for people who look on."""

from companion.words import NOTHING, Text, joined, message
from farkle.game.order import coming, is_last_round
from farkle.game.standing import leaders, must_pass
from farkle.game.state import GameState, Phase


def outlook(game: GameState, pending: int) -> Text:
    """Return the outlook in a sentence or two, such as `Tom needs 14 to win.`, or nothing if there is nothing to say.

    Args:
        game: the game.
        pending: the points of the dice that are chosen and not kept yet.
    """
    if game.over or game.phase is Phase.STARTING:
        return NOTHING
    if must_pass(game) is not None:  # whoever does so makes the others answer: nobody knows how many turns are left
        return _behind(game, pending)
    if is_last_round(game):
        return joined(message("outlook.turns_left", turns=1 + len(coming(game))), _behind(game, pending))
    if not game.rules.goal:
        return message("outlook.round", round=game.round, rounds=game.rules.switches.rounds)
    needs = game.rules.goal - game.sides[game.side_to_move].score - game.turn.points - pending
    return NOTHING if needs < 1 else message(_goal(game), name=game.players[game.to_move], points=needs)


def _behind(game: GameState, pending: int) -> Text:
    """Return how many points the player to move needs for a tie with the best side, or nothing if none is ahead.

    Where a win is defended the best side has to be passed.
    """
    mine = game.sides[game.side_to_move].score + game.turn.points + pending
    behind = max(game.sides[side].score for side in leaders(game)) - mine
    name = game.players[game.to_move]
    if must_pass(game) is not None:
        return NOTHING if behind < 0 else message("outlook.to_lead", name=name, points=behind + 1)
    return NOTHING if behind < 1 else message("outlook.behind", name=name, points=behind)


def _goal(game: GameState) -> str:
    """Return the key of what the points lead to: the win alone if the game ends at once."""
    switches = game.rules.switches
    if switches.find_loser:
        return "outlook.to_be_safe"
    return "outlook.to_win" if switches.endgame == "immediate" else "outlook.to_final_round"
