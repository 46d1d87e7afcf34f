"""The draft of a game: what is played, by whom, by which rules, on which track, and who begins.

The form of the lobby shows a draft, and BANK starts it; the command line, the API and a rematch make
one, too. Every row of the form is a player. A row without a name plays as `Player n`, the name that the
form shows in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.errors import RefusedError, TrackRefusedError
from companion.table.state.bots import BUILT_IN, BotKind, any_bot, asks_for_bot, bot_named, kind_of_bot, named_bots
from companion.table.state.events import BotSeated
from companion.table.state.text import in_plain_words
from companion.words import NOTHING, Message, Text, message
from dicereader.reading import Observation
from farkle.errors import FarkleError, SeatingError
from farkle.game.names import check_name, name_key, one_form, repeated
from farkle.game.seating import start
from farkle.game.state import GameState
from farkle.rules.catalogue import catalogue
from farkle.rules.ruleset import FEWEST_HOLES, MOST_HOLES, RuleSet, is_track
from farkle.rules.switches import Value

LONGEST_NAME = 20

NO_NAME = "Player {number}"
"""What a player without a name is called in English, by the number of the row."""

Starter = int | Literal["ask", "throw"]
"""Who begins: the index of a player's row, `ask` to be asked when the game starts, or `throw` to throw for it."""


@dataclass(frozen=True)
class BoardTracks:
    """The tracks that the lobby offers, by their holes; with `drawn` the page draws a board for any other, too."""

    offered: tuple[int, ...] = (61, 121, 241)
    drawn: bool = True

    def check(self, track: int) -> None:
        """Check that the board has a track.

        Raises:
            TrackRefusedError: if it has not, with the tracks that it has.
        """
        if self.drawn and not is_track(track):
            raise TrackRefusedError(message("rules.no_such_track", least=FEWEST_HOLES, most=MOST_HOLES, track=track))
        if not self.drawn and track not in self.offered:
            raise TrackRefusedError(message("refused.no_such_track", tracks=self.offered, track=track))

    def usual(self, rules: RuleSet) -> int:
        """Return the default track of a rule set, or else the shortest of the board's that its target fits on."""
        track = rules.smallest_track
        return track if self.drawn or track in self.offered else rules.shortest(self.offered)


ANY_TRACK = BoardTracks()


@dataclass(frozen=True)
class GameDraft:
    """A game that may begin; its values may not fit together yet, and `problem_of` says why not.

    `names` are as written, "" for a row without a name, `bot:bold` for a bot. `teams` are the teams' names, and players
    take their places in turn. `rules` are as on the sheet, `settings` the house's switches. A `track` of None is the
    rules' default one. `plays` is the name of what a feature offers in place of one game. `no_name` is what a player
    without a name is called.
    """

    names: tuple[str, ...] = ("", "")
    teams: tuple[str, ...] = ()
    start: Starter = "ask"
    rules: RuleSet = field(default_factory=lambda: catalogue()[0])
    settings: Mapping[str, object] = field(default_factory=dict, hash=False)
    track: int | None = None
    plays: str = ""
    no_name: str = NO_NAME

    @property
    def asked(self) -> tuple[str, ...]:
        """The players as a new game asks for them: their names, and `bot:bold` for a bot."""
        taken = {name_key(name) for name in self.names if name}
        return tuple([name or free_name(row, taken, self.no_name) for row, name in enumerate(self.names, 1)])

    @property
    def players(self) -> tuple[str, ...]:
        """The names that the players will have."""
        return named_bots(self.asked)

    def in_teams(self, players: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return these players by their teams; empty without teams."""
        return {team: tuple(players[side :: len(self.teams)]) for side, team in enumerate(self.teams)}

    def switches(self) -> dict[str, Value]:
        """Return the switches that differ from the sheet's; those that do not fit together stay as they were given."""
        try:
            return self.rules.with_settings(self.settings).settings()
        except FarkleError:
            return {name: value for name, value in self.settings.items() if isinstance(value, int | str)}

    def holes(self, tracks: BoardTracks) -> int:
        """Return the holes of the track that the game would be played on."""
        if self.track is not None:
            return self.track
        try:
            return tracks.usual(self.rules.with_settings(self.settings))
        except FarkleError:
            return tracks.usual(self.rules)


@dataclass(frozen=True)
class Lobby:
    """The form of the lobby: its draft, and whether it is `open` in place of an earlier game.

    `tray` is the tray as it was seen last before the lobby was opened.
    """

    draft: GameDraft = field(default_factory=GameDraft)
    open: bool = False
    tray: Observation | None = None


def free_name(row: int, taken: set[str], no_name: str) -> str:
    """Return the name of a player without one: `Player 3` in row 3, or the next number that is free; it is then taken.

    Args:
        row: the number of the row, from 1.
        taken: the keys of the names that others have.
        no_name: what a player without a name is called; the number stands in place of `{number}`, or comes last.
    """
    called = no_name if "{number}" in no_name else f"{no_name} {{number}}"
    while name_key(name := called.replace("{number}", str(row))) in taken:
        row += 1
    taken.add(name_key(name))
    return name


def as_written(names: Sequence[str]) -> tuple[str, ...]:
    """Return names in one form, without the spaces around them."""
    return tuple(one_form(name).strip() for name in names)


@dataclass(frozen=True)
class DraftProblem:
    """Why the game of a draft cannot start, in a sentence for players, and what that is about; both may be empty."""

    text: Text = NOTHING
    about: Literal["", "names", "rules"] = ""


@dataclass(frozen=True)
class PlayForm:
    """What a feature offers to be played in place of one game: by so many single players, of whom two play a game.

    `problem` is said if there are more or fewer of them.
    """

    words: Message
    problem: Message
    fewest: int
    most: int


def problem_of(
    draft: GameDraft, tracks: BoardTracks = ANY_TRACK, bots: Sequence[BotKind] = BUILT_IN, form: PlayForm | None = None
) -> DraftProblem:
    """Return why the game of a draft cannot start, or an empty problem if it can.

    Args:
        draft: the draft.
        tracks: the tracks of the board.
        bots: the kinds of bots that may play.
        form: what the draft plays in place of one game.
    """
    players = draft.players
    if why := _bots_problem(draft, bots) or _names_problem(draft, players):
        return DraftProblem(why, "names")
    if form is not None:
        if draft.teams or not form.fewest <= len(players) <= form.most:
            return DraftProblem(form.problem, "names")
        players = players[:2]
    rules = _rules_problem(draft, players, tracks)
    return DraftProblem(rules, "rules" if rules else "")


def _bots_problem(draft: GameDraft, bots: Sequence[BotKind]) -> Text:
    """Return why a bot of the draft cannot play, or nothing if all can."""
    if not any_bot(draft.names):
        return NOTHING
    try:
        for name in filter(asks_for_bot, draft.names):
            kind_of_bot(name, bots)
    except RefusedError as error:
        return error.reason
    return NOTHING


def _names_problem(draft: GameDraft, called: tuple[str, ...]) -> Text:
    """Return why these players cannot play, or nothing if they can."""
    right = 0
    try:
        for name in called:
            check_name("player", name)
            right += 1
    except SeatingError as error:
        unseen = error.code == "name_invisible"
        return message("lobby.no_visible_sign" if unseen else "lobby.bad_sign", number=right + 1)
    for name in (*called, *draft.teams):
        if len(name) > LONGEST_NAME:
            shown = f"{name[:LONGEST_NAME]}…"
            return message("lobby.name_too_long", name=shown, length=len(name), most=LONGEST_NAME)
    if twice := repeated(called):
        return message("lobby.same_name", name=twice)
    players, sides = len(draft.names), len(draft.teams)
    if sides and (players % sides or players < 2 * sides):
        return message("lobby.uneven_teams", players=players, sides=sides)
    if sides and draft.rules.partners and players not in draft.rules.partners:
        return message("rules.partners", rules=draft.rules.title, players=draft.rules.partners, number=players)
    return NOTHING


def _rules_problem(draft: GameDraft, called: tuple[str, ...], tracks: BoardTracks) -> Text:
    """Return why these rules cannot be played, or nothing if they can; the names must be right."""
    try:
        rules, _ = rules_on_track(draft, tracks)
        start(rules, called, teams=draft.in_teams(called) or None)
    except FarkleError as error:
        return in_plain_words(error)
    except TrackRefusedError as error:
        return error.reason
    return NOTHING


def draft_of_game(game: GameState, track: int, bots: Sequence[BotSeated] = ()) -> GameDraft:
    """Return the draft of the same game again, for all players who have not left; nobody is chosen to begin."""
    kinds = {bot.player: bot_named(BotKind(bot.kind)) for bot in bots}
    names = [kinds.get(player, name) for player, name in enumerate(game.players) if not game.seats[player].left]
    sides = dict.fromkeys(map(game.side_of, range(len(game.players)))) if game.teams else ()
    return draft_of(game.rules, track, tuple(names), tuple(game.teams[side] for side in sides))


def draft_of(played: RuleSet, track: int, names: tuple[str, ...], teams: tuple[str, ...] = ()) -> GameDraft:
    """Return the draft of a game by these rules of an earlier one, on the same track; nobody is chosen to begin."""
    settings = dict(played.settings())
    sheet = replace(played, switches=played.sheet)
    ratio = played.points_a_hole(track)
    # A switch that follows from the track is not a house rule.
    if sheet.to_track_end and settings.get("target") == track * ratio:
        del settings["target"]
    by_sheet = played.with_settings({"points_a_hole": sheet.switches.points_a_hole})
    if settings.get("points_a_hole") == by_sheet.points_a_hole(track):
        del settings["points_a_hole"]
    return GameDraft(names=names, teams=teams, rules=sheet, settings=settings, track=track)


def rules_on_track(draft: GameDraft, tracks: BoardTracks = ANY_TRACK) -> tuple[RuleSet, int]:
    """Return the rules of the game and a track of the board that they fit.

    A `TrackRefusedError` says that the board has no such track, a `RuleSetError` why the rules do not fit.
    """
    if draft.track is not None:
        tracks.check(draft.track)
    settings, rules = dict(draft.settings), draft.rules
    if draft.track is not None and rules.to_track_end and "target" not in settings:
        settings["target"] = draft.track * rules.points_a_hole(draft.track)
    rules = rules.with_settings(settings)
    track = draft.track if draft.track is not None else tracks.usual(rules)
    rules.check_fit(track)
    if rules.switches.one_peg_per_hole != "off" and rules.points_a_hole(track) != rules.hole_points:
        # Who bumps whom depends on the board, so the game itself remembers how far its holes are.
        rules = rules.with_settings({"points_a_hole": rules.points_a_hole(track)})
    return rules, track
