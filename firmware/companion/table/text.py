"""The words of the table: phrases that its sentences share, and the description of each event."""

from dataclasses import dataclass

from farkle.game import events as ev
from farkle.game.standing import side_name
from farkle.game.state import GameState
from farkle.rules.dice import Faces, spaced
from farkle.rules.scoring import Selection

SHORT = 21
FACES = ("one", "two", "three", "four", "five", "six")
_COUNTS = ("no dice", "one die", "two dice", "three dice", "four dice", "five dice", "six dice")


@dataclass(frozen=True)
class Message:
    """A sentence, and its short form of at most 21 characters."""

    text: str
    short: str

    def __post_init__(self) -> None:
        if len(self.short) > SHORT:
            raise ValueError(f"expected at most {SHORT} characters, got {self.short!r}")


def faces_named(faces: Faces) -> str:
    """Return faces in words: `the four`, `the four and the six`."""
    return joined([f"the {FACES[face - 1]}" for face in faces])


def counted(number: int) -> str:
    """Return a number of dice in words: `three dice`."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else f"{number} dice"


def counted_any(numbers: tuple[int, ...]) -> str:
    """Return alternative numbers of dice in words: `one die`, `two, three or five dice`."""
    if len(numbers) == 1:
        return counted(numbers[0])
    words = [counted(number).removesuffix(" dice").removesuffix(" die") for number in numbers]
    return f"{', '.join(words[:-1])} or {words[-1]} dice"


def plural(number: int, one: str, digits: str = "") -> str:
    """Return a number with its noun: `1 point`, `2 points`; `digits` is a format such as `,` for `2,000 points`."""
    return f"{number:{digits}} {one}" if abs(number) == 1 else f"{number:{digits}} {one}s"


def clipped(text: str) -> str:
    """Return the text cut to the length of a short form."""
    return text if len(text) <= SHORT else text[: SHORT - 1] + "…"


def explained(selection: Selection) -> str:
    """Return what makes the points of a selection: `three of a kind 3 3 3 = 6, single 2 = 2`."""
    return ", ".join(f"{part.name} {spaced(part.dice)} = {part.points}" for part in selection.parts)


def joined(names: list[str]) -> str:
    """Return a list in words: `Ann, Ben and Cy`."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def describe(game: GameState, events: tuple[ev.Event, ...]) -> str:
    """Describe events in words, such as `Ann banks 8: 15.`; `game` is the state after them."""
    return " ".join(filter(None, (_describe(game, event) for event in events)))


def _describe(game: GameState, event: ev.Event) -> str:
    names = game.players
    match event:
        case ev.DiceRolled(player=player, faces=faces):
            return f"{names[player]} throws {spaced(faces)}."
        case ev.NobodyLost(points=points):
            return f"Nobody loses: {points}."
        case ev.DiceKept(player=player, dice=dice, points=points):
            return f"{names[player]} keeps {spaced(dice)} for {points}."
        case ev.HotDiceMade():
            return "All six count!" if game.rules.n_dice == 6 else "All dice count!"
        case ev.PegsSwapped(side=side, other=other):
            return f"{side_name(game, side)} swaps with {side_name(game, other)}."
        case ev.SwapUndone(other=other):
            return f"The swap with {side_name(game, other)} is undone."
        case ev.VantHofTaken(points=points):
            return f"Six ones: {points}."
        case ev.PiggybackTaken(player=player, points=points, dice=dice):
            return f"{names[player]} takes over {counted(dice)} and {points}."
        case ev.Farkled(in_a_row=in_a_row):
            return "Farkle." if in_a_row < 2 else f"Farkle, {in_a_row} in a row."
        case ev.PenaltyPaid(player=player, points=points, score=score):
            return f"{names[player]} loses {points}: {score}."
        case ev.PlayerDisqualified(player=player):
            return f"{names[player]} is out of the game."
        case ev.TurnBanked(player=player, points=points, score=score):
            return f"{names[player]} banks {points}: {score}." if points else f"{names[player]} stays at {score}."
        case ev.PointsGiven(points=points, side=side, score=score):
            whom = "nobody" if side is None else f"{side_name(game, side)}: {score}"
            return f"Too much: {points} to {whom}."
        case ev.PegBumped(side=side, score=score):
            return f"{side_name(game, side)} is bumped to {score}."
        case _:
            return _describe_table_event(game, event)


def _describe_table_event(game: GameState, event: ev.Event) -> str:
    names = game.players
    match event:
        case ev.SideOut(side=side):
            return f"{side_name(game, side)} is off the board."
        case ev.FinalRoundBegan(player=player):
            where = "is off the board" if game.rules.to_track_end else f"has reached {game.rules.switches.target}"
            return f"{names[player]} {where}: final round."
        case ev.FinalRoundCalledOff():
            return "No final round after all."
        case ev.ExtraRoundBegan(sides=sides):
            return f"{joined([side_name(game, side) for side in sides])} tie: one round more."
        case ev.GameEnded(winners=winners, loser=loser):
            if loser is not None:
                return f"{side_name(game, loser)} loses."
            won = [side_name(game, side) for side in winners]
            return f"{joined(won)} {'win' if len(won) > 1 else 'wins'}." if won else "Nobody wins."
        case ev.GameCalledOff():
            return "The game is ended."
        case ev.StartThrown(player=player, faces=faces):
            return f"{names[player]} throws {spaced(faces)} for the start."
        case ev.StartTied(players=players):
            return f"{joined([names[player] for player in players])} tie and throw again."
        case ev.StarterFound(player=player):
            return f"{names[player]} begins."
        case ev.ScoreAdjusted(side=side, score=score):
            return f"{side_name(game, side)} has {score}, as all agree."
        case ev.PlayerJoined(name=name):
            return f"{name} joins."
        case ev.PlayerLeft(player=player):
            return f"{names[player]} leaves."
        case ev.TurnSkipped(player=player):
            return f"{names[player]} misses a turn."
        case ev.TurnGiven(player=player):
            return f"{names[player]} throws now."
        case _:
            return ""
