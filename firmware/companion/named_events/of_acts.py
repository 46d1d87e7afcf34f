"""Make the named events of each act while folding its game."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from companion.errors import JournalError
from companion.named_events import kinds
from companion.table.state import events as table
from companion.table.state.history import Act, Snapshot, add_act, track_of
from companion.table.state.state import Play
from companion.table.state.text import describe
from farkle.game import events as game
from farkle.game.standing import side_name, side_names
from farkle.game.state import GameState
from pegboard.palette import mark


@dataclass
class GameFold:
    """One game, folded act by act. `folded` is its newest act, 0 before the first."""

    number: int
    folded: int = 0
    _history: list[Snapshot] = field(default_factory=list)

    def add(self, act: Act, at: float, ids: tuple[str, str]) -> tuple[kinds.AnyEvent, ...]:
        """Fold one more act and return its events, at least one.

        Args:
            act: the act.
            at: when it was made, in seconds since 1970.
            ids: its id and that of the act before.

        Raises:
            JournalError: if the journal holds no start of its game.
        """
        add_act(self._history, act)
        if not self._history:
            raise JournalError(f"expected a game that begins with its start, got act {act.number}")
        self.folded = act.number
        after = self._history[-1].game
        common: dict[str, Any] = {"game": self.number, "act": act.number, "id": ids[0], "before": ids[1], "at": at}
        common["standing"] = standing_of(self.play)
        found = tuple(event for each in act.events for event in self._made(each, act, after, common))
        return found or (kinds.Change(text=describe(after, act.events), **common, **_player(after, after.to_move)),)

    @property
    def play(self) -> Play:
        """The game after the newest act that counts."""
        history = tuple(self._history)
        return Play(**vars(history[-1]), number=self.number, acts=(), history=history, track=track_of(history))

    def _made(self, event: table.Event, act: Act, after: GameState, common: dict[str, Any]) -> Iterator[kinds.AnyEvent]:
        say = {**common, "text": describe(after, (event,))}
        who = _player(after, getattr(event, "player", after.to_move))
        match event:
            case game.GameStarted() | table.GameResumed():
                play, rules = self.play, after.rules
                yield kinds.Start(rules=rules.key, target=rules.goal, track=play.track, players=_seated(after), **say)
            case game.DiceRolled(faces=faces) | game.StartThrown(faces=faces):
                yield kinds.Throw(faces=faces, **say, **who)
            case table.SelectionChosen(dice=dice, points=points):
                yield kinds.Keep(dice=dice, points=points, committed=False, **say, **who)
            case game.DiceKept(dice=dice, points=points):
                yield kinds.Keep(dice=dice, points=points, committed=True, **say, **who)
            case game.HotDiceMade():
                yield kinds.HotDice(**say, **who)
            case game.Farkled(lost=lost, in_a_row=in_a_row):
                faces = next((each.faces for each in act.events if isinstance(each, game.DiceRolled)), ())
                yield kinds.Farkle(faces=faces, lost=lost, in_a_row=in_a_row, **say, **who)
            case game.TurnBanked(points=points, score=score):
                yield kinds.Bank(points=points, score=score, **say, **who)
            case game.PegBumped(side=side, score=score):
                yield kinds.Bump(score=score, **say, **_side(after, side))
            case game.FinalRoundBegan() | game.LastRoundBegan() | game.LeadTaken():
                yield kinds.FinalRound(**say, **who)
            case game.GameEnded(winners=winners, loser=loser):
                names = side_names(after)
                won = tuple(names[side] for side in winners)
                about = _side(after, winners[0]) if winners else {}
                yield kinds.Win(winners=won, loser=None if loser is None else names[loser], **say, **about)
            case table.Undone(act=undone):
                yield kinds.Undo(undone=undone, **say)
            case table.RollCorrected(act=corrected, faces=faces):
                again = next((each.act for each in self._history if each.act.number == corrected), act)
                makes = [each.event_type for made in again.events for each in self._made(made, again, after, common)]
                yield kinds.Correction(corrected=corrected, faces=faces, makes=tuple(makes), **say)


def standing_of(play: Play) -> kinds.Standing:
    """Return the standing of a game."""
    state = play.game
    return kinds.Standing(
        scores=tuple(side.score for side in state.sides),
        to_move=None if state.over else play.to_move + 1,
        turn_points=state.turn.points,
        roll=state.turn.roll if play.bot_decides else (),
        locked=state.turn.locked,
        dice_left=state.turn.dice_left,
        round=state.round,
        over=state.over,
    )


def _player(state: GameState, player: int) -> dict[str, Any]:
    return {**_side(state, state.side_of(player)), "player": state.players[player], "seat": player + 1}


def _side(state: GameState, side: int) -> dict[str, Any]:
    players = state.sides[side].players
    return {"player": side_name(state, side), "seat": players[0] + 1 if len(players) == 1 else None, **_look(side)}


def _look(side: int) -> dict[str, Any]:
    look = mark(side)
    return {"side": side, "color": look.colour.hex, "shape": look.shape.value}


def _seated(state: GameState) -> tuple[kinds.Seated, ...]:
    return tuple(kinds.Seated(name, **_look(state.side_of(seat))) for seat, name in enumerate(state.players))
