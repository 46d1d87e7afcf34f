"""The view: the one answer that page, API, lights and voice read, made from the table's state and nothing else."""

from dataclasses import dataclass

from companion.table.events import SelectionChosen
from companion.table.explain import dice_to_throw
from companion.table.inputs import Button, Motion
from companion.table.outcomes import outcomes
from companion.table.phrases import clipped, explained
from companion.table.proposal import proposal, refusals, selections, throwable, to_bank
from companion.table.state import TableState
from companion.table.words import waiting
from dicereader.reading import ReadDie, Zone
from farkle.game.events import DiceRolled, Farkled, TurnBanked
from farkle.game.farkles import IN_A_ROW
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.state import GameState, Phase
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.switches import Value
from pegboard.palette import mark


@dataclass(frozen=True)
class PlayerView:
    """One player as shown. In a team game score and holes are the team's; `place` is 1 for the first."""

    name: str
    color: str
    shape: str
    side: int
    score: int
    position: int
    hole: int
    front_hole: int
    farkles: int
    out: bool
    place: int


@dataclass(frozen=True)
class PartView:
    """One combination of a selection."""

    name: str
    dice: Faces
    points: int


@dataclass(frozen=True)
class SelectionView:
    """Dice that may be kept, for how many points, and what makes them: in words, and part by part."""

    dice: Faces
    points: int
    totals: tuple[int, ...]
    parts: str
    made: tuple[PartView, ...] = ()


@dataclass(frozen=True)
class DieView:
    """One die as read: face, box in pixels of the picture, and whether it is in doubt."""

    face: int
    box: tuple[int, int, int, int]
    outline: tuple[tuple[float, float], ...]
    confidence: float
    zone: str | None
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class ReadingView:
    """The last settled reading; `picture` names the still that was read, `size` is its width and height."""

    sure: bool
    dice: tuple[DieView, ...]
    picture: int
    size: tuple[int, int]


@dataclass(frozen=True)
class QuestionView:
    """The open question and its answers; KEEP gives the first, ROLL the second.

    `kind` is the question's; `outcomes` are the holes to which the answers lead, where they move a peg.
    """

    text: str
    answers: tuple[str, ...]
    kind: str = ""
    outcomes: tuple[int, ...] = ()


@dataclass(frozen=True)
class MessageView:
    """What the table says: `told` what happened, `text` with what it waits for, `short` in 21 characters."""

    text: str
    short: str
    told: str


@dataclass(frozen=True)
class LastView:
    """What the newest effective act was: `kind` is roll, farkle, bank, choose or start."""

    kind: str
    player: str
    points: int


@dataclass(frozen=True)
class View:
    """The whole table as people see it. `seq` counts journalled acts; `blind` is a table that cannot see its tray."""

    seq: int
    phase: str
    rules: str | None
    title: str
    settings: dict[str, Value]
    target: int
    track: int
    to_move: str | None
    players: tuple[PlayerView, ...]
    teams: dict[str, tuple[str, ...]]
    roll: Faces
    shelf: Faces
    locked: Faces
    turn_points: int
    dice_to_throw: int
    may_throw: tuple[int, ...]
    throws: int
    selections: tuple[SelectionView, ...]
    chosen: SelectionView | None
    bank: SelectionView | None
    bank_hole: int | None
    farkle_limit: int | None
    reading: ReadingView | None
    legal: tuple[str, ...]
    refused: dict[str, str]
    question: QuestionView | None
    message: MessageView
    final_round: bool
    winners: tuple[str, ...]
    out_of_step: bool
    blind: bool
    undo: bool
    last: LastView | None
    degraded: tuple[str, ...]
    lobby_players: int
    lobby_rules: int


def view(state: TableState) -> View:
    """The view of a table; the same state always gives the same view."""
    game = state.game
    words = waiting(state)
    refused = refusals(state)
    kept, bank = proposal(state), to_bank(state)
    text = f"{state.said} {words.text}".strip() if state.question is None else words.text
    over = game is not None and game.over
    front = _front(state, game, game.turn.points + bank.points) if game and bank else None
    return View(
        seq=state.seq,
        phase=phase(state),
        rules=game.rules.key if game else None,
        title=game.rules.title if game else "",
        settings=game.rules.settings() if game else {},
        target=game.rules.switches.target if game else 0,
        track=state.track,
        to_move=game.players[game.to_move] if game and not over else None,
        players=_players(state, game) if game else (),
        teams=teams_of(game) if game else {},
        roll=_roll(state, game) if game else (),
        shelf=_on_shelf(state),
        locked=game.turn.locked if game else (),
        turn_points=game.turn.points if game else 0,
        dice_to_throw=dice_to_throw(game, kept) if game and not over else 0,
        may_throw=throwable(state),
        throws=sum(act.rolls for act in state.effective),
        selections=tuple(_selection(each) for each in selections(state)),
        chosen=_selection(kept) if kept else None,
        bank=_selection(bank) if bank else None,
        farkle_limit=_farkle_limit(game) if game else None,
        bank_hole=front,
        reading=_reading(state),
        legal=tuple(button for button in _buttons(state) if button not in refused),
        refused=refused,
        question=_question(state, front) if state.question else None,
        message=MessageView(text, clipped(words.short), state.said),
        final_round=game is not None and game.closer is not None and not over,
        winners=tuple(side_name(game, side) for side in game.winners) if game else (),
        out_of_step=state.out_of_step,
        blind=any(part in {"eye", "camera"} for part, _ in state.faults),
        undo=bool(state.effective) and not state.effective[-1].starts,
        last=_last(state, game) if game else None,
        degraded=tuple(said for _, said in state.faults),
        lobby_players=state.lobby.players,
        lobby_rules=state.lobby.rules,
    )


def phase(state: TableState) -> str:
    """One of lobby, to_throw, rolling, choosing, asking, farkled, over."""
    if state.question is not None:
        return "asking"
    if state.game is None:
        return "lobby"
    if state.game.over:
        return "over"
    if state.motion is not Motion.STILL:
        return "rolling"
    if state.farkled is not None:
        return "farkled"
    return "choosing" if state.game.phase is Phase.CHOOSING else "to_throw"


def _roll(state: TableState, game: GameState) -> Faces:
    """The dice that lie there as thrown: those to choose from, or those that farkled, while they are shown."""
    if game.phase is Phase.CHOOSING:
        return game.turn.roll
    return state.farkled.faces if state.farkled else ()


def _buttons(state: TableState) -> tuple[str, ...]:
    if state.game is not None and state.game.over and state.question is None:
        return (Button.BANK.value,)
    return tuple(button.value for button in Button)


def _players(state: TableState, game: GameState) -> tuple[PlayerView, ...]:
    ranks = places(game)
    found: list[PlayerView] = []
    for index, name in enumerate(game.players):
        side = game.side_of(index)
        score = game.sides[side].score
        look = mark(side)
        ahead = _at_risk(state, game) if index == game.to_move and not game.over else 0
        found.append(
            PlayerView(
                name=name,
                color=look.colour.hex,
                shape=look.shape.value,
                side=side,
                score=score,
                position=position(score, game.rules.points_a_hole(state.track)),
                hole=_hole(state, game, score),
                front_hole=_hole(state, game, score + ahead),
                farkles=game.seats[index].farkles,
                out=game.sides[side].out > 0,
                place=ranks[side],
            )
        )
    return tuple(found)


def _at_risk(state: TableState, game: GameState) -> int:
    kept = proposal(state)
    return game.turn.points + (kept.points if kept else 0)


def _hole(state: TableState, game: GameState, points: int) -> int:
    return hole(position(points, game.rules.points_a_hole(state.track)), state.track)


def _front(state: TableState, game: GameState, points: int) -> int:
    return _hole(state, game, game.sides[game.side_to_move].score + points)


def _farkle_limit(game: GameState) -> int | None:
    """How many farkles in a row cost something; None where none do."""
    return IN_A_ROW if game.rules.farkles_cost or game.rules.switches.three_strikes_out else None


def _selection(selection: Selection) -> SelectionView:
    made = tuple(PartView(part.name, part.dice, part.points) for part in selection.parts)
    return SelectionView(selection.dice, selection.points, selection.totals, explained(selection), made)


def _question(state: TableState, bank_hole: int | None) -> QuestionView:
    question = state.question
    assert question is not None
    return QuestionView(question.text, question.answers, question.kind, outcomes(state, bank_hole))


def _on_shelf(state: TableState) -> Faces:
    if state.observation is None:
        return ()
    dice, hopped = state.observation.reading.dice, state.observation.episode.hopped
    return tuple(die.face for i, die in enumerate(dice) if die.zone is Zone.SHELF and i not in hopped)


def _reading(state: TableState) -> ReadingView | None:
    seen = state.observation
    if seen is None:
        return None
    return ReadingView(seen.reading.sure, tuple(_die(die) for die in seen.reading.dice), seen.number, seen.size)


def _die(die: ReadDie) -> DieView:
    box = die.box
    zone = die.zone.value if die.zone else None
    doubts = tuple(doubt.value for doubt in die.doubts)
    outline = tuple((round(x, 1), round(y, 1)) for x, y in die.outline)
    return DieView(die.face, (box.x, box.y, box.w, box.h), outline, round(die.confidence, 4), zone, doubts)


def _last(state: TableState, game: GameState) -> LastView | None:
    for event in reversed(state.effective[-1].events):
        match event:
            case TurnBanked(player=player, points=points):
                return LastView("bank", game.players[player], points)
            case Farkled(player=player, lost=lost):
                return LastView("farkle", game.players[player], lost)
            case DiceRolled(player=player):
                return LastView("roll", game.players[player], 0)
            case SelectionChosen(points=points):
                return LastView("choose", game.players[game.to_move], points)
            case _:
                pass
    return None
