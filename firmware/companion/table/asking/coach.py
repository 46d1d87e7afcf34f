"""The table's coach: its menu, which switches each part on or off, and a hold of BANK, which asks it.

The coach works elsewhere, on a thread of its own. The table only notes that it was asked about this moment.
"""

from dataclasses import replace

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


def coach_menu(state: TableState, place: int = 0) -> Menu:
    """Return the menu of the coach: an item for each part, which switches it on, or off where it is on."""
    return Menu("coach", (*_items(state), GO_ON), place)


def switch_part(state: TableState, item: Option) -> Step:
    """Switch one part of the coach on or off, for this game and later ones; the menu stays open."""
    part = CoachPart(item.id.removeprefix("coach_").removesuffix("_off"))
    on = part not in state.coach
    chosen = parts_named({*state.coach, part} if on else {*state.coach} - {part})
    said = message(f"said.{_key(part, on=on)}")
    made = act_aside(state, CoachChosen(tuple(each.value for each in chosen)), said)
    after = replace(made.state, menu=coach_menu(made.state, list(CoachPart).index(part)), coach_asked=False)
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


def _items(state: TableState) -> tuple[Option, ...]:
    return tuple(menu_option(_key(part, on=part not in state.coach)) for part in CoachPart)


def _key(part: CoachPart, *, on: bool) -> str:
    """Return the key of the words by which a part is switched on or off."""
    return f"coach_{part.value}" if on else f"coach_{part.value}_off"
