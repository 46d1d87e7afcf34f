"""Whose turn is next, and when the last round is complete."""

from farkle.game.state import GameState


def next_player(state: GameState) -> int:
    """The index of the player after the one to move, clockwise."""
    return (state.to_move + 1) % len(state.players)


def round_is_complete(state: GameState) -> bool:
    """Whether the player to move was the last of a round: everyone has had the same number of turns."""
    return next_player(state) == state.first
