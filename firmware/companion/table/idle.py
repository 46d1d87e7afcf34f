"""Resting: what a table does as time passes and nothing happens. Nothing here ever changes a score."""

from dataclasses import replace

from companion.table.acts import Step
from companion.table.asking import complained
from companion.table.cues import Cue, CueKind
from companion.table.manual_entry import how_to_go_on
from companion.table.state import Rest, TableState
from companion.table.timers import asks_at, complains_at, tires_at

STAGES = tuple(Rest)


def tick(state: TableState, now: float) -> Step:
    """The step of whatever is due at `now`; one thing a Tick, the host sends the next at once."""
    if state.farkled is not None and now >= state.farkled.until_s:
        return Step(replace(state, farkled=None))
    if (due := complains_at(state)) is not None and now >= due:
        return complained(state, now)
    if (due := asks_at(state)) is not None and now >= due:
        return how_to_go_on(state)
    if (due := tires_at(state)) is not None and now >= due:
        rest = STAGES[STAGES.index(state.rest) + 1]
        calls = rest is Rest.CALLED and state.game is not None and not (state.game.over or state.in_lobby)
        return Step(replace(state, rest=rest), cues=(Cue(CueKind.TURN),) if calls and state.question is None else ())
    return Step(state)


def woken(state: TableState, now: float) -> TableState:
    """The state of a table where something has just happened."""
    return replace(state, rest=Rest.AWAKE, active_s=now)


def only_wakes(state: TableState) -> bool:
    """Whether a press only wakes the table: asleep, or with nobody playing."""
    idle = state.game is None or state.game.over or state.in_lobby
    return state.rest is Rest.ASLEEP or (idle and state.menu is None and state.rest in (Rest.CALLED, Rest.DIM))
