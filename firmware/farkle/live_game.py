"""A game in progress for other programs: `Game` rolls, keeps, banks and undoes by the rules of `farkle.game`."""

from collections.abc import Mapping, Sequence

from farkle.errors import IllegalMoveError
from farkle.game import commands as do
from farkle.game.choices import open_choice
from farkle.game.events import Event
from farkle.game.evolve import evolve, fold
from farkle.game.machine import can, command_of, decide
from farkle.game.seating import start
from farkle.game.standing import side_names
from farkle.game.state import GameState, Phase
from farkle.notation import write
from farkle.replay import TurnRecord, replay, turns_of
from farkle.rules.catalogue import find_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections

_Move = tuple[tuple[Event, ...], GameState]
"""The events of one move, and the state after them."""


class Game:
    """A game that is played move by move.

    Each move returns the events that it caused, which are classes of `farkle.game.events`. A move that the rules do not
    allow raises `IllegalMoveError` with the reason, wrong dice raise `DiceError`, and a player who cannot join
    `SeatingError`; the game is then unchanged.
    `str(game)` is the game in the notation, which `Game.read` reads again.
    """

    def __init__(
        self,
        rules: str | RuleSet,
        players: Sequence[str],
        *,
        settings: Mapping[str, object] | None = None,
        teams: Mapping[str, Sequence[str]] | None = None,
        first: str | None = None,
    ) -> None:
        """Start a game.

        Raises `UnknownRuleSetError` or `RuleSetError` for rules that do not exist, and `SeatingError` for players who
        cannot play them.

        Args:
            rules: a packaged rule set's key, title or alias, or a rule set.
            players: the names, clockwise.
            settings: switches that differ from the rule set's.
            teams: the names of each team's players, by the team's name.
            first: the player who begins; by default the first of `players`.
        """
        known = rules if isinstance(rules, RuleSet) else find_rule_set(rules)
        begins = 0 if first is None else _place(first, players)
        begun = start(known.with_settings(settings or {}), players, first=begins, teams=teams)
        self._moves: tuple[_Move, ...] = ((begun, fold(begun)),)

    @classmethod
    def read(cls, text: str) -> "Game":
        """Return the game that a text in the notation describes, up to its last move.

        Raises `NotationError` with the place of the first move that cannot be read or played.
        """
        moves: list[_Move] = []
        state: GameState | None = None
        for event in replay(text).events:
            state = evolve(state, event)
            begun = moves and command_of(event) is None
            events = (*moves.pop()[0], event) if begun else (event,)
            moves.append((events, state))
        game = cls.__new__(cls)
        game._moves = tuple(moves)  # noqa: SLF001 - its own class
        return game

    def __str__(self) -> str:
        return write(self.events).rstrip("\n")

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {score}" for name, score in self.scores.items())
        waits = "over" if self.over else f"{self.to_move} {self.state.phase}"
        return f"<Game of {self.rules.title}: {scores}; {waits}>"

    @property
    def state(self) -> GameState:
        """The whole state, in which players and sides are indices."""
        return self._moves[-1][1]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the game so far, without those of undone moves."""
        return tuple(event for events, _ in self._moves for event in events)

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        """The turns so far, the one under way last."""
        return turns_of(self.events)

    @property
    def rules(self) -> RuleSet:
        """The rule set, with the settings of this game."""
        return self.state.rules

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, clockwise."""
        return self.state.players

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides that score: the teams, or the players."""
        return side_names(self.state)

    @property
    def scores(self) -> dict[str, int]:
        """The score of each side by its name."""
        return {name: side.score for name, side in zip(self.sides, self.state.sides, strict=True)}

    @property
    def to_move(self) -> str | None:
        """The player whose turn it is; None after the end, and while the players throw for who begins."""
        waits = self.state.phase not in (Phase.OVER, Phase.STARTING)
        return self.players[self.state.to_move] if waits else None

    @property
    def turn_points(self) -> int:
        """The points at risk in this turn."""
        return self.state.turn.points

    @property
    def dice_left(self) -> int:
        """The number of dice of the next throw."""
        return self.state.turn.dice_left

    @property
    def selections(self) -> tuple[Selection, ...]:
        """The selections that may be kept from the last roll, best first; empty unless a roll waits for a choice."""
        waits = self.state.phase is Phase.CHOOSING
        return legal_selections(self.rules, self.state.turn.roll) if waits else ()

    @property
    def options(self) -> tuple[str, ...]:
        """The options that `choose` accepts now; empty if the rules leave no choice open."""
        choice = open_choice(self.state)
        return choice.options if choice else ()

    @property
    def can_bank(self) -> bool:
        """Whether the turn may be banked now."""
        return can(self.state, do.Bank())

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.over

    @property
    def winners(self) -> tuple[str, ...]:
        """The sides that won; several share a tie, and nobody wins a game that was called off."""
        return tuple(self.sides[side] for side in self.state.winners)

    @property
    def loser(self) -> str | None:
        """The side that lost a game whose rules name a loser."""
        return None if self.state.loser is None else self.sides[self.state.loser]

    def throw_for_start(self, player: str, *faces: int) -> tuple[Event, ...]:
        """Throw for the first turn, before the game begins."""
        return self._do(do.ThrowForStart(_place(player, self.players), faces))

    def roll(self, *faces: int) -> tuple[Event, ...]:
        """Throw the dice, with these faces. A throw that scores nothing ends the turn."""
        return self._do(do.Roll(faces))

    def keep(self, *dice: int, points: int | None = None) -> tuple[Event, ...]:
        """Keep these dice of the last roll; `points` declares a lower total if the dice have several."""
        return self._do(do.Keep(dice, points))

    def choose(self, option: str, side: str | None = None) -> tuple[Event, ...]:
        """Take one of `options`; `side` names the side to swap with if several lead."""
        return self._do(do.Choose(option, None if side is None else _place(side, self.sides)))

    def bank(self) -> tuple[Event, ...]:
        """End the turn and score its points."""
        return self._do(do.Bank())

    def count(self, points: int | None) -> tuple[Event, ...]:
        """State the points so far of a turn whose dice nobody entered; None states a farkle."""
        return self._do(do.Count(points))

    def adjust(self, side: str, score: int) -> tuple[Event, ...]:
        """Set a side's score to the one that the players agreed on."""
        return self._do(do.Adjust(_place(side, self.sides), score))

    def join(self, name: str) -> tuple[Event, ...]:
        """Add a player, last in the order."""
        return self._do(do.Join(name))

    def leave(self, player: str) -> tuple[Event, ...]:
        """Take a player out of the game."""
        return self._do(do.Leave(_place(player, self.players)))

    def skip(self, player: str) -> tuple[Event, ...]:
        """Let the player to move miss this turn."""
        return self._do(do.Skip(_place(player, self.players)))

    def give_turn(self, player: str) -> tuple[Event, ...]:
        """Let this player throw now; the player to move has the next turn."""
        return self._do(do.GiveTurn(_place(player, self.players)))

    def end(self) -> tuple[Event, ...]:
        """End the game early; nobody wins."""
        return self._do(do.End())

    def undo(self) -> None:
        """Take back the last move, even if it ended a turn or the game.

        Raises:
            IllegalMoveError: at the start of the game.
        """
        if len(self._moves) == 1:
            raise IllegalMoveError("expected a move to undo, got the start of the game", "undo_at_start")
        self._moves = self._moves[:-1]

    def _do(self, command: do.Command) -> tuple[Event, ...]:
        events = decide(self.state, command)
        self._moves = (*self._moves, (events, fold(events, self.state)))
        return events


def _place(name: str, names: Sequence[str]) -> int:
    """Return the index of a name.

    Raises:
        IllegalMoveError: if there is no such name.
    """
    if not isinstance(names, Sequence) or name not in tuple(names):
        raise IllegalMoveError(f"expected one of the names {names!r}, got {name!r}")
    return names.index(name)
