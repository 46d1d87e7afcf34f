"""The lobby: a game begins here, from the page, from the command line or by button."""

from dataclasses import replace

from companion.errors import RefusedError
from companion.table.lobby.carried_over import carried_over
from companion.table.lobby.next_starter import starter_of
from companion.table.lobby.seat_order import in_seats
from companion.table.lobby.tournament import (
    asked_for,
    going_on,
    match_asked,
    next_match_of,
    plan_of,
    rules_of,
    tournament_now,
    versus,
)
from companion.table.state.acts import GivenAnswer, Step, act_of_game, ask, say
from companion.table.state.bots import named_bots, seated_bots
from companion.table.state.cues import Cue, CueKind
from companion.table.state.draft import (
    LONGEST_NAME,
    Lobby,
    as_written,
    asked_again,
    draft_of,
    draft_of_game,
    game_of,
    problem_of,
    rules_on_track,
)
from companion.table.state.events import BotSeated, StartToBeThrown, TrackLaid
from companion.table.state.inputs import Button, EditLobby, NewGame, OwnRulesRead
from companion.table.state.questions import NO, OtherSettings, Question, other_settings, rematch, who_begins
from companion.table.state.state import ManualEntry, TableState
from companion.table.state.tournament import open_matches
from companion.words import NOTHING, message
from farkle.game.names import check_name, name_key, one_form
from farkle.game.seating import MOST_PLAYERS, start
from farkle.game.standing import teams_of
from farkle.rules.catalogue import catalogue
from farkle.rules.ruleset import RuleSet


def lobby_press(state: TableState, button: Button, now: float) -> Step:
    """Take a press in the lobby: KEEP adds a player, ROLL chooses the next rule set, BANK starts.

    Raises:
        RefusedError: if no more players can join.
    """
    lobby = state.lobby
    match button:
        case Button.KEEP:
            if len(lobby.names) >= MOST_PLAYERS:
                raise RefusedError(message("rules.most_players", most=MOST_PLAYERS))
            lobby = replace(lobby, names=(*lobby.names, ""))
            said = message("said.joins", name=lobby.players[-1])
        case Button.ROLL:
            lobby = with_rules(lobby, next_rules(lobby.rules, state.own_rules))
            said = message("said.rules", rules=lobby.rules.title)
        case Button.BANK:
            return start_draft(state, now)
    return say(replace(state, lobby=lobby), said)


def next_rules(rules: RuleSet, own: tuple[RuleSet, ...] = ()) -> RuleSet:
    """Return the rule set after this one: those of the catalogue, then `own`, then from the first again."""
    sets = (*catalogue(), *own)
    keys = [each.key for each in sets]
    place = keys.index(rules.key) if rules.key in keys else -1
    return sets[(place + 1) % len(keys)]


def with_rules(lobby: Lobby, rules: RuleSet) -> Lobby:
    """Return the draft with other rules as on their sheet, on the same track."""
    return replace(lobby, rules=rules, settings={})


def own_rules_read(state: TableState, given: OwnRulesRead) -> Step:
    """Note the rule sets that the house has saved; the draft takes the saved one, and lets go of a deleted one."""
    after = replace(state, own_rules=given.sets)
    rules = next((each for each in given.sets if each.key == given.saved), None)
    if rules is not None and state.in_lobby:
        return say(replace(after, lobby=with_rules(state.lobby, rules)), message("said.rules_saved", rules=rules.title))
    if given.deleted and state.lobby.rules.key == given.deleted:
        said = message("said.rules_deleted", rules=state.lobby.rules.title)
        return say(replace(after, lobby=with_rules(state.lobby, catalogue()[0])), said)
    return Step(after)


def remove_player(state: TableState) -> Step:
    """Remove the player who joined last.

    Raises:
        RefusedError: if only one player is left.
    """
    lobby = state.lobby
    if len(lobby.names) == 1:
        raise RefusedError(message("refused.one_player"))
    return say(
        replace(state, lobby=_with_names(lobby, lobby.names[:-1])), message("said.leaves", name=lobby.players[-1])
    )


def _with_names(lobby: Lobby, names: tuple[str, ...]) -> Lobby:
    """Return the draft with these rows; if the starter's row is gone, the table asks who begins."""
    gone = isinstance(lobby.start, int) and lobby.start >= len(names)
    return replace(lobby, names=names, start="ask" if gone else lobby.start)


def edit_lobby(state: TableState, given: EditLobby) -> Step:
    """Change the fields of the draft that are given. Nothing is journalled.

    Raises:
        RefusedError: if the lobby is not open, or a value cannot be chosen.
    """
    if given.open and not state.in_lobby:
        if state.question is not None:
            raise RefusedError(message("refused.answer_first"))
        state = open_lobby(state)
    if not state.in_lobby:
        raise RefusedError(message("refused.no_lobby"))
    # A question about the draft, such as who begins, is about the draft before this change.
    state = replace(state, lobby=_edited(state, given), question=None, announced=NOTHING)
    return Step(close_lobby(state) if given.open is False and state.play is not None else state)


def _edited(state: TableState, given: EditLobby) -> Lobby:
    lobby = state.lobby
    if given.rules is not None and given.rules != lobby.rules.key:
        lobby = with_rules(lobby, _rules_named(state, given.rules))
    if given.settings is not None:
        lobby = replace(lobby, settings=given.settings)
    if given.track is not None:
        state.tracks.check(given.track)
        lobby = replace(lobby, track=given.track)
    if given.names is not None:
        if not 1 <= len(given.names) <= MOST_PLAYERS:
            raise RefusedError(
                message("rules.most_players", most=MOST_PLAYERS) if given.names else message("refused.one_player")
            )
        lobby = _with_names(lobby, as_written(given.names))
    if given.teams is not None:
        lobby = replace(lobby, teams=as_written(given.teams))
    if given.start is not None:
        if isinstance(given.start, int) and not 0 <= given.start < len(lobby.names):
            raise RefusedError(message("refused.no_such_seat"))
        lobby = replace(lobby, start=given.start)
    if given.tournament is not None:
        lobby = replace(lobby, tournament=given.tournament)
    return lobby


def _rules_named(state: TableState, key: str) -> RuleSet:
    """Return a packaged rule set, one that the house has saved, or the own one of the game at the table.

    Raises:
        RefusedError: if no rule set has this key.
    """
    for rules in (*catalogue(), *state.own_rules):
        if rules.key == key:
            return rules
    if state.game is not None and state.game.rules.key == key:
        return replace(state.game.rules, switches=state.game.rules.sheet)
    raise RefusedError(message("rules.no_such_rules"))


def rules_shown(state: TableState) -> RuleSet | None:
    """Return the rules of the game at the table; before the first game an own rule set that the lobby offers."""
    if state.game is not None:
        return state.game.rules
    return state.lobby.rules if state.lobby.rules.definition else None


def start_draft(state: TableState, now: float) -> Step:
    """Start the game that the draft shows, or ask first who begins if nobody has said so and it is no match.

    Raises:
        RefusedError: if it cannot start.
    """
    why = problem_of(state.lobby, state.tracks, state.bots).text
    if why:
        raise RefusedError(why)
    match = state.lobby.tournament or match_asked(going_on(state.play), state.lobby.asked)
    if state.lobby.start == "ask" and len(state.lobby.names) > 1 and not match:
        players = state.lobby.players
        return ask(state, who_begins(players[starter_of(state.play, players)]))
    return start_from_lobby(state, now, thrown_for=False)


def start_from_lobby(state: TableState, now: float, *, thrown_for: bool) -> Step:
    """Start the game that the draft shows; with `thrown_for` the players throw for who begins."""
    return new_game(state, game_of(state.lobby, state.lobby.asked, thrown_for=thrown_for), now)


def open_lobby(state: TableState) -> TableState:
    """Open the lobby over the game at the table, which is kept as it is.

    The draft is that game again; while a tournament goes on it is the next match, and after one its players again.
    """
    play = state.current
    tray = None if state.observation is None else state.observation.number
    lobby = draft_of_game(play.game, play.track, play.bots)
    if (tournament := tournament_now(play)) is not None:
        gone = dict(tournament.left)
        stayed = [player for player in range(len(tournament.players)) if player not in gone]
        names = asked_for(tournament, next(iter(open_matches(tournament)), stayed))
        lobby = draft_of(rules_of(tournament), tournament.track, names)
    lobby = replace(lobby, open=True, tray=tray)
    manual = ManualEntry.NO if play.game.over else state.manual
    return replace(state, lobby=lobby, announced=NOTHING, menu=None, manual=manual)


def close_lobby(state: TableState) -> TableState:
    """Go back to the game over which the lobby was opened; a tray that was touched meanwhile is out of step."""
    tray = None if state.observation is None else state.observation.number
    moved = not state.current.game.over and tray != state.lobby.tray
    return replace(state, lobby=Lobby(), announced=NOTHING, out_of_step=state.out_of_step or moved)


def new_game(state: TableState, given: NewGame, now: float) -> Step:
    """Start another game; the one before stays in the journal. Ask first if the settings are not the machine's own.

    Raises:
        RefusedError: if there are no players, or it is unclear who begins.
    """
    if not given.players:
        raise RefusedError(message("rules.no_players"))
    rules, track = rules_on_track(given, state.tracks)
    plan = plan_of(state, given, rules, track)
    bots = seated_bots(plan.asked, given.teams, state.bots, plan.names)
    players = tuple(checked_name(player) for player in bots.players)
    teams = {checked_name(team): tuple(checked_name(each) for each in members) for team, members in bots.teams.items()}
    players = in_seats(players, teams)
    names = list(map(name_key, players))
    # A bot has its own name in a tournament, which the request for a match does not know.
    start_by = (
        None
        if given.tournament
        else dict(zip(named_bots(given.players), players, strict=True)).get(given.start or "", given.start)
    )
    first = players[starter_of(state.play, players, match=bool(plan.names))]
    begins_with = first if start_by is None else checked_name(start_by)
    begins = name_key(begins_with)
    if begins not in names:
        raise RefusedError(message("refused.who_starts", name=begins_with))
    started = start(rules, players, first=names.index(begins), teams=teams or None)
    if given.thrown_for and start_by is not None:
        raise RefusedError(message("refused.start_twice", name=start_by))
    if state.settings_unsure:
        return ask(state, other_settings(given))
    thrown_for = (StartToBeThrown(),) if given.thrown_for and len(players) > 1 else ()
    seated = [BotSeated(players.index(name), kind.name, kind.parameters) for name, kind in bots.kinds.items()]
    beside = (*carried_over(state.play), *plan.stands)
    events = (*started, TrackLaid(track), *seated, *thrown_for, *beside)
    cues = (Cue(CueKind.OUT_OF_STEP), Cue(CueKind.TURN))
    return act_of_game(cleared_table(state), state.last_game + 1, events, now, *cues)


def settings_answered(given: GivenAnswer[OtherSettings]) -> Step:
    """Begin the game if the players agree to the settings; else nothing begins, and the next game is asked about."""
    if given.answer == NO:
        return Step(given.state)
    state = replace(given.state, settings_agreed=True)
    return Step(state) if given.question.game is None else new_game(state, given.question.game, given.now)


def cleared_table(state: TableState) -> TableState:
    """Return the table ready for another game: nothing of the last one is shown, and the players do nothing by hand."""
    return replace(state, out_of_step=False, farkled=None, lobby=Lobby(), manual=ManualEntry.NO, confirm_readings=False)


def play_again(state: TableState, now: float) -> Step:
    """Start the game with the same rules, track and teams, for all players who have not left."""
    game = state.current.game
    asked = asked_again(game, state.current.bots)
    players = tuple(name for name, seat in zip(asked, game.seats, strict=True) if not seat.left)
    named = dict(zip(game.players, asked, strict=True))
    teams = {team: tuple(named[name] for name in members) for team, members in teams_of(game).items()}
    return new_game(state, NewGame(game.rules, players, track=state.current.track, teams=teams), now)


def another_game(state: TableState) -> Question:
    """Return the question whether another game begins: the tournament's next match, or the same players again."""
    tournament = going_on(state.play)
    if tournament is None:
        return rematch()
    return rematch(versus(tournament, open_matches(tournament)[0]))


def next_match(state: TableState, now: float) -> Step:
    """Start the tournament's next match."""
    return new_game(state, next_match_of(state), now)


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
