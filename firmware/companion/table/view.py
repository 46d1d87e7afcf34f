"""The view: the whole table as people see it. It is the model of the API's JSON, so its field names are a contract.

Its texts are messages without a language; a catalogue renders them for each client.
"""

from dataclasses import dataclass, field
from typing import Literal

from companion.table.state.coach_parts import CoachPart
from companion.table.state.draft import Starter
from companion.table.state.moments import MomentKind
from companion.table.state.presses import CaptionView, NextStep, PagePhase
from companion.table.state.state import ManualEntry
from companion.words import NOTHING, Text
from farkle.rules.combinations import Combination
from farkle.rules.dice import Faces
from farkle.rules.switches import Value
from pegboard.pegs import IdleStage


@dataclass(frozen=True)
class PlayerView:
    """One player. In a team game `score` and holes are the team's.

    `front_hole` is where the turn points reach, `place` is 1 for the leader. `half` and `front_half` tell that a peg
    stands half a hole further, on a track where a hole is worth more than one step. `skunk` is 1 if the side is skunked
    and 2 if it is double skunked. `needs` is how many points it lacks to have the points to win. `phones` are the names
    of the phones that have taken the player's place. `bot` is the kind of a player that the board plays, else empty.
    """

    name: str
    color: str
    shape: str
    side: int
    score: int
    position: int
    hole: int
    front_hole: int
    farkles: int
    out: bool
    place: int
    half: bool = False
    front_half: bool = False
    skunk: int = 0
    needs: int = 0
    phones: tuple[str, ...] = ()
    bot: str = ""


@dataclass(frozen=True)
class BotView:
    """The bot to move.

    `then` is what it does with the dice that are chosen: `bank`, `throw`, or empty until it has decided. `waits`: one
    of its acts was taken off, and it waits until KEEP lets it go on.
    """

    kind: str
    then: Literal["", "bank", "throw"] = ""
    waits: bool = False


@dataclass(frozen=True)
class CoachView:
    """What the whole table wants of the coach, never what the coach says: that has an address of its own.

    `parts` are those that are switched on. `asked`: somebody has asked about this moment, so that every page of a
    player shows the answer.
    """

    parts: tuple[CoachPart, ...] = ()
    asked: bool = False


@dataclass(frozen=True)
class SelectionView:
    """Dice that may be kept, their points, and what makes the points: in words, part by part, and short (`why`)."""

    dice: Faces
    points: int
    totals: tuple[int, ...]
    parts: Text
    made: tuple[Combination, ...] = ()
    why: Text = NOTHING


@dataclass(frozen=True)
class DieView:
    """One die as read; `box` is left, top, width and height in pixels of the picture, `outline` its corners."""

    face: int
    box: tuple[int, int, int, int]
    outline: tuple[tuple[float, float], ...]
    confidence: float
    zone: str | None
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class ReadingView:
    """The last settled reading and the address of its picture.

    `shelf` are the corners of the shelf in pixels of the picture; empty if the tray is unknown.
    """

    sure: bool
    dice: tuple[DieView, ...]
    picture: str
    shelf: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class QuestionView:
    """The open question, or the open menu with its items as the answers.

    KEEP gives the first answer, ROLL the second, BANK the one at index `bank`. `outcomes` are the holes to which the
    answers lead, if they move a peg. `faces` are those of the throw that it is about. A question about one die asks
    whether the die at index `die` in `faces` shows `face`. `place` is the index of a menu's present item. `keys` name
    the answers for programs, alike in every language. `next` is the index of the answer that is the next step. `by` is
    the name of the phone that is asked, which other phones may only answer by going on; empty for all others.
    """

    text: Text
    answers: tuple[Text, ...]
    keys: tuple[str, ...]
    kind: str = ""
    outcomes: tuple[int, ...] = ()
    face: int | None = None
    die: int | None = None
    bank: int | None = None
    place: int | None = None
    faces: Faces = ()
    next: int = 0
    by: str = ""


@dataclass(frozen=True)
class MessageView:
    """What the table says: `told` is what happened, `text` adds what it waits for, `short` has up to 21 characters."""

    text: Text
    short: Text
    told: Text


@dataclass(frozen=True)
class LastView:
    """The newest effective act; `kind` is roll, farkle, bank, choose or start."""

    kind: str
    player: str
    points: int


@dataclass(frozen=True)
class SoundView:
    """The volume of the table's sound in percent, and whether it is muted."""

    volume: int
    muted: bool


@dataclass(frozen=True)
class LobbyView:
    """The draft of the next game: what every page's form shows, and what BANK starts.

    `open` tells whether a game is being put together, `players` how many play. `names` are as written, and `called` are
    the names that they will have. `teams` are the teams' names, whose players take turns. `start` is the index of the
    player who begins, `ask` or `throw`. `rules` is the key of the rule set, `settings` are the house's switches.
    `track` is the number of holes of the track, and `tracks` are those to choose from. `problem` says why the game
    cannot start, `about` what it is about; both may be empty. `own_rules` are the titles of the rule sets that the
    house has saved, by their keys. `bots` are the kinds of bots that may play; `bot:bold` among the names asks for one.
    `plays` is the form of a tournament that the players play, empty for one game.
    """

    players: int
    rules: str
    open: bool = False
    title: str = ""
    names: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    start: Starter = "ask"
    settings: dict[str, Value] = field(default_factory=dict)
    track: int = 121
    tracks: tuple[int, ...] = ()
    problem: Text = NOTHING
    about: Literal["", "names", "rules"] = ""
    own_rules: dict[str, str] = field(default_factory=dict)
    bots: tuple[str, ...] = ()
    plays: str = ""


@dataclass(frozen=True)
class MomentView:
    """One thing of note that the newest act made happen, with the sentence that says it."""

    kind: MomentKind
    text: Text


@dataclass(frozen=True)
class TournamentMatchView:
    """One match of a tournament as a sentence; it is at the `table`, `open`, or decided if it has `winners`."""

    text: Text
    state: Literal["table", "open", "waits", "played", "bye", "left"]
    players: tuple[str, ...]
    winners: tuple[str, ...] = ()


@dataclass(frozen=True)
class TournamentRoundView:
    """One round: its name, and its matches."""

    title: Text
    matches: tuple[TournamentMatchView, ...]


@dataclass(frozen=True)
class TournamentPlayerView:
    """One player's standing in a tournament; `points` are those of a round robin, and `bot` the kind of a bot."""

    name: str
    place: int
    played: int
    won: int
    points: int
    out: bool
    bot: str = ""


@dataclass(frozen=True)
class TournamentView:
    """The tournament at the table, until a game begins after it is over.

    `form` is `round_robin` or `knock_out`; `title` names it, and `how` is its rule in words. `now` is the
    match that is played, with its round; empty if the game at the table is none. `next` says what follows: a match, or
    who has won. `may_begin` tells that the next match can begin now. `corrects` is the number of the game that was the
    last match, if the table can go back to it; else 0. `players` are in the order of the standing.
    """

    form: str
    title: Text
    how: Text
    now: Text
    next: Text
    may_begin: bool
    corrects: int
    over: bool
    winners: tuple[str, ...]
    players: tuple[TournamentPlayerView, ...]
    rounds: tuple[TournamentRoundView, ...]


@dataclass(frozen=True)
class View:
    """The whole table.

    `seq` counts journalled acts, `throw_seq` the throws of the game. `version` grows with every change of the view,
    from the table's start on; in a view that is not sent it is 0. `may_throw` are the numbers of dice that may be
    thrown next. `look` is the number of dice to look at: cocked, missing or not counting. `blind` tells that the
    table cannot see its tray, `rest` for how long nothing has happened, and `by_hand` what players do in place of
    the eye. `captions` say by button what its presses do. `glows` are the buttons that glow: the sensible presses,
    none of them advised. ROLL stands for a throw there. `next` is one of them: people throw `dice_to_throw` dice,
    press that button, or wait. `finish` is the hole of the points to win, `target`; both are 0 where no target ends
    the game, and `skunk_lines` are the holes that save a loser from a skunk and from a double skunk. `outlook` says
    what the player to move needs, and how many turns are left. `begins` says who begins a rematch: `seat`, `loser`
    or `winner`. `first_turn` holds during the first turn of the first game on this table. `sound` is null at a
    table that makes no sound. In points mode the points of a turn are a multiple of `count_unit`. `address_digits`
    are those of the last number of the table's address in the network. `round` is the number of the round, `rounds`
    the number that the game has, 0 if a target ends it. `ahead` says in short what lies ahead by such rules: the
    round, whom the player to move must pass, or that the turn is one throw; else it is empty. `asks` is the name of
    the phone that asks to play. `lets_in`: phones may be let in. `door_open`: the table shows what they answer with,
    until one of them is in. `sets_up` is the name of the phone that asks to set the
    table up. `by` is the name of the phone that made the newest act, empty if none did. `bot` is the bot to move,
    null in a person's turn. `coach` is what the table wants of the coach. `tournament` is null if there is none.
    """

    seq: int
    version: int
    simulated: bool
    phase: PagePhase
    rules: str | None
    title: str
    settings: dict[str, Value]
    target: int
    finish: int
    skunk_lines: tuple[int, ...]
    track: int
    to_move: str | None
    players: tuple[PlayerView, ...]
    teams: dict[str, tuple[str, ...]]
    roll: Faces
    shelf: Faces
    locked: Faces
    turn_points: int
    dice_to_throw: int
    may_throw: tuple[int, ...]
    throw_seq: int
    selections: tuple[SelectionView, ...]
    chosen: SelectionView | None
    bank: SelectionView | None
    bank_hole: int | None
    farkle_limit: int | None
    reading: ReadingView | None
    picture_size: tuple[int, int] | None
    legal: tuple[str, ...]
    refused: dict[str, Text]
    question: QuestionView | None
    message: MessageView
    outlook: Text
    final_round: bool
    winners: tuple[str, ...]
    loser: str | None
    begins: str
    out_of_step: bool
    blind: bool
    undo: bool
    last: LastView | None
    degraded: tuple[Text, ...]
    lobby: LobbyView
    look: int
    rest: IdleStage
    by_hand: ManualEntry
    captions: dict[str, CaptionView]
    next: NextStep
    glows: tuple[str, ...]
    first_turn: bool
    moments: tuple[MomentView, ...]
    sound: SoundView | None
    count_unit: int
    address_digits: tuple[int, ...]
    round: int
    rounds: int
    ahead: Text
    asks: str
    lets_in: bool
    door_open: bool
    sets_up: str
    by: str
    bot: BotView | None
    coach: CoachView
    tournament: TournamentView | None
