"""A kept game turn by turn: where the pegs stood after each turn, and its throws in words."""

from collections.abc import Collection
from dataclasses import dataclass

from companion.games.story import Story, StoryTurn, Throw
from companion.table.throws.shown_standing import peg_at
from companion.words import Message, Text, joined, message
from farkle.rules.dice import Faces
from pegboard.palette import mark

STILL = "/api/v1/stills/{}.jpg"
"""The address of a throw's picture, by the throw's act."""


@dataclass(frozen=True)
class ReplayPlayer:
    """One player as the board draws it; players of a team share a side."""

    name: str
    color: str
    shape: str
    side: int


@dataclass(frozen=True)
class ReplayThrow:
    """One throw: its faces, those kept, its points, and notes; `picture` is null if it is not shown."""

    roll: Faces
    kept: Faces
    points: int
    notes: Text
    undone: bool
    picture: str | None


@dataclass(frozen=True)
class ReplayTurn:
    """One turn.

    `number` counts the player's own turns. `holes` are those of all sides after it; half a hole is .5. A turn under way
    has no `ended`, and its peg reaches to `front`.
    """

    player: str
    number: int
    ended: str | None
    outcome: Text
    holes: tuple[float, ...]
    front: float | None
    throws: tuple[ReplayThrow, ...]


@dataclass(frozen=True)
class GameReplay:
    """One game to step through.

    `finish` is the hole in which a side has the points to win, and `skunk_lines` are the holes that save a loser from a
    skunk and from a double skunk; `start` are the holes of all sides at the beginning.
    """

    track: int
    finish: int
    skunk_lines: tuple[int, ...]
    players: tuple[ReplayPlayer, ...]
    start: tuple[float, ...]
    turns: tuple[ReplayTurn, ...]


def replay_of(story: Story, pictures: Collection[int]) -> GameReplay:
    """Return a game to step through; `pictures` are the acts whose pictures may be shown."""
    looks = {name: mark(side) for name, side in story.sides.items()}
    return GameReplay(
        track=story.track,
        finish=story.finish,
        skunk_lines=story.skunk_lines,
        players=tuple(
            ReplayPlayer(name, looks[name].colour.hex, looks[name].shape.value, story.sides[name])
            for name in story.players
        ),
        start=tuple(_hole(story, score) for score in story.race[0]),
        turns=tuple(
            ReplayTurn(
                player=turn.player,
                number=turn.number,
                ended=turn.ended,
                outcome=outcome_of(turn),
                holes=tuple(_hole(story, score) for score in turn.scores),
                front=None if turn.ended else _hole(story, turn.score + turn.points),
                throws=tuple(
                    ReplayThrow(
                        roll=throw.roll,
                        kept=throw.kept,
                        points=throw.points,
                        notes=notes_of(turn, throw),
                        undone=throw.undone,
                        picture=STILL.format(throw.act) if throw.act in pictures else None,
                    )
                    for throw in turn.throws
                ),
            )
            for turn in story.turns
        ),
    )


def outcome_of(turn: StoryTurn) -> Message:
    """Return how a turn ended, in words."""
    match turn.ended:
        case "bank":
            return message("report.banked", points=turn.points, score=turn.score)
        case "farkle":
            return message("report.farkled", lost=turn.lost)
        case "win":
            return message("report.six_ones")
        case _:
            return message("report.under_way", points=turn.points)


def notes_of(turn: StoryTurn, throw: Throw) -> Text:
    """Return the notes about a throw, in sentences; empty without notes."""
    notes = [message("report.why", why=throw.why)] if throw.why else []
    if turn.ended == "farkle" and not throw.kept and throw is turn.throws[-1]:
        notes.append(message("report.nothing_scores"))
    if throw.read:
        notes.append(message("report.corrected", faces=throw.read))
    if not throw.source:
        notes.append(message("report.by_hand"))
    elif not throw.sure:
        notes.append(message("report.asked"))
    return joined(*notes)


def _hole(story: Story, score: int) -> float:
    """Return where a peg stands at a score, as a hole of the track or half a hole beyond one."""
    whole, half = peg_at(story.track, story.points_a_hole, score)
    return whole + half / 2
