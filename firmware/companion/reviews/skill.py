"""Each player's decisions and luck over all games that were reviewed."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.reviews.game_review import PlayerReview
from farkle.game.names import name_key


@dataclass(frozen=True)
class PlayerSkill:
    """One player's reviewed games: the share of best decisions (None without a decision), and what a game brought.

    `given_away` and `luck` are parts of a win in a game, in the mean.
    """

    player: str
    games: int
    decisions: int
    accuracy: float | None
    given_away: float
    luck: float


def skills_of(games: Iterable[tuple[PlayerReview, ...]]) -> tuple[PlayerSkill, ...]:
    """Return the skill of each player, by name, from the players of the reviewed games, the newest game first."""
    found: dict[str, list[PlayerReview]] = {}
    for players in games:
        for each in players:
            found.setdefault(name_key(each.name), []).append(each)
    return tuple(_skill(reviews) for _, reviews in sorted(found.items()))


def _skill(reviews: list[PlayerReview]) -> PlayerSkill:
    count, decisions = len(reviews), sum(each.decisions for each in reviews)
    return PlayerSkill(
        player=reviews[0].name,
        games=count,
        decisions=decisions,
        accuracy=sum(each.accurate for each in reviews) / decisions if decisions else None,
        given_away=sum(each.given_away for each in reviews) / count,
        luck=sum(each.luck for each in reviews) / count,
    )
