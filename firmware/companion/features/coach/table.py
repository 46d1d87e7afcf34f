"""The table's coach: its menu, which switches each part on or off, and a hold of BANK, which asks it.

The coach works elsewhere, on a thread of its own. The table only notes that it was asked about this moment.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.errors import RefusedError
from companion.table.feature import HeldBank, Item, MenuKind, TableFeature
from companion.table.state.acts import Step, act_aside
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import Aside
from companion.table.state.inputs import Input
from companion.table.state.menus import CLOSES, Menu, OpenMenu, entry
from companion.table.state.seen import ManualEntry
from companion.table.state.state import Play, TableState
from companion.table.throws.bot_turn import why_bot
from companion.words import NOTHING, Text, message
from dicereader.reading import Motion
from farkle.game.events import Farkled, TurnBanked
from farkle.game.state import Phase
from farkle.rules.dice import Faces


class CoachPart(StrEnum):
    """One thing that the coach does for the whole table."""

    ASK = "ask"  # answers when BANK is held
    ODDS = "odds"  # a quiet line on the pages
    LAMPS = "lamps"  # the better of BANK and ROLL breathes
    AFTER = "after"  # says after a turn what was given away


def parts_named(names: Iterable[str]) -> tuple[CoachPart, ...]:
    """Return the parts of these names, each once, in the order of `CoachPart`; an unknown name raises `ValueError`."""
    wanted = set(map(CoachPart, names))
    return tuple(part for part in CoachPart if part in wanted)


@dataclass(frozen=True)
class CoachChosen(Aside):
    """The whole table wants these parts of the coach from now on, by their names in `CoachPart`."""

    parts: tuple[str, ...]


@dataclass(frozen=True)
class SwitchCoach(Input):
    """A part of the coach is switched on or off."""

    part: CoachPart
    on: bool


@dataclass(frozen=True)
class CoachNote:
    """The coach of a table where nobody has chosen its parts, and the moment that somebody has asked about."""

    usual: tuple[CoachPart, ...] = ()
    asked_at: tuple[int, Faces] | None = None


SWITCHES: Mapping[SwitchCoach, tuple[str, str]] = {
    SwitchCoach(CoachPart.ASK, on=True): ("coach_ask", "said.coach_ask"),
    SwitchCoach(CoachPart.ASK, on=False): ("coach_ask_off", "said.coach_ask_off"),
    SwitchCoach(CoachPart.ODDS, on=True): ("coach_odds", "said.coach_odds"),
    SwitchCoach(CoachPart.ODDS, on=False): ("coach_odds_off", "said.coach_odds_off"),
    SwitchCoach(CoachPart.LAMPS, on=True): ("coach_lamps", "said.coach_lamps"),
    SwitchCoach(CoachPart.LAMPS, on=False): ("coach_lamps_off", "said.coach_lamps_off"),
    SwitchCoach(CoachPart.AFTER, on=True): ("coach_after", "said.coach_after"),
    SwitchCoach(CoachPart.AFTER, on=False): ("coach_after_off", "said.coach_after_off"),
}
"""What the menu may offer: the name of each entry, and the key of what is said then."""


@dataclass(frozen=True)
class CoachView:
    """What the whole table wants of the coach, never what the coach says: that has an address of its own."""

    parts: tuple[CoachPart, ...] = ()
    """The parts that are switched on."""
    asked: bool = False
    """Whether somebody has asked about this moment, so that every page of a player shows the answer."""


@dataclass(frozen=True)
class CoachShown:
    """The coach."""

    coach: CoachView
    """What the table wants of the coach."""


def parts_on(state: TableState) -> tuple[CoachPart, ...]:
    """Return the parts of the coach that the whole table wants."""
    chosen = None if state.play is None else state.play.last(CoachChosen)
    return state.note(CoachNote).usual if chosen is None else parts_named(chosen.parts)


def is_asked(state: TableState) -> bool:
    """Return whether somebody has asked the coach about this moment."""
    asked_at = state.note(CoachNote).asked_at
    return asked_at is not None and state.motion is Motion.STILL and asked_at == _moment(state)


def _moment(state: TableState) -> tuple[int, Faces]:
    return state.seq, state.set_aside


def in_a_turn(state: TableState) -> bool:
    """Return whether a turn is under way or to begin, whose dice the table reads."""
    counting = state.manual is ManualEntry.COUNTING
    return state.under_way and not counting and state.current.start_thrower is None


def turn_ended(state: TableState) -> bool:
    """Return whether the newest act ended a turn, and nobody has thrown since."""
    play = state.play
    if play is None or state.lobby.open or play.act.number != state.seq:
        return False
    game = play.game
    if not game.over and (game.phase is not Phase.TO_THROW or game.turn.begun):
        return False
    return any(isinstance(event, TurnBanked | Farkled) for event in play.act.game_events)


def coach_menu(state: TableState, place: int = 0) -> Menu:
    """Return the menu of the coach: an entry for each part, which switches it on, or off where it is on."""
    entries = [
        entry(name, each) for each, (name, _) in SWITCHES.items() if each.on == (each.part not in parts_on(state))
    ]
    return Menu("coach", (*entries, CLOSES), place)


def switch_part(state: TableState, given: SwitchCoach) -> Step:
    """Switch one part of the coach on or off, for this game and later ones; the menu stays open."""
    before = parts_on(state)
    chosen = {*before, given.part} if given.on else {*before} - {given.part}
    said = message(SWITCHES[replace(given, by="")][1])
    made = act_aside(state, CoachChosen(tuple(part.value for part in parts_named(chosen))), said)
    menu = state.menu and coach_menu(made.state, list(CoachPart).index(given.part))
    return replace(made, state=replace(made.state, menu=menu), cues=(Cue(CueKind.CHANGED, said),))


def why_no_coach(state: TableState) -> Text | None:
    """Return why the coach cannot be asked now, or None if it can be."""
    if CoachPart.ASK not in parts_on(state):
        return message("refused.coach_off")
    if state.motion is not Motion.STILL:
        return message("refused.dice_moving")
    return why_bot(state)


def ask_coach(state: TableState) -> Step:
    """Ask the coach about this moment.

    Raises:
        RefusedError: if it is off, the dice move, or a bot decides.
    """
    if (why := why_no_coach(state)) is not None:
        raise RefusedError(why)
    asked = replace(state.note(CoachNote), asked_at=_moment(state))
    return Step(state.with_note(asked), cues=(Cue(CueKind.COACH),))


def carried(play: Play | None) -> tuple[CoachChosen, ...]:
    """Return the event that hands the choice of a game over to the next one; none where nobody has chosen."""
    chosen = None if play is None else play.last(CoachChosen)
    return () if chosen is None else (chosen,)


COACH = TableFeature(
    "coach",
    handlers={SwitchCoach: lambda state, given, _: switch_part(state, given)},
    part=CoachShown,
    shown=lambda state: CoachShown(CoachView(parts_on(state), is_asked(state))),
    items={"coach": Item(lambda state: state.play is not None, lambda _: OpenMenu("coach"))},
    menus={"coach": MenuKind("menu.coach_is", lambda state, _: coach_menu(state), stays=True)},
    plans=lambda state, plan: replace(plan, events=(*plan.events, *carried(state.play))),
    resumes=lambda _, before: carried(before),
    held_bank=HeldBank(
        ask_coach, lambda state: NOTHING if why_no_coach(state) is not None else message("caption.ask_coach")
    ),
)
"""The coach at the table."""
