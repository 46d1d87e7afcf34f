"""A tournament at the table: which game is which match, the next match, who leaves, and the end.

Nobody enters a result. A game whose players are those of an open match is that match, and when it is over its places
count. The event `TournamentStands` carries the results into the next game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.features.tournament.table.stands import TournamentStands
from companion.table.feature import GamePlan, NextGame
from companion.table.lobby.lobby import new_game, next_game
from companion.table.state.acts import Step, act_aside
from companion.table.state.bots import BotKind, asks_for_bot, bot_named, seated_bots
from companion.table.state.draft import GameDraft, PlayForm, draft_of, rules_on_track
from companion.table.state.inputs import Name, PageInput
from companion.table.state.state import Play, TableState
from companion.words import NOTHING, Message, message
from farkle.game.names import name_key
from farkle.game.standing import places, side_name
from farkle.rules.catalogue import find_rule_set
from farkle.rules.document import rule_set_of
from farkle.rules.ruleset import RuleSet
from farkle.tournament import Form, is_over, open_matches, winners, with_result

FEWEST, MOST = 3, 12
"""How many players a tournament at one table has."""

FORMS = {Form.ROUND_ROBIN: "tournament.round_robin", Form.KNOCK_OUT: "tournament.knock_out"}
"""The name of each form in words."""

PLAYS = {
    form.value: PlayForm(
        message(f"menu.{form}"),
        message("lobby.tournament_players", least=FEWEST, most=MOST),
        FEWEST,
        MOST,
    )
    for form in Form
}
"""What the lobby's players may play."""


class NextMatch(PageInput):
    """The next match of the tournament begins."""


@dataclass(frozen=True)
class LeaveTournament(PageInput):
    """A player leaves the tournament, and loses each match that has not been finished."""

    player: Name


@dataclass(frozen=True)
class EndTournament(PageInput):
    """The tournament ends early, or goes on after all."""

    ended: bool = True


def tournament_before(play: Play | None) -> TournamentStands | None:
    """Return the tournament as it was before the game at the table, or None if there is none."""
    return None if play is None else play.last(TournamentStands)


def tournament_now(play: Play | None) -> TournamentStands | None:
    """Return the tournament with the result of the game at the table, or None if there is none."""
    before = tournament_before(play)
    if play is None or before is None:
        return None
    players, game = match_at(play), play.game
    if not players or not game.over or not (game.winners or game.loser is not None):
        return before
    ranks = places(game) if game.loser is None else [1 + (side == game.loser) for side in range(len(game.sides))]
    turn = [*range(game.first, len(players)), *range(game.first)]
    placed = [ranks[game.side_of(seat)] for seat in turn]
    now = with_result(before, [players[seat] for seat in turn], placed)
    return now if now is before else replace(now, last_game=play.number)


def going_on(play: Play | None) -> TournamentStands | None:
    """Return the tournament of which a match is left to play, or None."""
    found = tournament_now(play)
    return None if found is None or is_over(found) else found


def match_at(play: Play) -> tuple[int, ...]:
    """Return the players of the match that the game at the table is, in its order of seats; empty if it is none."""
    tournament, game = tournament_before(play), play.game
    if tournament is None or game.teams:
        return ()
    entered = {(name_key(name), kind): number for number, (name, kind) in enumerate(_entered(tournament))}
    bots = {bot.player: bot.kind for bot in play.bots}
    found = [entered.get((name_key(name), bots.get(seat, ""))) for seat, name in enumerate(game.players)]
    players = tuple(each for each in found if each is not None)
    return players if len(players) == len(found) and _open_for(tournament, players) else ()


def _entered(tournament: TournamentStands) -> list[tuple[str, str]]:
    return list(zip(tournament.players, tournament.kinds, strict=True))


def _open_for(tournament: TournamentStands, players: Sequence[int]) -> bool:
    """Return whether a match of these players was open before this game, whatever was done after the game's end."""
    number = len(tournament.results)
    before = replace(tournament, ended=False, left=tuple(each for each in tournament.left if each[1] <= number))
    return any(sorted(match) == sorted(players) for match in open_matches(before))


def asked_for(tournament: TournamentStands, match: Sequence[int]) -> tuple[str, ...]:
    """Return the players of a match as a new game asks for them: `bot:bold` in place of a bot's name."""
    entered = [_entered(tournament)[player] for player in match]
    return tuple([bot_named(BotKind(kind)) if kind else name for name, kind in entered])


def match_asked(tournament: TournamentStands | None, asked: Sequence[str]) -> tuple[int, ...]:
    """Return the players of the open match that a new game with these players is; empty if it is none."""
    if tournament is None:
        return ()
    wanted = [name.strip().casefold() if asks_for_bot(name) else name_key(name) for name in asked]
    for match in open_matches(tournament):
        left = dict(zip(match, map(name_key, asked_for(tournament, match)), strict=True))
        if sorted(left.values()) != sorted(wanted):
            continue
        players = []
        for key in wanted:
            player = next(player for player, name in left.items() if name == key)
            del left[player]
            players.append(player)
        return tuple(players)
    return ()


def planned(state: TableState, plan: GamePlan) -> GamePlan:
    """Return the plan of a new game with what the tournament that goes on, or that the game begins, says of it."""
    draft, asked, tournament = plan.draft, plan.asked, going_on(state.play)
    if draft.plays in PLAYS:
        tournament = begun_tournament(state, draft)
        asked = asked_for(tournament, open_matches(tournament)[0])
    if tournament is None:
        return plan
    match = () if draft.teams else match_asked(tournament, asked)
    names = tuple([tournament.players[player] for player in match])
    return replace(plan, asked=asked, names=names, events=(*plan.events, tournament))


def begun_tournament(state: TableState, draft: GameDraft) -> TournamentStands:
    """Return the tournament that a new game begins."""
    rules, track = rules_on_track(draft, state.tracks)
    bots = seated_bots(draft.asked, state.bots)
    kinds = tuple([bots.kinds[name].name if name in bots.kinds else "" for name in bots.players])
    settings = tuple(sorted(rules.settings().items()))
    return TournamentStands(
        form=Form(draft.plays),
        players=bots.players,
        kinds=kinds,
        rules=rules.key,
        settings=settings,
        definition=rules.definition,
        track=track,
    )


def rules_of(tournament: TournamentStands) -> RuleSet:
    """Return the rules of each match."""
    sheet = rule_set_of(tournament.definition) if tournament.definition else find_rule_set(tournament.rules)
    return sheet.with_settings(dict(tournament.settings))


def following(state: TableState, otherwise: NextGame) -> NextGame:
    """Return the tournament's next match; after a tournament the lobby opens with its players again."""
    tournament = tournament_now(state.play)
    if tournament is None:
        return otherwise
    if is_over(tournament):
        gone = dict(tournament.left)
        stayed = [player for player in range(len(tournament.players)) if player not in gone]
        return replace(otherwise, form=draft_of_match(tournament, stayed))
    match = open_matches(tournament)[0]
    draft = draft_of_match(tournament, match)
    asks = message("question.next_match", match=versus(tournament, match))
    return NextGame(draft, asks, message("caption.next_match"), form=draft)


def draft_of_match(tournament: TournamentStands, players: Sequence[int]) -> GameDraft:
    """Return the draft of a game of these players by the tournament's rules."""
    return draft_of(rules_of(tournament), tournament.track, asked_for(tournament, players))


def versus(tournament: TournamentStands, match: Sequence[int]) -> Message:
    """Return who plays a match: `Ann against Ben`."""
    one, other = (tournament.players[player] for player in match)
    return message("tournament.versus", one=one, other=other)


def what_next(play: Play) -> Message:
    """Return what follows in the tournament after the game at the table: a match, or who has won it."""
    found = tournament_now(play)
    if found is None:
        return NOTHING
    if is_over(found):
        names = winners(found)
        return message("tournament.won", names=names) if names else message("tournament.over")
    match = open_matches(found)[0]
    again = play.game.over and sorted(match) == sorted(match_at(play))
    return message("tournament.again" if again else "tournament.next", match=versus(found, match))


def carried_on_resume(resumed: Play, before: Play | None) -> tuple[TournamentStands, ...]:
    """Return the event that carries the tournament at the table into a game that goes on.

    If the resumed game was the last match, its result is open again. A tournament that the resumed game was part of,
    and that is not at the table any more, is over.
    """
    found = tournament_now(before)
    if found is not None and resumed.game.over:
        return (replace(found, results=found.results[:-1], last_game=0),)
    if found is not None and not is_over(found):
        return (found,)
    part_of = tournament_before(resumed)
    return () if part_of is None else (replace(found or part_of, ended=True),)


def may_correct(play: Play | None, game: int) -> bool:
    """Return whether a finished game was the tournament's last match, so that its result may be corrected."""
    found = tournament_now(play)
    return play is not None and found is not None and bool(game) and found.last_game == game != play.number


def may_go_on(play: Play | None) -> bool:
    """Return whether a tournament that was ended early has a match that is left to play."""
    found = tournament_now(play)
    return found is not None and found.ended and not is_over(replace(found, ended=False))


def leave_tournament(state: TableState, player: str) -> Step:
    """Take a player out of the tournament, who loses each match that has not been finished.

    Raises:
        RefusedError: if no tournament goes on, or this player is not in it.
    """
    found, now = tournament_before(state.current), going_on(state.play)
    if found is None or now is None:
        raise RefusedError(message("refused.no_tournament"))
    number = next((place for place, name in enumerate(now.players) if name_key(name) == name_key(player)), None)
    if number is None or number in dict(now.left):
        raise RefusedError(message("refused.not_in_tournament", name=player))
    left = replace(found, left=(*found.left, (number, len(now.results))))
    return act_aside(state, left, message("said.left_tournament", name=now.players[number]))


def end_tournament(state: TableState, *, ended: bool = True) -> Step:
    """End the tournament early, or take that back.

    Raises:
        RefusedError: if there is no tournament to end, or none was ended.
    """
    found = tournament_before(state.play)
    possible = going_on(state.play) is not None if ended else may_go_on(state.play)
    if found is None or not possible:
        raise RefusedError(message("refused.no_tournament"))
    said = message("said.tournament_ended" if ended else "said.tournament_goes_on")
    return act_aside(state, replace(found, ended=ended), said)


def next_match(state: TableState, now: float) -> Step:
    """Start the tournament's next match.

    Raises:
        RefusedError: if a game is under way, or no match is left.
    """
    if state.play is not None and not state.play.game.over:
        raise RefusedError(message("refused.match_under_way"))
    if going_on(state.play) is None:
        raise RefusedError(message("refused.no_match"))
    return new_game(state, next_game(state).draft, now)


def prompt(state: TableState) -> Message:
    """Return what the lobby starts, if that is a tournament or a match; after a match, how it ended and what follows.

    It is empty where no tournament is played.
    """
    play, draft, tournament = state.play, state.lobby.draft, going_on(state.play)
    if not state.in_lobby:
        return NOTHING if play is None or tournament_before(play) is None else _match_over(play)
    rules = draft.rules.title
    if draft.plays in PLAYS:
        form = message(FORMS[Form(draft.plays)])
        return message("prompt.lobby_tournament", form=form, players=len(draft.names), rules=rules)
    match = match_asked(tournament, draft.asked)
    if not match or tournament is None:
        return NOTHING
    return message("prompt.lobby_match", match=versus(tournament, match), rules=rules)


def _match_over(play: Play) -> Message:
    """Return how a game of a tournament ended, and what comes next."""
    game, then = play.game, what_next(play)
    if game.loser is not None:
        return message("prompt.match_lost", name=side_name(game, game.loser), then=then)
    names = tuple([side_name(game, side) for side in game.winners])
    if not names:
        return message("prompt.match_ended", then=then)
    if then == message("tournament.won", names=names):
        return message("prompt.both_won", names=names)
    return message("prompt.match_won", names=names, then=then)
