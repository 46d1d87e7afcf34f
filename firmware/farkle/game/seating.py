"""Seating: who plays, in which teams, and the event that begins a game."""

from collections.abc import Mapping, Sequence

from farkle.errors import SeatingError
from farkle.game.events import Event, GameStarted
from farkle.rules.ruleset import RuleSet

MOST_PLAYERS = 12


def check_names(names: Sequence[str]) -> None:
    """Raise `SeatingError` where these cannot be the names of players."""
    if not 1 <= len(names) <= MOST_PLAYERS:
        raise SeatingError(f"expected 1 to {MOST_PLAYERS} players, got {len(names)}")
    for name in names:
        _check_name("player", name)
    if len({name.casefold() for name in names}) != len(names):
        raise SeatingError(f"expected players of different names, got {', '.join(names)}")


def _check_name(whose: str, name: str) -> None:
    if not name.strip() or name != name.strip():
        raise SeatingError(f"expected a {whose}'s name without spaces around it, got {name!r}")
    if '"' in name or not name.isprintable():
        raise SeatingError(f"expected a {whose}'s name without double quotes and control characters, got {name!r}")


def start(
    rules: RuleSet,
    players: Sequence[str],
    *,
    first: int = 0,
    teams: Mapping[str, Sequence[str]] | None = None,
) -> tuple[Event, ...]:
    """The event that begins a game. `teams` are names of players by the team's name, alternating in `players`.

    Raises `SeatingError` where these players cannot play it.
    """
    names = tuple(players)
    check_names(names)
    if not 0 <= first < len(names):
        raise SeatingError(f"expected one of the players to begin, got number {first!r}")
    sides = _teams(rules, names, teams) if teams else tuple((index,) for index in range(len(names)))
    if rules.switches.find_loser and len(sides) < 3:
        what = "teams" if teams else "players"
        raise SeatingError(f"expected at least 3 {what} to find a loser among, got {len(sides)}")
    settings = tuple(sorted(rules.settings().items()))
    return (GameStarted(rules.key, settings, names, sides, first, tuple(teams or ()), rules.definition),)


def _teams(rules: RuleSet, names: tuple[str, ...], teams: Mapping[str, Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    for name in teams:
        _check_name("team", name)
    if len({name.casefold() for name in teams}) != len(teams):
        raise SeatingError(f"expected teams of different names, got {', '.join(teams)}")
    unknown = [name for members in teams.values() for name in members if name not in names]
    if unknown:
        raise SeatingError(f"expected players {', '.join(names)} in the teams, got {unknown[0]!r}")
    seated = [name for members in teams.values() for name in members]
    if sorted(seated) != sorted(names):
        raise SeatingError(f"expected each of {', '.join(names)} in one team, got {', '.join(seated)}")
    if len(teams) < 2:
        raise SeatingError("expected at least two teams, got one")
    sizes = {len(members) for members in teams.values()}
    if len(sizes) > 1 or sizes == {1}:
        counts = ", ".join(f"{name} {len(members)}" for name, members in teams.items())
        raise SeatingError(f"expected teams of equal size, two players or more in each, got {counts}")
    if rules.partners and len(names) not in rules.partners:
        wanted = " or ".join(str(count) for count in rules.partners)
        raise SeatingError(f"expected {wanted} players for partners in {rules.title}, got {len(names)}")
    sides = tuple(tuple(sorted(names.index(name) for name in members)) for members in teams.values())
    order = [next(side for side, members in enumerate(sides) if seat in members) for seat in range(len(names))]
    if order != order[: len(sides)] * (len(names) // len(sides)) or len(set(order[: len(sides)])) != len(sides):
        turns = [names[members[step]] for step in range(len(sides[0])) for members in sides]
        raise SeatingError(f"expected the teams to alternate, such as {', '.join(turns)}, got {', '.join(names)}")
    return sides
