"""The start of a game: its players and teams, and the throws for the first turn."""

from collections.abc import Mapping, Sequence

from farkle.errors import IllegalMoveError, SeatingError
from farkle.game.commands import ThrowForStart
from farkle.game.events import Event, GameStarted, StarterFound, StartThrown, StartTied
from farkle.game.evolve import Course
from farkle.rules.dice import check_faces
from farkle.rules.ruleset import RuleSet

MOST_PLAYERS = 12


def check_names(names: Sequence[str]) -> None:
    """Check the names of players.

    Raises:
        SeatingError: if there are too many names or none, two are the same in any case, or one cannot be written.
    """
    if not 1 <= len(names) <= MOST_PLAYERS:
        raise SeatingError(f"expected 1 to {MOST_PLAYERS} players, got {len(names)}")
    for name in names:
        _check_name("player", name)
    if len({name.casefold() for name in names}) != len(names):
        raise SeatingError(f"expected players of different names, got {', '.join(names)}")


def _check_name(whose: str, name: str) -> None:
    if not isinstance(name, str):
        raise SeatingError(f"expected a {whose}'s name as text, got {name!r}")
    if not name.strip() or name != name.strip():
        raise SeatingError(f"expected a {whose}'s name without spaces around it, got {name!r}")
    if '"' in name or not name.isprintable():
        raise SeatingError(f"expected a {whose}'s name without double quotes and control characters, got {name!r}")


def start(
    rules: RuleSet, players: Sequence[str], *, first: int = 0, teams: Mapping[str, Sequence[str]] | None = None
) -> tuple[Event, ...]:
    """Return the event that begins a game.

    Args:
        rules: the rule set.
        players: the names, clockwise.
        first: the index of the player who begins.
        teams: the names of each team's players, by the team's name; the teams must alternate in `players`.

    Raises:
        SeatingError: if these players cannot play this game.
    """
    if not isinstance(rules, RuleSet):
        raise SeatingError(f"expected a rule set to play by, got {rules!r}")
    names = _names("players", players)
    check_names(names)
    if type(first) is not int or not 0 <= first < len(names):
        raise SeatingError(f"expected one of the players to begin, got number {first!r}")
    if teams is not None and not isinstance(teams, Mapping):
        raise SeatingError(f"expected the players of each team by the team's name, got {teams!r}")
    sides = _teams(rules, names, teams) if teams else tuple((index,) for index in range(len(names)))
    if rules.switches.find_loser and len(sides) < 3:
        what = "teams" if teams else "players"
        raise SeatingError(f"expected at least 3 {what} to find a loser among, got {len(sides)}")
    settings = tuple(sorted(rules.settings().items()))
    return (GameStarted(rules.key, settings, names, sides, first, tuple(teams or ()), rules.definition),)


def _names(whose: str, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise SeatingError(f"expected the names of the {whose} as a list, got {names!r}")
    return tuple(names)


def _teams(rules: RuleSet, names: tuple[str, ...], teams: Mapping[str, Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    for name, members in teams.items():
        _check_name("team", name)
        _names("players of a team", members)
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


def throw_for_start(course: Course, command: ThrowForStart) -> None:
    """Add a player's throw for the first turn; the highest total begins, and players who tie throw again.

    Raises:
        IllegalMoveError: if the starter is known, or this player may not throw now.
    """
    state = course.state
    if state.begun or (state.first and not state.start_throws and not state.start_among):
        raise IllegalMoveError("who begins is decided already")
    dice = state.rules.switches.start_roll_dice
    faces = check_faces(command.faces, least=dice, most=dice)
    among = state.start_among or state.playing()
    if not 0 <= command.player < len(state.players):
        raise IllegalMoveError(f"expected one of the {len(state.players)} players, got number {command.player!r}")
    name = state.players[command.player]
    if command.player not in among:
        tied = ", ".join(state.players[player] for player in among)
        raise IllegalMoveError(f"expected a throw of {tied}, got {name}'s")
    if any(player == command.player for player, _ in state.start_throws):
        raise IllegalMoveError(f"{name} has thrown for who begins already")
    course.add(StartThrown(command.player, faces))
    throws = course.state.start_throws
    if len(throws) < len(among):
        return
    best = max(sum(faces) for _, faces in throws)
    highest = tuple(sorted(player for player, faces in throws if sum(faces) == best))
    course.add(StarterFound(highest[0]) if len(highest) == 1 else StartTied(highest))
