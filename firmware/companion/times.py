"""The table's times: how long it waits before it says, asks or rests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Times:
    """The table's times in seconds; configuration may change each. None of them ever decides a score.

    `complain_after_s` is how long an impossible tray is tolerated, `complain_again_s` how often that is said again.
    `blind_ask_s` is how long the table waits for its sight before it asks how to go on, `unsettled_ask_s` how long for
    dice that do not come to rest. The others count from when nothing has happened: the pegs breathe more strongly, the
    name is called once, the board dims, and sleeps.
    """

    farkle_shown_s: float = 2.5
    complain_after_s: float = 3.0
    complain_again_s: float = 20.0
    blind_ask_s: float = 8.0
    unsettled_ask_s: float = 20.0
    stronger_s: float = 20.0
    call_s: float = 60.0
    dim_s: float = 300.0
    sleep_s: float = 1800.0
