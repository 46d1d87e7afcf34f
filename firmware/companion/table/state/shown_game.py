"""The part of the view that is about the game: its rules, its track, its rounds and its end."""

from dataclasses import dataclass

from companion.table.state.skunk import finish_of, skunk_lines
from companion.table.state.state import TableState
from farkle.game.order import is_last_round
from farkle.game.standing import side_name
from farkle.rules.switches import Value
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
