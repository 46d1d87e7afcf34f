"""A review as JSON's types."""

from typing import Any

from farkle.review.game_review import GameReview


def record_of(found: GameReview) -> dict[str, Any]:
    """Return a review as JSON's types, as the command and the API give it; its turns count from 1."""
    acts = [{**vars(act), "turn": None if act.turn is None else act.turn + 1} for act in found.acts]
    told = ("name", "accuracy", "luck", "decisions", "given_away")
    players = [{key: getattr(each, key) for key in told} for each in found.players]
    untold = {"untold": found.untold} if found.untold else {}
    record = {"exact": found.exact, "sides": found.sides, "start": found.start, **untold}
    return {**record, "acts": acts, "players": players, "luckiest": found.luckiest, "turning": found.turning}
