"""The history of one game: its acts, and the effective acts after undo and correction.

An act is one accepted input with its events. Acts are only ever added: `Undone` takes one off, `RollCorrected` replaces
the faces of a throw and repeats the acts after it. The state is the fold of the effective acts. The game after each
effective act is kept, so a new act folds its own events alone, however long the game is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.state import events
from companion.table.state.text import in_plain_words
from companion.words import Text, message
from farkle.errors import FarkleError, IllegalMoveError
from farkle.game import events as game
from farkle.game.commands import Command, Keep, Roll
from farkle.game.evolve import Course, fold
from farkle.game.machine import carry_out, command_of, decide
from farkle.game.order import is_one_throw
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces, is_part
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection


@dataclass(frozen=True)
class Act:
    """One accepted input: its number, counted over all games, and its events in order."""

    number: int
    events: tuple[events.Event, ...]

    @property
    def game_events(self) -> tuple[game.Event, ...]:
        """The events that the game itself folds."""
        return tuple([event for event in self.events if not isinstance(event, events.TableEvent)])

    @property
    def rolls(self) -> bool:
        """Whether the act holds a throw."""
        return game.DiceRolled in map(type, self.events)

    @property
    def starts(self) -> bool:
        """Whether the act begins the game."""
        return game.GameStarted in map(type, self.events)


@dataclass(frozen=True)
class Snapshot:
    """The game after one effective act.

    `chosen` is the selection of the last roll that is chosen and not kept yet; `throws` counts the throws up to here.
    `counting` says that the players have chosen to count their points themselves. `bots` are the players that the board
    plays, and `bot_banks` says what the bot to move does with the chosen dice; it is None until the bot has decided.
    """

    act: Act
    game: GameState
    chosen: Selection | None
    throws: int
    counting: bool = False
    bots: tuple[events.BotSeated, ...] = ()
    bot_banks: bool | None = None


History = tuple[Snapshot, ...]
"""The effective acts of one game, each with the game after it: undo and correction start from the one before."""


def history_of(acts: Iterable[Act], before: History = ()) -> History:
    """Return the history after these acts, from the start of a game or after `before`; only these acts are folded.

    Raises:
        IllegalMoveError: if no game has been started.
    """
    found = list(before)
    for act in acts:
        add_act(found, act)
    if not found:
        raise IllegalMoveError("expected at least the start of a game, got no act that counts")
    return tuple(found)


def track_of(history: History) -> int:
    """Return the number of holes of the track that the game is shown on."""
    return next(event.holes for each in history for event in each.act.events if isinstance(event, events.TrackLaid))


def last_undoable(history: History) -> Act | None:
    """Return the act that an undo takes off: the last effective one, or None at the start of the game."""
    if not history or history[-1].act.starts:
        return None
    return history[-1].act


def last_throw(history: History) -> Act | None:
    """Return the effective act that holds the last throw, or None before the first."""
    return next((each.act for each in reversed(history) if each.act.rolls), None)


def corrected(history: History, number: int, faces: Faces) -> History:
    """Return the history with `faces` in the throw of act `number`, and the acts after it repeated.

    Raises:
        RefusedError: if a later act would not be legal, or if another player would be to move or another number of dice
            would be thrown. The text names what would be lost.
    """
    place = _place(history, number)
    if not place or not history[place].act.rolls:
        raise RefusedError(f"expected the act of a throw, got {number!r}")
    if place + 1 < len(history) and not is_part(_dice_taken(history[place + 1].act), faces):
        raise RefusedError(_lost(history[place + 1].act))
    made = list(history[:place])
    for index, was in enumerate(history[place:]):
        try:
            made.append(_again(made[-1], was.act, faces if index == 0 else None))
        except FarkleError as error:
            raise RefusedError(_lost(was.act) if index else in_plain_words(error)) from error
        if index > 0 and _to_move(made[-1].game) != _to_move(was.game):
            raise RefusedError(_lost(was.act))
        if (made[-1].game, made[-1].chosen) == (was.game, was.chosen):  # so all that follows stays as it was
            return (*made, *history[place + index + 1 :])
    return tuple(made)


def add_act(history: list[Snapshot], act: Act) -> None:
    """Add one act to a history in place: take off what it undoes, and fold its other events except those aside."""
    match act.events:
        case (events.RollCorrected(act=number, faces=faces),):
            history[:] = corrected(tuple(history), number, faces)
            return
    for event in act.events:
        if isinstance(event, events.Undone) and (place := _place(history, event.act)) is not None:
            later = history[place + 1 :]
            del history[place:]
            for each in later:
                history.append(_after(history, each.act))
    rest = tuple(event for event in act.events if not isinstance(event, events.Undone | events.Aside))
    if rest:
        history.append(_after(history, replace(act, events=rest)))


def _dice_taken(act: Act) -> Faces:
    """Return the dice of the throw before that the act chooses or keeps."""
    for event in act.events:
        if isinstance(event, events.SelectionChosen | game.DiceKept):
            return event.dice
    return ()


def _place(history: Sequence[Snapshot], number: int) -> int | None:
    """Return the index of the effective act with this number, or None; the newest acts are looked at first."""
    return next((place for place in reversed(range(len(history))) if history[place].act.number == number), None)


def _after(history: Sequence[Snapshot], act: Act) -> Snapshot:
    """Return the snapshot after one more act."""
    before = history[-1] if history else None
    return _snapshot(before, act, fold(act.game_events, before.game if before else None))


def _snapshot(before: Snapshot | None, act: Act, after: GameState) -> Snapshot:
    before = before or Snapshot(act, after, None, 0)
    bots = (*before.bots, *(event for event in act.events if isinstance(event, events.BotSeated)))
    chosen = _chosen(act, after, before.chosen)
    decides = chosen is not None or after.phase is Phase.KEPT
    banks = _banks(act, before.bot_banks) if decides else None
    return Snapshot(act, after, chosen, before.throws + act.rolls, _counting(act, before.counting), bots, banks)


def _banks(act: Act, before: bool | None) -> bool | None:
    """Return what the bot to move has decided to do with the dice that it has chosen."""
    decided = next((event.bank for event in reversed(act.events) if isinstance(event, events.BotDecided)), None)
    changed = decided is not None or {events.SelectionChosen, game.DiceKept} & set(map(type, act.events))
    return decided if changed else before


def _counting(act: Act, before: bool) -> bool:
    kinds = set(map(type, act.events))
    return events.CountingBegan in kinds or (before and events.CountingEnded not in kinds)


def _chosen(act: Act, state: GameState, before: Selection | None) -> Selection | None:
    """Return what has been chosen of the last roll and not been kept yet."""
    if state.phase is not Phase.CHOOSING:
        return None
    for event in reversed(act.events):
        if isinstance(event, game.DiceRolled):
            return None
        if isinstance(event, events.SelectionChosen):
            if not event.dice:
                return None
            return replace(find_selection(state.rules, state.turn.roll, event.dice), points=event.points)
    return before


def _again(before: Snapshot, act: Act, faces: Faces | None) -> Snapshot:
    """Repeat the act after this one, with `faces` in its throw if they are given."""
    course = Course(before.game)
    made: list[events.Event] = []
    for event in act.events:
        if isinstance(event, events.TableEvent):
            if isinstance(event, events.SelectionChosen):
                _check_choice(course.state, event)
            made.append(event)
            continue
        command = command_of(event)
        if command is None:
            continue
        if faces is not None and isinstance(command, Roll):
            command = Roll(faces)
        done = len(course.events)
        carry_out(course, command)
        made.extend(course.events[done:])
    return _snapshot(before, replace(act, events=tuple(made)), course.state)


def _check_choice(state: GameState, event: events.SelectionChosen) -> None:
    if event.dice:
        find_selection(state.rules, state.turn.roll, event.dice)
    if event.dice and is_one_throw(state):
        decide(state, Keep(event.dice))


def _to_move(state: GameState) -> tuple[int, int, bool]:
    return state.to_move, state.turn.dice_left, state.over


def _lost(act: Act) -> Text:
    """Return the sentence that a correction would lose this act."""
    what = next((_named(event) for event in act.events if _command(event)), message("refused.a_later_act"))
    return message("refused.would_be_lost", what=what)


def _command(event: events.Event) -> Command | None:
    return None if isinstance(event, events.TableEvent) else command_of(event)


def _named(event: events.Event) -> Text:
    match event:
        case game.DiceRolled(faces=faces):
            return message("refused.the_throw", faces=faces)
        case game.DiceKept(dice=dice):
            return message("refused.the_choice", dice=dice)
        case game.TurnBanked(points=points):
            return message("refused.the_bank", points=points)
        case _:
            return message("refused.a_later_act")
