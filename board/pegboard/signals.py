"""The names of signals that end a process."""

import signal


def signal_name(number: int) -> str:
    """Return the name of a signal; Python has no names for the real-time signals between the first and the last."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
