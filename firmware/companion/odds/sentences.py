"""How a review is told: in sentences, and as comments of the written game."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from companion.words import Catalogue, Message, Text, message
from farkle.game import events as ev
from farkle.notation import write, written_name
from farkle.review.game_review import ACCURATE, GameReview, PlayerReview, ReviewedAct, costly


def done(act: ReviewedAct) -> Message:
    """Return what was done: `Mia banked 9`."""
    return message(f"review_did.{act.did}", player=act.player, dice=act.dice, points=act.points or 0)


def better(act: ReviewedAct) -> Message:
    """Return the best option of a decision in words: `throwing`."""
    if act.best_points is not None:
        return message("review.best_total", dice=act.best_dice, points=act.best_points)
    return message(f"review_best.{act.best}", dice=act.best_dice)


def price(act: ReviewedAct) -> Message:
    """Return what a decision gave away, such as `Mia banked 9; throwing was worth 3.1 per cent more`."""
    return message("review.price", did=done(act), best=better(act), percent=100 * act.price)


def highlights(review: GameReview) -> Iterator[tuple[str, int, Text]]:
    """Yield the highlights of the game: their kind, the number of their act, and a sentence."""
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


def commented(
    events: tuple[ev.Event, ...], review: GameReview, words: Catalogue, bots: Mapping[str, str] | None = None
) -> str:
    """Return a game in the notation, with its review in comments that `farklecrib replay` leaves aside.

    Args:
        events: the effective events of the game.
        review: its review.
        words: the language of the comments.
        bots: the kinds of the players that a program played, by name.
    """
    turns = deque(list(acts) for turn, acts in groupby(review.acts, lambda act: act.turn) if turn is not None)
    lines: list[str] = []
    said = {act: words.text(sentence) for kind, act, sentence in highlights(review) if kind != "costly"}
    for line in write(events, bots).splitlines():
        lines.append(line)
        if turns and line.startswith(f"{written_name(turns[0][0].player)}: "):
            acts = turns.popleft()
            lines.extend(f"# {words.text(each)}" for each in _comments(review, acts))
            lines.extend(f"# {said[act.act]}" for act in acts if act.act in said)
    lines.extend(f"# {words.text(summary(player))}" for player in review.players)
    if not review.exact:
        lines.append(f"# {words('review.estimate')}")
    return "\n".join(lines) + "\n"


def _comments(review: GameReview, acts: Sequence[ReviewedAct]) -> Iterator[Message]:
    for act in acts:
        if act.price >= ACCURATE:
            yield price(act)
    chances = acts[-1].chances
    if chances:
        said = [
            message("review.chance", name=name, percent=100 * chance)
            for name, chance in zip(review.sides, chances, strict=False)
        ]
        yield message("review.chances", sides=said)
