"""What lies ahead of a game: what the player to move needs, how many turns are left, and who would be skunked.

A skunk is a side that loses far behind the finish. It is named and counted apart, and the win is still one win.
"""

from companion.words import NOTHING, Message, Text, joined, message
from farkle.game.order import coming, is_last_round, is_one_throw
from farkle.game.standing import hole, leaders, losers, must_pass, position, side_name
from farkle.game.state import GameState, Phase
from pegboard.track import skunk_holes


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


def ahead(game: GameState) -> Message:
    """Return in short what lies ahead: the round, whom the side to move must pass, or a turn of one throw."""
    leader, rounds = must_pass(game), game.rules.switches.rounds
    if game.extra:
        return message("ahead.extra_round")
    if leader is not None:
        name, led = side_name(game, game.side_to_move), side_name(game, leader)
        return message("ahead.defend", name=name, leader=led, score=game.sides[leader].score)
    if is_one_throw(game):
        return message("ahead.one_throw")
    if not rounds:
        return NOTHING
    return message("ahead.last_round" if game.round == rounds else "ahead.round", round=game.round, rounds=rounds)


def finish_of(game: GameState, track: int) -> int:
    """Return the hole in which a side has the points to win; 0 in a game of rounds, which no target ends."""
    return hole_at(game, track, game.rules.goal)


def skunk_lines(game: GameState, track: int) -> tuple[int, ...]:
    """Return the holes that save a loser from a skunk and from a double skunk; none if the game finds a loser."""
    finish = finish_of(game, track)
    return () if game.rules.switches.find_loser or finish < 1 else skunk_holes(finish)


def skunks_of(game: GameState, track: int) -> tuple[int, ...]:
    """Return for each side 1 if it is skunked, 2 if it is double skunked, else 0."""
    lost = losers(game)
    if not lost:
        return (0,) * len(game.sides)
    lines = skunk_lines(game, track)
    holes = [hole_at(game, track, peg.score) for peg in game.sides]
    return tuple([[at < line for line in lines].count(True) if side in lost else 0 for side, at in enumerate(holes)])


def saves_from_skunk(game: GameState, track: int, side: int, score: int) -> bool:
    """Return whether a higher `score` saves a side from a skunk, or from a double skunk, if it loses."""
    before, after = (hole_at(game, track, points) for points in (game.sides[side].score, score))
    return any(before < line <= after for line in skunk_lines(game, track))


def skunks_said(game: GameState, track: int) -> tuple[Text, ...]:
    """Return which sides are skunked, in sentences such as `Tom is skunked`."""
    found = skunks_of(game, track)
    sides = [tuple([side_name(game, side) for side, skunk in enumerate(found) if skunk == grade]) for grade in (1, 2)]
    keys = ("skunk.skunked", "skunk.double")
    return tuple([message(key, names=names) for key, names in zip(keys, sides, strict=True) if names])


def hole_at(game: GameState, track: int, points: int) -> int:
    """Return the hole for these points on a track of so many holes."""
    return hole(position(points, game.rules.points_a_hole(track)), track)
