"""When the table wants a Tick, and what for. Pure functions of the state."""

from companion.table.inputs import Motion
from companion.table.state import IdleStage, ManualEntry, TableState


def wake_at(state: TableState) -> float | None:
    """Return when a Tick is due, or None if only an input can change the table."""
    times = (state.farkled.until_s if state.farkled else None, complains_at(state), asks_at(state), idles_at(state))
    return min((each for each in times if each is not None), default=None)


def complains_at(state: TableState) -> float | None:
    """Return when a complaint is spoken, or None if there is none or the table is dim or asleep."""
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
    """Return when the next idle stage begins, or None while nobody has done anything, and when asleep."""
    after = {
        IdleStage.AWAKE: state.times.stronger_s,
        IdleStage.WAITING: state.times.call_s,
        IdleStage.CALLED: state.times.dim_s,
        IdleStage.DIM: state.times.sleep_s,
    }.get(state.idle)
    return None if after is None or state.active_s is None else state.active_s + after
