"""The players' ratings over evenings by Glicko-2, and their decisions and luck; a deleted game leaves no trace.

An evening is a rating period. In each game a side wins, draws or loses against every other side. Bots are rated by
kind: a bot's name says nothing, because the next table of players gives the same bot another one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.errors import NoGameError
from companion.games.standings import Evening, evenings
from companion.games.statistics import GameStatistics
from companion.table.state.bots import PREFIX
from companion.words import NOTHING, Message, Text, message
from farkle.game.names import name_key
from farkle.glicko2 import RatedResult, Rating, after_period, score_of, together
from farkle.review.game_review import PlayerReview

KIND_WORDS = {
    "cautious": "ratings.bot_cautious",
    "bold": "ratings.bot_bold",
    "best": "ratings.bot_best",
    "human": "ratings.bot_human",
}
"""What the bots of a kind are called together."""

SURE = 2
"""The deviations of an interval that holds a player's strength with a chance of 95 per cent."""


@dataclass(frozen=True)
class PlayerRating:
    """A player's rating after an evening, in whole points; `bot` is the kind of bots that share it, else empty.

    The strength lies within `within` points of `rating` with a chance of 95 per cent. `change` is what the evening
    changed, None if the player was not there, or had no rating before. `evenings` and `games` count those that were
    rated so far.
    """

    player: Text
    rating: int
    within: int
    change: int | None
    evenings: int
    games: int
    bot: str = ""


@dataclass(frozen=True)
class EveningRatings:
    """The ratings after an evening, the best first; `evenings` counts the rated evenings up to this one.

    `text` says the ratings of those who were there: `Ann 1,512 (+12), Ben 1,488 (-12)`.
    """

    text: Text = NOTHING
    players: tuple[PlayerRating, ...] = ()
    evenings: int = 0

    def of(self, player: str) -> PlayerRating | None:
        """Return the rating of a person by name, or None without one."""
        key = name_key(player)
        return next((each for each in self.players if not each.bot and name_key(str(each.player)) == key), None)


@dataclass
class _Record:
    """What is known of one player, or of one kind of bots, so far."""

    name: str = ""
    bot: str = ""
    rating: Rating = field(default_factory=Rating)
    before: Rating | None = None
    present: bool = False
    evenings: int = 0
    games: int = 0


def ratings_at(summaries: Iterable[GameStatistics], game: int | None = None) -> EveningRatings:
    """Return the ratings after the newest evening, or after the evening in which a game ended.

    Args:
        summaries: all games in the order of their newest acts, the newest first.
        game: the number of a game.

    Raises:
        NoGameError: if there is no such game.
    """
    found = [*evenings(summaries)]
    while game is not None and found and all(each.number != game for each in found[0].games):
        del found[0]
    if game is not None and not found:
        raise NoGameError(f"expected the number of a game that is kept, got {game}")
    records = defaultdict[str, _Record](_Record)
    rated = sum(_rate(evening, records) for evening in reversed(found))
    best_first = sorted(records.values(), key=lambda each: (-each.rating.value, name_key(each.name)))
    said = tuple(_said(_player(each)) for each in best_first if each.present)
    players = tuple(map(_player, best_first))
    return EveningRatings(message("list.all", names=said) if said else NOTHING, players, rated)


def _rate(evening: Evening, records: defaultdict[str, _Record]) -> bool:
    """Rate one evening in place, and return whether there was anything to rate; `before` and `present` are of it."""
    results = defaultdict[str, list[RatedResult]](list)
    ratings = {key: record.rating for key, record in records.items()}
    for game in evening.games:
        keys = {side: {player_key(name, game.bots): name for name in members} for side, members in _sides(game).items()}
        opponents = {side: together([ratings.get(key, Rating()) for key in members]) for side, members in keys.items()}
        rated: set[str] = set()
        for side, members in keys.items():
            for key, name in members.items():
                met = [
                    RatedResult(found, _score(game, side, other))
                    for other, found in opponents.items()
                    if other != side and keys[other].keys() != {key}  # two bots of a kind say nothing of each other
                ]
                if met:
                    results[key].extend(met)
                    records[key].name, records[key].bot = name, game.bots.get(name, "")
                    rated.add(key)
        for key in rated:
            records[key].games += 1
    if not results:
        return False
    for key, record in records.items():
        record.present = key in results
        record.before = record.rating if record.present and record.evenings else None
        record.rating = after_period(record.rating, results.get(key, ()))
        record.evenings += record.present
    return True


def _sides(game: GameStatistics) -> Mapping[str, Sequence[str]]:
    """Return the players of each side who finished a game with a result; without those who left."""
    if not game.winners and game.loser is None:
        return {}
    finished = {each.player for each in game.by_player if each.finished}
    sides = game.teams or {name: (name,) for name in game.players}
    stayed = {side: tuple(name for name in members if name in finished) for side, members in sides.items()}
    return {side: members for side, members in stayed.items() if members}


def _score(game: GameStatistics, side: str, other: str) -> float:
    """Return 1 if a side beat another, 0 if it lost to it, and 0.5 for the same place.

    A game that finds a loser is lost by that side alone.
    """
    mine, theirs = game.ranks[side], game.ranks[other]
    if game.loser is not None:
        mine, theirs = int(side == game.loser), int(other == game.loser)
    return score_of(mine, theirs)


def player_key(name: str, bots: Mapping[str, str]) -> str:
    """Return the key of a player over games: that of the name, or for a bot that of its kind.

    Args:
        name: the player's name in a game.
        bots: the kinds of the game's bots by name.
    """
    return f"{PREFIX}{bots[name]}" if name in bots else name_key(name)


def player_shown(name: str, bot: str) -> Text:
    """Return what a player is called over games: the name, or for a bot its kind."""
    if not bot:
        return name
    return message(KIND_WORDS[bot]) if bot in KIND_WORDS else message("ratings.bot_other", kind=bot)


def _player(record: _Record) -> PlayerRating:
    rating, before = record.rating, record.before
    change = None if before is None else round(rating.value) - round(before.value)
    return PlayerRating(
        player=player_shown(record.name, record.bot),
        rating=round(rating.value),
        within=round(SURE * rating.deviation),
        change=change,
        evenings=record.evenings,
        games=record.games,
        bot=record.bot,
    )


def _said(rated: PlayerRating) -> Message:
    key = "ratings.player" if rated.change is None else "ratings.player_changed"
    return message(key, name=rated.player, rating=rated.rating, change=rated.change)


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
    found: dict[tuple[str, str], list[PlayerReview]] = {}
    for players, bots in games:
        for each in players:
            found.setdefault((player_key(each.name, bots), bots.get(each.name, "")), []).append(each)
    return tuple(_skill(reviews, bot) for (_, bot), reviews in sorted(found.items(), key=lambda item: item[0]))


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
