"""The parts of the view that are about the game and its players: rules and rounds, pegs, and what happened last."""

from dataclasses import dataclass

from companion.table.state.cues import MomentView, moments
from companion.table.state.events import SelectionChosen
from companion.table.state.outlook import finish_of, skunk_lines, skunks_of
from companion.table.state.play import Play
from companion.table.state.state import TableState
from farkle.game.events import DiceRolled, Farkled, TurnBanked, TurnPassed
from farkle.game.order import is_last_round
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.turn import IN_A_ROW
from farkle.rules.switches import Value
from pegboard.palette import mark
from pegboard.track import skunk_holes


@dataclass(frozen=True)
class GameShown:
    """The game, or before the first one what the draft of the lobby says of it."""

    seq: int
    """The number of the newest journalled act."""
    version: int
    """Grows with every change of the view, from the table's start on; 0 in a view that is not sent."""
    simulated: bool
    """Whether the page throws simulated dice."""
    rules: str | None
    """The key of the rule set; null before the first game."""
    title: str
    """The title of the rule set."""
    settings: dict[str, Value]
    """The switches that differ from the rule sheet."""
    target: int
    """The points to win; 0 where no target ends the game."""
    finish: int
    """The hole of the points to win; 0 where no target ends the game."""
    skunk_lines: tuple[int, ...]
    """The holes that save a loser from a skunk and from a double skunk."""
    track: int
    """The number of holes of the track."""
    round: int
    """The number of the round."""
    rounds: int
    """The number of rounds of the game; 0 if a target ends it."""
    final_round: bool
    """Whether the last turns are played."""
    winners: tuple[str, ...]
    """The players or teams that have won."""
    loser: str | None
    """The player or team that has lost, where a game finds a loser."""


def shown_game(state: TableState) -> GameShown:
    """Return how the game is shown."""
    play, game, draft = state.play, state.game, state.lobby.draft
    track = play.track if play else draft.holes(state.tracks)
    return GameShown(
        seq=state.seq,
        version=0,
        simulated=state.simulated,
        rules=game.rules.key if game else None,
        title=game.rules.title if game else "",
        settings=game.rules.settings() if game else draft.switches(),
        target=game.rules.goal if game else 0,
        finish=finish_of(game, track) if game else 0,
        skunk_lines=skunk_lines(game, track) if game else skunk_holes(track),
        track=track,
        round=game.round if game else 0,
        rounds=game.rules.switches.rounds if game else 0,
        final_round=game is not None and is_last_round(game) and not game.over,
        winners=tuple(side_name(game, side) for side in game.winners) if game else (),
        loser=None if game is None or game.loser is None else side_name(game, game.loser),
    )


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


@dataclass(frozen=True)
class StandingShown:
    """The players, and what happened last."""

    to_move: str | None
    """The player whom the table waits for; null without a game that goes on."""
    players: tuple[PlayerView, ...]
    """All players, in the order of their seats."""
    teams: dict[str, tuple[str, ...]]
    """The players by their team; empty if all play alone."""
    begins: str
    """Who begins a rematch: `seat`, `loser` or `winner`."""
    farkle_limit: int | None
    """How many farkles in a row cost something; null if they cost nothing."""
    first_turn: bool
    """Whether this is the first turn of the first game on this table."""
    last: LastView | None
    """The newest effective act."""
    moments: tuple[MomentView, ...]
    """What the newest act made happen; empty after an undo."""
    by: str
    """The name of the phone that made the newest act; empty if none did."""


def shown_standing(state: TableState, pending: int) -> StandingShown:
    """Return how the players are shown.

    Args:
        state: the table.
        pending: the points of the dice that are chosen and not kept yet.
    """
    play, game = state.play, state.game
    going_on = play is not None and not play.game.over
    return StandingShown(
        to_move=play.game.players[play.to_move] if play and going_on else None,
        players=_players(state, play, pending) if play else (),
        teams=teams_of(game) if game else {},
        begins=play.begins if play else "seat",
        farkle_limit=IN_A_ROW if game and (game.rules.farkles_cost or game.rules.switches.three_strikes_out) else None,
        first_turn=_in_first_turn(state),
        last=_last(play) if play else None,
        moments=moments(state),
        by=state.by,
    )


def hole_at(play: Play, points: int) -> int:
    """Return the hole for these points."""
    return hole(position(points, play.game.rules.points_a_hole(play.track)), play.track)


def hole_ahead(play: Play, points: int) -> int:
    """Return the hole of the side to move after `points` more."""
    game = play.game
    return hole_at(play, game.sides[game.side_to_move].score + points)


def _players(state: TableState, play: Play, pending: int) -> tuple[PlayerView, ...]:
    game, to_move = play.game, None if play.game.over else play.to_move
    ranks, ratio = places(game), game.rules.points_a_hole(play.track)
    skunks, goal = skunks_of(game, play.track), game.rules.goal
    at_risk = game.turn.points + pending
    bots = {bot.player: bot.kind for bot in play.bots}
    found: list[PlayerView] = []
    for index, (name, seat) in enumerate(zip(game.players, game.seats, strict=True)):
        side = game.side_of(index)
        peg, look = game.sides[side], mark(side)
        back = _peg(play.track, ratio, peg.score)
        front = _peg(play.track, ratio, peg.score + at_risk) if index == to_move else back
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
                phones=() if index in bots else state.seats.get(name, ()),
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


def _peg(track: int, ratio: int, points: int) -> tuple[int, bool]:
    """Return the hole for these points, and whether a peg stands half a hole beyond it, on the track."""
    place, rest = divmod(points, ratio)
    return hole(place, track), 0 <= place < track and 0 < ratio <= 2 * rest


def _in_first_turn(state: TableState) -> bool:
    if not state.under_way or state.current.number != 1:
        return False
    return all(TurnPassed not in map(type, each.act.events) for each in state.history)


def _last(play: Play) -> LastView | None:
    names = play.game.players
    for event in reversed(play.newest.events):
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
