"""The form of the lobby: how a patch changes its draft, in which order the players sit, and how it is shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Literal

from companion.errors import RefusedError
from companion.table.feature import play_form
from companion.table.state.draft import LONGEST_NAME, DraftProblem, GameDraft, Starter, as_written, problem_of
from companion.table.state.inputs import DraftPatch
from companion.table.state.state import TableState, shows
from companion.words import NOTHING, Text, message
from farkle.game.names import check_name, name_key, one_form
from farkle.game.seating import MOST_PLAYERS
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.switches import Value


def with_draft(state: TableState, draft: GameDraft) -> TableState:
    """Return the state with another draft on the lobby's form."""
    return replace(state, lobby=replace(state.lobby, draft=replace(draft, no_name=state.no_name)))


def next_rules(rules: RuleSet, own: tuple[RuleSet, ...] = ()) -> RuleSet:
    """Return the rule set after this one: those of the catalogue, then `own`, then from the first again."""
    sets = (*catalogue(), *own)
    keys = [each.key for each in sets]
    place = keys.index(rules.key) if rules.key in keys else -1
    return sets[(place + 1) % len(keys)]


def with_rules(draft: GameDraft, rules: RuleSet) -> GameDraft:
    """Return the draft with other rules as on their sheet, on the same track."""
    return replace(draft, rules=rules, settings={})


def with_names(draft: GameDraft, names: tuple[str, ...]) -> GameDraft:
    """Return the draft with these rows; if the starter's row is gone, the table asks who begins."""
    gone = isinstance(draft.start, int) and draft.start >= len(names)
    return replace(draft, names=names, start="ask" if gone else draft.start)


def patched(state: TableState, draft: GameDraft, patch: DraftPatch) -> GameDraft:
    """Return a draft with the changes of a patch.

    Raises:
        RefusedError: if the table has no such value: no such rules, track or player, or nothing to play of this name.
    """
    own: Mapping[str, object] = {}
    draft = replace(draft, no_name=state.no_name)
    if isinstance(patch.rules, RuleSet):
        own = patch.rules.settings()
        draft = with_rules(draft, replace(patch.rules, switches=patch.rules.sheet))
    elif patch.rules is not None and patch.rules != draft.rules.key:
        draft = with_rules(draft, _rules_named(state, patch.rules))
    if patch.settings is not None or own:
        draft = replace(draft, settings={**own, **(patch.settings or {})})
    if patch.track is not None:
        state.tracks.check(patch.track)
        draft = replace(draft, track=patch.track)
    names, teams = patch.names, patch.teams
    if isinstance(teams, Mapping) and not teams:
        teams = ()
    elif isinstance(teams, Mapping):
        members = {team: as_written(players) for team, players in teams.items()}
        names, teams = in_seats(names and as_written(names), members)
    if names is not None:
        if not 1 <= len(names) <= MOST_PLAYERS:
            few, many = message("refused.one_player"), message("rules.most_players", most=MOST_PLAYERS)
            raise RefusedError(many if names else few)
        draft = with_names(draft, as_written(names))
    if teams is not None:
        draft = replace(draft, teams=as_written(teams))
    if patch.start is not None:
        draft = replace(draft, start=_starter(draft, patch.start))
    if patch.plays and play_form(state, patch.plays) is None:
        raise RefusedError(message("refused.no_such_form", form=patch.plays))
    return draft if patch.plays is None else replace(draft, plays=patch.plays)


def _starter(draft: GameDraft, start: int | str) -> Starter:
    """Return who begins, given by a row's index, by name, or as `ask` or `throw`.

    Raises:
        RefusedError: if there is no such row, or nobody of this name.
    """
    if isinstance(start, int):
        if not 0 <= start < len(draft.names):
            raise RefusedError(message("refused.no_such_seat"))
        return start
    if start in ("ask", "throw"):
        return "ask" if start == "ask" else "throw"
    players = list(map(name_key, draft.players))
    if name_key(start) not in players:
        raise RefusedError(message("refused.who_starts", name=start))
    return players.index(name_key(start))


def _rules_named(state: TableState, key: str) -> RuleSet:
    """Return a rule set that the house has saved, the own one that the table shows, or else a packaged one."""
    shown = rules_shown(state)
    own = state.own_rules if shown is None else (*state.own_rules, replace(shown, switches=shown.sheet))
    return next((rules for rules in own if rules.key == key), None) or find_rule_set(key)


def rules_shown(state: TableState) -> RuleSet | None:
    """Return the rules of the game at the table; before the first game an own rule set that the lobby offers."""
    if state.game is not None:
        return state.game.rules
    return state.lobby.draft.rules if state.lobby.draft.rules.definition else None


def problem_at(state: TableState, draft: GameDraft) -> DraftProblem:
    """Return why the game of a draft cannot start at this table, or an empty problem if it can."""
    return problem_of(draft, state.tracks, state.bots, play_form(state, draft.plays))


def checked_name(given: str) -> str:
    """Return a new name in one form; a `SeatingError` says why it cannot be one.

    Raises:
        RefusedError: if the name is too long to be shown.
    """
    name = one_form(given)
    if len(name) > LONGEST_NAME:
        raise RefusedError(message("refused.name_too_long", most=LONGEST_NAME))
    check_name("player", name)
    return name


@dataclass(frozen=True)
class LobbyView:
    """The draft of the next game: what every page's form shows, and what BANK starts."""

    players: int
    """How many play."""
    rules: str
    """The key of the rule set."""
    open: bool = False
    """Whether a game is being put together."""
    title: Text = ""
    """The title of the rule set."""
    names: tuple[str, ...] = ()
    """The names as written; `bot:bold` asks for a bot."""
    called: tuple[str, ...] = ()
    """The names that the players will have."""
    teams: tuple[str, ...] = ()
    """The teams' names, whose players take turns."""
    start: Starter = "ask"
    """The index of the player who begins, `ask` or `throw`."""
    settings: dict[str, Value] = field(default_factory=dict)
    """The house's switches."""
    track: int = 121
    """The number of holes of the track."""
    tracks: tuple[int, ...] = ()
    """The tracks to choose from, by their holes."""
    problem: Text = NOTHING
    """Why the game cannot start; empty if it can."""
    about: Literal["", "names", "rules"] = ""
    """What the problem is about."""
    own_rules: dict[str, str] = field(default_factory=dict)
    """The titles of the rule sets that the house has saved, by their keys."""
    bots: tuple[str, ...] = ()
    """The kinds of bots that may play."""
    plays: str = ""
    """What the players play in place of one game, such as `round_robin`; empty for one game."""


def _lobby(state: TableState) -> LobbyView:
    draft = state.lobby.draft
    holes = draft.holes(state.tracks)
    problem = problem_at(state, draft) if state.in_lobby else DraftProblem()
    return LobbyView(
        players=len(draft.names),
        rules=draft.rules.key,
        open=state.in_lobby,
        title=message("card.title", rules=draft.rules.title),
        names=draft.names,
        called=draft.players,
        teams=draft.teams,
        start=draft.start,
        settings=draft.switches(),
        track=holes,
        tracks=tuple(sorted({*state.tracks.offered, holes})),
        problem=problem.text,
        about=problem.about,
        own_rules={rules.key: rules.title for rules in state.own_rules},
        bots=tuple([kind.name for kind in state.bots]),
        plays=draft.plays,
    )


@dataclass(frozen=True)
class LobbyShown:
    """The lobby."""

    lobby: LobbyView = shows(_lobby)
    """The draft of the next game."""


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
