"""The writer of the notation: text from the effective events of a game."""

from collections.abc import Iterable, Mapping

from farkle.game import events as ev
from farkle.game.evolve import evolve, fold
from farkle.game.standing import side_name
from farkle.game.state import GameState
from farkle.notation.text import BOTS, written_name
from farkle.rules.dice import spaced, written
from farkle.rules.selections import find_selection


def write(events: Iterable[ev.Event], bots: Mapping[str, str] | None = None) -> str:
    """Return the effective events of one game, from its start, as notation that ends with a newline.

    Args:
        events: the events.
        bots: the kinds of the players that a program played, by name; they are written as a comment.
    """
    writer = _Writer(bots or {})
    for event in events:
        writer.add(event)
    return writer.text()


_ACTS = {ev.PlayerLeft: "leaves", ev.TurnSkipped: "skip", ev.TurnGiven: "throws"}
"""The words of the table's own acts that name a player."""


class _Writer:
    """The lines so far, and the turn under way."""

    _state: GameState  # from the start of the game on

    def __init__(self, bots: Mapping[str, str]) -> None:
        self._bots = bots
        self._lines: list[str] = []
        self._items: list[str] = []
        self._throws: list[str] = []  # for the first turn

    def text(self) -> str:
        """Return all lines, with the turn under way."""
        self._end_throws()
        self._end_turn()
        return "\n".join(self._lines) + "\n"

    def add(self, event: ev.Event) -> None:
        """Add one event to the lines or the turn under way."""
        if isinstance(event, ev.GameStarted):
            self._start(event)
            self._state = fold((event,))
            return
        if not isinstance(event, ev.StartThrown):
            self._end_throws()
        self._add(event, self._state)
        self._state = evolve(self._state, event)

    def _start(self, event: ev.GameStarted) -> None:
        self._lines.append(f"rules: {event.rules}")
        self._lines.extend(f"set: {name}={_value(value)}" for name, value in event.settings)
        self._lines.append(f"players: {_names(event.players)}")
        if self._bots:
            kinds = (f"{written_name(name)} = {kind}" for name, kind in self._bots.items())
            self._lines.append(f"# {BOTS}: {', '.join(kinds)}")
        if event.teams:
            teams = (
                f"{written_name(team)} = {_names(event.players[player] for player in members)}"
                for team, members in zip(event.teams, event.sides, strict=True)
            )
            self._lines.append(f"teams: {'; '.join(teams)}")
        if event.first:
            self._lines.append(f"start: {written_name(event.players[event.first])}")

    def _add(self, event: ev.Event, state: GameState) -> None:
        match event:
            case ev.PiggybackTaken():
                self._items.append("piggyback")
            case ev.ChoiceMade(option=option):
                self._items.append(option)
            case ev.DiceRolled(faces=faces):
                self._items.append(written(faces))
            case ev.DiceKept(dice=dice, points=points):
                best = find_selection(state.rules, state.turn.roll, dice)
                lower = f" = {points}" if points != best.points else ""
                self._items[-1] += f" > {written(dice)}{lower}"
            case ev.PegsSwapped(other=other):
                self._items.append(f"swap {written_name(side_name(state, other))}")
            case ev.VantHofTaken():
                self._items.append("vant-hof")
            case ev.PointsCounted(points=points):
                self._items.append(f"counted {points}")
            case ev.FarkleCounted():
                self._items.append("counted")
            case ev.Farkled():
                self._items[-1] += " farkle"
                self._end_turn()
            case ev.TurnBanked():
                self._items.append("bank")
                self._end_turn()
            case ev.StandingGiven():
                self._standing(event, state)
            case ev.StartThrown(player=player, faces=faces):
                self._throws.append(f"{written_name(state.players[player])} {spaced(faces)}")
            case ev.ScoreAdjusted(side=side, score=score):
                self._lines.append(f"adjust: {written_name(side_name(state, side))} = {score}")
            case ev.PlayerJoined(name=name):
                self._lines.append(f"joins: {written_name(name)}")
            case ev.PlayerLeft(player=player) | ev.TurnSkipped(player=player) | ev.TurnGiven(player=player):
                self._lines.append(f"{_ACTS[type(event)]}: {written_name(state.players[player])}")
            case ev.GameCalledOff():
                self._end_turn()
                self._lines.append("ends: early")

    def _standing(self, event: ev.StandingGiven, state: GameState) -> None:
        sides = [side_name(state, side) for side in range(len(state.sides))]
        players = state.players
        scores = (f"{written_name(name)} {score}" for name, score in zip(sides, event.scores, strict=True))
        self._lines.append(f"scores: {', '.join(scores)}")
        farkles = [f"{written_name(name)} {n}" for name, n in zip(players, event.farkles, strict=True) if n]
        if farkles:
            self._lines.append(f"farkles: {', '.join(farkles)}")
        if any(on is not (event.scores[state.side_of(player)] > 0) for player, on in enumerate(event.on_board)):
            on_board = _names(name for name, on in zip(players, event.on_board, strict=True) if on)
            self._lines.append(f"on-board: {on_board}".strip())
        if event.out:
            self._lines.append(f"out: {_names(sides[side] for side in event.out)}")
        if event.dice_left:
            dice = "die" if event.dice_left == 1 else "dice"
            self._lines.append(f"left-over: {event.dice_left} {dice} {event.points_left}")
        if event.closer is not None:
            self._lines.append(f"final: {written_name(players[event.closer])}")
        if event.to_move:
            self._lines.append(f"start: {written_name(players[event.to_move])}")

    def _end_turn(self) -> None:
        if self._items:
            self._lines.append(f"{written_name(self._state.players[self._state.to_move])}: {', '.join(self._items)}")
        self._items.clear()

    def _end_throws(self) -> None:
        if self._throws:
            self._lines.append(f"throws-for-start: {', '.join(self._throws)}")
        self._throws.clear()


def _names(names: Iterable[str]) -> str:
    return ", ".join(written_name(name) for name in names)


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
