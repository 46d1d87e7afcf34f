"""The table's coach: its menu, which switches each part on or off, and a hold of BANK, which asks it.

The coach works elsewhere, on a thread of its own. The table only notes that it was asked about this moment.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.errors import RefusedError
from companion.table.state.acts import Step, act_aside
from companion.table.state.coach_parts import CoachPart, parts_named
from companion.table.state.cues import Cue, CueKind
from companion.table.state.events import CoachChosen
from companion.table.state.questions import GO_ON, Option, menu_option
from companion.table.state.state import Menu, TableState
from companion.table.throws.bot_turn import why_bot
from companion.words import Text, message
from dicereader.reading import Motion


@dataclass(frozen=True)
class _Switch:
    """An item of the coach's menu: the part that it switches, on or off, and the key of what is said then."""

    part: CoachPart
    on: bool
    said: str


SWITCHES: Mapping[str, _Switch] = {
    "coach_ask": _Switch(CoachPart.ASK, True, "said.coach_ask"),
    "coach_ask_off": _Switch(CoachPart.ASK, False, "said.coach_ask_off"),
    "coach_odds": _Switch(CoachPart.ODDS, True, "said.coach_odds"),
    "coach_odds_off": _Switch(CoachPart.ODDS, False, "said.coach_odds_off"),
    "coach_lamps": _Switch(CoachPart.LAMPS, True, "said.coach_lamps"),
    "coach_lamps_off": _Switch(CoachPart.LAMPS, False, "said.coach_lamps_off"),
    "coach_after": _Switch(CoachPart.AFTER, True, "said.coach_after"),
    "coach_after_off": _Switch(CoachPart.AFTER, False, "said.coach_after_off"),
}
"""The items of the menu by their names."""


def coach_menu(state: TableState, place: int = 0) -> Menu:
    """Return the menu of the coach: an item for each part, which switches it on, or off where it is on."""
    items = (menu_option(name) for name, each in SWITCHES.items() if each.on == (each.part not in state.coach))
    return Menu("coach", (*items, GO_ON), place)


def switch_part(state: TableState, item: Option) -> Step:
    """Switch one part of the coach on or off, for this game and later ones; the menu stays open."""
    switch = SWITCHES[item.id]
    chosen = {*state.coach, switch.part} if switch.on else {*state.coach} - {switch.part}
    said = message(switch.said)
    made = act_aside(state, CoachChosen(tuple(part.value for part in parts_named(chosen))), said)
    menu = coach_menu(made.state, list(CoachPart).index(switch.part))
    after = replace(made.state, menu=menu, coach_asked=False)
    return replace(made, state=after, cues=(Cue(CueKind.CHANGED, said),))


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
