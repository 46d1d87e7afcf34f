"""The written game with its review as comments: the chances after each turn, and what its decisions gave away."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from companion.reviews.game_review import ACCURATE, GameReview, ReviewedAct
from companion.reviews.sentences import moments, price, summary
from companion.words import Catalogue, Message, message
from farkle.game import events as ev
from farkle.game.evolve import fold
from farkle.notation import write
from farkle.notation.text import written_name
from farkle.replay import turns_of


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
    acts = defaultdict[int | None, list[ReviewedAct]](list)
    for act in review.acts:
        acts[act.turn].append(act)
    players = fold(events).players
    turns = [f"{written_name(players[turn.player])}: " for turn in turns_of(events)]
    lines: list[str] = []
    number = 0
    said = {act: words.text(sentence) for kind, act, sentence in moments(review) if kind != "costly"}
    for line in write(events, bots).splitlines():
        lines.append(line)
        if number < len(turns) and line.startswith(turns[number]):
            lines.extend(f"# {words.text(each)}" for each in _comments(review, acts[number]))
            lines.extend(f"# {said[act.act]}" for act in acts[number] if act.act in said)
            number += 1
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
