"""A package of one's own: a lamp on an Arduino at a serial port flashes in the colour of whoever farkles."""

import os

from companion.features.events.hooks import listening
from companion.named_events.kinds import Farkle


def on_event(event: Farkle) -> None:
    if not event.late and event.color:
        lamp = os.open(os.environ.get("LAMP", "/dev/ttyUSB0"), os.O_WRONLY | os.O_NOCTTY)
        os.write(lamp, bytes.fromhex(event.color.removeprefix("#")))
        os.close(lamp)


FEATURE = listening("lamp", on_event, kinds=("farkle",))
