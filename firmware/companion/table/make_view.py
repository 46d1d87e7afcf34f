"""Make the view of a table from its state and nothing else."""

from collections.abc import Collection

from companion.table.asking.address import address_digits
from companion.table.asking.answers import kind_of, step_back_caption
from companion.table.asking.manual_entry import SEEING, count_unit
from companion.table.asking.menu import DO_IT, menu_message
from companion.table.buttons.buttons import captions
from companion.table.buttons.modes import Refusals, Situation, situation_of
from companion.table.buttons.next_step import glows, next_step
from companion.table.buttons.prompt import ahead, prompt
from companion.table.lobby.next_starter import SEAT
from companion.table.outlook import outlook
from companion.table.shown_tournament import shown_tournament
from companion.table.state.draft import DraftProblem, GameDraft, problem_of
from companion.table.state.events import SelectionChosen
from companion.table.state.inputs import Button
from companion.table.state.moments import moments
from companion.table.state.play import Play
from companion.table.state.presses import NextStep
from companion.table.state.questions import (
    GO_ON,
    AreYouSure,
    Bomb,
    Option,
    Piggyback,
    Question,
    SilentBank,
    WhichSetAside,
)
from companion.table.state.skunk import finish_of, skunk_lines, skunks_of
from companion.table.state.state import ManualEntry, TableState
from companion.table.state.text import explained, reason
from companion.table.state.turn import TurnOptions
from companion.table.throws.selection import allowed_throws, dice_due
from companion.table.view import (
    BotView,
    CoachView,
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
from companion.words import NOTHING, Text, joined, message
from dicereader.reading import ReadDie, Zone
from farkle.errors import FarkleError
from farkle.game.choices import swap_partners
from farkle.game.commands import Keep
from farkle.game.events import DiceRolled, Farkled, TurnBanked, TurnPassed
from farkle.game.machine import course_of
from farkle.game.order import is_last_round
from farkle.game.standing import hole, places, position, side_name, teams_of
from farkle.game.state import GameState, Phase
from farkle.game.turn import IN_A_ROW
from farkle.rules.dice import Faces
from farkle.rules.scoring import Selection
from farkle.rules.switches import Value
from pegboard.palette import mark
from pegboard.track import skunk_holes

PICTURE = "/api/v1/tray.jpg?v={}"
"""The address of the picture of a reading, by the reading's number."""


def view(state: TableState) -> View:
    """Return the view of a table; the same state always gives the same view."""
    at = situation_of(state)
    turn, following = at.turn, next_step(at)
    play, game = state.play, state.game
    asks = prompt(at, following)
    asleep: Refusals = dict.fromkeys(("keep", "bank"), message("refused.asleep"))
    refused = asleep if at.wakes else at.refused
    bank = turn.bank
    track = play.track if play else state.lobby.draft.holes(state.tracks)
    selections = _selections((*turn.selections, *filter(None, (turn.pending, bank))))
    said = state.complaint.says.text if state.complaint is not None else state.announced
    asking = state.question is not None or state.menu is not None
    urgent = None if asking else state.complaint
    told_all = urgent is not None and urgent.dice > 0  # a complaint about dice says what to do
    over = game is not None and game.over
    bank_hole = _hole_ahead(play, game.turn.points + bank.points) if play and game and bank else None
    return View(
        seq=state.seq,
        version=0,
        simulated=state.simulated,
        phase=at.phase,
        rules=game.rules.key if game else None,
        title=game.rules.title if game else "",
        settings=game.rules.settings() if game else _offered_settings(state.lobby.draft),
        target=game.rules.goal if game else 0,
        finish=finish_of(game, play.track) if play and game else 0,
        skunk_lines=skunk_lines(game, track) if game else skunk_holes(track),
        track=track,
        to_move=game.players[play.to_move] if play and game and not over else None,
        players=_players(state, play, turn) if play else (),
        teams=teams_of(game) if game else {},
        roll=_roll(state, game) if game else (),
        shelf=_on_shelf(state),
        locked=game.turn.locked if game else (),
        turn_points=game.turn.points if game else 0,
        dice_to_throw=dice_due(state, turn) if game and not over else 0,
        may_throw=allowed_throws(state, turn),
        throw_seq=play.history[-1].throws if play else 0,
        selections=tuple(map(selections.__getitem__, turn.selections)),
        chosen=selections[turn.pending] if turn.pending else None,
        bank=selections[bank] if bank else None,
        bank_hole=bank_hole,
        farkle_limit=_farkle_limit(game) if game else None,
        reading=_reading(state),
        picture_size=state.observation.size if state.observation else None,
        legal=tuple(button.value for button in Button if button.value not in refused),
        refused=refused,
        question=_question(at, following, bank_hole),
        message=MessageView(
            text=asks.text if asking else said if told_all else joined(said, asks.text),
            short=urgent.says.short if urgent else asks.short,
            told=state.announced,
        ),
        outlook=outlook(game, turn.pending.points if turn.pending else 0) if game else NOTHING,
        final_round=game is not None and is_last_round(game) and not over,
        winners=tuple(side_name(game, side) for side in game.winners) if game else (),
        loser=None if game is None or game.loser is None else side_name(game, game.loser),
        begins=play.begins if play else SEAT,
        out_of_step=state.out_of_step,
        blind=any(part in SEEING for part, _ in state.faults),
        undo=bool(step_back_caption(state)),
        last=_last(play) if play else None,
        degraded=tuple(said for _, said in state.faults),
        lobby=_lobby(state),
        look=state.complaint.dice if state.complaint is not None else 0,
        rest=state.idle,
        by_hand=state.manual,
        captions=captions(at),
        next=following,
        glows=glows(at),
        first_turn=_in_first_turn(state),
        moments=tuple(MomentView(each.kind, each.text) for each in moments(state)),
        sound=None if state.sound is None else SoundView(state.sound.volume, state.sound.muted),
        count_unit=count_unit(game.rules) if game else 1,
        address_digits=address_digits(state),
        round=game.round if game else 0,
        rounds=game.rules.switches.rounds if game else 0,
        ahead=ahead(play.game) if play and not over else NOTHING,
        asks=state.asks,
        lets_in=state.lets_in,
        door_open=state.door_open,
        sets_up=state.sets_up,
        by=state.by,
        bot=_bot(state),
        coach=CoachView(state.coach, state.coach_asked),
        tournament=shown_tournament(state),
    )


def _bot(state: TableState) -> BotView | None:
    """Return the bot to move, or None."""
    if state.bot is None:
        return None
    banks = state.current.bot_banks
    return BotView(state.bot.kind, "" if banks is None else "bank" if banks else "throw", state.bot_waits)


def _in_first_turn(state: TableState) -> bool:
    """Return whether this is the first turn of the first game on this table."""
    if not state.under_way or state.current.number != 1:
        return False
    return all(TurnPassed not in map(type, each.act.events) for each in state.history)


def _offered_settings(draft: GameDraft) -> dict[str, Value]:
    """Return the switches of the draft; switches that do not fit together stay as they were given."""
    try:
        return draft.rules.with_settings(draft.settings).settings()
    except FarkleError:
        return {name: value for name, value in draft.settings.items() if isinstance(value, int | str)}


def _lobby(state: TableState) -> LobbyView:
    draft = state.lobby.draft
    holes = draft.holes(state.tracks)
    problem = problem_of(draft, state.tracks, state.bots) if state.in_lobby else DraftProblem()
    return LobbyView(
        players=len(draft.names),
        rules=draft.rules.key,
        open=state.in_lobby,
        title=draft.rules.title,
        names=draft.names,
        called=draft.players,
        teams=draft.teams,
        start=draft.start,
        settings=_offered_settings(draft),
        track=holes,
        tracks=tuple(sorted({*state.tracks.offered, holes})),
        problem=problem.text,
        about=problem.about,
        own_rules={rules.key: rules.title for rules in state.own_rules},
        bots=tuple([kind.name for kind in state.bots]),
        plays=draft.plays,
    )


def _players(state: TableState, play: Play, turn: TurnOptions) -> tuple[PlayerView, ...]:
    """Return every player as shown."""
    game, to_move = play.game, None if play.game.over else play.to_move
    ranks, ratio = places(game), game.rules.points_a_hole(play.track)
    skunks, goal = skunks_of(game, play.track), game.rules.goal
    at_risk = game.turn.points + (turn.pending.points if turn.pending else 0)
    bots = {bot.player: bot.kind for bot in play.bots}
    found: list[PlayerView] = []
    for index, (name, seat) in enumerate(zip(game.players, game.seats, strict=True)):
        side = game.side_of(index)
        peg, look = game.sides[side], mark(side)
        back = _peg(play.track, ratio, peg.score)
        front = _peg(play.track, ratio, peg.score + at_risk) if index == to_move else back
        found.append(
            PlayerView(
                name=name,
                color=look.colour.hex,
                shape=look.shape.value,
                side=side,
                score=peg.score,
                position=position(peg.score, ratio),
                hole=back[0],
                front_hole=front[0],
                farkles=seat.farkles,
                phones=() if index in bots else state.seats.get(name, ()),
                out=peg.out > 0,
                place=ranks[side],
                half=back[1],
                front_half=front[1],
                skunk=skunks[side],
                needs=max(0, goal - peg.score) if goal else 0,
                bot=bots.get(index, ""),
            )
        )
    return tuple(found)


def _peg(track: int, ratio: int, points: int) -> tuple[int, bool]:
    """Return the hole for these points, and whether a peg stands half a hole beyond it, on the track."""
    place, rest = divmod(points, ratio)
    return hole(place, track), 0 <= place < track and 0 < ratio <= 2 * rest


def _hole_at(play: Play, points: int) -> int:
    """Return the hole for these points."""
    return hole(position(points, play.game.rules.points_a_hole(play.track)), play.track)


def _hole_ahead(play: Play, points: int) -> int:
    """Return the hole of the side to move after `points` more."""
    game = play.game
    return _hole_at(play, game.sides[game.side_to_move].score + points)


def _farkle_limit(game: GameState) -> int | None:
    """Return how many farkles in a row cost something, or None if farkles in a row cost nothing."""
    return IN_A_ROW if game.rules.farkles_cost or game.rules.switches.three_strikes_out else None


def _roll(state: TableState, game: GameState) -> Faces:
    """Return the dice to choose from, or those of the farkle that is shown; none while the players count."""
    if state.manual is ManualEntry.COUNTING:
        return ()
    if game.phase is Phase.CHOOSING:
        return game.turn.roll
    return state.farkled.faces if state.farkled else ()


def _selections(selections: Collection[Selection]) -> dict[Selection, SelectionView]:
    """Return how each selection is shown."""
    return {
        each: SelectionView(each.dice, each.points, each.totals, explained(each), each.parts, reason(each))
        for each in selections
    }


def _question(at: Situation, following: NextStep, bank_hole: int | None) -> QuestionView | None:
    state = at.state
    if state.menu is not None:
        menu, text = state.menu, menu_message(state, state.menu).text
        wanted = DO_IT if following == "bank" else GO_ON.id if menu.kind != "adjust" else menu.items[0].id
        place = [each.id for each in menu.items].index(wanted)
        return QuestionView(text, *_options(menu.items), kind="menu", place=menu.place, next=place)
    question = state.question
    if question is None:
        return None
    return QuestionView(
        question.asks.text,
        *_options(question.answers),
        kind_of(question).kind,
        _outcomes(state.play, at.turn, question, bank_hole) if state.under_way and state.play else (),
        face=None if question.die is None else question.faces[question.die],
        die=question.die,
        bank=question.bank,
        faces=question.faces,
        by=question.by if isinstance(question, AreYouSure) else "",
    )


def _options(options: Collection[Option]) -> tuple[tuple[Text, ...], tuple[str, ...]]:
    """Return the words and the names of the answers to a question, or of a menu's items."""
    return tuple(each.words for each in options), tuple(each.id for each in options)


def _outcomes(play: Play, turn: TurnOptions, question: Question, bank_hole: int | None) -> tuple[int, ...]:
    """Return the holes to which the answers lead, in their order; empty if they move no peg."""
    game = play.game

    def ahead(dice: Faces) -> int:
        kept = next(each for each in turn.selections if sorted(each.dice) == sorted(dice))
        return _hole_ahead(play, game.turn.points + kept.points)

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
    dice = tuple(map(_die, seen.reading.dice))
    return ReadingView(seen.reading.sure, dice, PICTURE.format(seen.number), seen.shelf)


def _die(die: ReadDie) -> DieView:
    return DieView(
        face=die.face,
        box=(die.box.x, die.box.y, die.box.w, die.box.h),
        outline=tuple([(round(x, 1), round(y, 1)) for x, y in die.outline]),
        confidence=round(die.confidence, 4),
        zone=die.zone.value if die.zone else None,
        doubts=tuple([doubt.value for doubt in die.doubts]),
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
