"""The parts of the view that are about the game and its players: rules and rounds, pegs, and what happened last."""

from dataclasses import dataclass

from companion.table.state.cues import MomentView, moments
from companion.table.state.events import SelectionChosen
from companion.table.state.outlook import finish_of, hole_at, skunk_lines, skunks_of
from companion.table.state.state import Play, TableState, shows
from companion.table.throws.selection import StateWithTurn, shows_turn
from companion.words import Text, message
from farkle.game.events import DiceRolled, Farkled, TurnBanked, TurnPassed
from farkle.game.order import is_last_round
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.turn import IN_A_ROW
from farkle.rules.switches import Value
from pegboard.palette import mark
from pegboard.track import skunk_holes


def _track(state: TableState) -> int:
    return state.play.track if state.play else state.lobby.draft.holes(state.tracks)


def _skunk_lines(state: TableState) -> tuple[int, ...]:
    track = _track(state)
    return skunk_lines(state.game, track) if state.game else skunk_holes(track)


def _settings(state: TableState) -> dict[str, Value]:
    return state.game.rules.settings() if state.game else state.lobby.draft.switches()


def _in_final_round(state: TableState) -> bool:
    game = state.game
    return game is not None and is_last_round(game) and not game.over


def _winners(state: TableState) -> tuple[str, ...]:
    return tuple([side_name(state.game, side) for side in state.game.winners]) if state.game else ()


def _loser(state: TableState) -> str | None:
    game = state.game
    return None if game is None or game.loser is None else side_name(game, game.loser)


@dataclass(frozen=True)
class GameShown:
    """The game, or before the first one what the draft of the lobby says of it."""

    seq: int = shows(lambda state: state.seq)
    """The number of the newest journalled act."""
    version: int = shows(lambda _: 0)
    """Grows with every change of the view, from the table's start on; 0 in a view that is not sent."""
    simulated: bool = shows(lambda state: state.simulated)
    """Whether the page throws simulated dice."""
    rules: str | None = shows(lambda state: state.game.rules.key if state.game else None)
    """The key of the rule set; null before the first game."""
    title: Text = shows(lambda state: message("card.title", rules=state.game.rules.title) if state.game else "")
    """The title of the rule set."""
    settings: dict[str, Value] = shows(
        lambda state: state.game.rules.settings() if state.game else state.lobby.draft.switches()
    )
    """The switches that differ from the rule sheet."""
    target: int = shows(lambda state: state.game.rules.goal if state.game else 0)
    """The points to win; 0 where no target ends the game."""
    finish: int = shows(lambda state: finish_of(state.game, _track(state)) if state.game else 0)
    """The hole of the points to win; 0 where no target ends the game."""
    skunk_lines: tuple[int, ...] = shows(_skunk_lines)
    """The holes that save a loser from a skunk and from a double skunk."""
    track: int = shows(_track)
    """The number of holes of the track."""
    round: int = shows(lambda state: state.game.round if state.game else 0)
    """The number of the round."""
    rounds: int = shows(lambda state: state.game.rules.switches.rounds if state.game else 0)
    """The number of rounds of the game; 0 if a target ends it."""
    final_round: bool = shows(_in_final_round)
    """Whether the last turns are played."""
    winners: tuple[str, ...] = shows(_winners)
    """The players or teams that have won."""
    loser: str | None = shows(_loser)
    """The player or team that has lost, where a game finds a loser."""


@dataclass(frozen=True)
class PlayerView:
    """One player. In a team game `score` and holes are the team's."""

    name: str
    """The name."""
    color: str
    """The colour of the side, as in CSS."""
    shape: str
    """The shape of the side's mark."""
    side: int
    """The index of the side."""
    score: int
    """The points of the side."""
    position: int
    """The hole of the score, counted on beyond the end of the track."""
    hole: int
    """The hole in which the back peg stands."""
    front_hole: int
    """The hole that the turn points reach."""
    farkles: int
    """The farkles in a row."""
    out: bool
    """Whether the side is out of the game."""
    place: int
    """1 for the leader."""
    half: bool = False
    """Whether the back peg stands half a hole further, where a hole is worth more than one step."""
    front_half: bool = False
    """The same of the front peg."""
    skunk: int = 0
    """1 if the side is skunked, 2 if it is double skunked."""
    needs: int = 0
    """How many points the side lacks to have the points to win."""
    phones: tuple[str, ...] = ()
    """The names of the phones that have taken the player's place."""
    bot: str = ""
    """The kind of a player that the board plays; empty for a person."""


@dataclass(frozen=True)
class LastView:
    """The newest effective act."""

    kind: str
    """`roll`, `farkle`, `bank`, `choose` or `start`."""
    player: str
    """Who made it."""
    points: int
    """The points that it brought, or lost."""


def hole_ahead(play: Play, points: int) -> int:
    """Return the hole of the side to move after `points` more."""
    game = play.game
    return hole_at(game, play.track, game.sides[game.side_to_move].score + points)


def _players(at: StateWithTurn) -> tuple[PlayerView, ...]:
    play = at.state.play
    if play is None:
        return ()
    game, to_move = play.game, None if play.game.over else play.to_move
    ranks, ratio = places(game), game.rules.points_a_hole(play.track)
    skunks, goal = skunks_of(game, play.track), game.rules.goal
    at_risk = game.turn.points + at.pending_points
    bots = {bot.player: bot.kind for bot in play.bots}
    found: list[PlayerView] = []
    for index, (name, seat) in enumerate(zip(game.players, game.seats, strict=True)):
        side = game.side_of(index)
        peg, look = game.sides[side], mark(side)
        back = peg_at(play.track, ratio, peg.score)
        front = peg_at(play.track, ratio, peg.score + at_risk) if index == to_move else back
        found.append(
            PlayerView(
                name=name,
                color=look.colour.hex,
                shape=look.shape.value,
                side=side,
                score=peg.score,
                position=position(peg.score, ratio),
                hole=back[0],
                front_hole=front[0],
                farkles=seat.farkles,
                phones=() if index in bots else at.state.seats.get(name, ()),
                out=peg.out > 0,
                place=ranks[side],
                half=back[1],
                front_half=front[1],
                skunk=skunks[side],
                needs=max(0, goal - peg.score) if goal else 0,
                bot=bots.get(index, ""),
            )
        )
    return tuple(found)


def peg_at(track: int, ratio: int, points: int) -> tuple[int, bool]:
    """Return the hole for these points, and whether a peg stands half a hole beyond it, on the track."""
    place, rest = divmod(points, ratio)
    return hole(place, track), 0 <= place < track and 0 < ratio <= 2 * rest


def _in_first_turn(state: TableState) -> bool:
    if not state.under_way or state.current.number != 1:
        return False
    return all(TurnPassed not in map(type, each.act.events) for each in state.history)


def _last(play: Play) -> LastView | None:
    names = play.game.players
    for event in reversed(play.act.events):
        match event:
            case TurnBanked(player=player, points=points):
                return LastView("bank", names[player], points)
            case Farkled(player=player, lost=lost):
                return LastView("farkle", names[player], lost)
            case DiceRolled(player=player):
                return LastView("roll", names[player], 0)
            case SelectionChosen(points=points):
                return LastView("choose", names[play.game.to_move], points)
            case _:
                pass
    return None


def _to_move(state: TableState) -> str | None:
    play = state.play
    return None if play is None or play.game.over else play.game.players[play.to_move]


def _farkle_limit(state: TableState) -> int | None:
    rules = state.game.rules if state.game else None
    return IN_A_ROW if rules and (rules.farkles_cost or rules.switches.three_strikes_out) else None


@dataclass(frozen=True)
class StandingShown:
    """The players, and what happened last."""

    to_move: str | None = shows(_to_move)
    """The player whom the table waits for; null without a game that goes on."""
    players: tuple[PlayerView, ...] = shows_turn(_players)
    """All players, in the order of their seats."""
    teams: dict[str, tuple[str, ...]] = shows(lambda state: teams_of(state.game) if state.game else {})
    """The players by their team; empty if all play alone."""
    begins: str = shows(lambda state: state.play.begins if state.play else "seat")
    """Who begins a rematch: `seat`, `loser` or `winner`."""
    farkle_limit: int | None = shows(_farkle_limit)
    """How many farkles in a row cost something; null if they cost nothing."""
    first_turn: bool = shows(_in_first_turn)
    """Whether this is the first turn of the first game on this table."""
    last: LastView | None = shows(lambda state: _last(state.play) if state.play else None)
    """The newest effective act."""
    moments: tuple[MomentView, ...] = shows(moments)
    """What the newest act made happen; empty after an undo."""
    by: str = shows(lambda state: state.by)
    """The name of the phone that made the newest act; empty if none did."""
