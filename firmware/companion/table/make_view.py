"""Make the view of a table from its state and nothing else."""

from companion.table.asking.address import address_digits
from companion.table.asking.answers import kind_of, step_back_caption
from companion.table.asking.idle import only_wakes
from companion.table.asking.manual_entry import SEEING, count_unit
from companion.table.asking.menu import DO_IT, ITEM_KEYS, menu_message
from companion.table.asking.sound import GO_ON
from companion.table.buttons.buttons import captions, dice_due
from companion.table.buttons.modes import phase, refusals
from companion.table.buttons.next_step import next_step
from companion.table.buttons.prompt import prompt
from companion.table.moments import moments
from companion.table.state.draft import Lobby, names_problem, rules_problem
from companion.table.state.events import SelectionChosen
from companion.table.state.inputs import Button
from companion.table.state.questions import Bomb, Piggyback, Question, SilentBank, WhichSetAside
from companion.table.state.state import Play, TableState
from companion.table.state.text import explained, why
from companion.table.throws.selection import allowed_throws, bank_selection, pending_selection, selections
from companion.table.view import (
    DieView,
    LastView,
    LobbyView,
    MessageView,
    MomentView,
    PlayerView,
    QuestionView,
    ReadingView,
    SelectionView,
    SoundView,
    View,
)
from companion.words import words
from dicereader.reading import ReadDie, Zone
from farkle.errors import FarkleError
from farkle.game.choices import swap_partners
from farkle.game.commands import Keep
from farkle.game.events import DiceRolled, Farkled, TurnBanked, TurnPassed
from farkle.game.machine import course_of
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.state import GameState, Phase
from farkle.game.turn import IN_A_ROW
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.selections import find_selection
from farkle.rules.switches import Value
from pegboard.palette import mark

PICTURE = "/api/v1/tray.jpg?v={}"
"""The address of the picture of a reading, by the reading's number."""


def view(state: TableState) -> View:
    """Return the view of a table; the same state always gives the same view."""
    play, game = state.play, state.game
    asks = prompt(state)
    refused = dict.fromkeys(("keep", "bank"), words("refused.asleep")) if only_wakes(state) else refusals(state)
    kept, bank = pending_selection(state), bank_selection(state)
    said = state.complaint.says.text if state.complaint is not None else state.announced
    asking = state.question is not None or state.menu is not None
    urgent = None if asking else state.complaint
    told_all = urgent is not None and urgent.dice > 0  # a complaint about dice says what to do
    over = game is not None and game.over
    bank_hole = _hole_ahead(play, play.game.turn.points + bank.points) if play and bank else None
    return View(
        seq=state.seq,
        simulated=state.simulated,
        phase=phase(state),
        rules=game.rules.key if game else None,
        title=game.rules.title if game else "",
        settings=game.rules.settings() if game else _offered_settings(state.lobby),
        target=game.rules.switches.target if game else 0,
        finish=_hole_at(play, play.game.rules.switches.target) if play else 0,
        track=play.track if play else state.lobby.holes,
        to_move=play.game.players[play.to_move] if play and not over else None,
        players=_players(state, play) if play else (),
        teams=teams_of(game) if game else {},
        roll=_roll(state, game) if game else (),
        shelf=_on_shelf(state),
        locked=game.turn.locked if game else (),
        turn_points=game.turn.points if game else 0,
        dice_to_throw=dice_due(state) if game and not over else 0,
        may_throw=allowed_throws(state),
        throw_seq=play.history[-1].throws if play else 0,
        selections=tuple(_selection(each) for each in selections(state)),
        chosen=_selection(kept) if kept else None,
        bank=_selection(bank) if bank else None,
        bank_hole=bank_hole,
        farkle_limit=_farkle_limit(game) if game else None,
        reading=_reading(state),
        picture_size=state.observation.size if state.observation else None,
        legal=tuple(button.value for button in Button if button.value not in refused),
        refused=refused,
        question=_question(state, bank_hole),
        message=MessageView(
            text=asks.text if asking else said if told_all else f"{said} {asks.text}".strip(),
            short=urgent.says.short if urgent else asks.short,
            told=state.announced,
        ),
        final_round=game is not None and game.closer is not None and not over,
        winners=tuple(side_name(game, side) for side in game.winners) if game else (),
        loser=None if game is None or game.loser is None else side_name(game, game.loser),
        out_of_step=state.out_of_step,
        blind=any(part in SEEING for part, _ in state.faults),
        undo=bool(step_back_caption(state)),
        last=_last(play) if play else None,
        degraded=tuple(said for _, said in state.faults),
        lobby=_lobby(state),
        look=state.complaint.dice if state.complaint is not None else 0,
        rest=state.idle,
        by_hand=state.manual,
        captions=captions(state),
        next=next_step(state),
        first_turn=_in_first_turn(state),
        moments=tuple(MomentView(each.kind, each.text) for each in moments(state)),
        sound=None if state.sound is None else SoundView(state.sound.volume, state.sound.muted),
        count_unit=count_unit(game.rules) if game else 1,
        address_digits=address_digits(state),
    )


def _in_first_turn(state: TableState) -> bool:
    """Return whether this is the first turn of the first game on this table."""
    if not state.under_way or state.current.number != 1:
        return False
    return not any(isinstance(event, TurnPassed) for each in state.history for event in each.act.game_events)


def _offered_settings(lobby: Lobby) -> dict[str, Value]:
    """Return the switches of the draft; those that do not fit together as they were given."""
    try:
        return lobby.rules.with_settings(lobby.settings).settings()
    except FarkleError:
        return {name: value for name, value in lobby.settings.items() if isinstance(value, int | str)}


def _lobby(state: TableState) -> LobbyView:
    lobby = state.lobby
    names = names_problem(lobby) if state.in_lobby else ""
    rules = rules_problem(lobby) if state.in_lobby and not names else ""
    return LobbyView(
        players=len(lobby.names),
        rules=lobby.rules.key,
        open=state.in_lobby,
        title=lobby.rules.title,
        names=lobby.names,
        called=lobby.players,
        teams=lobby.teams,
        start=lobby.start,
        settings=_offered_settings(lobby),
        track=lobby.holes,
        problem=names or rules,
        about="names" if names else "rules" if rules else "",
    )


def _players(state: TableState, play: Play) -> tuple[PlayerView, ...]:
    """Return every player as shown."""
    game = play.game
    ranks = places(game)
    found: list[PlayerView] = []
    for index, name in enumerate(game.players):
        side = game.side_of(index)
        score = game.sides[side].score
        look = mark(side)
        ahead = _at_risk(state, game) if index == play.to_move and not game.over else 0
        found.append(
            PlayerView(
                name=name,
                color=look.colour.hex,
                shape=look.shape.value,
                side=side,
                score=score,
                position=position(score, game.rules.points_a_hole(play.track)),
                hole=_hole_at(play, score),
                front_hole=_hole_at(play, score + ahead),
                farkles=game.seats[index].farkles,
                out=game.sides[side].out > 0,
                place=ranks[side],
                half=_half(play, score),
                front_half=_half(play, score + ahead),
            )
        )
    return tuple(found)


def _at_risk(state: TableState, game: GameState) -> int:
    kept = pending_selection(state)
    return game.turn.points + (kept.points if kept else 0)


def _half(play: Play, points: int) -> bool:
    """Return whether a peg at these points stands half a hole beyond its hole, on the track."""
    ratio = play.game.rules.points_a_hole(play.track)
    place, rest = divmod(points, ratio)
    return 0 <= place < play.track and 0 < ratio <= 2 * rest


def _hole_at(play: Play, points: int) -> int:
    """Return the hole for these points."""
    return hole(position(points, play.game.rules.points_a_hole(play.track)), play.track)


def _hole_ahead(play: Play, points: int) -> int:
    """Return the hole of the side to move with `points` more."""
    return _hole_at(play, play.game.sides[play.game.side_to_move].score + points)


def _farkle_limit(game: GameState) -> int | None:
    """Return how many farkles in a row cost something, or None if none do."""
    return IN_A_ROW if game.rules.farkles_cost or game.rules.switches.three_strikes_out else None


def _roll(state: TableState, game: GameState) -> Faces:
    """Return the dice to choose from, or those of the farkle that is shown."""
    if game.phase is Phase.CHOOSING:
        return game.turn.roll
    return state.farkled.faces if state.farkled else ()


def _selection(selection: Selection) -> SelectionView:
    return SelectionView(
        selection.dice, selection.points, selection.totals, explained(selection), selection.parts, why(selection)
    )


def _question(state: TableState, bank_hole: int | None) -> QuestionView | None:
    if state.menu is not None:
        menu, text = state.menu, menu_message(state, state.menu).text
        keys = tuple(ITEM_KEYS.get(item, "") for item in menu.items)
        wanted = DO_IT if next_step(state) == "bank" else GO_ON if menu.kind != "adjust" else menu.items[0]
        return QuestionView(text, menu.items, "menu", place=menu.place, keys=keys, next=menu.items.index(wanted))
    question = state.question
    if question is None:
        return None
    return QuestionView(
        question.asks.text,
        question.answers,
        kind_of(question).kind,
        _outcomes(state.play, question, bank_hole) if state.under_way and state.play else (),
        face=None if question.die is None else question.faces[question.die],
        die=question.die,
        bank=question.bank,
        faces=question.faces,
    )


def _outcomes(play: Play, question: Question, bank_hole: int | None) -> tuple[int, ...]:
    """Return the holes to which the answers lead, in their order; none if they move no peg."""
    game = play.game

    def ahead(dice: Faces) -> int:
        return _hole_ahead(play, game.turn.points + find_selection(game.rules, game.turn.roll, dice).points)

    match question:
        case WhichSetAside(choices=choices):
            return tuple(ahead(dice) for dice in choices)
        case SilentBank() if bank_hole is not None:
            return (bank_hole, _hole_ahead(play, 0))
        case Piggyback() if game.left_over is not None:
            return (_hole_ahead(play, game.turn.points + game.left_over.points), _hole_ahead(play, game.turn.points))
        case Bomb(kept=dice):
            partners = swap_partners(course_of(game, Keep(dice)).state)
            return (ahead(dice), *(_hole_at(play, game.sides[side].score) for side in partners))
        case _:
            return ()


def _on_shelf(state: TableState) -> Faces:
    if state.observation is None:
        return ()
    dice, hopped = state.observation.reading.dice, state.observation.episode.hopped
    return tuple(die.face for i, die in enumerate(dice) if die.zone is Zone.SHELF and i not in hopped)


def _reading(state: TableState) -> ReadingView | None:
    seen = state.observation
    if seen is None:
        return None
    dice = tuple(_die(die) for die in seen.reading.dice)
    return ReadingView(seen.reading.sure, dice, PICTURE.format(seen.number), seen.shelf)


def _die(die: ReadDie) -> DieView:
    return DieView(
        face=die.face,
        box=(die.box.x, die.box.y, die.box.w, die.box.h),
        outline=tuple((round(x, 1), round(y, 1)) for x, y in die.outline),
        confidence=round(die.confidence, 4),
        zone=die.zone.value if die.zone else None,
        doubts=tuple(doubt.value for doubt in die.doubts),
    )


def _last(play: Play) -> LastView | None:
    names = play.game.players
    for event in reversed(play.newest.events):
        match event:
            case TurnBanked(player=player, points=points):
                return LastView("bank", names[player], points)
            case Farkled(player=player, lost=lost):
                return LastView("farkle", names[player], lost)
            case DiceRolled(player=player):
                return LastView("roll", names[player], 0)
            case SelectionChosen(points=points):
                return LastView("choose", names[play.game.to_move], points)
            case _:
                pass
    return None
