"""Acts: the step that an input brings about, and the one way an act is made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.table.cues import Cue, CueKind
from companion.table.events import Event
from companion.table.history import Act
from companion.table.state import FarkleShown, TableState, with_acts
from companion.table.text import told
from companion.table.timers import wake_at
from farkle.game import events as game


@dataclass(frozen=True)
class Step:
    """What an input brought about. `events` are one act, empty where nothing is journalled.

    `begins` marks the act that starts another game. `wake_at` is when a Tick is due, on the clock of `now`.
    """

    state: TableState
    events: tuple[Event, ...] = ()
    cues: tuple[Cue, ...] = ()
    begins: bool = False

    @property
    def wake_at(self) -> float | None:
        """When the table wants a Tick, None where only an input can change it."""
        return wake_at(self.state)


def act(state: TableState, events: Sequence[Event], now: float, *cues: Cue) -> Step:
    """The step of one act: the state with its events folded, what is said of them, and their cues."""
    made = Act(state.seq + 1, tuple(events))
    cleared = replace(state, seq=made.number, question=None, menu=None, complaint=None, pending=None)
    after = with_acts(cleared, (*state.acts, made))
    assert after.game is not None
    said = told(after.game, made.game_events)
    after = replace(after, said=said, farkled=farkle_shown(made, now + state.times.farkle_shown_s))
    return Step(after, made.events, (*_cues(after, made, said), *cues))


def farkle_shown(made: Act, until_s: float) -> FarkleShown | None:
    """The farkle that ends this act, to be shown until then; None where it ends otherwise."""
    farkled = next((event for event in made.game_events if isinstance(event, game.Farkled)), None)
    if farkled is None:
        return None
    rolled = next((event for event in made.game_events if isinstance(event, game.DiceRolled)), None)
    return FarkleShown(farkled.player, rolled.faces if rolled else (), farkled.lost, until_s)


_CUES: Mapping[type[game.Event], CueKind] = {
    game.DiceRolled: CueKind.SETTLED,
    game.HotDiceMade: CueKind.HOT_DICE,
    game.Farkled: CueKind.FARKLE,
    game.TurnBanked: CueKind.BANK,
    game.FinalRoundBegan: CueKind.FINAL_ROUND,
    game.TurnPassed: CueKind.TURN,
    game.GameEnded: CueKind.GAME_OVER,
}


_TOLD: frozenset[type[game.Event]] = frozenset(
    {
        game.StartThrown,
        game.StartTied,
        game.StarterFound,
        game.PiggybackTaken,
        game.NobodyLost,
        game.PegsSwapped,
        game.SwapUndone,
        game.VantHofTaken,
        game.PenaltyPaid,
        game.PlayerDisqualified,
        game.PointsGiven,
        game.PegBumped,
        game.SideOut,
        game.FinalRoundCalledOff,
        game.ExtraRoundBegan,
        game.GameCalledOff,
        game.ScoreAdjusted,
        game.PlayerJoined,
        game.PlayerLeft,
        game.TurnSkipped,
        game.TurnGiven,
    }
)
"""What has no cue of its own, and is said as it is told."""


def _cues(state: TableState, made: Act, said: str) -> Iterator[Cue]:
    assert state.game is not None
    for event in made.game_events:
        if isinstance(event, game.TurnBanked):
            yield Cue(CueKind.BANK, told(state.game, (event,)))
        elif type(event) in _CUES:
            yield Cue(_CUES[type(event)], said)
        elif isinstance(event, game.PointsCounted):
            yield Cue(CueKind.CHANGED, str(event.points))
        elif type(event) in _TOLD:
            yield Cue(CueKind.CHANGED, told(state.game, (event,)))
