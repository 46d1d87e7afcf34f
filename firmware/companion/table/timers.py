"""Waits: when the table wants a Tick, and for which of the things that it waits for. Pure functions of the state."""

from companion.table.inputs import Motion
from companion.table.state import ByHand, Rest, TableState


def wake_at(state: TableState) -> float | None:
    """When a Tick is due, None where only an input can change the table."""
    times = (state.farkled.until_s if state.farkled else None, complains_at(state), asks_at(state), tires_at(state))
    return min((each for each in times if each is not None), default=None)


def complains_at(state: TableState) -> float | None:
    """When a complaint is said, or said again; None where there is none, or nobody there to hear it."""
    return state.complaint.next_s if state.complaint and state.rest not in (Rest.DIM, Rest.ASLEEP) else None


def asks_at(state: TableState) -> float | None:
    """When a table that does not see its dice asks how to go on; None where it has asked, or nobody plays."""
    if state.game is None or state.in_lobby or state.game.over or state.question is not None:
        return None
    if state.by_hand is not ByHand.NO:
        return None
    if state.blind is not None:
        return None if state.blind.asked else state.blind.since_s + state.times.blind_ask_s
    if state.motion is Motion.STILL or state.stirred_s is None:
        return None
    return state.stirred_s + state.times.unsettled_ask_s


def tires_at(state: TableState) -> float | None:
    """When the next stage of rest begins, None while nobody has done anything, and asleep."""
    after = {
        Rest.AWAKE: state.times.stronger_s,
        Rest.WAITING: state.times.call_s,
        Rest.CALLED: state.times.dim_s,
        Rest.DIM: state.times.sleep_s,
    }.get(state.rest)
    return None if after is None or state.active_s is None else state.active_s + after
