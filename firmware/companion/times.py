"""The table's times: how long it waits before it says, asks or rests."""

from dataclasses import dataclass

from companion.setting import ConfigSection, Control, check_within, setting

_SECONDS = Control("times", "number", 0, 86400, 0.5)


@dataclass(frozen=True)
class Times(ConfigSection, section="times"):
    """The table's times in seconds. None of them ever decides a score."""

    farkle_shown_s: float = setting(2.5, within=(0, 60), form=_SECONDS)
    """All times are in seconds. A farkle is shown for farkle_shown_s before the next player is called."""
    complain_after_s: float = setting(3.0, within=(0, 60), form=_SECONDS)
    """The table complains about dice on the shelf that do not count after complain_after_s, and repeats a complaint
    after complain_again_s. Before a complaint about missing dice the eye waits for eye.missing_s."""
    complain_again_s: float = setting(20.0, within=(5, 3600), form=_SECONDS)
    blind_ask_s: float = setting(8.0, within=(0, 3600), form=_SECONDS)
    """The table asks how to go on if the camera has not seen the tray for blind_ask_s, or if dice do not come to rest
    for unsettled_ask_s."""
    unsettled_ask_s: float = setting(20.0, within=(5, 3600), form=_SECONDS)
    stronger_s: float = setting(20.0, within=(1, 86400), form=_SECONDS)
    """Without any input the pegs breathe more strongly after stronger_s, the player's name is called once after call_s,
    the board dims after dim_s and sleeps after sleep_s. No time ever decides a score."""
    call_s: float = setting(60.0, form=_SECONDS)
    dim_s: float = setting(300.0, form=_SECONDS)
    sleep_s: float = setting(1800.0, form=_SECONDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        for earlier, later in (("stronger_s", "call_s"), ("call_s", "dim_s"), ("dim_s", "sleep_s")):
            check_within(f"times.{later}", getattr(self, later), getattr(self, earlier), 86400)
