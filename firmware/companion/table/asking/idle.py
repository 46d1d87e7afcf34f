"""What a table does as time passes, and when it wants a Tick for it. Nothing here ever changes a score."""

from dataclasses import replace

from companion.table.asking.manual_entry import ask_how_to_go_on
from companion.table.state.acts import Handlers, Step, speak_complaint
from companion.table.state.cues import Cue, CueKind
from companion.table.state.inputs import Attended, Tick
from companion.table.state.seen import ManualEntry
from companion.table.state.state import TableState
from dicereader.reading import Motion
from pegboard.pegs import IdleStage

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
    """Return whether a press only wakes the table, because it is asleep or nobody plays."""
    nobody = not state.under_way and state.menu is None and state.idle in (IdleStage.CALLED, IdleStage.DIM)
    return state.idle is IdleStage.ASLEEP or nobody


def wake_at(state: TableState) -> float | None:
    """Return when a Tick is due, or None if only an input can change the table."""
    times = (state.farkled.until_s if state.farkled else None, complains_at(state), asks_at(state), idles_at(state))
    return min((each for each in times if each is not None), default=None)


def complains_at(state: TableState) -> float | None:
    """Return when a complaint is spoken, or None without a complaint, and while the table is dim or asleep."""
    return state.complaint.next_s if state.complaint and state.idle not in (IdleStage.DIM, IdleStage.ASLEEP) else None


def asks_at(state: TableState) -> float | None:
    """Return when a table that cannot see its dice asks how to go on, or None if it has asked or nobody plays."""
    if not state.under_way or state.question is not None or state.manual is not ManualEntry.NO:
        return None
    if state.blind is not None:
        return None if state.blind.asked else state.blind.since_s + state.times.blind_ask_s
    if state.motion is Motion.STILL or state.moving_since_s is None:
        return None
    return state.moving_since_s + state.times.unsettled_ask_s


def idles_at(state: TableState) -> float | None:
    """Return when the next idle stage begins, or None before the first input, and while asleep."""
    if state.active_s is None or state.idle is IdleStage.ASLEEP:
        return None
    times = state.times
    after = (times.stronger_s, times.call_s, times.dim_s, times.sleep_s)
    return state.active_s + after[STAGES.index(state.idle)]


HANDLERS: Handlers = {Tick: lambda state, _, now: tick(state, now), Attended: lambda state, _given, _now: Step(state)}
