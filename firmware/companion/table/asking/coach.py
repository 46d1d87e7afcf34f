"""The table's coach: its menu, which switches each part on or off, and a hold of BANK, which asks it.

The coach works elsewhere, on a thread of its own. The table only notes that it was asked about this moment.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.state.acts import Handlers, Step, act_aside
from companion.table.state.coach_parts import CoachPart, parts_named
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import CoachChosen
from companion.table.state.menus import CLOSES, Menu, SwitchCoach, entry
from companion.table.state.state import TableState
from companion.table.throws.bot_turn import why_bot
from companion.words import Text, message
from dicereader.reading import Motion

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


def shown_coach(state: TableState) -> CoachShown:
    """Return how the coach is shown."""
    return CoachShown(CoachView(state.coach, state.coach_asked))


def coach_menu(state: TableState, place: int = 0) -> Menu:
    """Return the menu of the coach: an entry for each part, which switches it on, or off where it is on."""
    entries = [entry(name, each) for each, (name, _) in SWITCHES.items() if each.on == (each.part not in state.coach)]
    return Menu("coach", (*entries, CLOSES), place)


def switch_part(state: TableState, given: SwitchCoach) -> Step:
    """Switch one part of the coach on or off, for this game and later ones; the menu stays open."""
    chosen = {*state.coach, given.part} if given.on else {*state.coach} - {given.part}
    said = message(SWITCHES[replace(given, by="")][1])
    made = act_aside(state, CoachChosen(tuple(part.value for part in parts_named(chosen))), said)
    menu = state.menu and coach_menu(made.state, list(CoachPart).index(given.part))
    return replace(made, state=replace(made.state, menu=menu, coach_asked=False), cues=(Cue(CueKind.CHANGED, said),))


def why_no_coach(state: TableState) -> Text | None:
    """Return why the coach cannot be asked now, or None if it can be."""
    if CoachPart.ASK not in state.coach:
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
    return Step(replace(state, coach_asked=True), cues=(Cue(CueKind.COACH),))


HANDLERS: Handlers = {
    SwitchCoach: lambda state, given, _: switch_part(state, given),
}
