"""The lobby: a game begins here, from the page, from the command line or by button."""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.feature import GamePlan, NextGame, features_of, play_form
from companion.table.lobby.next_starter import carried_over, starter_of
from companion.table.lobby.seat_order import in_seats
from companion.table.state.acts import GivenAnswer, Handlers, Step, act_of_game, ask, say
from companion.table.state.bots import named_bots, seated_bots
from companion.table.state.cues import Cue, CueKind
from companion.table.state.draft import (
    LONGEST_NAME,
    DraftProblem,
    GameDraft,
    Lobby,
    Starter,
    as_written,
    draft_of_game,
    problem_of,
    rules_on_track,
)
from companion.table.state.events import BotSeated, StartToBeThrown, TrackLaid
from companion.table.state.inputs import Button, DraftPatch, EditLobby, NewGame, StartDraft
from companion.table.state.menus import AskForNext, ChoosePlays
from companion.table.state.questions import NO, OtherSettings, StartByThrows, other_settings, rematch, who_begins
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from companion.words import NOTHING, message
from farkle.game.names import check_name, name_key, one_form
from farkle.game.seating import MOST_PLAYERS, check_names, start
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet


def lobby_press(state: TableState, button: Button, now: float) -> Step:
    """Take a press in the lobby: KEEP adds a player, ROLL chooses the next rule set, BANK starts.

    Raises:
        RefusedError: if no more players can join.
    """
    draft = state.lobby.draft
    match button:
        case Button.KEEP:
            if len(draft.names) >= MOST_PLAYERS:
                raise RefusedError(message("rules.most_players", most=MOST_PLAYERS))
            draft = replace(draft, names=(*draft.names, ""))
            said = message("said.joins", name=draft.players[-1])
        case Button.ROLL:
            draft = with_rules(draft, next_rules(draft.rules, state.own_rules))
            said = message("said.rules", rules=draft.rules.title)
        case Button.BANK:
            return start_draft(state, now)
    return say(with_draft(state, draft), said)


def with_draft(state: TableState, draft: GameDraft) -> TableState:
    """Return the state with another draft on the lobby's form."""
    return replace(state, lobby=replace(state.lobby, draft=draft))


def next_rules(rules: RuleSet, own: tuple[RuleSet, ...] = ()) -> RuleSet:
    """Return the rule set after this one: those of the catalogue, then `own`, then from the first again."""
    sets = (*catalogue(), *own)
    keys = [each.key for each in sets]
    place = keys.index(rules.key) if rules.key in keys else -1
    return sets[(place + 1) % len(keys)]


def with_rules(draft: GameDraft, rules: RuleSet) -> GameDraft:
    """Return the draft with other rules as on their sheet, on the same track."""
    return replace(draft, rules=rules, settings={})


def choose_plays(state: TableState, plays: str) -> Step:
    """Let the lobby's players play what a feature offers under this name, or one game."""
    form = play_form(state, plays)
    drafted = with_draft(state, replace(state.lobby.draft, plays=plays))
    return say(drafted, message("said.plays", form=message("menu.one_game") if form is None else form.words))


def remove_player(state: TableState) -> Step:
    """Remove the player who joined last.

    Raises:
        RefusedError: if only one player is left.
    """
    draft = state.lobby.draft
    if len(draft.names) == 1:
        raise RefusedError(message("refused.one_player"))
    fewer = _with_names(draft, draft.names[:-1])
    return say(with_draft(state, fewer), message("said.leaves", name=draft.players[-1]))


def _with_names(draft: GameDraft, names: tuple[str, ...]) -> GameDraft:
    """Return the draft with these rows; if the starter's row is gone, the table asks who begins."""
    gone = isinstance(draft.start, int) and draft.start >= len(names)
    return replace(draft, names=names, start="ask" if gone else draft.start)


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
    draft = patched(state, state.lobby.draft, given)
    # A question about the draft, such as who begins, is about the draft before this change.
    state = replace(with_draft(state, draft), question=None, announced=NOTHING)
    return Step(close_lobby(state) if given.open is False and state.play is not None else state)


def patched(state: TableState, draft: GameDraft, patch: DraftPatch) -> GameDraft:
    """Return a draft with the changes of a patch.

    Raises:
        RefusedError: if the table has no such value: no such rules, track or player, or nothing to play of this name.
    """
    own: Mapping[str, object] = {}
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
        draft = _with_names(draft, as_written(names))
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


def plan_of(state: TableState, draft: GameDraft) -> GamePlan:
    """Return the plan of a new game, with the changes that features make to it."""
    plan = GamePlan(draft, draft.asked, events=carried_over(state.play))
    for feature in features_of(state):
        plan = feature.plans(state, plan)
    return plan


def start_draft(state: TableState, now: float) -> Step:
    """Start the game that the draft shows, or ask first who begins if nobody has said so and it is no match.

    Raises:
        RefusedError: if it cannot start.
    """
    draft = state.lobby.draft
    if why := problem_at(state, draft).text:
        raise RefusedError(why)
    if draft.start == "ask" and len(draft.names) > 1 and not plan_of(state, draft).match:
        return ask(state, who_begins(draft.players[starter_of(state.play, draft.players)]))
    return new_game(state, draft, now)


def start_answered(given: GivenAnswer[StartByThrows]) -> Step:
    """Start the game of the draft: the players throw for who begins, or play in the order as they joined."""
    draft = given.state.lobby.draft
    thrown = given.answer == given.question.answers[0]
    return new_game(given.state, replace(draft, start="throw") if thrown else draft, given.now)


def open_lobby(state: TableState) -> TableState:
    """Open the lobby over the game at the table, which is kept as it is. Its draft is what is played next."""
    lobby = Lobby(next_game(state).form, open=True, tray=_newest_tray(state))
    manual = ManualEntry.NO if state.current.game.over else state.manual
    return replace(state, lobby=lobby, announced=NOTHING, menu=None, manual=manual)


def _newest_tray(state: TableState) -> int | None:
    return None if state.observation is None else state.observation.number


def close_lobby(state: TableState) -> TableState:
    """Go back to the game over which the lobby was opened; a tray that was touched meanwhile is out of step."""
    moved = not state.current.game.over and _newest_tray(state) != state.lobby.tray
    return replace(state, lobby=Lobby(), announced=NOTHING, out_of_step=state.out_of_step or moved)


def next_game(state: TableState) -> NextGame:
    """Return what is played next: the same game again, or what a feature says."""
    play = state.current
    again = draft_of_game(play.game, play.track, play.bots)
    following = NextGame(again, message("question.another_game"), message("caption.another_game"), form=again)
    for feature in features_of(state):
        following = feature.follows(state, following)
    return following


def ask_for_next(state: TableState) -> Step:
    """Ask whether the next game begins."""
    return ask(state, rematch(next_game(state).asks))


def begin_game(state: TableState, given: NewGame, now: float) -> Step:
    """Start the game that the command line or the API describes. A `SeatingError` says which name is not valid."""
    if given.names is not None or not given.teams:
        check_names(named_bots(given.names or ()))
    return new_game(state, patched(state, GameDraft(), given), now)


def new_game(state: TableState, draft: GameDraft, now: float) -> Step:
    """Start another game; the one before stays in the journal. Ask first if the settings are not the machine's own.

    Raises:
        RefusedError: if it cannot start.
    """
    if why := problem_at(state, draft).text:
        raise RefusedError(why)
    rules, track = rules_on_track(draft, state.tracks)
    plan = plan_of(state, draft)
    bots = seated_bots(plan.asked, state.bots, plan.names)
    first = starter_of(state.play, bots.players, match=plan.match)
    if isinstance(draft.start, int) and not draft.plays:  # else the feature says who begins
        first = draft.start
    started = start(rules, bots.players, first=first, teams=draft.in_teams(bots.players) or None)
    if state.settings_unsure:
        return ask(state, other_settings(draft))
    thrown_for = (StartToBeThrown(),) if draft.start == "throw" and len(bots.players) > 1 else ()
    seated = [BotSeated(bots.players.index(name), kind.name, kind.parameters) for name, kind in bots.kinds.items()]
    events = (*started, TrackLaid(track), *seated, *thrown_for, *plan.events)
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
    """Start the game at the table again, with all players who have not left."""
    play = state.current
    return new_game(state, draft_of_game(play.game, play.track, play.bots), now)


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


HANDLERS: Handlers = {
    AskForNext: lambda state, _given, _now: ask_for_next(state),
    ChoosePlays: lambda state, given, _: choose_plays(state, given.plays),
    NewGame: begin_game,
    EditLobby: lambda state, given, _: edit_lobby(state, given),
    StartDraft: lambda state, given, now: start_draft(edit_lobby(state, given).state, now),
}
