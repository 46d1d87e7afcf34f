"""What the tournament is at the table: pure, like the table itself."""

from companion.features.tournament.table import matches
from companion.features.tournament.table.shown import TournamentShown, shown_tournament
from companion.table.asking.menu import names_menu
from companion.table.feature import Item, MenuKind, TableFeature
from companion.table.state.menus import CLOSES, ChoosePlays, Menu, OpenMenu, entry
from companion.table.state.state import TableState
from farkle.tournament import Form


def _in_tournament(state: TableState) -> list[tuple[int, str]]:
    """Return the players who are in the tournament that goes on, by their index and name."""
    tournament = matches.going_on(state.play)
    if tournament is None:
        return []
    gone = dict(tournament.left)
    return [(player, name) for player, name in enumerate(tournament.players) if player not in gone]


def _leavers(state: TableState, given: OpenMenu) -> Menu:
    players = _in_tournament(state)
    return names_menu(given.kind, players, lambda player: matches.LeaveTournament(dict(players)[player]))


TOURNAMENT = TableFeature(
    "tournament",
    handlers={
        matches.LeaveTournament: lambda state, given, _: matches.leave_tournament(state, given.player),
        matches.EndTournament: lambda state, given, _: matches.end_tournament(state, ended=given.ended),
        matches.NextMatch: lambda state, _, now: matches.next_match(state, now),
    },
    part=TournamentShown,
    shown=shown_tournament,
    items={
        "tournament": Item(lambda state: state.in_lobby, lambda _: OpenMenu("tournament")),
        "leave_tournament": Item(lambda state: bool(_in_tournament(state)), lambda _: OpenMenu("leaves tournament")),
        "end_tournament": Item(
            lambda state: matches.going_on(state.play) is not None, lambda _: matches.EndTournament()
        ),
        "go_on_tournament": Item(
            lambda state: matches.may_go_on(state.play), lambda _: matches.EndTournament(ended=False)
        ),
    },
    menus={
        "tournament": MenuKind(
            "menu.which_tournament",
            lambda _, given: Menu(
                given.kind,
                (entry("one_game", ChoosePlays("")), *[entry(form, ChoosePlays(form)) for form in Form], CLOSES),
            ),
        ),
        "leaves tournament": MenuKind("menu.leaves_tournament", _leavers),
    },
    plays=matches.PLAYS,
    follows=matches.following,
    plans=matches.planned,
    resumes=matches.carried_on_resume,
    corrects=matches.may_correct,
    prompt=matches.prompt,
)
"""The tournament at the table."""
