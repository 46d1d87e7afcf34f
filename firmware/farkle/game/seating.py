"""The start of a game: its players and teams, and the throws for the first turn."""

from collections.abc import Mapping, Sequence

from farkle.errors import IllegalMoveError, SeatingError
from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.evolve import Course
from farkle.game.names import check_name, repeated
from farkle.game.state import GameState
from farkle.rules.dice import check_faces
from farkle.rules.ruleset import RuleSet

MOST_PLAYERS = 12


def check_names(names: Sequence[str]) -> None:
    """Check the names of players.

    Raises:
        SeatingError: if there are too many names or none, two are one name, or one cannot be a name.
    """
    if not names:
        raise SeatingError(f"expected 1 to {MOST_PLAYERS} players, got none", "no_players")
    if len(names) > MOST_PLAYERS:
        text = f"expected 1 to {MOST_PLAYERS} players, got {len(names)}"
        raise SeatingError(text, "most_players", most=MOST_PLAYERS)
    for name in names:
        check_name("player", name)
    if twice := repeated(names):
        raise SeatingError(f"expected players of different names, got {', '.join(names)}", "same_name", name=twice)


def start(
    rules: RuleSet, players: Sequence[str], *, first: int = 0, teams: Mapping[str, Sequence[str]] | None = None
) -> tuple[ev.Event, ...]:
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
        raise SeatingError(f"expected the index of the player who begins, 0 to {len(names) - 1}, got {first!r}")
    if teams is not None and not isinstance(teams, Mapping):
        raise SeatingError(f"expected teams such as {{'A': ['Ann', 'Cy'], 'B': ['Ben', 'Di']}}, got {teams!r}")
    sides = _teams(rules, names, teams) if teams else tuple((index,) for index in range(len(names)))
    if rules.switches.find_loser and len(sides) < 3:
        text = f"expected at least 3 {'teams' if teams else 'players'} to find a loser among, got {len(sides)}"
        raise SeatingError(text, "find_loser_teams" if teams else "find_loser", number=len(sides))
    settings = tuple(sorted(rules.settings().items()))
    return (ev.GameStarted(rules.key, settings, names, sides, first, tuple(teams or ()), rules.definition),)


def _names(whose: str, names: Sequence[str]) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise SeatingError(f"expected the names of the {whose} as a list, got {names!r}")
    return tuple(names)


def _teams(rules: RuleSet, names: tuple[str, ...], teams: Mapping[str, Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    for name, members in teams.items():
        check_name("team", name)
        _names("players of a team", members)
    if twice := repeated(teams):
        raise SeatingError(f"expected teams of different names, got {', '.join(teams)}", "same_team_name", name=twice)
    seated = [name for members in teams.values() for name in members]
    for name in seated:
        if name not in names:
            text = f"expected players {', '.join(names)} in the teams, got {name!r}"
            raise SeatingError(text, "stranger_in_team", name=name)
    for name in names:
        if seated.count(name) != 1:
            text = f"expected each of {', '.join(names)} in one team, got {', '.join(seated)}"
            raise SeatingError(text, "not_in_one_team", name=name)
    if len(teams) < 2:
        raise SeatingError("expected at least two teams, got one", "one_team")
    sizes = {len(members) for members in teams.values()}
    if len(sizes) > 1 or sizes == {1}:
        counts = ", ".join(f"{name} {len(members)}" for name, members in teams.items())
        text = f"expected teams of equal size, two players or more in each, got {counts}"
        raise SeatingError(text, "uneven_teams")
    if rules.partners and len(names) not in rules.partners:
        wanted = " or ".join(map(str, rules.partners))
        text = f"expected {wanted} players for partners in {rules.title}, got {len(names)}"
        raise SeatingError(text, "partners", rules=rules.title, players=rules.partners, number=len(names))
    sides = tuple(tuple(sorted(names.index(name) for name in members)) for members in teams.values())
    order = [next(side for side, members in enumerate(sides) if seat in members) for seat in range(len(names))]
    if order != order[: len(sides)] * (len(names) // len(sides)) or len(set(order[: len(sides)])) != len(sides):
        turns = tuple(names[members[step]] for step in range(len(sides[0])) for members in sides)
        text = f"expected the teams to alternate, such as {', '.join(turns)}, got {', '.join(names)}"
        raise SeatingError(text, "teams_alternate", names=turns)
    return sides


def throw_for_start(course: Course, command: do.ThrowForStart) -> None:
    """Add a player's throw for the first turn; the highest total begins, and players who tie throw again.

    Raises:
        IllegalMoveError: if the starter is known, or this player may not throw now.
    """
    state = course.state
    if state.begun or (state.first and not state.start_throws and not state.start_among):
        raise IllegalMoveError("it is already decided who begins", "starter_known")
    dice = state.rules.switches.start_roll_dice
    faces = check_faces(command.faces, least=dice, most=dice)
    among = state.start_among or state.playing()
    check_player(state, command.player)
    name = state.players[command.player]
    if command.player not in among:
        names = tuple(state.players[player] for player in among)
        raise IllegalMoveError(f"expected a throw by {', '.join(names)}, got {name}'s", "others_throw", names=names)
    if any(player == command.player for player, _ in state.start_throws):
        raise IllegalMoveError(f"{name} has already thrown to see who begins", "thrown_already", name=name)
    course.add(ev.StartThrown(command.player, faces))
    throws = course.state.start_throws
    if len(throws) < len(among):
        return
    best = max(sum(faces) for _, faces in throws)
    highest = tuple(sorted(player for player, faces in throws if sum(faces) == best))
    course.add(ev.StarterFound(highest[0]) if len(highest) == 1 else ev.StartTied(highest))


def check_player(state: GameState, player: int) -> None:
    """Check the number of a player.

    Raises:
        IllegalMoveError: if the game has no such player.
    """
    if not 0 <= player < len(state.players):
        raise IllegalMoveError(f"expected one of the {len(state.players)} players, got number {player!r}")
