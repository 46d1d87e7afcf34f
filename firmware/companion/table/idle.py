"""What a table does as time passes and nothing happens. Nothing here ever changes a score."""

from dataclasses import replace

from companion.table.acts import Step, speak_complaint
from companion.table.cues import Cue, CueKind
from companion.table.manual_entry import ask_how_to_go_on
from companion.table.state import IdleStage, TableState
from companion.table.timers import asks_at, complains_at, idles_at

STAGES = tuple(IdleStage)


def tick(state: TableState, now: float) -> Step:
    """Do the first thing that is due at `now`; the host sends the next Tick at once if another is due."""
    if state.farkled is not None and now >= state.farkled.until_s:
        return Step(replace(state, farkled=None))
    if state.complaint is not None and (due := complains_at(state)) is not None and now >= due:
        return speak_complaint(state, state.complaint, now)
    if (due := asks_at(state)) is not None and now >= due:
        return ask_how_to_go_on(state)
    if (due := idles_at(state)) is not None and now >= due:
        stage = STAGES[STAGES.index(state.idle) + 1]
        calls = stage is IdleStage.CALLED and state.under_way and state.question is None
        return Step(replace(state, idle=stage), cues=(Cue(CueKind.TURN),) if calls else ())
    return Step(state)


def awake(state: TableState, now: float) -> TableState:
    """Return the state of a table where something has just happened."""
    return replace(state, idle=IdleStage.AWAKE, active_s=now)


def only_wakes(state: TableState) -> bool:
    """Return whether a press only wakes the table: asleep, or with nobody playing."""
    nobody = not state.under_way and state.menu is None and state.idle in (IdleStage.CALLED, IdleStage.DIM)
    return state.idle is IdleStage.ASLEEP or nobody
