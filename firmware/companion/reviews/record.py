"""A review as JSON's types, as the command and the API give it."""

from typing import Any

from companion.reviews.game_review import GameReview


def record_of(found: GameReview) -> dict[str, Any]:
    """Return a review as JSON's types."""
    acts = [
        {
            "act": act.act,
            "player": act.player,
            "before": act.before,
            "after": act.after,
            "did": act.did,
            "best": act.best,
            "price": act.price,
            "luck": act.luck,
            "decision": act.decision,
            "dice": list(act.dice),
            "points": act.points,
            "best_dice": list(act.best_dice),
            "best_points": act.best_points,
            "turn": None if act.turn is None else act.turn + 1,
            "chances": list(act.chances),
        }
        for act in found.acts
    ]
    players = [
        {
            "name": each.name,
            "accuracy": each.accuracy,
            "luck": each.luck,
            "decisions": each.decisions,
            "given_away": each.given_away,
        }
        for each in found.players
    ]
    record: dict[str, Any] = {"exact": found.exact, "sides": list(found.sides), "start": list(found.start)}
    if found.untold:
        record["untold"] = found.untold
    return record | {"acts": acts, "players": players, "luckiest": found.luckiest, "turning": found.turning}
