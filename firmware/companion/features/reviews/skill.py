"""Each player's decisions and luck over all games that were reviewed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.features.reviews.ratings import player_key, player_shown
from companion.odds.game_review import PlayerReview
from companion.words import Text


@dataclass(frozen=True)
class PlayerSkill:
    """One player's reviewed games: the share of best decisions (None without a decision), and what a game brought.

    `given_away` and `luck` are parts of a win in a game, in the mean. `bot` is the kind of the bots that share it,
    else empty.
    """

    player: Text
    games: int
    decisions: int
    accuracy: float | None
    given_away: float
    luck: float
    bot: str = ""


def skills_of(games: Iterable[tuple[Sequence[PlayerReview], Mapping[str, str]]]) -> tuple[PlayerSkill, ...]:
    """Return the skill of each player by name, and of all bots of a kind together.

    Args:
        games: the players of each reviewed game with the kinds of its bots by name, the newest game first.
    """
    found: dict[str, list[PlayerReview]] = {}
    kinds: dict[str, str] = {}
    for players, bots in games:
        for each in players:
            key = player_key(each.name, bots)
            found.setdefault(key, []).append(each)
            kinds[key] = bots.get(each.name, "")
    return tuple(_skill(reviews, kinds[key]) for key, reviews in sorted(found.items()))


def _skill(reviews: list[PlayerReview], bot: str) -> PlayerSkill:
    count, decisions = len(reviews), sum(each.decisions for each in reviews)
    return PlayerSkill(
        player=player_shown(reviews[0].name, bot),
        games=count,
        decisions=decisions,
        accuracy=sum(each.accurate for each in reviews) / decisions if decisions else None,
        given_away=sum(each.given_away for each in reviews) / count,
        luck=sum(each.luck for each in reviews) / count,
        bot=bot,
    )
