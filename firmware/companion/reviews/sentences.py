"""The review of a game in words: what was done and what would have been better, and the moments of the game."""

from collections.abc import Iterator

from companion.reviews.game_review import ACCURATE, GameReview, PlayerReview, ReviewedAct
from companion.words import Message, Text, message

DONE = {
    "throw": "review.did_throw",
    "keep": "review.did_keep",
    "bank": "review.did_bank",
    "counted": "review.did_counted",
    "piggyback": "review.did_piggyback",
    "fresh": "review.did_fresh",
    "swap": "review.did_swap",
    "points": "review.did_points",
    "vant-hof": "review.did_vant_hof",
    "adjust": "review.did_adjust",
    "joins": "review.did_joins",
}
"""The sentence of each kind of act; all others have `review.did_other`."""

BEST = {
    "throw": "review.best_throw",
    "bank": "review.best_bank",
    "keep": "review.best_keep",
    "swap": "review.best_swap",
    "points": "review.best_points",
    "vant-hof": "review.best_vant_hof",
    "piggyback": "review.best_piggyback",
    "fresh": "review.best_fresh",
}
"""The words for each best option."""


def done(act: ReviewedAct) -> Message:
    """Return what was done: `Mia banked 9`."""
    key = DONE.get(act.did, "review.did_other")
    return message(key, player=act.player, dice=act.dice, points=act.points or 0)


def better(act: ReviewedAct) -> Message:
    """Return the best option of a decision in words: `throwing`."""
    if act.best_points is not None:
        return message("review.best_total", dice=act.best_dice, points=act.best_points)
    return message(BEST[act.best or ""], dice=act.best_dice)


def price(act: ReviewedAct) -> Message:
    """Return what a decision gave away, such as `Mia banked 9; throwing was worth 3.1 per cent more`."""
    return message("review.price", did=done(act), best=better(act), percent=100 * act.price)


def costly(review: GameReview) -> list[ReviewedAct]:
    """Return the decisions that gave something away, the most costly first."""
    return sorted((act for act in review.acts if act.price >= ACCURATE), key=lambda act: -act.price)


def moments(review: GameReview) -> Iterator[tuple[str, int, Text]]:
    """Yield the moments of the game: their kind, the number of their act, and a sentence."""
    if review.luckiest is not None:
        act = review.acts[review.luckiest - 1]
        yield "luckiest", act.act, message("review.luckiest", player=act.player, dice=act.dice, percent=100 * act.luck)
    if review.turning is not None:
        act = review.acts[review.turning - 1]
        yield "turning", act.act, message("review.turning", did=done(act), winner=winner_of(review))
    for act in costly(review)[:1]:
        yield "costly", act.act, message("review.costly", price=price(act))


def winner_of(review: GameReview) -> str:
    """Return the name of the side with the best chance at the end."""
    chances = review.acts[-1].chances
    return review.sides[max(range(len(chances)), key=chances.__getitem__)]


def summary(player: PlayerReview) -> Message:
    """Return a player's game in one sentence."""
    fields = {"player": player.name, "luck": round(100 * player.luck), "given": round(100 * player.given_away)}
    if player.accuracy is None:
        return message("review.summary_without", **fields)
    return message("review.summary", **fields, percent=100 * player.accuracy, of=player.decisions)
