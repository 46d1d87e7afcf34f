"""The order of seats: players sit as they were named, and the players of teams take turns."""

from collections.abc import Mapping
from itertools import zip_longest


def in_seats(players: tuple[str, ...], teams: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the players in the order of their seats.

    That is their own order if the teams alternate in it, or if the teams have other players; the game refuses those.
    """
    if sorted(taking_turns(teams)) != sorted(players):
        return players
    seat = {name: index % len(teams) for index, name in enumerate(players)}
    alternates = all(len({seat[name] for name in members}) == 1 for members in teams.values())
    return players if alternates else taking_turns(teams)


def taking_turns(teams: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the players of all teams in an order in which the teams alternate."""
    return tuple(name for row in zip_longest(*teams.values()) for name in row if name is not None)
