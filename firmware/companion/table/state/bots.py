"""Players that the board itself plays, called bots: their kinds and names, and how a list of players asks for one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from companion.errors import RefusedError
from companion.words import message
from farkle.game.names import name_key

PREFIX = "bot:"
"""What a name begins with that asks for a bot, such as `bot:bold`."""

NAMES = "Bones Pips Tumble Rattle Knuckle Ivory Spots Clatter Dotty Cubit Nudge Wobble".split()  # noqa: SIM905
"""The bots' names, in all languages; each bot takes the first that is free."""


@dataclass(frozen=True)
class BotKind:
    """A way to play: its name, and its parameters by name.

    `lean` is how much a throw is worth to the bot, measured by what it is worth in the long run.
    """

    name: str
    parameters: tuple[tuple[str, float], ...] = ()


BUILT_IN = (BotKind("cautious", (("lean", 0.85),)), BotKind("bold", (("lean", 1.15),)), BotKind("best"))
"""The kinds that every table knows."""


@dataclass(frozen=True)
class SeatedBots:
    """A list of players with the bots by name: each bot has a name of its own, and `kinds` holds its kind."""

    players: tuple[str, ...]
    kinds: Mapping[str, BotKind] = field(default_factory=dict, hash=False)


def asks_for_bot(name: str) -> bool:
    """Return whether a name asks for a bot."""
    return name.strip().casefold().startswith(PREFIX)


def any_bot(names: Sequence[str]) -> bool:
    """Return whether one of the names may ask for a bot; the lobby asks this often."""
    return PREFIX in "\n".join(names).casefold()


def bot_named(kind: BotKind) -> str:
    """Return the name that asks for a bot of this kind."""
    return f"{PREFIX}{kind.name}"


def kind_of_bot(name: str, known: Sequence[BotKind]) -> BotKind:
    """Return the kind that a name such as `bot:bold` asks for.

    Raises:
        RefusedError: if the table does not know the kind.
    """
    wanted = name.strip().casefold()
    for kind in known:
        if wanted == bot_named(kind):
            return kind
    raise RefusedError(message("refused.no_such_bot", bots=tuple(map(bot_named, known)), name=name))


def named_bots(names: Sequence[str]) -> tuple[str, ...]:
    """Return the players' names, with a name of its own in place of each one that asks for a bot."""
    if not any_bot(names):
        return tuple(names)
    taken = {name_key(name) for name in names if name and not asks_for_bot(name)}
    of_bots = (f"{name} {turn}" if turn > 1 else name for turn in count(1) for name in NAMES)
    free = (name for name in of_bots if name_key(name) not in taken)
    return tuple([next(free) if asks_for_bot(name) else name for name in names])


def seated_bots(players: Sequence[str], known: Sequence[BotKind], names: Sequence[str] = ()) -> SeatedBots:
    """Return players with the bots by name.

    A `RefusedError` reaches the caller if the table does not know a kind.

    Args:
        players: the players as they are asked for.
        known: the kinds that the table knows.
        names: the names of all players, if the bots have theirs already.
    """
    names = tuple(names) or named_bots(players)
    kinds = {name: kind_of_bot(asked, known) for name, asked in zip(names, players, strict=True) if asks_for_bot(asked)}
    return SeatedBots(names, kinds)
