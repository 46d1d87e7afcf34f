"""The order of seats: partners sit apart and take turns around the table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from companion.errors import RefusedError
from companion.words import message


def in_seats(
    players: Sequence[str] | None, teams: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players in the order of their seats, and the teams in the order in which their players sit.

    That is the players' own order if the teams alternate in it; without players, it follows from the teams.

    Raises:
        RefusedError: if the teams are not of one size, or their players are not these players.
    """
    seated = taking_turns(teams)
    players = tuple(seated if players is None else players)
    for odd, why in (
        (Counter(seated) - Counter(players), "rules.stranger_in_team"),
        (Counter(players) - Counter(seated), "rules.not_in_one_team"),
    ):
        if odd:
            raise RefusedError(message(why, name=next(iter(odd))))
    if len({len(members) for members in teams.values()}) > 1:
        raise RefusedError(message("rules.uneven_teams"))
    left = {team: list(members) for team, members in teams.items()}
    order: list[str] = []
    for seat, name in enumerate(players):
        new = (team for team in teams if team not in order and name in left[team])
        team = order[seat % len(teams)] if seat >= len(teams) else next(new, None)
        if team is None or name not in left[team]:
            return seated, tuple(teams)
        order.append(team)
        left[team].remove(name)
    return players, tuple(order[: len(teams)])


def taking_turns(teams: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the players of all teams in an order in which the teams alternate."""
    return tuple(name for row in zip_longest(*teams.values()) for name in row if name is not None)
