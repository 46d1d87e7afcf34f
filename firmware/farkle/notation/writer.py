"""The writer of the notation: text from the effective events of a game."""

from collections.abc import Iterable, Mapping

from farkle.game import commands as do
from farkle.game import events as ev
from farkle.game.evolve import evolve, fold
from farkle.game.machine import command_of
from farkle.game.standing import side_name, side_names
from farkle.game.state import GameState, Phase
from farkle.notation.written import ACTS_OF_A_PLAYER, BOTS, written_name
from farkle.rules.dice import spaced, written
from farkle.rules.selections import find_selection

_WORDS = {command: word for word, command in ACTS_OF_A_PLAYER.items()}


def write(events: Iterable[ev.Event], bots: Mapping[str, str] | None = None) -> str:
    """Return the effective events of one game, from its start, as notation that ends with a newline.

    Args:
        events: the events.
        bots: the kinds of the players that a program played, by name; they are written as a comment.
    """
    writer = _Writer()
    for event in events:
        writer.add(event, bots or {})
    writer.end_line()
    return "\n".join(writer.lines) + "\n"


class _Writer:
    """The lines so far, and the items of the line under way: a turn, or throws for the first turn."""

    _state: GameState  # from the start of the game on

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._items: list[str] = []

    def add(self, event: ev.Event, bots: Mapping[str, str]) -> None:
        """Add one event to the lines or the line under way."""
        if isinstance(event, ev.GameStarted):
            self._start(event, bots)
            self._state = fold((event,))
            return
        if self._state.phase is Phase.STARTING and not isinstance(event, ev.StartThrown):
            self.end_line()
        self._add(event, self._state)
        self._state = evolve(self._state, event)

    def end_line(self) -> None:
        """End the line under way, if there is one."""
        if self._items:
            starting, player = self._state.phase is Phase.STARTING, self._state.players[self._state.to_move]
            head = "throws-for-start" if starting else written_name(player)
            self.lines.append(f"{head}: {', '.join(self._items)}")
        self._items.clear()

    def _start(self, event: ev.GameStarted, bots: Mapping[str, str]) -> None:
        self.lines.append(f"rules: {event.rules}")
        self.lines.extend(f"set: {name}={_value(value)}" for name, value in event.settings)
        self.lines.append(f"players: {_names(event.players)}")
        if bots:
            kinds = (f"{written_name(name)} = {kind}" for name, kind in bots.items())
            self.lines.append(f"# {BOTS}: {', '.join(kinds)}")
        if event.teams:
            teams = (
                f"{written_name(team)} = {_names(event.players[player] for player in members)}"
                for team, members in zip(event.teams, event.sides, strict=True)
            )
            self.lines.append(f"teams: {'; '.join(teams)}")
        if event.first:
            self.lines.append(f"start: {written_name(event.players[event.first])}")

    def _add(self, event: ev.Event, state: GameState) -> None:
        items, lines = self._items, self.lines
        match command_of(event):
            case do.ThrowForStart(player=player, faces=faces):
                items.append(f"{written_name(state.players[player])} {spaced(faces)}")
            case do.Roll(faces=faces):
                items.append(written(faces))
            case do.Keep(dice=dice, points=points):
                best = find_selection(state.rules, state.turn.roll, dice)
                lower = f" = {points}" if points != best.points else ""
                items[-1] += f" > {written(dice)}{lower}"
            case do.Choose(option=option, side=side):
                items.append(option if side is None else f"{option} {written_name(side_name(state, side))}")
            case do.Count(points=points):
                items.append("counted" if points is None else f"counted {points}")
            case do.Bank():
                items.append("bank")
                self.end_line()
            case do.Adjust(side=side, score=score):
                lines.append(f"adjust: {written_name(side_name(state, side))} = {score}")
            case do.Join(name=name):
                lines.append(f"joins: {written_name(name)}")
            case do.Leave(player=player) | do.Skip(player=player) | do.GiveTurn(player=player) as command:
                lines.append(f"{_WORDS[type(command)]}: {written_name(state.players[player])}")
            case do.End():
                self.end_line()
                lines.append("ends: early")
        if isinstance(event, ev.Farkled):
            items[-1] += " farkle"
            self.end_line()
        elif isinstance(event, ev.StandingGiven):
            self._standing(event, state)

    def _standing(self, event: ev.StandingGiven, state: GameState) -> None:
        sides = side_names(state)
        players = state.players
        scores = (f"{written_name(name)} {score}" for name, score in zip(sides, event.scores, strict=True))
        self.lines.append(f"scores: {', '.join(scores)}")
        farkles = [f"{written_name(name)} {n}" for name, n in zip(players, event.farkles, strict=True) if n]
        if farkles:
            self.lines.append(f"farkles: {', '.join(farkles)}")
        if any(on is not (event.scores[state.side_of(player)] > 0) for player, on in enumerate(event.on_board)):
            on_board = _names(name for name, on in zip(players, event.on_board, strict=True) if on)
            self.lines.append(f"on-board: {on_board}".strip())
        if event.out:
            self.lines.append(f"out: {_names(sides[side] for side in event.out)}")
        if event.dice_left:
            dice = "die" if event.dice_left == 1 else "dice"
            self.lines.append(f"left-over: {event.dice_left} {dice} {event.points_left}")
        if event.closer is not None:
            self.lines.append(f"final: {written_name(players[event.closer])}")
        if event.to_move:
            self.lines.append(f"start: {written_name(players[event.to_move])}")


def _names(names: Iterable[str]) -> str:
    return ", ".join(written_name(name) for name in names)


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
